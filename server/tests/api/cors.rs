//! Scripts of other origins (CORS): what browsers let them send and read.

use crate::{
    harness::{Answer, Consumer, NOW, Service, on_both_databases, send},
    program::command,
};
use reqwest::Method;
use returns::bodies::{BodyBudget, BodyLimits};
use serde_json::{Value, json};
use server::api::{
    operation::{Access, Operation},
    operations,
};
use store::{
    Store,
    testing::{Database, DatabaseProxy},
};

on_both_databases! {
    scripts_of_a_listed_origin_can_call_consumer_operations
    only_exactly_listed_origins_can_read
    an_answer_is_readable_for_the_origins_of_its_account
    scripts_can_read_errors
    exactly_the_operations_of_consumers_are_open_to_other_origins
    cookies_are_ignored_and_never_allowed
    only_requests_of_other_origins_read_the_lists
    the_command_line_sets_origins
}

const SHOP: &str = "https://shop.example";
const OTHER: &str = "https://other.example";
const NOBODY: &str = "01980000-0000-7000-8000-000000000000";

async fn list(service: &Service, key: &str, origins: &[&str]) {
    let answer = service.patch("/api/v0/account", key, json!({"apiOrigins": origins})).await;
    assert_eq!((answer.status, &answer.json()["apiOrigins"]), (200, &json!(origins)), "{}", answer.text());
}

/// A preflight request.
async fn preflight(service: &Service, path: &str, origin: &str) -> Answer {
    let request = service.request(Method::OPTIONS, path, "").header("origin", origin);
    let request = request.header("access-control-request-method", "POST");
    send(request.header("access-control-request-headers", "authorization,content-type,idempotency-key")).await
}

async fn get(service: &Service, path: &str, credential: &str, origin: &str) -> Answer {
    send(service.request(Method::GET, path, credential).header("origin", origin)).await
}

async fn prove(service: &Service, account: &str, email: &str, origin: &str) -> Answer {
    let body = json!({"account": account, "orderNumber": "1001", "email": email});
    send(service.request(Method::POST, "/auth/consumer", "").header("origin", origin).json(&body)).await
}

fn purchases(consumer: &Consumer) -> String {
    format!("/consumer/{}/purchases", consumer.id)
}

/// The origin whose scripts may read an answer. Every answer must say that it varies by origin, for caches.
fn reader(answer: &Answer) -> Option<&str> {
    let varies = |value: &reqwest::header::HeaderValue| value.to_str().unwrap().eq_ignore_ascii_case("origin");
    assert!(answer.headers.get_all("vary").iter().any(varies), "{:?}", answer.headers);
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    answer.header("access-control-allow-origin")
}

/// The names in a header, in lower case.
fn names(answer: &Answer, header: &str) -> Vec<String> {
    let names = answer.header(header).unwrap_or_default().split(',');
    names.map(|name| name.trim().to_ascii_lowercase()).filter(|name| !name.is_empty()).collect()
}

async fn scripts_of_a_listed_origin_can_call_consumer_operations(service: Service) {
    list(&service, &service.demo.key, &["https://www.shop.example", SHOP, "http://localhost:8080"]).await;
    for origin in [SHOP, "http://localhost:8080"] {
        let asked = preflight(&service, "/auth/consumer", origin).await;
        assert_eq!((asked.status, reader(&asked), asked.text().as_str()), (200, Some(origin), ""));
        assert_eq!(asked.header("access-control-max-age"), Some("7200"));
        assert_eq!(names(&asked, "access-control-allow-methods"), ["get", "post", "patch", "delete"]);
        let sent = names(&asked, "access-control-allow-headers");
        for name in ["authorization", "content-type", "idempotency-key", "accept-language"] {
            assert!(sent.iter().any(|one| one == name), "{name}: {sent:?}");
        }
    }
    let proved = prove(&service, "fjord-fern", "ada@example.com", SHOP).await;
    assert_eq!((proved.status, reader(&proved)), (201, Some(SHOP)));
    let ada = Consumer::of(proved);
    assert_eq!(reader(&preflight(&service, &purchases(&ada), SHOP).await), Some(SHOP));
    let answer = get(&service.with_limit(100), &purchases(&ada), &ada.token, SHOP).await;
    assert_eq!((answer.status, reader(&answer)), (200, Some(SHOP)));
    let exposed = names(&answer, "access-control-expose-headers");
    let wanted = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after", "etag", "location"];
    for name in wanted.into_iter().chain(["content-disposition", "x-request-id"]) {
        assert!(exposed.iter().any(|one| one == name), "{name}: {exposed:?}");
    }
    assert_eq!(answer.header("ratelimit-remaining"), Some("99"));
}

async fn only_exactly_listed_origins_can_read(service: Service) {
    let ada = service.ada().await;
    list(&service, &service.demo.key, &[SHOP]).await;
    let others = [
        OTHER,
        "null",
        "*",
        "http://shop.example",
        "https://shop.example:8443",
        "https://shop.example/",
        "https://shop.example/returns",
        "https://SHOP.example",
        "https://www.shop.example",
        "https://shop.example.evil.example",
        "https://shop.example, https://shop.example",
    ];
    for origin in others {
        let asked = preflight(&service, &purchases(&ada), origin).await;
        assert_eq!((asked.status, reader(&asked)), (405, None), "{origin}");
        let answer = get(&service, &purchases(&ada), &ada.token, origin).await;
        assert_eq!((answer.status, reader(&answer)), (200, None), "{origin}");
        assert_eq!(answer.header("access-control-expose-headers"), None);
    }
    assert_eq!(reader(&get(&service, &purchases(&ada), &ada.token, SHOP).await), Some(SHOP));
    // An origin that is removed from the list can read no further answers.
    list(&service, &service.demo.key, &[]).await;
    assert_eq!(reader(&get(&service, &purchases(&ada), &ada.token, SHOP).await), None);
    assert_eq!(reader(&preflight(&service, &purchases(&ada), SHOP).await), None);
}

async fn an_answer_is_readable_for_the_origins_of_its_account(service: Service) {
    let ada = service.ada().await;
    list(&service, &service.demo.key, &[SHOP]).await;
    list(&service, &service.other_key, &[OTHER]).await;
    for origin in [SHOP, OTHER] {
        for path in ["/auth/consumer".to_owned(), purchases(&ada)] {
            assert_eq!(reader(&preflight(&service, &path, origin).await), Some(origin), "{path}");
        }
    }
    for (account, origin, read) in [
        ("fjord-fern", SHOP, Some(SHOP)),
        ("fjord-fern", OTHER, None),
        ("other", OTHER, Some(OTHER)),
        ("other", SHOP, None),
        (service.other_account.as_str(), SHOP, None),
    ] {
        let proved = prove(&service, account, "ada@example.com", origin).await;
        assert!(proved.status < 300 && reader(&proved) == read, "{account}, {origin}: {}", proved.status);
    }
    assert_eq!(reader(&get(&service, &purchases(&ada), &ada.token, OTHER).await), None);
    assert_eq!(reader(&get(&service, &purchases(&ada), &ada.token, SHOP).await), Some(SHOP));
    // A made-up token of an account does not make an answer of another account readable.
    let made_up = format!("rtc_{}0000", service.other_account.replace('-', ""));
    let body = json!({"account": "fjord-fern", "orderNumber": "1001", "email": "ada@example.com"});
    let asked = service.request(Method::POST, "/auth/consumer", &made_up).header("origin", OTHER).json(&body);
    let proved = send(asked).await;
    assert!(proved.status < 300 && reader(&proved).is_none(), "{}", proved.status);
    // The answer to a wrong proof belongs to the account, too.
    let wrong = prove(&service, "fjord-fern", "eve@example.com", OTHER).await;
    assert_eq!((wrong.status, reader(&wrong)), (401, None));
}

async fn scripts_can_read_errors(service: Service) {
    let ada = service.ada().await;
    list(&service, &service.demo.key, &[SHOP]).await;
    let drafts = format!("/consumer/{}/draft-return-order", ada.id);
    let made_up = format!("{}0", ada.token);
    let post = |body: Vec<u8>| {
        let request = service.request(Method::POST, &drafts, &ada.token).header("content-type", "application/json");
        send(request.header("origin", SHOP).body(body))
    };
    let answers = [
        (401, get(&service, &purchases(&ada), "", SHOP).await),
        (401, get(&service, &purchases(&ada), "nothing", SHOP).await),
        (401, get(&service, &purchases(&ada), &made_up, SHOP).await),
        (401, prove(&service, "fjord-fern", "eve@example.com", SHOP).await),
        (404, prove(&service, "nowhere", "ada@example.com", SHOP).await),
        (404, get(&service, &format!("/consumer/{NOBODY}/purchases"), &ada.token, SHOP).await),
        (404, get(&service, "/consumer/nothing/here", &ada.token, SHOP).await),
        (405, get(&service, &drafts, &ada.token, SHOP).await),
        (400, post(b"{".to_vec()).await),
        (413, post(vec![b' '; 2 << 20]).await),
        (422, post(b"{}".to_vec()).await),
        (422, prove(&service, "fjord-fern", "no address", SHOP).await),
    ];
    for (status, answer) in answers {
        assert_eq!((answer.status, reader(&answer)), (status, Some(SHOP)), "{}", answer.text());
        assert!(answer.json()["error"]["code"].is_string());
    }
    let service = service.with_limit(1);
    let credentials = [ada.token.as_str(), ""];
    for credential in credentials {
        get(&service, &purchases(&ada), credential, SHOP).await;
        let refused = get(&service, &purchases(&ada), credential, SHOP).await;
        assert_eq!((refused.status, reader(&refused)), (429, Some(SHOP)));
        assert!(refused.header("retry-after").is_some());
        assert!(names(&refused, "access-control-expose-headers").contains(&"retry-after".to_owned()));
    }
    // Preflight requests do not count. Otherwise, a page would be refused because of requests that it did not make.
    assert_eq!(preflight(&service, &purchases(&ada), SHOP).await.status, 200);
    // The budget for bodies refuses before the account of the request is known.
    let service = service.with_bodies(BodyBudget::new(BodyLimits { client: 1, ..BodyLimits::default() }));
    let refused = prove(&service, "fjord-fern", "ada@example.com", SHOP).await;
    assert_eq!((refused.status, reader(&refused), refused.header("retry-after")), (429, Some(SHOP), Some("10")));
}

#[test]
fn scripts_can_read_that_the_database_is_unavailable() {
    store::testing::on_postgres(async |database: Database| {
        let mut line = DatabaseProxy::to(&database.url);
        let by_line = Database { store: Store::open(&line.url).await.unwrap(), url: line.url.clone() };
        let service = Service::start(by_line.clone()).await;
        let ada = service.ada().await;
        list(&service, &service.demo.key, &[SHOP]).await;
        assert_eq!(reader(&preflight(&service, &purchases(&ada), SHOP).await), Some(SHOP));
        line.cut().await;
        store::testing::until_unreachable(&by_line.store).await;
        for seconds in [0, 60] {
            service.clock.set(NOW.plus_seconds(seconds));
            assert_eq!(reader(&preflight(&service, &purchases(&ada), SHOP).await), Some(SHOP));
            let answer = get(&service, &purchases(&ada), &ada.token, SHOP).await;
            assert_eq!((answer.status, reader(&answer)), (503, Some(SHOP)));
            assert!(answer.header("retry-after").is_some());
        }
    });
}

async fn exactly_the_operations_of_consumers_are_open_to_other_origins(service: Service) {
    let ada = service.ada().await;
    list(&service, &service.demo.key, &[SHOP]).await;
    let is_consumers = |one: &Operation| matches!(one.access, Access::Consumer(_)) || one.id == "createConsumer";
    let (of_consumers, others): (Vec<Operation>, Vec<Operation>) = operations().into_iter().partition(is_consumers);
    assert!(of_consumers.len() > 10 && others.len() > 40, "{}, {}", of_consumers.len(), others.len());
    let preflight_of = async |path: &str| {
        let segments = path.split('/').map(|segment| if segment.starts_with('{') { NOBODY } else { segment });
        preflight(&service, &segments.collect::<Vec<_>>().join("/"), SHOP).await
    };
    for operation in of_consumers {
        let asked = preflight_of(&operation.path()).await;
        assert_eq!(reader(&asked), Some(SHOP), "{}", operation.id);
        let method = operation.method.as_str().to_lowercase();
        assert!(names(&asked, "access-control-allow-methods").contains(&method), "{}: {method}", operation.id);
        assert!(!operation.if_match, "{}: access-control-allow-headers has to contain If-Match", operation.id);
    }
    for path in others.iter().flat_map(Operation::paths) {
        let asked = preflight_of(&path).await;
        assert_eq!(asked.header("access-control-allow-origin"), None, "{path}");
    }
    for path in ["/api/v0/account", "/api/v0/return-orders", "/api/v0/openapi.json", "/health/live", "/fjord-fern"] {
        let answer = get(&service, path, &service.demo.key, SHOP).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, None), "{path}");
    }
    // A key belongs on a server. A page that has one shows it to every visitor.
    let answer = get(&service, &purchases(&ada), &service.demo.key, SHOP).await;
    assert_eq!((answer.status, reader(&answer)), (200, None));
}

async fn cookies_are_ignored_and_never_allowed(service: Service) {
    let ada = service.ada().await;
    list(&service, &service.demo.key, &[SHOP]).await;
    // A session of the portal in which the same order is proved.
    let browser = reqwest::Client::builder().cookie_store(true).redirect(reqwest::redirect::Policy::none()).build();
    let browser = browser.unwrap();
    let form = [("orderNumber", "1001"), ("proof", "ada@example.com")];
    let proved = browser.post(format!("{}/fjord-fern/call/look-up", service.base())).form(&form).send().await.unwrap();
    assert_eq!(proved.headers()["location"], "/fjord-fern/purchases");
    let shown = browser.get(format!("{}/fjord-fern/purchases", service.base())).send().await.unwrap();
    assert_eq!(shown.status(), 200, "the browser has the cookie");
    let path = format!("{}{}", service.base(), purchases(&ada));
    let answer = send(browser.get(&path).header("origin", SHOP)).await;
    assert_eq!((answer.status, reader(&answer), answer.header("set-cookie")), (401, Some(SHOP), None));
    let answer = send(browser.get(&path).bearer_auth(&ada.token).header("origin", SHOP)).await;
    assert_eq!((answer.status, reader(&answer), answer.header("set-cookie")), (200, Some(SHOP), None));
}

async fn only_requests_of_other_origins_read_the_lists(service: Service) {
    let ada = service.ada().await;
    let own = service.base().to_owned();
    let find =
        async |origin: &str| reader(&get(&service, &purchases(&ada), &ada.token, origin).await).map(str::to_owned);
    assert_eq!(reader(&service.get(&purchases(&ada), &ada.token).await), None);
    assert_eq!(find(&own).await, None);
    // A cached list is valid for five seconds. If one of the requests above had read it, this change would not take effect yet.
    let change = async |origins: Value| {
        let sql = format!("UPDATE accounts SET api_origins = '{origins}' WHERE slug = 'fjord-fern'");
        service.database.run(&sql).await;
    };
    change(json!([SHOP])).await;
    assert_eq!(find(SHOP).await.as_deref(), Some(SHOP));
    change(json!([])).await;
    assert_eq!(find(SHOP).await.as_deref(), Some(SHOP));
    service.clock.set(NOW.plus_seconds(5));
    assert_eq!(find(SHOP).await, None);
}

async fn the_command_line_sets_origins(service: Service) {
    let folder = tempfile::tempdir().unwrap();
    let run = async |arguments: &'static [&'static str]| {
        let mut account = command(&service.database.url, folder.path(), "account");
        let output = tokio::task::spawn_blocking(move || account.args(arguments).output()).await.unwrap().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let kept = async || service.database.texts("SELECT api_origins FROM accounts WHERE slug = 'new'").await;
    assert!(
        run(&[
            "create",
            "--slug",
            "new",
            "--name",
            "New",
            "--currency",
            "GBP",
            "--api-origin",
            SHOP,
            "--api-origin",
            OTHER,
        ])
        .await
        .0
    );
    assert_eq!(kept().await, [json!([SHOP, OTHER]).to_string()]);
    assert!(run(&["update", "--slug", "new", "--name", "Newer"]).await.0);
    assert_eq!(kept().await, [json!([SHOP, OTHER]).to_string()]);
    let (is_taken, said) = run(&["update", "--slug", "new", "--api-origin", "https://shop.example/returns"]).await;
    assert!(!is_taken && said.contains("apiOrigins[0]"), "{said}");
    assert!(run(&["update", "--slug", "new", "--api-origin", OTHER]).await.0);
    assert_eq!(kept().await, [json!([OTHER]).to_string()]);
    assert!(run(&["update", "--slug", "new", "--api-origin", ""]).await.0);
    assert_eq!(kept().await, ["[]"]);
}
