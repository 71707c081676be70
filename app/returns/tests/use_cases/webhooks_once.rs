//! Asking for something twice has its effect once (`Idempotency-Key`).

use crate::{
    shop::{NOW, fresh, refusal, sent},
    webhooks::{Hooked, send, until},
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

/// The second answer is the first one.
#[track_caller]
fn replayed<T: Serialize + std::fmt::Debug>(first: &T, second: Result<Done<T>, Error>) {
    let Done::Replayed(answer) = second.unwrap() else { panic!("done anew") };
    assert_eq!(answer.body, serde_json::to_string(first).unwrap());
}

type Pinging = JoinHandle<Result<Done<view::WebhookDeliveryDetails>, Error>>;

/// Tries a subscription under one key.
fn ping(hooked: &Hooked, id: WebhookSubscriptionId) -> Pinging {
    let hooked = hooked.clone();
    tokio::spawn(async move { hooked.retour.merchant(&hooked.staff).test_webhook_subscription(id, key("ping")).await })
}

/// Waits until those who wait for an answer have looked this many times more whether it is there: each look reads the clock.
async fn looks(hooked: &Hooked, more: usize) {
    let enough = hooked.source.reads() + more;
    until("they look for the answer", || async { hooked.source.reads() >= enough }).await;
}

store::on_each_database! {
    async fn a_subscription_is_made_and_tried_and_its_events_sent_again_once(database: Database) {
        let hooked = Hooked::open(&database).await;
        let (retour, staff) = (&hooked.retour, &hooked.staff);
        let receiver = Receiver::willing().await;
        let create = || retour.merchant(staff).create_webhook_subscription(sent(json!({"url": receiver.url})), key("create"));
        let made = fresh(create().await.unwrap(), 201);
        replayed(&made, create().await);
        assert_eq!(database.rows("webhook_subscriptions").await, 1);

        let ping = || retour.merchant(staff).test_webhook_subscription(made.id, key("ping"));
        let tried = fresh(ping().await.unwrap(), 200);
        replayed(&tried, ping().await);
        assert_eq!(receiver.count(), 1);

        let sending = send(retour);
        let event = hooked.tell(1, 0..1).await[0];
        hooked.settled(made.id).await;
        let again = || retour.merchant(staff).redeliver(WebhookDeliveryId::of(event, made.id), key("delivery"));
        let asked = fresh(again().await.unwrap(), 202);
        hooked.settled(made.id).await;
        replayed(&asked, again().await);
        let only = EventRedelivery::default();
        let again = || retour.merchant(staff).redeliver_event(event, &only, key("event"));
        let asked = fresh(again().await.unwrap(), 202);
        hooked.settled(made.id).await;
        replayed(&asked, again().await);
        let since = sent(json!({"since": hooked.source.now(), "which": "All"}));
        let again = || retour.merchant(staff).redeliver_since(made.id, &since, key("since"));
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
            hooked.retour.merchant(&hooked.staff).rotate_webhook_secret(id, &rotation, key)
        };
        let rotated = fresh(rotate("rtk_one").await.unwrap(), 200);
        replayed(&rotated, rotate("rtk_one").await);
        assert_eq!(hooked.secret(id).await.secret, rotated.secret);
        assert!(matches!(rotate("rtk_two").await, Err(Error::Sealed)));
        let kept = database.texts("SELECT body FROM idempotency_keys").await;
        assert!(kept.len() == 1 && !kept[0].contains("whsec_"));
    }

    async fn a_ping_that_is_asked_for_several_times_at_once_is_sent_once(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::WhenOpen).await;
        let id = hooked.subscribe(&receiver).await;
        let asked: Vec<Pinging> = (0..8).map(|_| ping(&hooked, id)).collect();
        until("it is under way", || async { receiver.count() > 0 }).await;
        hooked.tell(1, 0..1).await; // nobody else waits for it
        looks(&hooked, 7 * 3).await;
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
        assert_eq!((receiver.count(), hooked.all_events().await.len()), (1, 2), "one ping, and what was told");
    }

    async fn a_ping_that_could_not_be_kept_leaves_its_key_free(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::always(Reply::WhenOpen).await;
        let id = hooked.subscribe(&receiver).await;
        let asked = ping(&hooked, id);
        until("it is under way", || async { receiver.count() > 0 }).await;
        hooked.retour.merchant(&hooked.staff).delete_webhook_subscription(id).await.unwrap();
        receiver.open();
        for asked in [asked, ping(&hooked, id)] {
            assert_eq!(refusal(asked.await.unwrap()), ErrorCode::NotFound);
        }
        assert_eq!(database.rows("idempotency_keys").await, 0);
    }

    async fn a_ping_that_a_crash_cut_off_can_be_asked_for_again_after_a_minute(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::willing().await;
        let id = hooked.subscribe(&receiver).await;
        let mut writing = database.store.write().await.unwrap();
        let (account, left) = (hooked.account.id, key("ping").unwrap());
        store::idempotency::lease(writing.db(), account, &left, hooked.source.now()).await.unwrap();
        writing.commit().await.unwrap();
        let asked = ping(&hooked, id);
        looks(&hooked, 3).await;
        assert!(!asked.is_finished() && receiver.count() == 0, "the first may still be at it");
        hooked.source.set(NOW.plus_seconds(60));
        let tried = fresh(asked.await.unwrap().unwrap(), 200);
        replayed(&tried, ping(&hooked, id).await.unwrap());
        assert_eq!(receiver.count(), 1);
    }
}
