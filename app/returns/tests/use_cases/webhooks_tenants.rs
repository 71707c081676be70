//! Tenants are isolated: other accounts neither see nor receive an account's webhooks.

use crate::{
    shop::{ALL, Shop, sent},
    webhooks::{Hooked, start_delivering},
    webhooks_receiver::Receiver,
};
use domain::{WebhookDeliveryId, policy::Policy};
use returns::{Error, EventRedelivery, Listing, SecretRotation};
use serde_json::json;
use store::testing::Database;

#[track_caller]
fn not_found<T: std::fmt::Debug>(what: &str, outcome: Result<T, Error>) {
    assert!(matches!(outcome, Err(Error::NotFound)), "{what}: {outcome:?}");
}

store::on_each_database! {
    async fn staff_of_another_account_find_no_subscription_event_or_delivery(database: Database) {
        let ours = Hooked::open(&database).await;
        let theirs = Hooked::of(&database, Shop::open_with(&database, "theirs", "EUR", Policy::default()).await);
        let (receiver, stranger) = (Receiver::accepting().await, Receiver::accepting().await);
        let (id, other) = (ours.subscribe(&receiver).await, theirs.subscribe(&stranger).await);
        let event = ours.emit(1, 0..1).await[0];
        let (retour, staff, delivery) = (&theirs.retour, &theirs.staff, WebhookDeliveryId::of(event, id));
        let all = Listing::newest(ALL);
        not_found("event", retour.event(staff, event).await);
        not_found("webhook_delivery", retour.webhook_delivery(staff, delivery).await);
        not_found("redeliver", retour.redeliver(staff, delivery, None).await);
        not_found("redeliver_event", retour.redeliver_event(staff, event, &EventRedelivery::default(), None).await);
        not_found("webhook_deliveries", retour.webhook_deliveries(staff, id, &all).await);
        not_found("webhook_subscription", retour.webhook_subscription(staff, id).await);
        not_found("webhook_timeline", retour.webhook_timeline(staff, id).await);
        not_found("webhook_secret", retour.webhook_secret(staff, id).await);
        not_found("change", retour.change_webhook_subscription(staff, id, sent(json!({"enabled": false})), None, None).await);
        not_found("rotate", retour.rotate_webhook_secret(staff, id, &SecretRotation::default(), None).await);
        not_found("test", retour.test_webhook_subscription(staff, id, None).await);
        not_found("redeliver_since", retour.redeliver_since(staff, id, &sent(json!({"since": ours.source.now()})), None).await);
        not_found("delete", retour.delete_webhook_subscription(staff, id).await);
        assert_eq!(retour.events(staff, &all).await.unwrap().data.len(), 0);
        let listed = retour.webhook_subscriptions(staff, &all).await.unwrap().data;
        assert_eq!(listed.iter().map(|found| found.id).collect::<Vec<_>>(), [other]);

        // Redelivers our event to their subscription.
        let to_theirs = EventRedelivery { subscription_id: Some(other) };
        not_found("redeliver_event", ours.retour.redeliver_event(&ours.staff, event, &to_theirs, None).await);
        let sending = start_delivering(&ours.retour);
        ours.wait_until_settled(id).await;
        theirs.wait_until_settled(other).await;
        assert_eq!((receiver.count(), stranger.count()), (1, 0));
        sending.stop().await;
    }
}
