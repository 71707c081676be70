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
        not_found("event", retour.merchant(staff).event(event).await);
        not_found("webhook_delivery", retour.merchant(staff).webhook_delivery(delivery).await);
        not_found("redeliver", retour.merchant(staff).redeliver(delivery, None).await);
        not_found("redeliver_event", retour.merchant(staff).redeliver_event(event, &EventRedelivery::default(), None).await);
        not_found("webhook_deliveries", retour.merchant(staff).webhook_deliveries(id, &all).await);
        not_found("webhook_subscription", retour.merchant(staff).webhook_subscription(id).await);
        not_found("webhook_timeline", retour.merchant(staff).webhook_timeline(id).await);
        not_found("webhook_secret", retour.merchant(staff).webhook_secret(id).await);
        not_found("change", retour.merchant(staff).change_webhook_subscription(id, sent(json!({"enabled": false})), None, None).await);
        not_found("rotate", retour.merchant(staff).rotate_webhook_secret(id, &SecretRotation::default(), None).await);
        not_found("test", retour.merchant(staff).test_webhook_subscription(id, None).await);
        not_found("redeliver_since", retour.merchant(staff).redeliver_since(id, &sent(json!({"since": ours.source.now()})), None).await);
        not_found("delete", retour.merchant(staff).delete_webhook_subscription(id).await);
        assert_eq!(retour.merchant(staff).events(&all).await.unwrap().data.len(), 0);
        let listed = retour.merchant(staff).webhook_subscriptions(&all).await.unwrap().data;
        assert_eq!(listed.iter().map(|found| found.id).collect::<Vec<_>>(), [other]);

        // Redelivers our event to their subscription.
        let to_theirs = EventRedelivery { subscription_id: Some(other) };
        not_found("redeliver_event", ours.retour.merchant(&ours.staff).redeliver_event(event, &to_theirs, None).await);
        let sending = start_delivering(&ours.retour);
        ours.wait_until_settled(id).await;
        theirs.wait_until_settled(other).await;
        assert_eq!((receiver.count(), stranger.count()), (1, 0));
        sending.stop().await;
    }
}
