//! Test calls to a webhook receiver.

use super::events::details;
use crate::{
    base::{Begun, Done, IdempotencyKey, Result, Retour, Staff, conclude, detached},
    merchant::handle::MerchantHandle,
    view::{self, to_value},
};
use domain::{EventId, ReturnOrderId, WebhookSubscriptionId, webhook::EventType};
use store::{
    events::{self, Event},
    webhook_attempts::{self, Tried},
    webhook_deliveries::{self, Addressed, DeliveryLane},
};

impl MerchantHandle<'_> {
    /// Sends a `test.ping` at once, even if the subscription is disabled, and returns the result.
    pub async fn test_webhook_subscription(
        self,
        id: WebhookSubscriptionId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::WebhookDeliveryDetails>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            let (account, key) = (staff.account(), key.as_ref());
            if let Some(done) = retour.lease(account, key).await? {
                return Ok(done);
            }
            let done = retour.ping(&staff, id, key).await;
            if done.is_err()
                && let Err(error) = retour.release(account, key).await
            {
                tracing::warn!(%error, "the Idempotency-Key could not be released; it expires in a minute");
            }
            done
        })
        .await
    }
}

impl Retour {
    async fn ping(
        &self,
        staff: &Staff,
        id: WebhookSubscriptionId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::WebhookDeliveryDetails>> {
        let account = staff.account();
        let subscription = self.subscription(staff, id).await?;
        let receiver = self.receiver(account, &subscription)?;
        let now = self.now();
        let ping = Event {
            id: EventId(self.source.id()),
            account_id: account,
            kind: EventType::Ping,
            stage: None,
            return_order_id: ReturnOrderId(id.0), // about no return: events of one subscription stay in order
            data: to_value(&view::PingEventData {
                webhook_subscription: view::WebhookSubscription::new(subscription, now),
            })?
            .to_string(),
            created_at: now,
        };
        let exchanged = self.exchange(&receiver, ping.clone()).await;
        let mut writing = match self.begin_leased(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let numbers = events::insert_alone(writing.db(), std::slice::from_ref(&ping)).await?;
        let seq = numbers.get(&ping.id).copied().unwrap_or_default();
        let addressed = Addressed::new(&ping.outline(seq), id);
        let line = DeliveryLane { account_id: account, subscription_id: id, return_order_id: ping.return_order_id };
        webhook_deliveries::insert(writing.db(), std::slice::from_ref(&addressed)).await?;
        let tried = Tried { id: addressed.id(), tries: 0 };
        webhook_attempts::keep(writing.db(), line, tried, &exchanged.attempt, None).await?;
        let delivery = details(writing.db(), account, addressed.id()).await?;
        conclude(writing, account, key, 200, delivery).await
    }
}
