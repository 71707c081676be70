//! The rate limit, and the size of bodies.

use crate::harness::{Answer, Consumer, NOW, Service, on_both_databases, send, text};
use reqwest::Method;
use returns::Role;
use serde_json::json;
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

on_both_databases! {
    every_answer_says_how_many_requests_are_left
    a_request_over_the_limit_is_refused
    clients_without_a_valid_credential_count_by_network
    all_tokens_of_a_consumer_and_their_session_share_a_count
    an_ipv6_network_shares_a_count
    proving_an_order_counts_by_network_or_by_key
    signing_in_at_the_desk_counts_by_network
    a_revoked_token_is_refused_although_its_owner_is_cached
    of_500_requests_at_once_exactly_120_pass
    without_a_limit_no_headers_are_sent
    each_client_behind_a_proxy_has_its_own_count
    slow_clients_are_disconnected_and_delay_nobody
}

/// The headers of the rate limit: the limit, the requests that are left, and the end of the window.
pub fn rate_limit_headers(answer: &Answer) -> (Option<u32>, Option<u32>, Option<i64>) {
    let header = |name: &str| answer.header(name).map(str::to_owned);
    let number = |name: &str| header(name).map(|value| value.parse().unwrap());
    (
        number("ratelimit-limit"),
        number("ratelimit-remaining"),
        header("ratelimit-reset").map(|value| value.parse().unwrap()),
    )
}

async fn every_answer_says_how_many_requests_are_left(service: Service) {
    let ada = service.ada().await;
    let service = service.with_limit(9);
    let (token, key) = (ada.token.as_str(), service.demo.key.as_str());
    let resets = Some(NOW.seconds() + 60);
    let wrong = json!({"account": "nowhere", "orderNumber": "1001", "email": "ada@example.com"});
    let purchases = format!("/consumer/{}/purchases", ada.id);
    let drafts = format!("/consumer/{}/draft-return-order", ada.id);
    let answers = [
        (200, service.get(&purchases, token).await, 8),
        (403, service.get("/api/v0/return-orders", token).await, 7),
        (422, service.post(&drafts, token, json!({})).await, 6),
        (415, send(service.request(Method::POST, &drafts, token).body("{}")).await, 5),
        (413, send(service.request(Method::POST, &drafts, token).body(vec![b' '; 2 << 20])).await, 4),
        (405, send(service.request(Method::DELETE, &purchases, token)).await, 3),
        (404, service.get("/api/nowhere", token).await, 2),
        (404, service.get("/consumer/nobody/purchases", token).await, 1),
        (400, service.get(&format!("{purchases}?limit=0"), token).await, 0),
        (200, service.get("/api/v0/return-orders", key).await, 8),
        (401, service.get(&purchases, "").await, 8),
        (404, service.post("/auth/consumer", "", wrong).await, 7),
    ];
    for (status, answer, left) in answers {
        assert_eq!((answer.status, rate_limit_headers(&answer)), (status, (Some(9), Some(left), resets)));
        assert_eq!(answer.header("retry-after"), None);
    }
}

async fn a_request_over_the_limit_is_refused(service: Service) {
    let service = service.with_limit(5);
    let path = "/api/v0/return-orders";
    for left in (0..5).rev() {
        assert_eq!(rate_limit_headers(&service.get(path, &service.demo.key).await).1, Some(left));
    }
    service.clock.set(NOW.plus_seconds(18));
    let refused = service.get(path, &service.demo.key).await;
    assert_eq!((refused.status, refused.error_code().as_str()), (429, "TooManyRequests"));
    let last_four = &service.demo.key[service.demo.key.len() - 4..];
    let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(
        message.starts_with(&format!("The rate limit is exceeded for the token that ends in {last_four}.")),
        "{message}"
    );
    assert!(!message.contains(&service.demo.key));
    assert_eq!(rate_limit_headers(&refused), (Some(5), Some(0), Some(NOW.seconds() + 60)));
    assert_eq!(refused.header("retry-after"), Some("42"));
    // Another key of the same shop has its own count, and the next minute is a new window.
    assert_eq!(service.get(path, &service.other_key).await.status, 200);
    service.clock.set(NOW.plus_seconds(60));
    let answer = service.get(path, &service.demo.key).await;
    assert_eq!((answer.status, rate_limit_headers(&answer)), (200, (Some(5), Some(4), Some(NOW.seconds() + 120))));
}

async fn clients_without_a_valid_credential_count_by_network(service: Service) {
    let service = service.with_limit(3);
    // Made-up credentials do not give a fresh count.
    for credential in ["", "made-up", "rtk_00000000000000000000000000000000"] {
        assert_eq!(service.get("/api/v0/return-orders", credential).await.status, 401);
    }
    for credential in ["", "another"] {
        let refused = service.get("/api/v0/return-orders", credential).await;
        refused.matches_snapshot("too-many-requests-of-an-address");
    }
    assert_eq!(service.get("/api/v0/return-orders", &service.demo.key).await.status, 200);
    for uncounted in ["/health/live", "/health/ready"] {
        let answer = service.get(uncounted, "").await;
        assert_eq!((answer.status, rate_limit_headers(&answer)), (200, (None, None, None)));
    }
}

async fn all_tokens_of_a_consumer_and_their_session_share_a_count(service: Service) {
    let service = service.with_limit(12);
    let mut tokens = Vec::new();
    for _ in 0..3 {
        tokens.push(service.ada().await);
    }
    let get = async |token: &str| service.get("/api/v0/return-orders", token).await;
    for left in (6..12).rev() {
        let token = &tokens[left % 3].token;
        let answer = get(token).await;
        assert_eq!(
            (answer.status, rate_limit_headers(&answer).1),
            (403, u32::try_from(left).ok()),
            "a new token does not start a new count"
        );
    }
    // The consumer's requests to the portal count too, from any address.
    let form = [("orderNumber", "1001"), ("email", "ada@example.com")];
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let proved = send(client.post(format!("{}/fjord-fern/call/look-up", service.base())).form(&form)).await;
    let cookie = proved.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    for left in (0..6).rev() {
        let request = service.request(Method::GET, "/fjord-fern/purchases", "").header("cookie", &cookie);
        let page = send(request.header("X-Forwarded-For", "203.0.113.50")).await;
        assert_eq!((page.status, rate_limit_headers(&page).1), (200, Some(left)));
    }
    for Consumer { token, .. } in &tokens {
        let refused = get(token).await;
        assert_eq!(refused.status, 429);
        let last_four = &token[token.len() - 4..];
        assert!(refused.text().contains(&format!("for the token that ends in {last_four}.")), "{}", refused.text());
    }
}

async fn an_ipv6_network_shares_a_count(service: Service) {
    let service = service.with_limit(3);
    let send = async |client: &str| {
        let request = service.request(Method::GET, "/api/v0/return-orders", "").header("X-Forwarded-For", client);
        crate::harness::send(request).await
    };
    for device in 0..3 {
        assert_eq!(send(&format!("2001:db8:1:2::{device}")).await.status, 401);
    }
    let refused = send("2001:db8:1:2:3:4:5:6").await;
    assert_eq!(refused.status, 429);
    assert!(refused.text().contains("for 2001:db8:1:2:3:4:5:6."), "{}", refused.text());
    assert_eq!(send("2001:db8:1:3::1").await.status, 401, "the next network has its own count");
}

async fn proving_an_order_counts_by_network_or_by_key(service: Service) {
    let ada = service.ada().await;
    let service = service.with_limit(4);
    let body = json!({"account": "fjord-fern", "orderNumber": "1001", "email": "ada@example.com"});
    let prove = async |credential: &str| {
        let answer = service.post("/auth/consumer", credential, body.clone()).await;
        (answer.status, rate_limit_headers(&answer).1)
    };
    assert_eq!(prove("").await, (200, Some(3)));
    assert_eq!(prove(&ada.token).await, (200, Some(2)), "proving an order with a consumer's token counts by network");
    assert_eq!(prove(&service.demo.key).await, (200, Some(3)));
    assert_eq!(prove("made-up").await, (200, Some(1)));
    assert_eq!(prove(&ada.token).await, (200, Some(0)));
    let refused = service.post("/auth/consumer", &ada.token, body.clone()).await;
    assert_eq!(refused.status, 429);
    assert!(refused.text().contains("for 127.0.0.1."), "{}", refused.text());
    assert_eq!(prove(&service.demo.key).await, (200, Some(2)));
    let own = service.get("/api/v0/return-orders", &ada.token).await;
    assert_eq!((own.status, rate_limit_headers(&own).1), (403, Some(3)), "other requests count for the consumer");
}

async fn signing_in_at_the_desk_counts_by_network(service: Service) {
    let service = service.with_limit(5);
    let browser = service.at_desk("grace@team.example", Role::Viewer).await;
    let wrong = [("email", "grace@team.example"), ("password", "not the password"), ("here", "/desk/sign-in")];
    for (left, name) in [(3, "sign-in"), (2, "code"), (1, "forgotten"), (0, "set-password")] {
        let answer = browser.send(Method::POST, &format!("/desk/call/{name}"), &wrong).await;
        assert_eq!(rate_limit_headers(&answer).1, Some(left), "{name} with a session counts by network");
    }
    let refused = browser.send(Method::POST, "/desk/call/sign-in", &wrong).await;
    assert_eq!(refused.status, 429);
    let page = browser.get("/desk/me").await;
    assert_eq!((page.status, rate_limit_headers(&page)), (200, (Some(25), Some(24), Some(NOW.seconds() + 60))));
}

async fn a_revoked_token_is_refused_although_its_owner_is_cached(service: Service) {
    let service = service.with_limit(9);
    let new = json!({"name": "ERP", "scopes": ["read"]});
    let made = service.post("/api/v0/service-users", &service.demo.key, new).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let (key, id) = (text(&made.json()["apiKey"]), text(&made.json()["id"]));
    assert_eq!(rate_limit_headers(&service.get("/api/v0/return-orders", &key).await).1, Some(8));
    assert_eq!(service.delete(&format!("/api/v0/service-users/{id}"), &service.demo.key).await.status, 204);
    let revoked = service.get("/api/v0/return-orders", &key).await;
    assert_eq!(
        (revoked.status, rate_limit_headers(&revoked).1),
        (401, Some(7)),
        "the request is counted before the token is looked up"
    );
    let again = service.get("/api/v0/return-orders", &key).await;
    assert_eq!((again.status, rate_limit_headers(&again).1), (401, Some(8)), "further requests count by network");
}

/// The tests come from 127.0.0.1, which is a trusted proxy here.
async fn each_client_behind_a_proxy_has_its_own_count(service: Service) {
    let service = service.with_limit(2);
    let send = async |forwarded: &str| {
        let request = service.request(reqwest::Method::GET, "/fjord-fern", "").header("X-Forwarded-For", forwarded);
        crate::harness::send(request).await
    };
    for client in ["198.51.100.1", "198.51.100.2"] {
        for expected in [200, 200, 429] {
            assert_eq!(send(client).await.status, expected, "{client}");
        }
    }
    let refused = send("made-up, 198.51.100.1").await;
    assert_eq!((refused.status, refused.header("content-type")), (429, Some("text/html; charset=utf-8")));
    // A path that looks like another host must not redirect there.
    let over = |method, path| service.request(method, path, "").header("X-Forwarded-For", "198.51.100.1");
    let elsewhere = crate::harness::send(over(Method::GET, "//evil.example/x")).await;
    assert_eq!(elsewhere.status, 429);
    assert!(elsewhere.text().contains(r#"href="/evil.example/x""#), "{}", elsewhere.text());
    let island = over(Method::POST, "/fjord-fern/call/look-up").header("accept", "application/json");
    let island = crate::harness::send(island).await;
    let seconds = island.json()["tooMany"]["seconds"].as_i64();
    assert!(seconds.is_some_and(|wait| (1..=60).contains(&wait)), "{}", island.text());
    assert!(refused.text().contains("Too many attempts"));
}

async fn of_500_requests_at_once_exactly_120_pass(service: Service) {
    let service = std::sync::Arc::new(service.with_limit(120));
    let mut requests = tokio::task::JoinSet::new();
    for _ in 0..500 {
        let service = service.clone();
        requests.spawn(async move { service.get("/api/v0/return-requests?limit=1", &service.demo.key).await });
    }
    let answers = requests.join_all().await;
    let count = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(200), count(429)), (120, 380));
    let mut left: Vec<u32> = answers
        .iter()
        .filter(|answer| answer.status == 200)
        .filter_map(|answer| rate_limit_headers(answer).1)
        .collect();
    left.sort_unstable();
    assert_eq!(left, (0..120).collect::<Vec<u32>>(), "each request within the limit gets a different remaining count");
}

async fn without_a_limit_no_headers_are_sent(service: Service) {
    let answer = service.get("/api/v0/return-orders", &service.demo.key).await;
    assert_eq!((answer.status, rate_limit_headers(&answer)), (200, (None, None, None)));
}

/// Uses real sockets and real time, so it takes as long as the timeout.
async fn slow_clients_are_disconnected_and_delay_nobody(service: Service) {
    let address = service.base().trim_start_matches("http://").to_owned();
    let head = "POST /auth/consumer HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\n";
    let starts = ["POST /auth/consumer HTTP/1.1\r\nhost:".to_owned(), format!("{head}content-length: 1000\r\n\r\n")];
    let mut slow = tokio::task::JoinSet::new();
    for start in starts {
        let address = address.clone();
        slow.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(start.as_bytes()).await.unwrap();
            let (mut answer, mut some) = (Vec::new(), [0; 1024]);
            loop {
                tokio::select! {
                    read = stream.read(&mut some) => match read {
                        Ok(bytes @ 1..) => answer.extend(&some[..bytes]),
                        _ => return String::from_utf8(answer).unwrap(),
                    },
                    () = tokio::time::sleep(Duration::from_secs(1)) => drop(stream.write_all(b" ").await),
                }
            }
        });
    }
    while !slow.is_empty() {
        assert_eq!(service.get("/api/v0/return-orders", &service.demo.key).await.status, 200);
        if let Ok(Some(gone)) = tokio::time::timeout(Duration::from_millis(500), slow.join_next()).await {
            let answer = gone.unwrap();
            assert!(
                answer.is_empty() || answer.contains("took too long") && answer.contains("connection: close"),
                "{answer}"
            );
        }
    }
}
