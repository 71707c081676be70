//! Several instances that deliver: how they share the work, stop and crash.

use crate::{
    shop::NOW,
    webhooks::{DeliveryWorker, Hooked, KEY, attempts, http, start_delivering, until},
    webhooks_receiver::{Receiver, Reply},
};
use domain::{EventId, WebhookSubscriptionId, webhook::DeliveryStatus};
use returns::{Retour, Source};
use serde_json::json;
use std::collections::HashMap;
use store::{
    Store,
    testing::{Database, on_postgres},
};

/// Another instance on the same database.
async fn another(database: &Database, source: &Source) -> Retour {
    let store = Store::open(&database.url).await.unwrap();
    Retour::new(store, source.clone())
        .configured(|config| config.secret_keys = KEY.parse().unwrap())
        .configured(|config| config.http = Some(http()))
}

/// Enough subscriptions that two instances get some each.
async fn some_subscriptions(hooked: &Hooked, receiver: &Receiver) -> Vec<WebhookSubscriptionId> {
    let mut ids = Vec::new();
    for place in 0..20 {
        ids.push(hooked.subscribe_to(json!({"url": format!("{}/{place}", receiver.url)})).await);
    }
    ids
}

fn delivered_by(retour: &Retour) -> u64 {
    retour.figures().webhook_attempts.read().get("Delivered").map_or(0, |latency| latency.count)
}

/// How often each event arrived.
fn times(receiver: &Receiver) -> HashMap<String, usize> {
    let mut times = HashMap::new();
    for id in receiver.ids() {
        *times.entry(id).or_default() += 1;
    }
    times
}

impl Hooked {
    async fn has_pending(&self) -> bool {
        self.retour.operator().backlog().await.unwrap().webhooks.count > 0
    }

    async fn wait_until_all_settled(&self) {
        until("no delivery is pending anywhere", || async { !self.has_pending().await }).await;
    }

    async fn emit_many(&self, events: u64) -> Vec<EventId> {
        self.emit_together(&(0..events).map(|count| (count % 10, count / 10)).collect::<Vec<_>>()).await
    }
}

/// Two instances, each of which has delivered something; and the number of events so far.
async fn two_at_work(hooked: &Hooked, source: &Source) -> ([(Retour, DeliveryWorker); 2], usize) {
    let database = &hooked.database;
    let (one, two) = (another(database, source).await, another(database, source).await);
    let programs = [(one.clone(), start_delivering(&one)), (two.clone(), start_delivering(&two))];
    let mut events = 0;
    until("both instances have delivered", || async {
        delivered_by(&one) > 0 && delivered_by(&two) > 0 || {
            hooked.emit_together(&[(100, 0)]).await;
            hooked.wait_until_all_settled().await;
            false
        }
    })
    .await;
    events += hooked.all_events().await.len();
    (programs, events)
}

#[test]
fn two_instances_share_the_work_and_send_nothing_twice() {
    on_postgres(async |database| {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let ids = some_subscriptions(&hooked, &receiver).await;
        let ([one, two], before) = two_at_work(&hooked, &Source::system()).await;
        hooked.emit_many(100).await;
        hooked.wait_until_all_settled().await;
        let times = times(&receiver);
        assert_eq!(times.len(), before + 100);
        assert!(times.values().all(|times| *times == ids.len()), "each subscription once");
        one.1.stop().await;
        two.1.stop().await;
        assert_eq!(database.rows("webhook_senders").await, 0);
        assert_eq!(database.number("SELECT COUNT(*) FROM webhook_subscriptions WHERE sender_id IS NOT NULL").await, 0);
        assert_eq!(attempts(&database).await, i64::try_from(receiver.count()).unwrap());
    });
}

#[test]
fn a_stopping_instance_releases_its_subscriptions_at_once() {
    on_postgres(async |database| {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let ids = some_subscriptions(&hooked, &receiver).await;
        // With a stopped clock, no claim expires.
        let ([one, two], before) = two_at_work(&hooked, &hooked.source).await;
        one.1.stop().await;
        hooked.emit_many(50).await;
        hooked.wait_until_all_settled().await;
        let times = times(&receiver);
        assert_eq!(times.len(), before + 50);
        assert!(times.values().all(|times| *times == ids.len()));
        two.1.stop().await;
    });
}

#[test]
fn the_subscriptions_of_a_crashed_instance_go_to_the_others() {
    on_postgres(async |database| {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let ids = some_subscriptions(&hooked, &receiver).await;
        let ([dead, alive], before) = two_at_work(&hooked, &hooked.source).await;
        receiver.answer(|_| Reply::WhenOpen);
        let (count, events) = (receiver.count(), hooked.emit_together(&[(1, 0)]).await);
        until("all deliveries are under way", || async { receiver.count() == count + ids.len() }).await;
        dead.1.task.abort();
        let _ = dead.1.task.await;
        receiver.open();
        hooked.source.set(NOW.plus_seconds(31));
        hooked.emit_many(20).await;
        hooked.wait_until_all_settled().await;
        for id in &ids {
            assert_eq!(hooked.status(*id, events[0]).await, DeliveryStatus::Delivered);
        }
        let times = times(&receiver);
        assert_eq!(times.len(), before + 21);
        let twice = times.get(&events[0].to_string()).copied().unwrap();
        assert!(
            (ids.len() + 1..2 * ids.len()).contains(&twice),
            "the crashed instance's deliveries are repeated: {twice}"
        );
        assert!(times.iter().all(|(id, times)| *times == ids.len() || *id == events[0].to_string()));
        alive.1.stop().await;
    });
}

store::on_each_database! {
    async fn a_stopping_instance_finishes_what_is_under_way_and_the_next_one_sends_the_rest(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::WhenOpen).await;
        let id = hooked.subscribe(&receiver).await;
        let events = hooked.emit_together(&(0..60).map(|order| (order, 0)).collect::<Vec<_>>()).await;
        let sending = start_delivering(&hooked.retour);
        until("some deliveries are under way", || async { receiver.count() >= 16 }).await;
        let stopping = tokio::spawn(sending.stop());
        receiver.open();
        stopping.await.unwrap();
        let sent = receiver.count();
        assert_eq!(hooked.count_deliveries(id, DeliveryStatus::Delivered).await, sent, "every sent delivery is recorded");
        assert_eq!(attempts(&database).await, i64::try_from(sent).unwrap());
        assert_eq!(hooked.count_deliveries(id, DeliveryStatus::Pending).await, 60 - sent);
        let sending = start_delivering(&hooked.retour);
        hooked.wait_until_settled(id).await;
        let times = times(&receiver);
        assert!(times.len() == events.len() && times.values().all(|times| *times == 1));
        sending.stop().await;
    }

    async fn an_unfinished_delivery_is_sent_again_under_its_id(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::WhenOpen).await;
        let id = hooked.subscribe(&receiver).await;
        let event = hooked.emit(1, 0..1).await[0];
        let sending = start_delivering(&hooked.retour);
        until("the delivery is under way", || async { receiver.count() == 1 }).await;
        sending.stop().await; // the receiver has not answered
        assert_eq!(hooked.status(id, event).await, DeliveryStatus::Pending);
        receiver.open();
        let sending = start_delivering(&hooked.retour);
        hooked.wait_until_settled(id).await;
        assert_eq!(receiver.ids(), [event.to_string(), event.to_string()]);
        assert_eq!(hooked.delivery(id, event).await.attempts.len(), 1, "the result of the first attempt is unknown");
        sending.stop().await;
    }
}
