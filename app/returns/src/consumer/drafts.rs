//! Making a draft, and submitting it.

use super::handle::ConsumerHandle;
use crate::{
    base::{Begun, Done, Error, IdempotencyKey, Result, Retour, Shopper, again_on_deadlock, conclude, detached},
    drafting::{
        basis::{Basis, ChosenItems, Selection, Way},
        draft::{check_open, hold},
        options::price,
        settings::Settings,
        submission::{Sent, What},
    },
    returning::{
        override_limit::{is_above, is_by_agent, is_held},
        owned::consumer,
    },
    view,
};
use domain::party::Party;
use domain::{
    DraftReturnOrderId, Money, PurchaseId, RefusalCode, ShippingOptionId, returning::DraftStatus, stage::needs_approval,
};
use store::drafts;

impl ConsumerHandle<'_> {
    /// Creates a draft: checks the selection and fixes its amounts for 24 hours. Reserves no units.
    pub async fn draft(
        self,
        selections: Vec<Selection>,
        shipping_option: Option<ShippingOptionId>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Draft>> {
        let chosen = ChosenItems::by_consumer(selections, Way::Chosen(shipping_option));
        self.retour.draft_of(self.shopper, Basis::Chosen(Box::new(chosen)), key, Party::Consumer(())).await
    }

    /// Sets the shipping option of a draft, and recalculates the costs from the amounts that the draft fixed.
    pub async fn set_shipping_option(
        self,
        id: DraftReturnOrderId,
        shipping_option: ShippingOptionId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Draft>> {
        let (retour, shopper) = (self.retour.clone(), self.shopper);
        detached(async move {
            again_on_deadlock(|| retour.set_shipping_option_once(shopper, id, shipping_option, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn set_shipping_option_once(
        &self,
        shopper: Shopper,
        id: DraftReturnOrderId,
        shipping_option: ShippingOptionId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::Draft>> {
        let (settings, consumer, reading) = Settings::load(self, self.store.read().await?, &shopper).await?;
        drop(reading);
        let mut writing = match self.begin(shopper.account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        hold(&mut writing, &shopper).await?;
        let found = drafts::find(writing.db(), shopper.account, shopper.consumer, id).await?;
        let mut draft = found.ok_or(Error::NotFound)?;
        check_open(&draft, self.now())?;
        settings.choose_option(&mut draft, shipping_option, self.now())?;
        if !drafts::set_shipping_option(writing.db(), shopper.account, &draft).await? {
            return Err(
                domain::Refusal::new(RefusalCode::DraftOutdated, "This draft has already been submitted.").into()
            );
        }
        let shown = view::Draft::from(draft).seen_by(&consumer);
        conclude(writing, shopper.account, key, 200, shown).await
    }
}

impl ConsumerHandle<'_> {
    /// Returns a consumer's draft.
    pub async fn find_draft(self, id: DraftReturnOrderId) -> Result<view::Draft> {
        let mut reading = self.retour.store.read().await?;
        let draft = drafts::find(reading.db(), self.shopper.account, self.shopper.consumer, id).await?;
        let mut draft = draft.ok_or(Error::NotFound)?;
        if draft.status == DraftStatus::Open && draft.expires_at <= self.retour.now() {
            draft.status = DraftStatus::Expired;
        }
        let consumer = consumer(reading.db(), &self.shopper).await?;
        Ok(view::Draft::from(draft).seen_by(&consumer))
    }

    /// The costs of a draft with each shipping option that is offered for it.
    pub async fn compare_shipping(self, id: DraftReturnOrderId, locale: &domain::Locale) -> Result<Offers> {
        let (settings, consumer, mut reading) =
            Settings::load(self.retour, self.retour.store.read().await?, &self.shopper).await?;
        let draft = drafts::find(reading.db(), self.shopper.account, self.shopper.consumer, id)
            .await?
            .ok_or(Error::NotFound)?;
        let currency = draft.cost_breakdown.currency;
        let policy = &settings.account.policy;
        let needs_approval =
            is_held(&draft.items) || draft.items.iter().any(|item| needs_approval(&item.rules, item.review, policy));
        let mut offers = Offers { ways: Vec::new(), stopped_by_customs: Vec::new(), needs_approval };
        for option in settings.options.iter() {
            let Some(price) = price(option, currency, &draft.items) else { continue };
            let unknown = settings.unknown_to_customs(option.id, &draft.items);
            if !unknown.is_empty() {
                offers.stopped_by_customs = unknown.into_iter().map(|item| item.purchase_id).collect();
            } else if let Some(view) = view::ShippingOptionView::new(option, currency, locale) {
                let costs = settings.costs(currency, &draft.items, Some(option));
                if is_by_agent(&draft.items) && !offers.needs_approval {
                    let (account, items) = (&settings.account, &draft.items);
                    offers.needs_approval = is_above(reading.db(), account, items, &costs, None).await?;
                }
                let view = if settings.is_gift { view.without_amounts() } else { view.at(Money::new(price, currency)) };
                offers.ways.push((view, view::Costs::CostBreakdown(costs).seen_by(&consumer)));
            }
        }
        Ok(offers)
    }
}

/// The shipping options of a draft.
#[derive(Debug, Clone)]
pub struct Offers {
    /// The options in the merchant's order, each with its price for this draft and the resulting costs.
    pub ways: Vec<(view::ShippingOptionView, view::Costs)>,
    /// The purchases whose customs data is missing. Options that pass customs are left out because of them.
    pub stopped_by_customs: Vec<PurchaseId>,
    /// Whether the return waits for evidence or a decision of the shop before it can be sent.
    pub needs_approval: bool,
}

impl ConsumerHandle<'_> {
    /// Creates a draft like [`Self::draft`]. If the preferred shipping option is not offered, the draft has none.
    pub async fn draft_preferring(
        self,
        selections: Vec<Selection>,
        preferred: Option<ShippingOptionId>,
    ) -> Result<view::Draft> {
        let chosen = ChosenItems::by_consumer(selections, Way::Preferred(preferred));
        fresh(self.retour.draft_of(self.shopper, Basis::Chosen(Box::new(chosen)), None, Party::Consumer(())).await?)
    }

    /// Creates a draft with the selection of an older one, at today's amounts. Answers to questions that the shop no
    /// longer asks are dropped, as is a shipping option that it no longer offers. Errors name a selection by its
    /// position in the older draft.
    pub async fn renew_draft(self, draft: DraftReturnOrderId) -> Result<view::Draft> {
        fresh(self.renew_draft_with_key(draft, None).await?)
    }

    /// The same, with an idempotency key.
    pub async fn renew_draft_with_key(
        self,
        draft: DraftReturnOrderId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Draft>> {
        self.retour.draft_of(self.shopper, Basis::Renewed(draft), key, Party::Consumer(())).await
    }
}

/// Returns the result of a call without an idempotency key, which is never a replay.
pub(crate) fn fresh<T>(done: Done<T>) -> Result<T> {
    match done {
        Done::Fresh { value, .. } => Ok(value),
        Done::Replayed(_) => Err(Error::broken()),
    }
}

impl ConsumerHandle<'_> {
    /// Submits a draft, with the given shipping option if it differs from the draft's. A repeated submit returns the
    /// same return order.
    pub async fn submit(
        self,
        draft: DraftReturnOrderId,
        sent: impl Into<Sent>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        self.retour.submit_for(self.shopper, What::Draft(draft), Party::Consumer(sent.into()), key).await
    }
}
