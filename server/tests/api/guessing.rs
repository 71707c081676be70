//! Ten wrong guesses a day (design "Guessing"): at an order, an e-mail and a password, by API and portal.

use crate::harness::{Answer, Service, on_both_databases, send};
use reqwest::Method;
use returns::{NewUser, Role};
use serde_json::{Value, json};

on_both_databases! {
    the_eleventh_guess_is_refused_until_the_day_ends
    api_and_portal_count_together_and_known_addresses_go_on
    a_users_password_is_guessed_ten_times_a_day
    a_portal_session_counts_as_its_consumer
}

/// From [`crate::harness::NOW`], which is ten o'clock, to midnight.
const TO_MIDNIGHT: &str = "50400";

/// The tests come from 127.0.0.1, which is a trusted proxy here.
async fn from(service: &Service, client: &str, path: &str, body: &Value) -> Answer {
    send(service.request(Method::POST, path, "").header("X-Forwarded-For", client).json(body)).await
}

fn order(number: &str, email: &str) -> Value {
    json!({"account": "fjord-fern", "orderNumber": number, "email": email})
}

/// Sends the portal's form.
async fn look_up(service: &Service, client: &str, number: &str, email: &str) -> Answer {
    let client = service.request(Method::POST, "/fjord-fern", "").header("X-Forwarded-For", client);
    send(client.form(&[("orderNumber", number), ("email", email)])).await
}

/// So many wrong guesses at an order, all at once.
async fn guess(service: &Service, number: &str, count: usize) -> Vec<u16> {
    let mut guesses = tokio::task::JoinSet::new();
    for guess in 0..count {
        let body = order(number, &format!("eve{guess}@example.com"));
        let request = service.request(Method::POST, "/auth/consumer", "").header("X-Forwarded-For", "198.51.100.7");
        guesses.spawn(send(request.json(&body)));
    }
    guesses.join_all().await.iter().map(|answer| answer.status).collect()
}

async fn the_eleventh_guess_is_refused_until_the_day_ends(service: Service) {
    for number in ["1001", "nowhere"] {
        assert_eq!(guess(&service, number, 10).await, [401; 10]);
        let refused = from(&service, "198.51.100.8", "/auth/consumer", &order(number, "ada@example.com")).await;
        refused.matches_snapshot("too-many-guesses");
        assert_eq!((refused.status, refused.header("retry-after")), (429, Some(TO_MIDNIGHT)));
        assert!(!refused.text().contains("ada") && !refused.text().contains(number));
    }
    service.clock.set(crate::harness::NOW.plus_seconds(TO_MIDNIGHT.parse().unwrap()));
    let tomorrow = from(&service, "198.51.100.8", "/auth/consumer", &order("1001", "ada@example.com")).await;
    assert_eq!(tomorrow.status, 201);
}

async fn api_and_portal_count_together_and_known_addresses_go_on(service: Service) {
    assert_eq!(
        look_up(&service, "203.0.113.9", "1001", "ada@example.com").await.status,
        200,
        "it led to her purchases"
    );
    assert_eq!(guess(&service, "1001", 9).await, [401; 9]);
    assert_eq!(look_up(&service, "198.51.100.8", "1001", "eve@example.com").await.status, 200, "the form, once more");
    let refused = look_up(&service, "198.51.100.9", "1001", "ada@example.com").await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some(TO_MIDNIGHT)));
    assert!(refused.text().contains("Try again tomorrow") && !refused.text().contains("ada@"));
    assert_eq!(from(&service, "203.0.113.9", "/auth/consumer", &order("1001", "ada@example.com")).await.status, 200);
}

async fn a_users_password_is_guessed_ten_times_a_day(service: Service) {
    let new = NewUser { email: "ada@example.com".to_owned(), name: String::new(), role: Role::Viewer };
    service.retour.create_user(service.demo.account.id, new, "correct horse battery".to_owned()).await.unwrap();
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
    let request =
        jar.post(format!("{}/fjord-fern", service.base())).header("X-Forwarded-For", "203.0.113.1").form(&form);
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
    // A cookie that somebody made up is nobody's: it counts as their address.
    let made_up = show("203.0.113.6", "retour=AAAAAAAAAAAAAAAAAAAAAA").await;
    assert_eq!(made_up.header("ratelimit-remaining"), Some("2"), "a redirect to the form was followed");
}
