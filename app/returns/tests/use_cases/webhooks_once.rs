//! Repeated webhook requests with an `Idempotency-Key` take effect once.

use crate::{
    shop::{NOW, fresh, refusal, sent},
    webhooks::{Hooked, start_delivering, until},
    webhooks_receiver::{Receiver, Reply},
};
use domain::{WebhookDeliveryId, WebhookSubscriptionId};
use returns::{Done, Error, ErrorCode, EventRedelivery, IdempotencyKey, SealedKey, SecretRotation, view};
use serde::Serialize;
use serde_json::json;
use store::testing::Database;
use tokio::task::JoinHandle;

fn key(name: &str) -> Option<IdempotencyKey> {
    Some(IdempotencyKey {
        credential: "service-user:1".into(),
        key: name.into(),
        fingerprint: name.as_bytes().to_vec(),
    })
}

/// Asserts that the second answer is the first one, replayed.
#[track_caller]
fn replayed<T: Serialize + std::fmt::Debug>(first: &T, second: Result<Done<T>, Error>) {
    let Done::Replayed(answer) = second.unwrap() else { panic!("expected a replayed answer") };
    assert_eq!(answer.body, serde_json::to_string(first).unwrap());
}

type PingTask = JoinHandle<Result<Done<view::WebhookDeliveryDetails>, Error>>;

/// Pings a subscription, always with the same key.
fn ping(hooked: &Hooked, id: WebhookSubscriptionId) -> PingTask {
    let hooked = hooked.clone();
    tokio::spawn(async move { hooked.retour.merchant(&hooked.staff).test_webhook_subscription(id, key("ping")).await })
}

/// Waits until the waiting requests have polled for the answer this many more times. Each poll reads the clock.
async fn polls(hooked: &Hooked, more: usize) {
    let enough = hooked.source.reads() + more;
    until("the requests poll for the answer", || async { hooked.source.reads() >= enough }).await;
}

store::on_each_database! {
    async fn creating_pinging_and_redelivering_take_effect_once_for_a_key(database: Database) {
        let hooked = Hooked::open(&database).await;
        let (retour, staff) = (&hooked.retour, &hooked.staff);
        let receiver = Receiver::accepting().await;
        let create = || retour.merchant(staff).create_webhook_subscription(sent(json!({"url": receiver.url})), key("create"));
        let made = fresh(create().await.unwrap(), 201);
        replayed(&made, create().await);
        assert_eq!(database.rows("webhook_subscriptions").await, 1);

        let ping = || retour.merchant(staff).test_webhook_subscription(made.id, key("ping"));
        let tried = fresh(ping().await.unwrap(), 200);
        replayed(&tried, ping().await);
        assert_eq!(receiver.count(), 1);

        let sending = start_delivering(retour);
        let event = hooked.emit(1, 0..1).await[0];
        hooked.wait_until_settled(made.id).await;
        let again = || retour.merchant(staff).redeliver(WebhookDeliveryId::of(event, made.id), key("delivery"));
        let asked = fresh(again().await.unwrap(), 202);
        hooked.wait_until_settled(made.id).await;
        replayed(&asked, again().await);
        let only = EventRedelivery::default();
        let again = || retour.merchant(staff).redeliver_event(event, &only, key("event"));
        let asked = fresh(again().await.unwrap(), 202);
        hooked.wait_until_settled(made.id).await;
        replayed(&asked, again().await);
        let since = sent(json!({"since": hooked.source.now(), "which": "All"}));
        let again = || retour.merchant(staff).redeliver_since(made.id, &since, key("since"));
        let asked = fresh(again().await.unwrap(), 202);
        crate::webhooks::until("the redelivery is gathered", || async { !hooked.subscription(made.id).await.catching_up }).await;
        replayed(&asked, again().await);
        hooked.wait_until_settled(made.id).await;
        assert_eq!(receiver.count(), 5);
        sending.stop().await;
    }

    async fn a_secret_is_rotated_once_for_a_key_and_its_answer_is_stored_encrypted(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        let rotation = SecretRotation::default();
        let rotate = |credential: &str| {
            let key = key("rotate").map(|key| SealedKey::new(key, credential));
            hooked.retour.merchant(&hooked.staff).rotate_webhook_secret(id, &rotation, key)
        };
        let rotated = fresh(rotate("rtk_one").await.unwrap(), 200);
        replayed(&rotated, rotate("rtk_one").await);
        assert_eq!(hooked.secret(id).await.secret, rotated.secret);
        assert!(matches!(rotate("rtk_two").await, Err(Error::Sealed)));
        let kept = database.texts("SELECT body FROM idempotency_keys").await;
        assert!(kept.len() == 1 && !kept[0].contains("whsec_"));
    }

    async fn simultaneous_pings_with_one_key_are_sent_once(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::WhenOpen).await;
        let id = hooked.subscribe(&receiver).await;
        let asked: Vec<PingTask> = (0..8).map(|_| ping(&hooked, id)).collect();
        until("the ping is under way", || async { receiver.count() > 0 }).await;
        hooked.emit(1, 0..1).await; // an event is stored while the ping is under way
        polls(&hooked, 7 * 3).await;
        assert_eq!(receiver.count(), 1, "the other seven wait");
        receiver.open();
        let (mut made, mut repeated) = (Vec::new(), Vec::new());
        for asked in asked {
            match asked.await.unwrap().unwrap() {
                Done::Fresh { value, .. } => made.push(serde_json::to_string(&value).unwrap()),
                Done::Replayed(answer) => repeated.push(answer.body),
            }
        }
        assert_eq!((made.len(), repeated.len()), (1, 7));
        assert!(repeated.iter().all(|body| *body == made[0]));
        assert_eq!((receiver.count(), hooked.all_events().await.len()), (1, 2), "one ping and one other event");
    }

    async fn a_ping_whose_result_cannot_be_stored_leaves_its_key_unused(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::WhenOpen).await;
        let id = hooked.subscribe(&receiver).await;
        let asked = ping(&hooked, id);
        until("the ping is under way", || async { receiver.count() > 0 }).await;
        hooked.retour.merchant(&hooked.staff).delete_webhook_subscription(id).await.unwrap();
        receiver.open();
        for asked in [asked, ping(&hooked, id)] {
            assert_eq!(refusal(asked.await.unwrap()), ErrorCode::NotFound);
        }
        assert_eq!(database.rows("idempotency_keys").await, 0);
    }

    async fn a_ping_that_a_crash_interrupted_can_be_repeated_after_a_minute(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        let mut writing = database.store.write().await.unwrap();
        let (account, left) = (hooked.account.id, key("ping").unwrap());
        store::idempotency::lease(writing.db(), account, &left, hooked.source.now()).await.unwrap();
        writing.commit().await.unwrap();
        let asked = ping(&hooked, id);
        polls(&hooked, 3).await;
        assert!(!asked.is_finished() && receiver.count() == 0, "the first request may still be running");
        hooked.source.set(NOW.plus_seconds(60));
        let tried = fresh(asked.await.unwrap().unwrap(), 200);
        replayed(&tried, ping(&hooked, id).await.unwrap());
        assert_eq!(receiver.count(), 1);
    }
}
