//! A merchant with webhook subscriptions, and what their receivers get.

use crate::{
    progress::{because, to},
    shop::{ALL, NOW, Shop, fresh, sent},
    webhooks_receiver::{Receiver, RecordedRequest, Reply},
};
use domain::{
    EventId, ReturnOrderId, WebhookDeliveryId, WebhookSubscriptionId,
    policy::Policy,
    stage::StageName,
    webhook::{DeliveryOutcome, DeliveryStatus, EventType},
};
use outbound::webhook::{Secret, signatures};
use returns::{Http, Listing, Page, Retour, view};
use serde_json::{Value, json};
use std::{collections::HashSet, ops::Deref, time::Duration};
use store::{events::Event, testing::Database};
use tokio::{sync::oneshot, task::JoinHandle};
use uuid::Uuid;

pub const KEY: &str = "0123456789abcdef0123456789abcdef";

/// An HTTP client that may call this machine.
pub fn http() -> Http {
    // The long timeout keeps a busy machine from turning slow answers into failures.
    Http::new("127.0.0.0/8".parse().unwrap()).unwrap().with_timeout(Duration::from_mins(2))
}

/// The number of recorded attempts.
pub async fn attempts(database: &Database) -> i64 {
    let sum = database.texts("SELECT CAST(COALESCE(SUM(attempts), 0) AS TEXT) FROM webhook_deliveries").await;
    sum[0].parse().unwrap()
}

/// Polls until the condition holds; fails the test after a minute.
pub async fn until<F: Future<Output = bool>>(what: &str, mut is_so: impl FnMut() -> F) {
    for _ in 0..6_000 {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("timed out waiting until {what}");
}

/// A running delivery worker.
pub struct DeliveryWorker {
    stop: oneshot::Sender<()>,
    pub task: JoinHandle<()>,
}

pub fn start_delivering(retour: &Retour) -> DeliveryWorker {
    let (stop, stopped) = oneshot::channel();
    let retour = retour.clone();
    let stopped = async {
        let _ = stopped.await;
    };
    DeliveryWorker {
        stop,
        task: tokio::spawn(async move { workers::Workers::new(&retour).deliver_webhooks(stopped).await }),
    }
}

impl DeliveryWorker {
    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}

/// A shop that can make outgoing calls.
#[derive(Clone)]
pub struct Hooked {
    pub shop: Shop,
    pub database: Database,
}

impl Deref for Hooked {
    type Target = Shop;

    fn deref(&self) -> &Shop {
        &self.shop
    }
}

/// The return order id for a number.
pub fn order_id(order: u64) -> ReturnOrderId {
    ReturnOrderId(Uuid::from_u128(0x7_0000 + u128::from(order)))
}

impl Hooked {
    pub async fn open(database: &Database) -> Self {
        Self::of(database, Shop::open(database).await)
    }

    pub fn of(database: &Database, mut shop: Shop) -> Self {
        shop.retour = shop
            .retour
            .configured(|config| config.secret_keys = KEY.parse().unwrap())
            .configured(|config| config.http = Some(http()));
        Self { shop, database: database.clone() }
    }

    pub async fn subscribe(&self, receiver: &Receiver) -> WebhookSubscriptionId {
        self.subscribe_to(json!({"url": receiver.url})).await
    }

    pub async fn subscribe_to(&self, new: Value) -> WebhookSubscriptionId {
        fresh(self.retour.merchant(&self.staff).create_webhook_subscription(sent(new), None).await.unwrap(), 201).id
    }

    pub async fn subscription(&self, id: WebhookSubscriptionId) -> view::WebhookSubscription {
        self.retour.merchant(&self.staff).webhook_subscription(id).await.unwrap()
    }

    pub async fn change(&self, id: WebhookSubscriptionId, change: Value) -> view::WebhookSubscription {
        let changed = self.retour.merchant(&self.staff).change_webhook_subscription(id, sent(change), None, None).await;
        fresh(changed.unwrap(), 200)
    }

    /// The changes of a subscription, oldest first.
    pub async fn changes(&self, id: WebhookSubscriptionId) -> Vec<String> {
        let entries = self.retour.merchant(&self.staff).webhook_timeline(id).await.unwrap().data;
        entries.into_iter().rev().map(|entry| entry.change).collect()
    }

    /// Emits events of one return order, one transaction each, numbered by `places`.
    pub async fn emit(&self, order: u64, places: std::ops::Range<u64>) -> Vec<EventId> {
        let mut ids = Vec::new();
        for place in places {
            ids.extend(self.emit_together(&[(order, place)]).await);
        }
        ids
    }

    /// Emits events, given as pairs of return order and place, in one transaction.
    pub async fn emit_together(&self, events: &[(u64, u64)]) -> Vec<EventId> {
        let mut writing = self.database.store.write().await.unwrap();
        let mut ids = Vec::new();
        for &(order, place) in events {
            let id = EventId(self.source.id());
            ids.push(id);
            writing.publish(Event {
                id,
                account_id: self.account.id,
                kind: EventType::TrackingUpdated,
                stage: None,
                return_order_id: order_id(order),
                data: json!({"order": order, "place": place}).to_string(),
                created_at: self.source.now(),
            });
        }
        writing.commit().await.unwrap();
        ids
    }

    pub async fn delivery(&self, to: WebhookSubscriptionId, event: EventId) -> view::WebhookDeliveryDetails {
        self.retour.merchant(&self.staff).webhook_delivery(WebhookDeliveryId::of(event, to)).await.unwrap()
    }

    pub async fn status(&self, to: WebhookSubscriptionId, event: EventId) -> DeliveryStatus {
        self.delivery(to, event).await.delivery.status
    }

    pub async fn outcomes(&self, to: WebhookSubscriptionId, event: EventId) -> Vec<DeliveryOutcome> {
        self.delivery(to, event).await.attempts.iter().map(|attempt| attempt.outcome).collect()
    }

    /// Waits until the log has this many attempts of a delivery.
    pub async fn wait_for_attempts(&self, to: WebhookSubscriptionId, event: EventId, times: usize) {
        until(&format!("{times} attempts"), || async { self.delivery(to, event).await.attempts.len() >= times }).await;
    }

    /// The number of a subscription's deliveries with this status.
    pub async fn count_deliveries(&self, to: WebhookSubscriptionId, status: DeliveryStatus) -> usize {
        let (mut page, mut count) = (ALL, 0);
        loop {
            let mut listing = Listing::newest(page);
            let so = format!("status:{}", status.name());
            listing.conditions.push(returns::lists::WEBHOOK_DELIVERIES.condition(&so).unwrap());
            let list = self.retour.merchant(&self.staff).webhook_deliveries(to, &listing).await.unwrap();
            count += list.data.len();
            let Some(next) = list.next_page else { return count };
            page = Page::at(Some(next), page.limit);
        }
    }

    /// Waits until the subscription has no pending deliveries.
    pub async fn wait_until_settled(&self, to: WebhookSubscriptionId) {
        until("no delivery is pending", || async { self.count_deliveries(to, DeliveryStatus::Pending).await == 0 })
            .await;
    }

    pub async fn secret(&self, of: WebhookSubscriptionId) -> view::WebhookSecret {
        self.retour.merchant(&self.staff).webhook_secret(of).await.unwrap()
    }

    /// All events, oldest first.
    pub async fn all_events(&self) -> Vec<view::Event> {
        let mut events = self.retour.merchant(&self.staff).events(&Listing::newest(ALL)).await.unwrap().data;
        events.reverse();
        events
    }
}

/// Consecutive places.
pub fn in_order(places: std::ops::Range<u64>) -> Vec<u64> {
    places.collect()
}

/// The signatures that the request must have.
pub fn signed_with(got: &RecordedRequest, secrets: &[&str]) -> String {
    let secrets: Vec<Secret> = secrets.iter().map(|secret| Secret::parse(secret).unwrap()).collect();
    signatures(&secrets, &got.id(), got.header("webhook-timestamp").parse().unwrap(), &got.body)
}

/// A return with all its steps: submitted, approved, received, settled.
async fn complete_return(hooked: &Hooked) {
    let customer = hooked.sell("1001", &[(2, 1_000)]).await;
    let order = customer.send_back(&[(0, 2)]).await.id;
    let whole =
        hooked.retour.merchant(&hooked.staff).return_order(order, &[returns::Expand::ReturnRequests]).await.unwrap();
    let id = whole.return_requests.unwrap()[0].id;
    fresh(hooked.update(id, because(StageName::RequestedApproved, "Known customer")).await.unwrap(), 200);
    fresh(hooked.try_receive(id, 2, None).await.unwrap(), 200);
    fresh(hooked.update(id, to(StageName::ResolutionCompleted)).await.unwrap(), 200);
}

fn review_policy() -> Policy {
    Policy { auto_approve: false, ..Policy::default() }
}

store::on_each_database! {
    async fn a_subscriber_gets_every_event_once_and_signed_as_the_api_shows_it(database: Database) {
        let hooked = Hooked::of(&database, Shop::open_with(&database, "careful", "EUR", review_policy()).await);
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        complete_return(&hooked).await;
        let events = hooked.all_events().await;
        hooked.wait_until_settled(id).await;
        let ids: Vec<String> = events.iter().map(|event| event.id.to_string()).collect();
        assert!(ids.len() > 5);
        assert_eq!(receiver.ids(), ids, "every event of the return order once, in order");
        let secret = hooked.secret(id).await.secret;
        for (got, event) in receiver.got().iter().zip(&events) {
            assert_eq!(got.body, serde_json::to_string(event).unwrap());
            assert_eq!(got.header("content-type"), "application/json");
            assert_eq!(got.header("webhook-timestamp"), NOW.seconds().to_string());
            assert_eq!(got.header("webhook-signature"), signed_with(got, &[&secret]));
            let logged = hooked.delivery(id, event.id).await;
            assert_eq!((logged.delivery.status, logged.attempts.len()), (DeliveryStatus::Delivered, 1));
            assert_eq!(serde_json::to_string(&logged.request.body).unwrap(), got.body);
        }
        sending.stop().await;
        assert_eq!(receiver.count(), ids.len());
    }

    async fn a_subscriber_gets_only_the_events_it_asked_for(database: Database) {
        let hooked = Hooked::of(&database, Shop::open_with(&database, "careful", "EUR", review_policy()).await);
        let receivers = [Receiver::accepting().await, Receiver::accepting().await, Receiver::accepting().await];
        let labels = hooked.subscribe_to(json!({"url": receivers[0].url, "eventName": "shipment.label_created"})).await;
        let changes = json!(["return_request.stage_changed"]);
        let approved = hooked.subscribe_to(json!({"url": receivers[1].url, "eventTypes": changes, "stages": ["Resolution: Approved"]})).await;
        let all = hooked.subscribe(&receivers[2]).await;
        let sending = start_delivering(&hooked.retour);
        complete_return(&hooked).await;
        for id in [labels, approved, all] {
            hooked.wait_until_settled(id).await;
        }
        let kinds_and_stages = |place: usize| receivers[place].got().iter().map(|got| (got.json()["type"].clone(), got.json()["data"]["stage"].clone())).collect::<Vec<_>>();
        assert_eq!(kinds_and_stages(0).iter().map(|(kind, _)| kind).collect::<Vec<_>>(), ["shipment.label_created"]);
        assert_eq!(kinds_and_stages(1), [(json!("return_request.stage_changed"), json!("Resolution: Approved"))]);
        assert_eq!(kinds_and_stages(2).len(), hooked.all_events().await.len());
        sending.stop().await;
    }

    async fn a_disabled_subscription_gets_no_events_and_stores_no_deliveries(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let off = hooked.subscribe_to(json!({"url": receiver.url, "enabled": false})).await;
        let other = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        hooked.emit(1, 0..3).await;
        hooked.wait_until_settled(other).await;
        assert_eq!((receiver.count(), database.rows("webhook_deliveries").await), (3, 3));
        hooked.change(off, json!({"enabled": true})).await;
        hooked.emit(1, 3..4).await;
        hooked.wait_until_settled(off).await;
        hooked.wait_until_settled(other).await;
        assert_eq!(receiver.count(), 5);
        assert_eq!(hooked.changes(off).await, ["Created", "Enabled"]);
        sending.stop().await;
    }

    async fn disabling_a_subscription_gives_up_its_pending_deliveries(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::WhenOpen).await;
        let id = hooked.subscribe(&receiver).await;
        let pairs: Vec<_> = (0..400).map(|count| (count / 2, count % 2)).collect();
        let events = hooked.emit_together(&pairs).await;
        let sending = start_delivering(&hooked.retour);
        until("some deliveries are under way", || async { receiver.count() >= 16 }).await;
        hooked.change(id, json!({"enabled": false})).await;
        until("the pending deliveries are given up", || async { hooked.count_deliveries(id, DeliveryStatus::Pending).await == 0 }).await;
        let under_way = receiver.count();
        receiver.open();
        until("the deliveries under way are recorded", || async { hooked.count_deliveries(id, DeliveryStatus::Delivered).await == under_way }).await;
        assert_eq!(hooked.count_deliveries(id, DeliveryStatus::Failed).await, events.len() - under_way);
        hooked.change(id, json!({"enabled": true})).await;
        let new = hooked.emit(1_000, 0..1).await[0];
        hooked.wait_for_attempts(id, new, 1).await;
        assert_eq!(receiver.count(), under_way + 1, "deliveries that were given up are not sent");
        assert_eq!(hooked.changes(id).await, ["Created", "Disabled: ByMerchant", "Enabled"]);
        sending.stop().await;
    }

    async fn a_subscription_that_is_enabled_again_at_once_continues_its_pending_deliveries(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        hooked.emit(1, 0..2).await;
        hooked.change(id, json!({"enabled": false})).await;
        hooked.change(id, json!({"enabled": true})).await;
        let sending = start_delivering(&hooked.retour);
        hooked.wait_until_settled(id).await;
        assert_eq!(receiver.places(1), [0, 1]);
        sending.stop().await;
    }

    async fn a_deleted_subscription_leaves_no_rows_and_blocks_no_others(database: Database) {
        let hooked = Hooked::open(&database).await;
        let (hanging, accepting) = (Receiver::always(Reply::WhenOpen).await, Receiver::accepting().await);
        let (gone, stays) = (hooked.subscribe(&hanging).await, hooked.subscribe(&accepting).await);
        let pairs: Vec<_> = (0..500).map(|order| (order, 0)).collect();
        let events = hooked.emit_together(&pairs).await;
        let sending = start_delivering(&hooked.retour);
        until("some deliveries are under way", || async { hanging.count() >= 16 }).await;
        hooked.retour.merchant(&hooked.staff).delete_webhook_subscription(gone).await.unwrap();
        let missing = hooked.retour.merchant(&hooked.staff).webhook_subscription(gone).await;
        assert!(matches!(missing, Err(returns::Error::NotFound)));
        let missing = hooked.retour.merchant(&hooked.staff).webhook_delivery(WebhookDeliveryId::of(events[0], gone)).await;
        assert!(matches!(missing, Err(returns::Error::NotFound)));
        assert!(matches!(hooked.retour.merchant(&hooked.staff).delete_webhook_subscription(gone).await, Err(returns::Error::NotFound)));
        hooked.source.set(NOW.plus_seconds(120));
        until("the subscription's rows are deleted", || async { database.rows("webhook_subscriptions").await == 1 }).await;
        hanging.open(); // these deliveries end after their rows are deleted
        hooked.emit(1, 1..2).await;
        hooked.wait_until_settled(stays).await;
        until("all attempts are recorded", || async { attempts(&database).await == 501 }).await;
        assert_eq!((database.rows("webhook_deliveries").await, database.rows("webhook_timeline_entries").await), (501, 1));
        assert_eq!((accepting.count(), database.rows("events").await), (501, 501));
        sending.stop().await;
    }

    async fn slow_and_dead_receivers_do_not_delay_others(database: Database) {
        let hooked = Hooked::open(&database).await;
        let (slow, accepting) = (Receiver::always(Reply::WhenOpen).await, Receiver::accepting().await);
        let dead = Receiver::accepting().await.url.clone(); // the port is closed when the receiver is dropped
        let slow_one = hooked.subscribe(&slow).await;
        hooked.subscribe_to(json!({"url": dead})).await;
        let healthy = hooked.subscribe(&accepting).await;
        let pairs: Vec<_> = (0..300).map(|order| (order, 0)).collect();
        let events = hooked.emit_together(&pairs).await;
        let sending = start_delivering(&hooked.retour);
        hooked.wait_until_settled(healthy).await;
        let got: HashSet<String> = accepting.ids().into_iter().collect();
        assert_eq!((got.len(), accepting.count()), (events.len(), events.len()));
        assert_eq!(hooked.count_deliveries(slow_one, DeliveryStatus::Delivered).await, 0, "the slow receiver has not answered");
        slow.open();
        hooked.wait_until_settled(slow_one).await;
        sending.stop().await;
    }

    async fn a_ping_is_answered_at_once_and_logged(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe_to(json!({"url": receiver.url, "enabled": false})).await;
        let ping = || hooked.retour.merchant(&hooked.staff).test_webhook_subscription(id, None);
        let taken = fresh(ping().await.unwrap(), 200);
        assert_eq!((taken.delivery.status, taken.delivery.event_type, taken.delivery.attempt_count), (DeliveryStatus::Delivered, EventType::Ping, 1));
        let got = receiver.got().remove(0);
        assert_eq!((got.id(), got.json()["type"].clone()), (taken.delivery.event_id.to_string(), json!("test.ping")));
        assert_eq!(got.json()["data"]["webhookSubscription"]["id"], json!(id));
        assert_eq!(got.header("webhook-signature"), signed_with(&got, &[&hooked.secret(id).await.secret]));
        receiver.answer(|_| Reply::Status(500));
        let refused = fresh(ping().await.unwrap(), 200);
        assert_eq!((refused.delivery.status, refused.attempts[0].status_code), (DeliveryStatus::Failed, Some(500)));
        assert_eq!((refused.attempts[0].outcome, refused.attempts[0].answer.as_str()), (DeliveryOutcome::Refused, "said"));
        assert_eq!(hooked.subscription(id).await.failing_since, None, "a failed ping does not count as a failure");
        let logged = hooked.delivery(id, refused.delivery.event_id).await;
        assert_eq!(serde_json::to_value(&logged).unwrap(), serde_json::to_value(&refused).unwrap());
    }

    async fn a_ping_answered_with_410_does_not_disable_the_subscription(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::Status(410)).await;
        let id = hooked.subscribe(&receiver).await;
        let tried = fresh(hooked.retour.merchant(&hooked.staff).test_webhook_subscription(id, None).await.unwrap(), 200);
        let attempt = &tried.attempts[0];
        let gone = "The receiver answered 410 Gone: it wants no more deliveries.";
        assert_eq!((attempt.outcome, attempt.error), (DeliveryOutcome::Gone, Some(gone)));
        assert!(hooked.subscription(id).await.enabled);
    }
}
