//! The daily limits of wrong guesses (docs/api.md, "Guessing"), in API and portal, and the link by mail.

use crate::{
    harness::{Answer, Service, on_both_databases, send},
    mail::Post,
};
use reqwest::Method;
use returns::{NewUser, Role};
use serde_json::{Value, json};

on_both_databases! {
    the_21st_guess_of_a_client_is_refused_until_the_day_ends
    api_and_portal_count_together_and_known_addresses_stay_allowed
    over_the_limit_the_form_offers_a_link_by_mail
    guesses_with_the_accounts_own_key_are_not_counted
    a_malformed_email_is_no_guess
    a_users_password_is_guessed_ten_times_a_day
    a_portal_session_counts_as_its_consumer
}

/// Seconds from [`crate::harness::NOW`], which is ten o'clock, to midnight.
const TO_MIDNIGHT: &str = "50400";

/// Sends a request with this client address. The tests come from 127.0.0.1, which is a trusted proxy here.
async fn from(service: &Service, client: &str, path: &str, body: &Value) -> Answer {
    send(service.request(Method::POST, path, "").header("X-Forwarded-For", client).json(body)).await
}

fn order(number: &str, email: &str) -> Value {
    json!({"account": "fjord-fern", "orderNumber": number, "email": email})
}

/// Sends the portal's form.
async fn look_up(service: &Service, client: &str, number: &str, email: &str) -> Answer {
    let client = service.request(Method::POST, "/fjord-fern/call/look-up", "").header("X-Forwarded-For", client);
    send(client.form(&[("orderNumber", number), ("email", email)])).await
}

/// Sends this many concurrent wrong guesses at an order from one client. `name`: the beginning of their e-mail addresses.
async fn guess(service: &Service, number: &str, name: &str, count: usize) -> Vec<u16> {
    let mut guesses = tokio::task::JoinSet::new();
    for guess in 0..count {
        let body = order(number, &format!("{name}{guess}@example.com"));
        let request = service.request(Method::POST, "/auth/consumer", "").header("X-Forwarded-For", "198.51.100.7");
        guesses.spawn(send(request.json(&body)));
    }
    let mut statuses: Vec<u16> = guesses.join_all().await.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    statuses
}

async fn the_21st_guess_of_a_client_is_refused_until_the_day_ends(service: Service) {
    assert_eq!(guess(&service, "1001", "eve", 12).await, [401; 12]);
    assert_eq!(guess(&service, "nowhere", "eve", 12).await, [[401; 8].as_slice(), &[429; 4]].concat());
    let refused = from(&service, "198.51.100.7", "/auth/consumer", &order("1001", "ada@example.com")).await;
    refused.matches_snapshot("too-many-guesses");
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some(TO_MIDNIGHT)));
    assert!(!refused.text().contains("ada") && !refused.text().contains("1001"));
    let buyer = from(&service, "198.51.100.8", "/auth/consumer", &order("1001", "ada@example.com")).await;
    assert_eq!(buyer.status, 201, "guesses of a stranger do not lock the buyer out");
    service.clock.set(crate::harness::NOW.plus_seconds(TO_MIDNIGHT.parse().unwrap()));
    let tomorrow = from(&service, "198.51.100.7", "/auth/consumer", &order("1001", "ada@example.com")).await;
    assert_eq!(tomorrow.status, 200);
}

async fn api_and_portal_count_together_and_known_addresses_stay_allowed(service: Service) {
    assert_eq!(
        look_up(&service, "198.51.100.7", "1001", "ada@example.com").await.status,
        200,
        "the form redirected to her purchases"
    );
    assert_eq!(guess(&service, "1001", "eve", 19).await, [401; 19]);
    assert_eq!(
        look_up(&service, "198.51.100.7", "1001", "bob@example.com").await.status,
        200,
        "the form is shown again"
    );
    let refused = look_up(&service, "198.51.100.7", "1003", "bob@example.com").await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some(TO_MIDNIGHT)));
    assert!(refused.text().contains("try again tomorrow") && !refused.text().contains("bob@"));
    assert_eq!(from(&service, "198.51.100.7", "/auth/consumer", &order("1001", "ada@example.com")).await.status, 200);
}

async fn over_the_limit_the_form_offers_a_link_by_mail(mut service: Service) {
    let post = Post::open(&mut service, 1);
    assert_eq!(guess(&service, "1001", "eve", 20).await, [401; 20]);
    let client = "198.51.100.7";
    let refused = from(&service, client, "/auth/consumer", &order("1001", "ada@example.com")).await;
    let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(refused.status == 429 && message.contains("/fjord-fern/link"), "{message}");
    let page = look_up(&service, client, "1001", "ada@example.com").await;
    assert_eq!((page.status, page.header("retry-after")), (429, Some(TO_MIDNIGHT)));
    assert!(page.text().contains("href=\"/fjord-fern/link\""), "{}", page.text());
    let ask = async |email: &str| {
        let request = service.request(Method::POST, "/fjord-fern/call/link", "").header("X-Forwarded-For", client);
        send(request.form(&[("email", email)])).await.status
    };
    // Others in the network cannot use the links up: a stranger requests as many as they like.
    for number in 0..40 {
        assert_eq!(ask(&format!("eve{number}@example.com")).await, 200);
    }
    assert_eq!(ask("ada@example.com").await, 200);
    assert_eq!(post.wait_for(&service, 1).await[0]["to"], json!(["ada@example.com"]));
    for _ in 0..3 {
        assert_eq!(ask("ada@example.com").await, 200, "the answer is the same");
    }
    assert_eq!(post.settled(&service).await.len(), 1, "over its limit, a client gets one link sent to each address");
}

async fn guesses_with_the_accounts_own_key_are_not_counted(service: Service) {
    let guesses = async |key: &str, count: usize| {
        let mut guesses = tokio::task::JoinSet::new();
        for guess in 0..count {
            let body = order(&format!("9{guess:03}"), &format!("eve{guess}@example.com"));
            guesses.spawn(send(service.request(Method::POST, "/auth/consumer", key).json(&body)));
        }
        let answers = guesses.join_all().await;
        answers.iter().filter(|answer| answer.status == 401).count()
    };
    assert_eq!(guesses(&service.demo.key, 40).await, 40);
    assert_eq!(guesses(&service.other_key, 40).await, 20, "the key of another shop does not exempt guesses");
    let ada = service.post("/auth/consumer", &service.demo.key, order("1001", "ada@example.com")).await;
    assert_eq!(ada.status, 201);
}

/// The page after such a proof.
async fn mistyped(service: &Service, field: &str, proof: &str) -> String {
    let browser = reqwest::Client::builder().cookie_store(true).build().unwrap();
    let form =
        browser.post(format!("{}/fjord-fern/call/look-up", service.base())).header("X-Forwarded-For", "198.51.100.7");
    form.form(&[("orderNumber", "1001"), (field, proof)]).send().await.unwrap().text().await.unwrap()
}

async fn a_malformed_email_is_no_guess(service: Service) {
    for _ in 0..25 {
        let wrong = from(&service, "198.51.100.7", "/auth/consumer", &order("1001", "ada.example.com")).await;
        assert_eq!((wrong.status, wrong.fields()), (422, vec!["email".to_owned()]));
        let page = mistyped(&service, "email", "ada.example.com").await;
        assert!(page.contains("Enter your full email address"), "{page}");
    }
    let both = json!({"policy": {"lookUpBy": ["email", "postalCode"]}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, both).await.status, 200);
    for _ in 0..25 {
        let page = mistyped(&service, "proof", "ada.example").await;
        assert!(page.contains("Enter your email address"), "{page}");
    }
    let right = from(&service, "198.51.100.7", "/auth/consumer", &order("1001", "ada@example.com")).await;
    assert_eq!(right.status, 201);
}

async fn a_users_password_is_guessed_ten_times_a_day(service: Service) {
    let new = NewUser { email: "ada@example.com".to_owned(), name: String::new(), role: Role::Viewer, language: None };
    service
        .retour
        .operator()
        .create_user(service.demo.account.id, new, "correct horse battery".to_owned())
        .await
        .unwrap();
    let body = |email: &str, password: &str| json!({"email": email, "password": password});
    for email in ["ada@example.com", "nobody@example.com"] {
        let mut tries = tokio::task::JoinSet::new();
        for number in 0..14 {
            let wrong = body(email, &format!("wrong password {number}"));
            let request = service.request(Method::POST, "/auth/user", "").header("X-Forwarded-For", "198.51.100.7");
            tries.spawn(send(request.json(&wrong)));
        }
        let mut answers = tries.join_all().await;
        answers.sort_by_key(|answer| answer.status);
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!(statuses, [[401; 10].as_slice(), &[429; 4]].concat(), "{email}");
        answers.last().unwrap().matches_snapshot("too-many-guesses");
    }
    let right = body("ada@example.com", "correct horse battery");
    assert_eq!(from(&service, "203.0.113.9", "/auth/user", &right).await.status, 429);
}

async fn a_portal_session_counts_as_its_consumer(service: Service) {
    let service = service.with_limit(4);
    let jar = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let form = [("orderNumber", "1001"), ("email", "ada@example.com")];
    let request = jar
        .post(format!("{}/fjord-fern/call/look-up", service.base()))
        .header("X-Forwarded-For", "203.0.113.1")
        .form(&form);
    let proved = send(request).await;
    assert_eq!((proved.status, proved.header("ratelimit-remaining")), (303, Some("3")));
    let cookie = proved.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let show = async |client: &str, cookie: &str| {
        let request = service.request(Method::GET, "/fjord-fern/purchases", "").header("X-Forwarded-For", client);
        send(request.header("cookie", cookie)).await
    };
    for (left, client) in [(3, 1), (2, 2), (1, 3), (0, 4)] {
        let answer = show(&format!("203.0.113.{client}"), &cookie).await;
        assert_eq!((answer.status, answer.header("ratelimit-remaining")), (200, Some(left.to_string().as_str())));
    }
    assert_eq!(show("203.0.113.5", &cookie).await.status, 429);
    // A made-up session cookie counts as its network.
    let made_up = show("203.0.113.6", "retour=AAAAAAAAAAAAAAAAAAAAAA").await;
    assert_eq!(made_up.header("ratelimit-remaining"), Some("2"), "the redirect to the form was followed");
}
