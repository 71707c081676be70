//! Asking for something twice has its effect once (`Idempotency-Key`).

use crate::{
    shop::{fresh, sent},
    webhooks::{Hooked, send},
    webhooks_receiver::Receiver,
};
use domain::WebhookDeliveryId;
use returns::{Done, Error, EventRedelivery, IdempotencyKey, SealedKey, SecretRotation};
use serde::Serialize;
use serde_json::json;
use store::testing::Database;

fn key(name: &str) -> Option<IdempotencyKey> {
    Some(IdempotencyKey {
        credential: "service-user:1".into(),
        key: name.into(),
        fingerprint: name.as_bytes().to_vec(),
    })
}

/// The second answer is the first one.
#[track_caller]
fn replayed<T: Serialize + std::fmt::Debug>(first: &T, second: Result<Done<T>, Error>) {
    let Done::Replayed(answer) = second.unwrap() else { panic!("done anew") };
    assert_eq!(answer.body, serde_json::to_string(first).unwrap());
}

store::on_each_database! {
    async fn a_subscription_is_made_and_tried_and_its_events_sent_again_once(database: Database) {
        let hooked = Hooked::open(&database).await;
        let (retour, staff) = (&hooked.retour, &hooked.staff);
        let receiver = Receiver::willing().await;
        let create = || retour.create_webhook_subscription(staff, sent(json!({"url": receiver.url})), key("create"));
        let made = fresh(create().await.unwrap(), 201);
        replayed(&made, create().await);
        assert_eq!(database.rows("webhook_subscriptions").await, 1);

        let ping = || retour.test_webhook_subscription(staff, made.id, key("ping"));
        let tried = fresh(ping().await.unwrap(), 200);
        replayed(&tried, ping().await);
        assert_eq!(receiver.count(), 1);

        let sending = send(retour);
        let event = hooked.tell(1, 0..1).await[0];
        hooked.settled(made.id).await;
        let again = || retour.redeliver(staff, WebhookDeliveryId::of(event, made.id), key("delivery"));
        let asked = fresh(again().await.unwrap(), 202);
        hooked.settled(made.id).await;
        replayed(&asked, again().await);
        let only = EventRedelivery::default();
        let again = || retour.redeliver_event(staff, event, &only, key("event"));
        let asked = fresh(again().await.unwrap(), 202);
        hooked.settled(made.id).await;
        replayed(&asked, again().await);
        let since = sent(json!({"since": hooked.source.now(), "which": "All"}));
        let again = || retour.redeliver_since(staff, made.id, &since, key("since"));
        let asked = fresh(again().await.unwrap(), 202);
        crate::webhooks::until("it is gathered", || async { !hooked.subscription(made.id).await.catching_up }).await;
        replayed(&asked, again().await);
        hooked.settled(made.id).await;
        assert_eq!(receiver.count(), 5);
        sending.stop().await;
    }

    async fn a_secret_is_replaced_once_and_its_answer_is_kept_encrypted(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::willing().await;
        let id = hooked.subscribe(&receiver).await;
        let rotation = SecretRotation::default();
        let rotate = |credential: &str| {
            let key = key("rotate").map(|key| SealedKey::new(key, credential));
            hooked.retour.rotate_webhook_secret(&hooked.staff, id, &rotation, key)
        };
        let rotated = fresh(rotate("rtk_one").await.unwrap(), 200);
        replayed(&rotated, rotate("rtk_one").await);
        assert_eq!(hooked.secret(id).await.secret, rotated.secret);
        assert!(matches!(rotate("rtk_two").await, Err(Error::Sealed)));
        let kept = database.texts("SELECT body FROM idempotency_keys").await;
        assert!(kept.len() == 1 && !kept[0].contains("whsec_"));
    }
}
