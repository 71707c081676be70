//! Signing secrets of webhooks: how they are rotated, and how they are encrypted in the database.

use crate::{
    shop::{NOW, fields, fresh, refusal, sent},
    webhooks::{Hooked, KEY, signed_with, start_delivering},
    webhooks_receiver::Receiver,
};
use domain::{RefusalCode, WebhookSubscriptionId};
use returns::{Error, ErrorCode, Retour, SecretKeys, SecretRotation, view};
use serde_json::json;
use store::testing::Database;

const OTHER: &str = "fedcba9876543210fedcba9876543210";

impl Hooked {
    async fn rotate(&self, id: WebhookSubscriptionId, hours: Option<u32>) -> view::WebhookSecret {
        let rotation = SecretRotation { overlap_hours: hours };
        fresh(self.retour.merchant(&self.staff).rotate_webhook_secret(id, &rotation, None).await.unwrap(), 200)
    }
}

store::on_each_database! {
    async fn both_secrets_sign_while_one_replaces_the_other(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        let old = hooked.secret(id).await.secret;
        let rotated = hooked.rotate(id, None).await;
        assert_eq!(rotated.previous_secret.as_ref(), Some(&old));
        assert_eq!(rotated.previous_secret_expires_at, Some(NOW.plus_hours(24)));
        assert_ne!(rotated.secret, old);
        let mut place = 0;
        let mut signatures = async |at, expected: &[&str]| {
            hooked.source.set(at);
            hooked.emit(1, place..place + 1).await;
            place += 1;
            hooked.wait_until_settled(id).await;
            let got = receiver.got().pop().unwrap();
            assert_eq!(got.header("webhook-signature"), signed_with(&got, expected));
        };
        signatures(NOW, &[&rotated.secret, &old]).await;
        signatures(NOW.plus_hours(24).plus_seconds(-1), &[&rotated.secret, &old]).await;
        signatures(NOW.plus_hours(24), &[&rotated.secret]).await;
        assert_eq!(hooked.secret(id).await.previous_secret, None);
        let last = hooked.rotate(id, Some(0)).await;
        assert_eq!((last.previous_secret.as_ref(), last.previous_secret_expires_at), (None, None));
        signatures(NOW.plus_hours(24), &[&last.secret]).await;
        assert_eq!(hooked.changes(id).await, ["Created", "SecretRotated", "SecretRotated"]);
        let long = SecretRotation { overlap_hours: Some(169) };
        assert_eq!(fields(hooked.retour.merchant(&hooked.staff).rotate_webhook_secret(id, &long, None).await), ["overlapHours"]);
        sending.stop().await;
    }

    async fn the_database_contains_no_readable_secret(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        hooked.rotate(id, None).await;
        let kept = database.texts("SELECT secret || ' ' || previous_secret FROM webhook_subscriptions").await.remove(0);
        let secret = hooked.secret(id).await;
        assert!(secret.secret.starts_with("whsec_") && !kept.contains("whsec_") && kept.len() > 100);
        for secret in [secret.secret, secret.previous_secret.unwrap()] {
            assert!(!kept.contains(secret.trim_start_matches("whsec_")));
        }
    }

    async fn the_operators_key_can_be_replaced_but_not_lost(database: Database) {
        let hooked = Hooked::open(&database).await;
        let under = |keys: &str| hooked.retour.clone().configured(|config| config.secret_keys = keys.parse().unwrap());
        assert!(under(OTHER).operator().can_open_secrets().await.unwrap(), "there are no secrets yet");
        let receiver = Receiver::accepting().await;
        let id = hooked.subscribe(&receiver).await;
        let secret = hooked.secret(id).await.secret;
        assert!(hooked.retour.operator().can_open_secrets().await.unwrap());
        assert!(!under(OTHER).operator().can_open_secrets().await.unwrap());
        assert!(matches!(under(OTHER).merchant(&hooked.staff).webhook_secret(id).await, Err(Error::LostSecret)));
        let both = under(&format!("{OTHER},{KEY}"));
        assert!(both.operator().can_open_secrets().await.unwrap());
        let sending = start_delivering(&both);
        hooked.emit(1, 0..1).await;
        hooked.wait_until_settled(id).await;
        let got = receiver.got().remove(0);
        assert_eq!(got.header("webhook-signature"), signed_with(&got, &[&secret]));
        sending.stop().await;
        // After a rotation the previous secret still signs, and it is encrypted with the old key.
        let rotation = SecretRotation::default();
        fresh(both.merchant(&hooked.staff).rotate_webhook_secret(id, &rotation, None).await.unwrap(), 200);
        assert!(both.operator().can_open_secrets().await.unwrap() && !under(OTHER).operator().can_open_secrets().await.unwrap());
        hooked.source.set(hooked.source.now().plus_hours(24));
        assert!(under(OTHER).operator().can_open_secrets().await.unwrap(), "the previous secret has expired");
        let keyless: Retour = hooked.retour.clone().configured(|config| config.secret_keys = SecretKeys::default());
        let refused = keyless.merchant(&hooked.staff).create_webhook_subscription(sent(json!({"url": receiver.url})), None).await;
        assert_eq!(refusal(refused), ErrorCode::Refused(RefusalCode::NoSecretKey));
    }
}
