//! The secrets that sign a subscription's deliveries.

use crate::{
    base::{Begun, Done, Error, Result, Retour, again_on_deadlock, audit, detached, sealed::SealedKey},
    merchant::handle::MerchantHandle,
    view,
};
use domain::{AccountId, RefusalCode, WebhookSubscriptionId, audit::AuditAction};
use outbound::webhook::Secret;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use store::webhook_subscriptions::{self, Subscription};

/// How long the previous secret remains valid by default.
const OVERLAP_HOURS: u32 = 24;
const LONGEST_OVERLAP_HOURS: u32 = 7 * 24;

/// How a new secret replaces the current one.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SecretRotation {
    /// Hours during which the previous secret stays valid, 0 to 168; 24, if left out. With 0 it ends at once: for a
    /// secret that has leaked.
    #[schemars(range(max = 168), extend("examples" = [24]))]
    pub overlap_hours: Option<u32>,
}

impl MerchantHandle<'_> {
    /// The secret that signs a subscription's deliveries.
    pub async fn webhook_secret(self, id: WebhookSubscriptionId) -> Result<view::WebhookSecret> {
        self.retour.secret_view(self.staff.account(), &self.retour.subscription(&self.staff, id).await?)
    }
}

impl Retour {
    fn secret_view(&self, account: AccountId, subscription: &Subscription) -> Result<view::WebhookSecret> {
        let now = self.now();
        let previous = subscription.previous_secret.as_ref().filter(|(_, ends_at)| *ends_at > now);
        let open = |sealed: &str| self.open_secret(account, subscription.id, sealed);
        Ok(view::WebhookSecret {
            secret: open(&subscription.secret)?,
            previous_secret: previous.map(|(sealed, _)| open(sealed)).transpose()?,
            previous_secret_expires_at: previous.map(|(_, ends_at)| *ends_at),
        })
    }

    pub(crate) fn new_webhook_secret(&self, account: AccountId, id: WebhookSubscriptionId) -> Result<String> {
        self.seal_secret(account, id, &Secret::from_random(self.source.random()).to_text())
    }
}

impl MerchantHandle<'_> {
    /// Replaces the secret. The previous one signs too for a while.
    pub async fn rotate_webhook_secret(
        self,
        id: WebhookSubscriptionId,
        rotation: &SecretRotation,
        key: Option<SealedKey>,
    ) -> Result<Done<view::WebhookSecret>> {
        let hours = rotation.overlap_hours.unwrap_or(OVERLAP_HOURS);
        if hours > LONGEST_OVERLAP_HOURS {
            let message = format!("expected a whole number from 0 to {LONGEST_OVERLAP_HOURS}");
            return Err(Error::invalid("overlapHours", RefusalCode::OutOfRange, message));
        }
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| async {
                let account = staff.account();
                let mut writing = match retour.begin_secret(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let mut subscription =
                    webhook_subscriptions::lock(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
                let new = retour.new_webhook_secret(account, id)?;
                let replaced = std::mem::replace(&mut subscription.secret, new);
                subscription.previous_secret = (hours > 0).then(|| (replaced, retour.now().plus_hours(hours)));
                subscription.updated_at = retour.now();
                webhook_subscriptions::update(writing.db(), account, &subscription).await?;
                retour.note_change(&mut writing, staff, id, "SecretRotated").await?;
                let changed = Some(json!({"secret": audit::SECRET_CHANGED, "overlapHours": hours}));
                let (at, action) = (subscription.updated_at, AuditAction::WebhookSecretRotated);
                audit::record(&mut writing, &staff, at, action, id, None, changed);
                writing.wake_sender((account, id));
                let shown = retour.secret_view(account, &subscription)?;
                retour.conclude_secret(writing, account, key.as_ref(), 200, shown).await
            })
            .await
        })
        .await
    }
}
