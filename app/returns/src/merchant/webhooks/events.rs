//! Events and their deliveries, and sending them again.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, again_on_deadlock, audit, conclude, detached,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    AccountId, EventId, Refusal, RefusalCode, WebhookDeliveryId, WebhookSubscriptionId, audit::AuditAction,
    webhook::EventType,
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeSet;
use store::{
    Db, Writing,
    events::{self, Event},
    lists::Listing,
    webhook_attempts,
    webhook_deliveries::{self, Addressed, DeliveryLane},
    webhook_subscriptions,
};

/// The subscriptions to send an event to again.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EventRedelivery {
    /// Sends to this subscription alone, whether it covers the event or not. If left out, to all that cover the event
    /// or received it.
    pub subscription_id: Option<WebhookSubscriptionId>,
}

/// A delivery with its body and its attempts.
pub(crate) async fn details(
    mut db: Db<'_>,
    account: AccountId,
    id: WebhookDeliveryId,
) -> Result<view::WebhookDeliveryDetails> {
    let delivery = webhook_deliveries::find(db.reborrow(), account, id).await?.ok_or(Error::NotFound)?;
    // Deliveries to a deleted subscription are no longer visible.
    let subscription = webhook_subscriptions::find(db.reborrow(), account, delivery.subscription_id).await?;
    let url = subscription.ok_or(Error::NotFound)?.url;
    let (event, _) = events::find(db.reborrow(), account, delivery.event_id).await?.ok_or(Error::NotFound)?;
    let attempts = webhook_attempts::list(db, account, id).await?;
    Ok(view::WebhookDeliveryDetails {
        delivery: delivery.into(),
        request: view::WebhookRequest { url, body: view::Event::new(event)? },
        attempts: attempts.into_iter().map(view::WebhookAttempt::new).collect(),
    })
}

impl MerchantHandle<'_> {
    /// An account's events.
    pub async fn events(self, listing: &Listing) -> Result<view::List<view::Event>> {
        let mut reading = self.retour.store.read().await?;
        let rows = events::list(reading.db(), self.staff.account(), listing).await?;
        let mut list = view::List::new(listing.page, rows, view::Event::new);
        let data = std::mem::take(&mut list.data).into_iter().collect::<Result<_>>()?;
        let view::List { limit, page, next_page, has_more, count, .. } = list;
        Ok(view::List { data, limit, page, next_page, has_more, count })
    }

    /// An event.
    pub async fn event(self, id: EventId) -> Result<view::Event> {
        let mut reading = self.retour.store.read().await?;
        let (event, _) = events::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?;
        view::Event::new(event)
    }

    /// A subscription's deliveries.
    pub async fn webhook_deliveries(
        self,
        subscription: WebhookSubscriptionId,
        listing: &Listing,
    ) -> Result<view::List<view::WebhookDelivery>> {
        let mut reading = self.retour.store.read().await?;
        let account = self.staff.account();
        webhook_subscriptions::find(reading.db(), account, subscription).await?.ok_or(Error::NotFound)?;
        let of_it = store::webhook_deliveries::LIST.condition(&format!("subscriptionId:{subscription}"));
        let mut listing = listing.clone();
        listing.conditions.push(of_it.ok().or_broken()?);
        let rows = webhook_deliveries::list(reading.db(), account, &listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// A delivery with its attempts.
    pub async fn webhook_delivery(self, id: WebhookDeliveryId) -> Result<view::WebhookDeliveryDetails> {
        let mut reading = self.retour.store.read().await?;
        details(reading.db(), self.staff.account(), id).await
    }

    /// Sends one delivery again, with a new series of attempts.
    pub async fn redeliver(
        self,
        id: WebhookDeliveryId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::WebhookDelivery>> {
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let delivery = webhook_deliveries::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
                let event = events::find(writing.db(), account, delivery.event_id).await?.ok_or(Error::NotFound)?;
                retour.redeliver_to(&mut writing, &event, delivery.subscription_id).await?;
                let delivery = webhook_deliveries::find(writing.db(), account, id).await?.or_broken()?;
                audit::record(&mut writing, &staff, retour.now(), AuditAction::EventsRedelivered, id, None, None);
                conclude(writing, account, key.as_ref(), 202, delivery.into()).await
            })
            .await
        })
        .await
    }

    /// Sends an event again.
    pub async fn redeliver_event(
        self,
        id: EventId,
        redelivery: &EventRedelivery,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::List<view::WebhookDelivery>>> {
        let (retour, staff, only) = (self.retour.clone(), self.staff, redelivery.subscription_id);
        let account = staff.account();
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                events::hold(writing.db(), account, &[id]).await?;
                let event = events::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
                let receivers = receivers(writing.db(), &event.0, only).await?;
                for subscription in &receivers {
                    retour.redeliver_to(&mut writing, &event, *subscription).await?;
                }
                let mut deliveries = webhook_deliveries::list_of_event(writing.db(), account, id).await?;
                deliveries.retain(|delivery| receivers.contains(&delivery.subscription_id));
                let list = view::List::whole(deliveries.into_iter().map(Into::into).collect());
                audit::record(&mut writing, &staff, retour.now(), AuditAction::EventsRedelivered, id, None, None);
                conclude(writing, account, key.as_ref(), 202, list).await
            })
            .await
        })
        .await
    }
}

impl Retour {
    async fn redeliver_to(
        &self,
        writing: &mut Writing,
        (event, event_seq): &(Event, i64),
        subscription: WebhookSubscriptionId,
    ) -> Result<()> {
        let (account, now) = (event.account_id, self.now());
        let found = webhook_subscriptions::lock(writing.db(), account, subscription).await?.ok_or(Error::NotFound)?;
        if found.disabled.is_some() {
            let message = "This subscription is disabled. Enable it first.";
            return Err(Refusal::new(RefusalCode::Disabled, message).into());
        }
        let addressed = Addressed::new(&event.outline(*event_seq), subscription);
        webhook_deliveries::again(writing.db(), account, addressed.id(), false, now).await?;
        webhook_deliveries::insert(writing.db(), std::slice::from_ref(&addressed)).await?;
        // Later deliveries of the same lane have waited for this one.
        let line =
            DeliveryLane { account_id: account, subscription_id: subscription, return_order_id: event.return_order_id };
        webhook_deliveries::hurry(writing.db(), line, now).await?;
        writing.wake_sender((account, subscription));
        Ok(())
    }
}

/// The subscriptions to send an event to: those that cover it, and those that received it.
async fn receivers(
    mut db: Db<'_>,
    event: &Event,
    only: Option<WebhookSubscriptionId>,
) -> Result<BTreeSet<WebhookSubscriptionId>> {
    let enabled = webhook_subscriptions::list_enabled(db.reborrow(), event.account_id).await?;
    let deliveries = webhook_deliveries::list_of_event(db, event.account_id, event.id).await?;
    let reached: BTreeSet<_> = deliveries.iter().map(|delivery| delivery.subscription_id).collect();
    if let Some(only) = only {
        // A ping belongs to one subscription and contains its data.
        let may_receive = event.kind != EventType::Ping || reached.contains(&only);
        return if may_receive { Ok(BTreeSet::from([only])) } else { Err(Error::NotFound) };
    }
    let concerns = |(id, interest): &(WebhookSubscriptionId, domain::webhook::EventFilter)| {
        reached.contains(id) || (event.kind != EventType::Ping && interest.covers(event.kind, event.stage))
    };
    Ok(enabled.iter().filter(|one| concerns(one)).map(|(id, _)| *id).collect())
}
