//! Redelivering what was sent, what failed and what was never sent.

use crate::{
    shop::{NOW, fresh, sent},
    webhooks::{Hooked, in_order, start_delivering},
    webhooks_receiver::{Receiver, RecordedRequest, Reply},
};
use domain::{
    RefusalCode, WebhookDeliveryId, WebhookSubscriptionId,
    webhook::{DeliveryOutcome, DeliveryStatus},
};
use returns::{Error, ErrorCode, EventRedelivery};
use serde_json::{Value, json};
use std::collections::HashSet;
use store::testing::Database;

impl Hooked {
    async fn redeliver_since(&self, to: WebhookSubscriptionId, asked: Value) {
        let asked = sent(asked);
        let told = fresh(self.retour.merchant(&self.staff).redeliver_since(to, &asked, None).await.unwrap(), 202);
        assert!(told.catching_up);
    }

    /// Waits until a redelivery is gathered and sent.
    async fn wait_until_redelivered(&self, to: WebhookSubscriptionId) {
        crate::webhooks::until("the redelivery is gathered", || async { !self.subscription(to).await.catching_up })
            .await;
        self.wait_until_settled(to).await;
    }
}

store::on_each_database! {
    async fn one_delivery_is_redelivered_under_its_id(database: Database) {
        let hooked = Hooked::open(&database).await;
        let (receiver, other) = (Receiver::accepting().await, Receiver::accepting().await);
        let (id, beside) = (hooked.subscribe(&receiver).await, hooked.subscribe(&other).await);
        let sending = start_delivering(&hooked.retour);
        let events = hooked.emit(1, 0..3).await;
        hooked.wait_until_settled(id).await;
        hooked.wait_until_settled(beside).await;
        let again = hooked.retour.merchant(&hooked.staff).redeliver(WebhookDeliveryId::of(events[1], id), None).await.unwrap();
        assert_eq!(fresh(again, 202).status, DeliveryStatus::Pending);
        hooked.wait_until_settled(id).await;
        assert_eq!(receiver.places(1), [0, 1, 2, 1]);
        assert_eq!(receiver.ids()[3], events[1].to_string());
        assert_eq!(receiver.got()[3].body, receiver.got()[1].body);
        assert_eq!(other.count(), 3);
        sending.stop().await;
    }

    async fn a_redelivered_delivery_has_all_its_attempts_again_and_does_not_wait(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::Status(500)).await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        let events = hooked.emit(1, 0..2).await;
        hooked.wait_for_attempts(id, events[0], 1).await;
        receiver.answer(|_| Reply::Status(200));
        // The second delivery is redelivered while the first waits for its next attempt: both go at once, in order.
        let asked = hooked.retour.merchant(&hooked.staff).redeliver(WebhookDeliveryId::of(events[1], id), None).await;
        fresh(asked.unwrap(), 202);
        hooked.wait_until_settled(id).await;
        assert_eq!(receiver.places(1), [0, 0, 1]);
        assert_eq!(hooked.outcomes(id, events[0]).await, [DeliveryOutcome::Refused, DeliveryOutcome::Delivered]);
        sending.stop().await;
    }

    async fn an_event_is_redelivered_to_all_subscriptions_or_to_one(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receivers = [Receiver::accepting().await, Receiver::accepting().await, Receiver::accepting().await, Receiver::accepting().await];
        let subscribed = hooked.subscribe(&receivers[0]).await;
        let unconcerned = hooked.subscribe_to(json!({"url": receivers[1].url, "eventTypes": ["consumer.erased"]})).await;
        let off = hooked.subscribe_to(json!({"url": receivers[2].url, "enabled": false})).await;
        let event = hooked.emit(1, 0..1).await[0];
        let late = hooked.subscribe(&receivers[3]).await;
        let sending = start_delivering(&hooked.retour);
        hooked.wait_until_settled(subscribed).await;
        let ask = |only: Option<WebhookSubscriptionId>| {
            let hooked = hooked.clone();
            async move {
                let asked = EventRedelivery { subscription_id: only };
                hooked.retour.merchant(&hooked.staff).redeliver_event(event, &asked, None).await
            }
        };
        let list = fresh(ask(None).await.unwrap(), 202).data;
        let to: HashSet<_> = list.iter().map(|delivery| delivery.subscription_id).collect();
        assert_eq!(to, HashSet::from([subscribed, late]));
        for id in [subscribed, late] {
            hooked.wait_until_settled(id).await;
        }
        let counts = || receivers.iter().map(Receiver::count).collect::<Vec<_>>();
        assert_eq!(counts(), [2, 0, 0, 1]);
        let list = fresh(ask(Some(unconcerned)).await.unwrap(), 202).data;
        assert_eq!(list.iter().map(|delivery| delivery.subscription_id).collect::<Vec<_>>(), [unconcerned]);
        hooked.wait_until_settled(unconcerned).await;
        assert_eq!(counts(), [2, 1, 0, 1]);
        let refused = ask(Some(off)).await;
        assert!(matches!(&refused, Err(error) if error.code() == ErrorCode::Refused(RefusalCode::Disabled)), "{refused:?}");
        assert!(receivers.iter().flat_map(Receiver::ids).all(|id| id == event.to_string()));
        sending.stop().await;
    }

    async fn the_answer_lists_only_redelivered_subscriptions(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let (stays, off) = (hooked.subscribe(&receiver).await, hooked.subscribe(&receiver).await);
        let gone = hooked.subscribe(&receiver).await;
        let event = hooked.emit(1, 0..1).await[0];
        hooked.change(off, json!({"enabled": false})).await;
        hooked.retour.merchant(&hooked.staff).delete_webhook_subscription(gone).await.unwrap();
        let all = EventRedelivery::default();
        let list = fresh(hooked.retour.merchant(&hooked.staff).redeliver_event(event, &all, None).await.unwrap(), 202).data;
        assert_eq!(list.iter().map(|delivery| delivery.subscription_id).collect::<Vec<_>>(), [stays]);
    }

    async fn failed_and_unsent_events_since_a_time_are_redelivered_in_order(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        let pairs = |from: u64, to: u64| (from..to).map(|count| (count % 5, count / 5)).collect::<Vec<_>>();
        hooked.emit_together(&pairs(0, 20)).await; // delivered before that time
        hooked.wait_until_settled(id).await;
        hooked.source.set(NOW.plus_hours(1));
        hooked.emit_together(&pairs(20, 40)).await; // delivered since then
        hooked.wait_until_settled(id).await;
        receiver.answer(|got| Reply::Status(if got.order() == 0 { 410 } else { 500 }));
        hooked.emit_together(&pairs(40, 60)).await; // failed, or pending when the subscription is disabled
        hooked.wait_until_settled(id).await;
        assert!(!hooked.subscription(id).await.enabled);
        hooked.emit_together(&pairs(60, 1_260)).await; // never sent
        fresh(hooked.retour.merchant(&hooked.staff).test_webhook_subscription(id, None).await.unwrap(), 200); // a ping that fails
        let early = sent(json!({"since": NOW}));
        assert!(matches!(hooked.retour.merchant(&hooked.staff).redeliver_since(id, &early, None).await, Err(Error::Refused(_))), "the subscription is disabled");
        receiver.answer(|_| Reply::Status(200));
        hooked.change(id, json!({"enabled": true})).await;
        let before = receiver.count();
        hooked.redeliver_since(id, json!({"since": NOW.plus_hours(1)})).await;
        hooked.wait_until_redelivered(id).await;
        let got = receiver.got().split_off(before);
        for order in 0..5 {
            let places: Vec<u64> = got.iter().filter(|got| got.order() == order).map(RecordedRequest::place).collect();
            assert_eq!(places, in_order(8..252), "return order {order}: each undelivered event once, in order");
        }
        let before = receiver.count();
        hooked.redeliver_since(id, json!({"since": NOW.plus_hours(1), "which": "All"})).await;
        hooked.wait_until_redelivered(id).await;
        let got = receiver.got().split_off(before);
        for order in 0..5 {
            let places: Vec<u64> = got.iter().filter(|got| got.order() == order).map(RecordedRequest::place).collect();
            assert_eq!(places, in_order(4..252), "return order {order}: all events since then");
        }
        assert_eq!(hooked.count_deliveries(id, DeliveryStatus::Failed).await, 1, "pings are not redelivered");
        sending.stop().await;
    }

    async fn a_redelivery_cannot_start_in_the_future_and_may_be_empty(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        let future = sent(json!({"since": NOW.plus_seconds(1)}));
        assert_eq!(crate::shop::fields(hooked.retour.merchant(&hooked.staff).redeliver_since(id, &future, None).await), ["since"]);
        let now = sent(json!({"since": NOW}));
        let told = fresh(hooked.retour.merchant(&hooked.staff).redeliver_since(id, &now, None).await.unwrap(), 202);
        assert!(!told.catching_up);
    }

    async fn a_redelivery_with_another_scope_waits_for_the_running_one(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        hooked.emit(1, 0..3).await;
        let id = hooked.subscribe(&receiver).await;
        let ask = async |which: &str| {
            let asked = sent(json!({"since": NOW, "which": which}));
            hooked.retour.merchant(&hooked.staff).redeliver_since(id, &asked, None).await
        };
        assert!(fresh(ask("Undelivered").await.unwrap(), 202).catching_up);
        assert!(fresh(ask("Undelivered").await.unwrap(), 202).catching_up, "the same redelivery again");
        let Err(Error::Refused(refusal)) = ask("All").await else { panic!("expected a refusal: the running redelivery has another scope") };
        assert_eq!(refusal.code, RefusalCode::LimitReached);
        let sending = start_delivering(&hooked.retour);
        hooked.wait_until_redelivered(id).await;
        assert_eq!(receiver.places(1), in_order(0..3));
        assert!(fresh(ask("All").await.unwrap(), 202).catching_up);
        hooked.wait_until_redelivered(id).await;
        assert_eq!(receiver.places(1), [0, 1, 2, 0, 1, 2]);
        sending.stop().await;
    }

    async fn event_types_of_a_newer_version_do_not_block_known_ones(database: Database) {
        let hooked = Hooked::open(&database).await;
        hooked.emit(1, 0..3).await;
        database.run("UPDATE events SET type = 'something.newer' WHERE seq = (SELECT MIN(seq) FROM events)").await;
        let receivers = [Receiver::accepting().await, Receiver::accepting().await, Receiver::accepting().await];
        let id = hooked.subscribe(&receivers[0]).await;
        let mixed = hooked.subscribe_to(json!({"url": receivers[1].url, "description": "mixed"})).await;
        let newer = hooked.subscribe_to(json!({"url": receivers[2].url, "description": "newer"})).await;
        let about = async |description: &str, types: &str| {
            let sql = format!("UPDATE webhook_subscriptions SET event_types = '{types}' WHERE description = '{description}'");
            database.run(&sql).await;
        };
        about("mixed", r#"["something.newer", "shipment.received_tracking_updates"]"#).await;
        about("newer", r#"["something.newer"]"#).await;
        let sending = start_delivering(&hooked.retour);
        hooked.redeliver_since(id, json!({"since": NOW})).await;
        hooked.wait_until_redelivered(id).await;
        assert_eq!(receivers[0].places(1), [1, 2], "unknown types are left out");
        let event = hooked.emit(1, 3..4).await[0];
        hooked.wait_for_attempts(id, event, 1).await;
        // Once the subscriptions name known types again, they get later events.
        about("mixed", r#"["shipment.received_tracking_updates"]"#).await;
        about("newer", r#"["consumer.erased"]"#).await;
        hooked.wait_for_attempts(mixed, event, 1).await;
        hooked.wait_until_settled(newer).await;
        assert_eq!((receivers[1].places(1), receivers[2].count()), (vec![3], 0));
        sending.stop().await;
    }
}
