//! When deliveries to a failing receiver are retried, and when they end.

use crate::{
    shop::NOW,
    webhooks::{Hooked, http, start_delivering, until},
    webhooks_receiver::{Receiver, Reply},
};
use domain::{
    EventId, Timestamp, WebhookSubscriptionId,
    webhook::{DeliveryOutcome, DeliveryStatus, DisabledReason},
};
use serde_json::json;
use store::testing::Database;

const HOUR: i64 = 3_600;
/// The delays between the ten attempts, each ±20 %.
const DELAYS: [i64; 9] = [5, 5 * 60, 30 * 60, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

impl Hooked {
    async fn next_attempt(&self, to: WebhookSubscriptionId, event: EventId) -> Timestamp {
        self.delivery(to, event).await.delivery.next_attempt_at.unwrap()
    }

    /// Moves the clock, emits an event, and waits for its first attempt.
    async fn try_at(&self, to: WebhookSubscriptionId, order: u64, hours: u32) {
        self.source.set(NOW.plus_hours(hours));
        let event = self.emit(order, 0..1).await[0];
        self.wait_for_attempts(to, event, 1).await;
    }
}

/// A time in the format of `Retry-After`.
fn http_date(at: Timestamp) -> String {
    let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(at.seconds().unsigned_abs());
    httpdate::fmt_http_date(at)
}

store::on_each_database! {
    async fn a_late_answer_of_a_former_receiver_does_not_affect_the_new_one(database: Database) {
        for late in [410, 429] {
            let hooked = Hooked::of(&database, crate::shop::Shop::open_with(
                &database, &format!("late-{late}"), "EUR", domain::policy::Policy::default(),
            ).await);
            let (former, new) = (Receiver::always(Reply::StatusWhenOpen(late)).await, Receiver::accepting().await);
            let id = hooked.subscribe(&former).await;
            let sending = start_delivering(&hooked.retour);
            let events = hooked.emit(1, 0..2).await;
            until("the request to the former receiver is under way", || async { former.count() == 1 }).await;
            hooked.change(id, serde_json::json!({"url": new.url})).await;
            hooked.emit(2, 0..1).await;
            until("the new receiver gets an event", || async { new.count() == 1 }).await;
            former.open();
            hooked.wait_for_attempts(id, events[0], 1).await;
            hooked.emit(3, 0..1).await;
            until("the new receiver is not paused", || async { new.count() == 2 }).await;
            hooked.source.set(hooked.delivery(id, events[0]).await.delivery.next_attempt_at.unwrap());
            hooked.wait_until_settled(id).await;
            assert_eq!(new.places(1), [0, 1], "{late}");
            assert!(hooked.subscription(id).await.enabled);
            sending.stop().await;
        }
    }

    async fn a_late_success_of_a_former_receiver_does_not_end_the_failure_of_the_new_one(database: Database) {
        let hooked = Hooked::open(&database).await;
        let (former, failing) = (Receiver::always(Reply::StatusWhenOpen(200)).await, Receiver::always(Reply::Status(500)).await);
        let id = hooked.subscribe(&former).await;
        let sending = start_delivering(&hooked.retour);
        let late = hooked.emit(1, 0..1).await;
        until("the request to the former receiver is under way", || async { former.count() == 1 }).await;
        hooked.change(id, serde_json::json!({"url": failing.url})).await;
        let failed = hooked.emit(2, 0..1).await;
        hooked.wait_for_attempts(id, failed[0], 1).await;
        let since = hooked.subscription(id).await.failing_since;
        assert!(since.is_some());
        former.open();
        hooked.wait_for_attempts(id, late[0], 1).await;
        assert_eq!(hooked.subscription(id).await.failing_since, since);
        sending.stop().await;
    }

    async fn failing_receivers_leave_connections_to_the_others(database: Database) {
        let mut hooked = Hooked::open(&database).await;
        hooked.shop.retour = hooked.shop.retour.configured(|config| config.http = Some(http().with_max_concurrent_calls(4)));
        let (dead, well) = (Receiver::always(Reply::Status(500)).await, Receiver::accepting().await);
        let ids = [hooked.subscribe(&dead).await, hooked.subscribe(&dead).await];
        let sending = start_delivering(&hooked.retour);
        let failed = hooked.emit(1, 0..1).await;
        for id in ids {
            hooked.wait_for_attempts(id, failed[0], 1).await;
        }
        dead.answer(|_| Reply::StatusWhenOpen(500));
        for order in 2..12 {
            hooked.emit(order, 0..1).await;
        }
        until("two requests hang", || async { dead.count() == 4 }).await; // two earlier requests, and two of the four connections
        let id = hooked.subscribe(&well).await;
        for order in 12..22 {
            hooked.emit(order, 0..3).await;
        }
        until("the healthy receiver has all events", || async { well.count() == 30 }).await;
        hooked.wait_until_settled(id).await;
        assert_eq!(dead.count(), 4);
        dead.open();
        sending.stop().await;
    }

    async fn after_ten_attempts_over_three_days_the_next_event_is_sent(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::start(|got| Reply::Status(if got.place() == 0 { 500 } else { 200 })).await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        let events = hooked.emit(1, 0..2).await;
        for attempt in 1..10 {
            hooked.wait_for_attempts(id, events[0], attempt).await;
            hooked.source.set(hooked.next_attempt(id, events[0]).await);
        }
        hooked.wait_until_settled(id).await;
        assert_eq!(receiver.places(1), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "ten attempts, then the next event");
        let failed = hooked.delivery(id, events[0]).await;
        assert_eq!((failed.delivery.status, failed.delivery.attempt_count), (DeliveryStatus::Failed, 10));
        assert_eq!(failed.delivery.next_attempt_at, None);
        assert_eq!(failed.attempts[0].at, NOW);
        for (two, delay) in failed.attempts.windows(2).zip(DELAYS) {
            let waited = two[1].at.micros() - two[0].at.micros();
            assert!((delay * 800_000..=delay * 1_200_000).contains(&waited), "{waited} for {delay}");
        }
        let sent_at: Vec<i64> = receiver.got().iter().map(|got| got.header("webhook-timestamp").parse().unwrap()).collect();
        assert_eq!(sent_at[..10], failed.attempts.iter().map(|attempt| attempt.at.seconds()).collect::<Vec<_>>());
        assert!(receiver.ids()[..10].iter().all(|id| *id == events[0].to_string()), "under one id");
        sending.stop().await;
    }

    async fn a_retry_after_with_429_or_503_pauses_all_deliveries_to_the_receiver(database: Database) {
        let hooked = Hooked::open(&database).await;
        let until_then = http_date(NOW.plus_seconds(1_800));
        let answers = move |status, wait: &str| Reply::With(status, format!("retry-after: {wait}\r\n"));
        for (place, (status, wait, seconds)) in (0..).zip([(429, "600", 600), (503, until_then.as_str(), 1_800)]) {
            hooked.source.set(NOW);
            let wait = wait.to_owned();
            let (busy, accepting) = (Receiver::start(move |_| answers(status, &wait)).await, Receiver::accepting().await);
            let (id, other) = (hooked.subscribe(&busy).await, hooked.subscribe(&accepting).await);
            let sending = start_delivering(&hooked.retour);
            let first = hooked.emit(1, place..place + 1).await[0];
            hooked.wait_for_attempts(id, first, 1).await;
            assert_eq!(hooked.next_attempt(id, first).await, NOW.plus_seconds(seconds));
            busy.answer(|_| Reply::Status(200));
            let second = hooked.emit(2, place..place + 1).await[0];
            hooked.source.set(NOW.plus_seconds(seconds - 1));
            hooked.wait_until_settled(other).await;
            assert_eq!((busy.count(), hooked.status(id, second).await), (1, DeliveryStatus::Pending));
            hooked.source.set(NOW.plus_seconds(seconds));
            hooked.wait_until_settled(id).await;
            assert_eq!(busy.count(), 3);
            sending.stop().await;
            for id in [id, other] {
                hooked.retour.merchant(&hooked.staff).delete_webhook_subscription(id).await.unwrap();
            }
        }
    }

    async fn a_retry_after_with_other_failures_delays_only_its_own_delivery(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::start(|got| match got.order() {
            1 => Reply::With(500, "retry-after: 7200\r\n".to_owned()),
            _ => Reply::Status(200),
        });
        let receiver = receiver.await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        let held = hooked.emit(1, 0..1).await[0];
        hooked.wait_for_attempts(id, held, 1).await;
        let free = hooked.emit(2, 0..1).await[0];
        hooked.wait_for_attempts(id, free, 1).await;
        assert_eq!(hooked.status(id, free).await, DeliveryStatus::Delivered);
        assert_eq!(hooked.next_attempt(id, held).await, NOW.plus_hours(2));
        sending.stop().await;
    }

    async fn a_receiver_that_is_gone_is_disabled_at_once_and_others_are_notified(database: Database) {
        let hooked = Hooked::open(&database).await;
        let (gone, other) = (Receiver::always(Reply::Status(500)).await, Receiver::accepting().await);
        let id = hooked.subscribe(&gone).await;
        let watching = hooked.subscribe_to(json!({"url": other.url, "eventTypes": ["webhook_subscription.disabled"]})).await;
        let sending = start_delivering(&hooked.retour);
        let waiting = hooked.emit(1, 0..2).await;
        hooked.wait_for_attempts(id, waiting[0], 1).await;
        gone.answer(|_| Reply::Status(410));
        let last = hooked.emit(2, 0..1).await[0];
        until("the subscription is disabled", || async { !hooked.subscription(id).await.enabled }).await;
        assert_eq!(hooked.subscription(id).await.disabled_reason, Some(DisabledReason::Gone));
        assert_eq!(hooked.changes(id).await, ["Created", "Disabled: Gone"]);
        assert_eq!((hooked.status(id, last).await, hooked.outcomes(id, last).await), (DeliveryStatus::Failed, vec![DeliveryOutcome::Gone]));
        hooked.wait_until_settled(id).await;
        for event in waiting {
            assert_eq!(hooked.status(id, event).await, DeliveryStatus::Failed, "pending deliveries are marked as failed");
        }
        until("the other subscription is notified", || async { other.count() == 1 }).await;
        hooked.wait_until_settled(watching).await;
        let notified = other.got().remove(0).json();
        assert_eq!((notified["type"].clone(), notified["data"]["id"].clone()), (json!("webhook_subscription.disabled"), json!(id)));
        assert_eq!(notified["data"]["disabledReason"], json!("Gone"));
        hooked.emit(3, 0..3).await;
        assert_eq!((gone.count(), hooked.count_deliveries(id, DeliveryStatus::Pending).await), (2, 0));
        sending.stop().await;
    }

    async fn five_days_of_failure_disable_a_subscription_and_enabling_it_starts_over(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::Status(500)).await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        for (order, hours) in (0..).zip([0, 24, 48, 72, 96, 119]) {
            hooked.try_at(id, order, hours).await;
            let found = hooked.subscription(id).await;
            assert_eq!((found.enabled, found.failing_since), (true, Some(NOW)), "after {hours} hours");
        }
        hooked.source.set(NOW.plus_hours(120));
        hooked.emit(9, 0..1).await;
        until("the subscription is disabled", || async { !hooked.subscription(id).await.enabled }).await;
        assert_eq!(hooked.subscription(id).await.disabled_reason, Some(DisabledReason::Failing));
        hooked.wait_until_settled(id).await;
        assert_eq!(hooked.changes(id).await, ["Created", "Disabled: Failing"]);

        let enabled = hooked.change(id, json!({"enabled": true})).await;
        assert_eq!((enabled.failing_since, enabled.disabled_reason), (None, None));
        hooked.try_at(id, 10, 121).await;
        let found = hooked.subscription(id).await;
        assert_eq!((found.enabled, found.failing_since), (true, Some(NOW.plus_hours(121))));
        sending.stop().await;
    }

    async fn a_success_ends_the_failure(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::Status(500)).await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        for (order, hours) in (0..).zip([0, 40, 80, 110]) {
            hooked.try_at(id, order, hours).await;
        }
        assert_eq!(hooked.subscription(id).await.failing_since, Some(NOW));
        receiver.answer(|_| Reply::Status(200));
        hooked.source.set(NOW.plus_hours(115));
        hooked.emit(4, 0..1).await;
        until("the failure is over", || async { hooked.subscription(id).await.failing_since.is_none() }).await;
        receiver.answer(|_| Reply::Status(500));
        hooked.try_at(id, 5, 130).await;
        let found = hooked.subscription(id).await;
        assert_eq!((found.enabled, found.failing_since), (true, Some(NOW.plus_hours(130))));
        sending.stop().await;
    }
}
