//! The outcome of each delivery attempt can be read.

use crate::{
    webhooks::{Hooked, http, start_delivering},
    webhooks_receiver::{Receiver, Reply},
};
use domain::webhook::{DeliveryOutcome, DeliveryStatus};
use returns::{Http, view};
use std::time::Duration;
use store::testing::Database;

/// The delivery of one event to a new subscription with this URL, after its first attempt.
async fn first_attempt(hooked: &Hooked, url: &str) -> view::WebhookDeliveryDetails {
    let id = hooked.subscribe_to(serde_json::json!({"url": url})).await;
    let event = hooked.emit(1, 0..1).await[0];
    hooked.wait_for_attempts(id, event, 1).await;
    let details = hooked.delivery(id, event).await;
    hooked.retour.merchant(&hooked.staff).delete_webhook_subscription(id).await.unwrap();
    details
}

fn answer(status: &str, body: &[u8]) -> Reply {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n", body.len());
    Reply::Raw([head.as_bytes(), body].concat())
}

store::on_each_database! {
    async fn every_kind_of_answer_is_logged(database: Database) {
        let hooked = Hooked::open(&database).await;
        let sending = start_delivering(&hooked.retour);
        let elsewhere = Receiver::accepting().await;
        let long = [b"x".repeat(1_023), "ä".repeat(70_000).into_bytes()].concat();
        let cases = [
            (answer("201 Created", b"thanks"), DeliveryOutcome::Delivered, Some(201), "thanks".to_owned()),
            (answer("500 Oh", b"a\0b\xff\xfec"), DeliveryOutcome::Refused, Some(500), "a\u{fffd}b\u{fffd}\u{fffd}c".to_owned()),
            (answer("404 Not Found", &long), DeliveryOutcome::Refused, Some(404), format!("{}\u{fffd}", "x".repeat(1_023))),
            (answer(&format!("302 Found\r\nlocation: {}", elsewhere.url), b""), DeliveryOutcome::Refused, Some(302), String::new()),
            (Reply::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf".to_vec()), DeliveryOutcome::BrokenOff, None, String::new()),
            (Reply::Raw(b"no http at all\r\n\r\n".to_vec()), DeliveryOutcome::BrokenOff, None, String::new()),
            (Reply::Raw(Vec::new()), DeliveryOutcome::BrokenOff, None, String::new()),
        ];
        for (reply, outcome, status, text) in cases {
            let receiver = Receiver::always(reply).await;
            let details = first_attempt(&hooked, &receiver.url).await;
            let attempt = &details.attempts[0];
            assert_eq!((attempt.number, attempt.outcome, attempt.status_code, &attempt.answer), (1, outcome, status, &text));
            assert_eq!(attempt.error.is_none(), outcome == DeliveryOutcome::Delivered);
            assert_eq!(details.request.url, receiver.url);
        }
        assert_eq!(elsewhere.count(), 0, "redirects are not followed");
        let dead = Receiver::accepting().await.url.clone();
        assert_eq!(first_attempt(&hooked, &dead).await.attempts[0].outcome, DeliveryOutcome::NotConnected);
        sending.stop().await;
        let counts = hooked.retour.figures().webhook_attempts.read();
        let counted: Vec<(&str, u64)> = counts.iter().map(|(outcome, latency)| (*outcome, latency.count)).collect();
        assert_eq!(counted, [("BrokenOff", 3), ("Delivered", 1), ("NotConnected", 1), ("Refused", 3)]);
    }

    async fn a_receiver_that_never_answers_times_out(database: Database) {
        let mut hooked = Hooked::open(&database).await;
        hooked.shop.retour = hooked.shop.retour.configured(|config| config.http = Some(http().with_timeout(Duration::from_millis(300))));
        let sending = start_delivering(&hooked.retour);
        let silent = Receiver::always(Reply::WhenOpen).await;
        let details = first_attempt(&hooked, &silent.url).await;
        assert_eq!((details.attempts[0].outcome, details.attempts[0].status_code), (DeliveryOutcome::TimedOut, None));
        assert_eq!(details.delivery.status, DeliveryStatus::Pending);
        sending.stop().await;
    }

    async fn an_address_that_the_operator_no_longer_allows_is_not_called(database: Database) {
        let mut hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        let event = hooked.emit(1, 0..1).await[0];
        hooked.shop.retour = hooked.shop.retour.configured(|config| config.http = Some(Http::new("10.0.0.0/8".parse().unwrap()).unwrap()));
        let sending = start_delivering(&hooked.retour);
        hooked.wait_for_attempts(id, event, 1).await;
        assert_eq!((hooked.outcomes(id, event).await, receiver.count()), (vec![DeliveryOutcome::AddressNotAllowed], 0));
        sending.stop().await;
    }

    async fn attempts_are_numbered_across_failures_and_redeliveries(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::Status(500)).await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        let event = hooked.emit(1, 0..1).await[0];
        hooked.wait_for_attempts(id, event, 1).await;
        receiver.answer(|_| Reply::Status(200));
        hooked.source.set(hooked.delivery(id, event).await.delivery.next_attempt_at.unwrap());
        hooked.wait_until_settled(id).await;
        let delivery = hooked.delivery(id, event).await.delivery.id;
        hooked.retour.merchant(&hooked.staff).redeliver(delivery, None).await.unwrap();
        hooked.wait_until_settled(id).await;
        let details = hooked.delivery(id, event).await;
        let numbers: Vec<u32> = details.attempts.iter().map(|attempt| attempt.number).collect();
        assert_eq!((numbers, details.delivery.attempt_count), (vec![1, 2, 3], 3));
        assert_eq!(hooked.outcomes(id, event).await, [DeliveryOutcome::Refused, DeliveryOutcome::Delivered, DeliveryOutcome::Delivered]);
        sending.stop().await;
    }
}
