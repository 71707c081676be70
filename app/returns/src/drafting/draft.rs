use super::{
    basis::{Basis, ChosenItems, Selection, draft_seen_by},
    overriding::{self, record_overrides},
    pricing::Pricing,
    settings::Settings,
};
use crate::{
    base::{Begun, Done, Error, IdempotencyKey, Result, Retour, Shopper, again_on_deadlock, conclude, detached},
    returning::override_limit::{is_above, is_by_agent},
    view,
};
use domain::party::Party;
use domain::{
    DraftReturnOrderId, RefusalCode, ShippingOptionId, Timestamp,
    costs::CostBreakdown,
    returning::{DRAFT_LIFE_HOURS, DraftReturnOrder, DraftStatus},
};
use store::{
    Writing,
    consumers::{self, Consumer},
    drafts,
};

impl Retour {
    /// Creates a draft, and returns it as its maker sees it.
    pub(crate) async fn draft_of(
        &self,
        shopper: Shopper,
        basis: Basis,
        key: Option<IdempotencyKey>,
        maker: Party,
    ) -> Result<Done<view::Draft>> {
        let retour = self.clone();
        detached(async move { again_on_deadlock(|| retour.draft_once(shopper, &basis, key.as_ref(), maker)).await })
            .await
    }

    async fn draft_once(
        &self,
        shopper: Shopper,
        basis: &Basis,
        key: Option<&IdempotencyKey>,
        maker: Party,
    ) -> Result<Done<view::Draft>> {
        let (settings, consumer, mut reading) = Settings::load(self, self.store.read().await?, &shopper).await?;
        // Before the selection is checked: its units may have been returned since.
        if let Some(done) = self.answered(&mut reading, shopper.account, key).await? {
            return Ok(done);
        }
        let chosen = settings.selected(&mut reading, &shopper, basis).await?;
        let draft = self.new_draft(reading, &settings, &consumer, maker, &chosen).await?;
        let mut writing = match self.begin(shopper.account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        hold(&mut writing, &shopper).await?;
        drafts::insert(writing.db(), shopper.account, &draft).await?;
        record_overrides(&mut writing, &chosen, &draft, self.now());
        conclude(writing, shopper.account, key, 201, draft_seen_by(maker, draft, &consumer)).await
    }

    /// Builds a draft without storing it.
    pub(crate) async fn new_draft(
        &self,
        reading: store::Reading,
        settings: &Settings,
        consumer: &Consumer,
        maker: Party,
        ChosenItems { selections, way, overrides, .. }: &ChosenItems,
    ) -> Result<DraftReturnOrder> {
        let now = self.now();
        let shopper = Shopper { account: settings.account.id, consumer: consumer.id };
        let mut priced =
            Pricing { settings, shopper, now, maker, overrides }.price(reading, consumer, selections).await?;
        let option = settings.option_of(*way, priced.currency, &priced.items)?;
        let costs = settings.costs(priced.currency, &priced.items, option);
        // The submit decides. This says so before.
        if is_by_agent(&priced.items) {
            let mut reading = self.store.read().await?;
            if is_above(reading.db(), &settings.account, &priced.items, &costs, None).await? {
                overriding::hold(&mut priced.items);
            }
        }
        Ok(DraftReturnOrder {
            id: DraftReturnOrderId(self.source.id()),
            consumer_id: consumer.id,
            status: DraftStatus::Open,
            return_order_id: None,
            cost_breakdown: costs,
            items: priced.items,
            shipping_option_id: option.map(|option| option.id),
            created_at: now,
            updated_at: now,
            expires_at: now.plus_hours(DRAFT_LIFE_HOURS),
        })
    }

    /// The costs that an outdated draft would have now, with the given shipping option or its own. `None` if it can no
    /// longer be submitted, or if the consumer sees no amounts.
    pub(crate) async fn costs_now(
        &self,
        shopper: &Shopper,
        id: DraftReturnOrderId,
        named: Option<ShippingOptionId>,
    ) -> Option<CostBreakdown> {
        let now = self.now();
        let (settings, consumer, mut reading) =
            Settings::load(self, self.store.read().await.ok()?, shopper).await.ok()?;
        if settings.is_gift {
            return None;
        }
        let draft = drafts::find(reading.db(), shopper.account, shopper.consumer, id).await.ok()??;
        // Answers change no amount, and may belong to questions that the shop no longer asks.
        let unanswered = |item| Selection { answers: Vec::new(), ..Selection::from(item) };
        let selections: Vec<Selection> = draft.items.iter().map(unanswered).collect();
        let overrides = draft.items.first().map(|item| item.overrides.clone()).unwrap_or_default();
        let maker = Party::Staff(());
        let pricing = Pricing { settings: &settings, shopper: *shopper, now, maker, overrides: &overrides };
        let priced = pricing.price(reading, &consumer, &selections).await.ok()?;
        let id = named.or(draft.shipping_option_id);
        let option = settings.option(id, priced.currency, &priced.items).ok()?;
        Some(settings.costs(priced.currency, &priced.items, option))
    }
}

/// Locks out the erasure of the draft's consumer: their words and the stored response are written before it, or not at
/// all. If the consumer was erased already, fails with `NotFound`.
pub(crate) async fn hold(writing: &mut Writing, shopper: &Shopper) -> Result<()> {
    let is_known = consumers::hold(writing.db(), shopper.account, shopper.consumer).await?;
    if is_known { Ok(()) } else { Err(Error::NotFound) }
}

/// Refuses a draft that is no longer open.
pub(crate) fn check_open(draft: &DraftReturnOrder, now: Timestamp) -> Result<()> {
    let refusal = match draft.status {
        DraftStatus::Open if now < draft.expires_at => return Ok(()),
        DraftStatus::Open | DraftStatus::Expired => {
            (RefusalCode::DraftExpired, "This draft is older than 24 hours. Make a new one.")
        }
        DraftStatus::Rejected => (RefusalCode::DraftRejected, "The shop rejected this draft."),
        DraftStatus::Accepted => (RefusalCode::DraftOutdated, "This draft has already been submitted."),
    };
    Err(domain::Refusal::new(refusal.0, refusal.1).into())
}
