//! Disabling a webhook subscription.

use crate::{
    base::{Result, Retour},
    view::{self, to_value},
};
use domain::{
    AccountId, EventId, ReturnOrderId, Timestamp,
    party::Actor,
    webhook::{DisabledReason, EventType},
};
use store::{
    Writing,
    events::Event,
    webhook_subscriptions::{self, Subscription, SubscriptionEntry},
};

impl Retour {
    /// Disables a subscription whose receiver is gone, or has failed since a given time, and writes the event for the
    /// other subscriptions.
    pub(crate) async fn disable_subscription(
        &self,
        writing: &mut Writing,
        account: AccountId,
        mut subscription: Subscription,
        because: DisabledReason,
        since: Timestamp,
    ) -> Result<()> {
        let now = self.now();
        subscription.disabled = Some((because, now));
        subscription.updated_at = now;
        webhook_subscriptions::update(writing.db(), account, &subscription).await?;
        let change = format!("Disabled: {}", because.name());
        let entry = SubscriptionEntry { at: now, actor: Actor::System, actor_id: None, change };
        webhook_subscriptions::insert_entry(writing.db(), account, subscription.id, &entry).await?;
        writing.wake_sender((account, subscription.id)); // so that the sender stops
        let event = self.disabled_event(
            account,
            &view::SubscriptionDisabledEventData {
                id: subscription.id,
                description: subscription.description.clone(),
                disabled_reason: because,
                disabled_at: now,
                failing_since: since,
            },
        )?;
        writing.publish(event);
        Ok(())
    }

    /// The event of a disabled subscription. It omits the URL, which other receivers must not learn.
    pub(crate) fn disabled_event(
        &self,
        account: AccountId,
        disabled: &view::SubscriptionDisabledEventData,
    ) -> Result<Event> {
        Ok(Event {
            id: EventId(self.source.id()),
            account_id: account,
            kind: EventType::SubscriptionDisabled,
            stage: None,
            return_order_id: ReturnOrderId(disabled.id.0), // about no return: events of one subscription stay in order
            data: to_value(disabled)?.to_string(),
            created_at: disabled.disabled_at,
        })
    }
}
