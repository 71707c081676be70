//! Webhook subscriptions of a merchant.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Staff, again_on_deadlock, audit, conclude, detached,
        error::check, patch_field::PatchField,
    },
    merchant::{handle::MerchantHandle, version::check_version},
    view,
};
use domain::{
    Problems, Refusal, RefusalCode, Timestamp, WebhookSubscriptionId,
    audit::AuditAction,
    party::Actor,
    stage::StageName,
    webhook::{DisabledReason, EventFilter, EventType},
};
use outbound::http::Endpoint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{
    Writing, events,
    lists::Listing,
    webhook_subscriptions::{self, CatchUp, ReceiverHealth, Subscription, SubscriptionEntry},
};

/// The most subscriptions of an account, including disabled ones: each event is matched with all of them.
const MOST: i64 = 50;
const MAX_DESCRIPTION_CHARS: usize = 500;

/// An address and the events to send to it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewWebhookSubscription {
    /// The URL to send events to: `https://…`, up to 2,048 bytes, without user name and fragment. `http://` only for
    /// networks that the operator has allowed.
    #[schemars(extend("examples" = ["https://erp.example/hooks/retour"]))]
    pub url: String,
    /// The types of events to send; all, if left out or empty.
    #[serde(default)]
    pub event_types: Vec<EventType>,
    /// A single type, in place of `eventTypes`: for clients of older systems, whose
    /// `shipment.received_tracking_updates.delivered` means `shipment.delivered`.
    pub event_name: Option<EventType>,
    /// The stages for which `return_request.stage_changed` is sent; all, if left out or empty.
    #[serde(default)]
    pub stages: Vec<StageName>,
    /// What the subscription is for; at most 500 characters.
    #[serde(default)]
    #[schemars(extend("examples" = ["Accounting"]))]
    pub description: String,
    /// Whether events are sent from now on; `true`, if left out.
    #[serde(default = "yes")]
    #[schemars(extend("examples" = [true]))]
    pub enabled: bool,
}

fn yes() -> bool {
    true
}

/// Changes to a subscription. Fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WebhookSubscriptionChange {
    /// The URL that events are sent to.
    #[schemars(extend("examples" = ["https://erp.example/hooks/retour"]))]
    pub url: PatchField<String>,
    /// The types of events to send. Replaces all of them.
    pub event_types: PatchField<Vec<EventType>>,
    /// A single type, in place of `eventTypes`.
    pub event_name: PatchField<EventType>,
    /// The stages to send events of. Replaces all of them.
    pub stages: PatchField<Vec<StageName>>,
    /// What the subscription is for, in your words.
    #[schemars(extend("examples" = ["Accounting"]))]
    pub description: PatchField<String>,
    /// `false` disables it: waiting deliveries are marked as failed within seconds. `true` enables it again; deliveries
    /// that are not marked yet are sent.
    pub enabled: PatchField<bool>,
}

/// The past events to deliver again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Redelivery {
    /// Repeats the events that happened since this time.
    pub since: Timestamp,
    /// The choice of events; `Undelivered` if left out.
    #[serde(default)]
    pub which: Redelivered,
}

/// The choice of events to deliver again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Redelivered")]
pub enum Redelivered {
    /// Failed deliveries, and events that were never sent, such as while the subscription was disabled.
    #[default]
    Undelivered,
    /// All events, including those that were delivered.
    All,
}

domain::string_enum!(Redelivered);

impl MerchantHandle<'_> {
    /// An account's subscriptions.
    pub async fn webhook_subscriptions(self, listing: &Listing) -> Result<view::List<view::WebhookSubscription>> {
        let mut reading = self.retour.store.read().await?;
        let rows = webhook_subscriptions::list(reading.db(), self.staff.account(), listing).await?;
        let now = self.retour.now();
        Ok(view::List::new(listing.page, rows, |found| view::WebhookSubscription::new(found, now)))
    }

    /// A subscription.
    pub async fn webhook_subscription(self, id: WebhookSubscriptionId) -> Result<view::WebhookSubscription> {
        Ok(view::WebhookSubscription::new(self.retour.subscription(&self.staff, id).await?, self.retour.now()))
    }
}

impl Retour {
    pub(crate) async fn subscription(&self, staff: &Staff, id: WebhookSubscriptionId) -> Result<Subscription> {
        let mut reading = self.store.read().await?;
        webhook_subscriptions::find(reading.db(), staff.account(), id).await?.ok_or(Error::NotFound)
    }
}

impl MerchantHandle<'_> {
    /// The timeline of a subscription, newest first.
    pub async fn webhook_timeline(self, id: WebhookSubscriptionId) -> Result<view::List<view::WebhookTimelineEntry>> {
        self.retour.subscription(&self.staff, id).await?;
        let mut reading = self.retour.store.read().await?;
        let entries = webhook_subscriptions::list_entries(reading.db(), self.staff.account(), id).await?;
        Ok(view::List::whole(entries.into_iter().map(Into::into).collect()))
    }

    /// Creates a subscription.
    pub async fn create_webhook_subscription(
        self,
        new: NewWebhookSubscription,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::WebhookSubscription>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        let id = WebhookSubscriptionId(self.retour.source.id());
        let now = self.retour.now();
        let named = new.event_name.map(|name| vec![name]);
        let subscription = Subscription {
            id,
            url: as_called(&new.url),
            interest: EventFilter { event_types: named.clone().unwrap_or(new.event_types.clone()), stages: new.stages }
                .deduplicated(),
            description: new.description.trim().to_owned(),
            disabled: (!new.enabled).then_some((DisabledReason::ByMerchant, now)),
            secret: self.retour.new_webhook_secret(staff.account(), id)?,
            previous_secret: None,
            health: ReceiverHealth::default(),
            catch_up: None,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        let both = named.is_some() && !new.event_types.is_empty();
        self.retour.check_subscription(&subscription, both)?;
        detached(async move {
            again_on_deadlock(|| async {
                let account = staff.account();
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                store::accounts::hold(writing.db(), account).await?;
                if webhook_subscriptions::count(writing.db(), account).await? >= MOST {
                    let message =
                        format!("There are already {MOST} webhook subscriptions. Change or delete one of them.");
                    return Err(Refusal::new(RefusalCode::LimitReached, message).into());
                }
                webhook_subscriptions::insert(writing.db(), account, &subscription).await?;
                retour.note_change(&mut writing, staff, id, "Created").await?;
                let made = view::WebhookSubscription::new(subscription.clone(), now);
                let action = AuditAction::WebhookSubscriptionCreated;
                audit::record_created(&mut writing, &staff, now, action, id, &made)?;
                conclude(writing, account, key.as_ref(), 201, made).await
            })
            .await
        })
        .await
    }
}

impl Retour {
    fn check_subscription(&self, subscription: &Subscription, named_twice: bool) -> Result<()> {
        let mut problems = Problems::default();
        match Endpoint::parse(&subscription.url) {
            Err(error) => problems.add("url", RefusalCode::NotAllowed, error.to_string()),
            Ok(endpoint) => {
                if let Some(Err(error)) = self.config.http.as_ref().map(|http| http.check(&endpoint)) {
                    problems.add("url", RefusalCode::NotAllowed, error.to_string());
                }
            }
        }
        if named_twice {
            problems.add("eventName", RefusalCode::Mismatch, "expected eventTypes or eventName, not both");
        }
        problems.check_text("description", &subscription.description, 0..=MAX_DESCRIPTION_CHARS);
        problems.0.extend(subscription.interest.problems().0);
        check(problems)
    }

    pub(crate) async fn note_change(
        &self,
        writing: &mut Writing,
        staff: Staff,
        id: WebhookSubscriptionId,
        change: &str,
    ) -> Result<()> {
        let (actor, actor_id, change) = (Actor::Merchant, staff.actor_id(), change.to_owned());
        let entry = SubscriptionEntry { at: self.now(), actor, actor_id, change };
        Ok(webhook_subscriptions::insert_entry(writing.db(), staff.account(), id, &entry).await?)
    }
}

impl MerchantHandle<'_> {
    /// Changes a subscription, field by field. `version`: what the caller has seen.
    pub async fn change_webhook_subscription(
        self,
        id: WebhookSubscriptionId,
        change: WebhookSubscriptionChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::WebhookSubscription>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| retour.change_subscription_once(staff, id, &change, version, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn change_subscription_once(
        &self,
        staff: Staff,
        id: WebhookSubscriptionId,
        change: &WebhookSubscriptionChange,
        version: Option<i64>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::WebhookSubscription>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut subscription = webhook_subscriptions::lock(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        check_version(version, subscription.version)?;
        let before = subscription.clone();
        apply(change, &mut subscription, self.now());
        self.check_subscription(&subscription, change.event_name.0.is_some() && change.event_types.0.is_some())?;
        if subscription != before {
            subscription.updated_at = self.now();
            webhook_subscriptions::update(writing.db(), account, &subscription).await?;
            subscription.version += 1;
            let change = match (before.disabled.is_none(), subscription.disabled) {
                (true, Some(_)) => "Disabled: ByMerchant",
                (false, None) => "Enabled",
                _ => "Changed",
            };
            self.note_change(&mut writing, staff, id, change).await?;
            let shown = |subscription: Subscription| view::WebhookSubscription::new(subscription, self.now());
            let (at, views) = (subscription.updated_at, (&shown(before), &shown(subscription.clone())));
            audit::record_changed(&mut writing, &staff, at, AuditAction::WebhookSubscriptionUpdated, id, views)?;
            writing.wake_sender((account, id));
        }
        conclude(writing, account, key, 200, view::WebhookSubscription::new(subscription, self.now())).await
    }
}

impl MerchantHandle<'_> {
    /// Deletes a subscription and its deliveries.
    pub async fn delete_webhook_subscription(self, id: WebhookSubscriptionId) -> Result<()> {
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let now = retour.now();
                let found = webhook_subscriptions::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
                let was = view::WebhookSubscription::new(found, now);
                let action = AuditAction::WebhookSubscriptionDeleted;
                audit::record_deleted(&mut writing, &staff, now, action, id, &was)?;
                if !webhook_subscriptions::delete(writing.db(), account, id, now).await? {
                    return Err(Error::NotFound);
                }
                writing.wake_sender((account, id));
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }

    /// Delivers past events again. A background job gathers them.
    pub async fn redeliver_since(
        self,
        id: WebhookSubscriptionId,
        redelivery: &Redelivery,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::WebhookSubscription>> {
        if redelivery.since > self.retour.now() {
            return Err(Error::invalid("since", RefusalCode::OutOfRange, "expected a time that is not in the future"));
        }
        let (retour, staff, redelivery) = (self.retour.clone(), self.staff, redelivery.clone());
        detached(async move {
            again_on_deadlock(|| async {
                let account = staff.account();
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let mut subscription =
                    webhook_subscriptions::lock(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
                if subscription.disabled.is_some() {
                    let message = "This subscription is disabled. Enable it first.";
                    return Err(Refusal::new(RefusalCode::Disabled, message).into());
                }
                if let Some((after, until)) = events::range_since(writing.db(), account, redelivery.since).await? {
                    let asked = CatchUp { after, until, all: redelivery.which == Redelivered::All };
                    subscription.catch_up = Some(both(subscription.catch_up, asked)?);
                    subscription.updated_at = retour.now();
                    webhook_subscriptions::update(writing.db(), account, &subscription).await?;
                    subscription.version += 1;
                    retour.note_change(&mut writing, staff, id, "CatchUpAsked").await?;
                    let since = Some(json!({"since": redelivery.since, "which": redelivery.which}));
                    let (at, action) = (subscription.updated_at, AuditAction::EventsRedelivered);
                    audit::record(&mut writing, &staff, at, action, id, None, since);
                    writing.wake_sender((account, id));
                }
                let shown = view::WebhookSubscription::new(subscription, retour.now());
                conclude(writing, account, key.as_ref(), 202, shown).await
            })
            .await
        })
        .await
    }
}

/// Merges the request with the one that is being gathered, if the result covers no events beyond the two.
fn both(gathered: Option<CatchUp>, asked: CatchUp) -> Result<CatchUp, Refusal> {
    let Some(before) = gathered else { return Ok(asked) };
    if before.all != asked.all || asked.after > before.until {
        let message = "The subscription is still catching up with other events. Try again in a few seconds, when \
                       `catchingUp` is false.";
        return Err(Refusal::new(RefusalCode::LimitReached, message));
    }
    Ok(CatchUp { after: before.after.min(asked.after), until: before.until.max(asked.until), all: asked.all })
}

/// A URL in its normalized form, or unchanged if it is invalid.
fn as_called(url: &str) -> String {
    let url = url.trim();
    Endpoint::parse(url).map_or_else(|_| url.to_owned(), |endpoint| endpoint.as_str().to_owned())
}

fn apply(change: &WebhookSubscriptionChange, subscription: &mut Subscription, now: Timestamp) {
    if let Some(url) = &change.url.0.as_deref().map(as_called)
        && *url != subscription.url
    {
        subscription.url.clone_from(url);
        subscription.health = ReceiverHealth::default(); // a new receiver has not failed yet
    }
    change.event_types.put_into(&mut subscription.interest.event_types);
    if let Some(kind) = change.event_name.0 {
        subscription.interest.event_types = vec![kind];
    }
    change.stages.put_into(&mut subscription.interest.stages);
    subscription.interest = std::mem::take(&mut subscription.interest).deduplicated();
    if let Some(description) = &change.description.0 {
        description.trim().clone_into(&mut subscription.description);
    }
    match change.enabled.0 {
        Some(true) if subscription.disabled.is_some() => {
            subscription.disabled = None;
            subscription.health = ReceiverHealth::default();
        }
        Some(false) => subscription.disabled = subscription.disabled.or(Some((DisabledReason::ByMerchant, now))),
        _ => {}
    }
}
