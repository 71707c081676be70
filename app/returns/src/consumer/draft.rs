//! Putting a return together: what it would cost and give back, before anything is taken.

use super::{
    Settings,
    drafting::{Basis, Way},
    pricing::Pricing,
};
use crate::{
    Done, Error, FieldError, IdempotencyKey, Result, Retour, Shopper, again_on_deadlock, detached,
    idempotency::{Begun, conclude},
    view,
};
use domain::{
    Currency, DraftReturnOrderId, Money, PurchaseId, RefusalCode, ReturnReasonId, ShippingOptionId, Timestamp,
    costs::{self, Charges, CostBreakdown},
    policy::Resolution,
    question::{Answer, GivenAnswer},
    returning::{DRAFT_LIFE_HOURS, DraftItem, DraftReturnOrder},
    shipping::ShippingOption,
    status::DraftStatus,
};
use store::{
    Writing,
    consumers::{self, Consumer},
    drafts,
};

/// One purchase that a consumer wants to return.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Which.
    pub purchase_id: PurchaseId,
    /// How many units; checked against what can go back.
    pub quantity: i64,
    /// Why; `None` is refused with the field's name.
    pub return_reason_id: Option<ReturnReasonId>,
    /// In their words.
    pub comment: String,
    /// What they answer to the reason's questions.
    pub answers: Vec<GivenAnswer>,
    /// What for.
    pub resolution: Resolution,
    /// With an exchange: the stock-keeping unit that is wanted in its place, one of those that the shop offers for it.
    pub exchange_for: Option<String>,
}

/// Who makes a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maker {
    /// Whose it is.
    Consumer,
    /// The merchant, who sees all of it.
    Staff,
}

impl Maker {
    fn shown(self, draft: DraftReturnOrder, consumer: &Consumer) -> view::Draft {
        let draft = view::Draft::from(draft);
        match self {
            Self::Consumer => draft.seen_by(consumer),
            Self::Staff => draft,
        }
    }
}

impl From<&DraftItem> for Selection {
    fn from(item: &DraftItem) -> Self {
        Self {
            purchase_id: item.purchase_id,
            quantity: item.taken.units.into(),
            return_reason_id: Some(item.return_reason_id),
            comment: item.return_reason_comment.clone(),
            answers: item.answers.iter().map(Answer::given).collect(),
            resolution: item.requested_resolution,
            exchange_for: item.exchange_for.as_ref().map(|wanted| wanted.sku.clone()),
        }
    }
}

impl Retour {
    /// Makes a draft: checks what was chosen and fixes its figures for 24 hours. Takes no units.
    pub async fn draft(
        &self,
        shopper: Shopper,
        selections: Vec<Selection>,
        shipping_option: Option<ShippingOptionId>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Draft>> {
        let basis = Basis::Chosen(selections, Way::Chosen(shipping_option));
        self.draft_of(shopper, basis, (key, Maker::Consumer)).await
    }

    /// Makes a draft, shown as its maker may see it.
    pub(crate) async fn draft_of(
        &self,
        shopper: Shopper,
        basis: Basis,
        (key, maker): (Option<IdempotencyKey>, Maker),
    ) -> Result<Done<view::Draft>> {
        let retour = self.clone();
        detached(async move { again_on_deadlock(|| retour.draft_once(shopper, &basis, (key.as_ref(), maker))).await })
            .await
    }

    async fn draft_once(
        &self,
        shopper: Shopper,
        basis: &Basis,
        (key, maker): (Option<&IdempotencyKey>, Maker),
    ) -> Result<Done<view::Draft>> {
        let (settings, consumer, mut reading) = Settings::load(self, self.store.read().await?, &shopper).await?;
        // Before what was chosen is checked: it may have been returned since.
        if let Some(done) = self.answered(&mut reading, shopper.account, key).await? {
            return Ok(done);
        }
        let (selections, way) = settings.selected(&mut reading, &shopper, basis).await?;
        let draft = self.new_draft(reading, &settings, (&consumer, maker), &selections, way).await?;
        let mut writing = match self.begin(shopper.account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        hold(&mut writing, &shopper).await?;
        drafts::insert(writing.db(), shopper.account, &draft).await?;
        conclude(writing, shopper.account, key, 201, maker.shown(draft, &consumer)).await
    }

    /// A draft that is not kept yet.
    pub(super) async fn new_draft(
        &self,
        reading: store::Reading,
        settings: &Settings,
        (consumer, maker): (&Consumer, Maker),
        selections: &[Selection],
        way: Way,
    ) -> Result<DraftReturnOrder> {
        let now = self.now();
        let shopper = Shopper { account: settings.account.id, consumer: consumer.id };
        let priced = Pricing { settings, shopper, now, maker }.price(reading, consumer, selections).await?;
        let option = settings.option_of(way, priced.currency, &priced.items)?;
        Ok(DraftReturnOrder {
            id: DraftReturnOrderId(self.source.id()),
            consumer_id: consumer.id,
            status: DraftStatus::Open,
            return_order_id: None,
            cost_breakdown: settings.costs(priced.currency, &priced.items, option),
            items: priced.items,
            shipping_option_id: option.map(|option| option.id),
            created_at: now,
            updated_at: now,
            expires_at: now.plus_hours(DRAFT_LIFE_HOURS),
        })
    }

    /// Chooses the way of sending; the costs are calculated anew from the figures that the draft fixed.
    pub async fn set_shipping_option(
        &self,
        shopper: Shopper,
        id: DraftReturnOrderId,
        shipping_option: ShippingOptionId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Draft>> {
        let retour = self.clone();
        detached(async move {
            again_on_deadlock(|| retour.set_shipping_option_once(shopper, id, shipping_option, key.as_ref())).await
        })
        .await
    }

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
            return Err(domain::Refusal::new(RefusalCode::DraftOutdated, "This draft has been submitted.").into());
        }
        let shown = view::Draft::from(draft).seen_by(&consumer);
        conclude(writing, shopper.account, key, 200, shown).await
    }

    /// What an outdated draft would come to now, sent in the way named or in its own, if it can still be done at all and they
    /// are shown amounts.
    pub(super) async fn costs_now(
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
        // What was answered changes no figure, and may have been to questions that nobody asks any more.
        let unanswered = |item| Selection { answers: Vec::new(), ..Selection::from(item) };
        let selections: Vec<Selection> = draft.items.iter().map(unanswered).collect();
        let pricing = Pricing { settings: &settings, shopper: *shopper, now, maker: Maker::Staff };
        let priced = pricing.price(reading, &consumer, &selections).await.ok()?;
        let id = named.or(draft.shipping_option_id);
        let option = settings.option(id, priced.currency, &priced.items).ok()?;
        Some(settings.costs(priced.currency, &priced.items, option))
    }

    /// A consumer's draft.
    pub async fn find_draft(&self, shopper: &Shopper, id: DraftReturnOrderId) -> Result<view::Draft> {
        let mut reading = self.store.read().await?;
        let draft = drafts::find(reading.db(), shopper.account, shopper.consumer, id).await?;
        let mut draft = draft.ok_or(Error::NotFound)?;
        if draft.status == DraftStatus::Open && draft.expires_at <= self.now() {
            draft.status = DraftStatus::Expired;
        }
        let consumer = super::consumer(reading.db(), shopper).await?;
        Ok(view::Draft::from(draft).seen_by(&consumer))
    }

    /// What a draft would come to with each way of sending that is on offer for it.
    pub async fn compare_shipping(
        &self,
        shopper: &Shopper,
        id: DraftReturnOrderId,
        locale: &domain::Locale,
    ) -> Result<Offers> {
        let (settings, consumer, mut reading) = Settings::load(self, self.store.read().await?, shopper).await?;
        let draft = drafts::find(reading.db(), shopper.account, shopper.consumer, id).await?.ok_or(Error::NotFound)?;
        let currency = draft.cost_breakdown.currency;
        let mut offers = Offers { ways: Vec::new(), stopped_by_customs: Vec::new() };
        for option in settings.options.iter() {
            let Some(price) = price(option, currency, &draft.items) else { continue };
            let unknown = settings.unknown_to_customs(option.id, &draft.items);
            if !unknown.is_empty() {
                offers.stopped_by_customs = unknown.into_iter().map(|item| item.purchase_id).collect();
            } else if let Some(view) = view::ShippingOptionView::new(option, currency, locale) {
                let costs = settings.costs(currency, &draft.items, Some(option));
                let view = if settings.is_gift { view.without_amounts() } else { view.at(Money::new(price, currency)) };
                offers.ways.push((view, view::Costs::CostBreakdown(costs).seen_by(&consumer)));
            }
        }
        Ok(offers)
    }
}

/// Keeps the erasure of whose draft it is away: their words and the answer that is kept with a key are written before it, or
/// not at all. If the consumer is erased in the meantime, nothing is found.
pub(super) async fn hold(writing: &mut Writing, shopper: &Shopper) -> Result<()> {
    let is_known = consumers::hold(writing.db(), shopper.account, shopper.consumer).await?;
    if is_known { Ok(()) } else { Err(Error::NotFound) }
}

/// Ways of sending that a draft can go.
#[derive(Debug, Clone)]
pub struct Offers {
    /// In the merchant's order: each at what it costs with this draft, and what the draft comes to with it.
    pub ways: Vec<(view::ShippingOptionView, view::Costs)>,
    /// What customs would stop, so that there are not more ways: the shop has not said what they want to know of it.
    pub stopped_by_customs: Vec<PurchaseId>,
}

/// What sending draft items costs, minor units; `None`: it is not offered for them.
fn price(option: &ShippingOption, currency: Currency, items: &[DraftItem]) -> Option<i64> {
    let sent = || items.iter().filter(|item| !item.kept);
    option.price(currency, sent().map(|item| item.value).sum(), sent().map(|item| item.weight).sum())
}

fn stopped_by_customs(items: &[&DraftItem]) -> Error {
    let error = |item: &&DraftItem| {
        let fields: Vec<String> =
            item.unknown_to_customs.iter().map(|fact| format!("product.{}", fact.field())).collect();
        let message = format!(
            "this parcel passes customs, which need {} of the purchase {}: the shop has to say it first, or choose \
             another way of sending",
            fields.join(" and "),
            item.purchase_id,
        );
        FieldError::new("shippingOptionId", RefusalCode::CustomsDataMissing, message)
    };
    Error::Invalid(items.iter().map(error).collect())
}

/// Says no to a draft that is over.
pub(crate) fn check_open(draft: &DraftReturnOrder, now: Timestamp) -> Result<()> {
    let refusal = match draft.status {
        DraftStatus::Open if now < draft.expires_at => return Ok(()),
        DraftStatus::Open | DraftStatus::Expired => {
            (RefusalCode::DraftExpired, "This draft is older than 24 hours. Make a new one.")
        }
        DraftStatus::Rejected => (RefusalCode::DraftRejected, "The shop declined this draft."),
        DraftStatus::Accepted => (RefusalCode::DraftOutdated, "This draft has been submitted."),
    };
    Err(domain::Refusal::new(refusal.0, refusal.1).into())
}

impl Settings {
    /// What of these items customs would stop on a way of sending.
    pub(super) fn unknown_to_customs<'a>(
        &self,
        option: ShippingOptionId,
        items: &'a [DraftItem],
    ) -> Vec<&'a DraftItem> {
        let is_unknown = |item: &&DraftItem| !item.kept && !item.unknown_to_customs.is_empty();
        if self.past_customs.contains(&option) { items.iter().filter(is_unknown).collect() } else { Vec::new() }
    }

    /// Has a draft sent in another way; the costs are calculated anew from the figures that the draft fixed.
    pub(super) fn choose_option(
        &self,
        draft: &mut DraftReturnOrder,
        id: ShippingOptionId,
        now: Timestamp,
    ) -> Result<()> {
        let currency = draft.cost_breakdown.currency;
        let option = self.option(Some(id), currency, &draft.items)?;
        draft.cost_breakdown = self.costs(currency, &draft.items, option);
        draft.shipping_option_id = option.map(|option| option.id);
        draft.updated_at = now;
        Ok(())
    }

    /// The chosen way of sending, if it is on offer for these items in this currency; none for items that are kept.
    pub(super) fn option(
        &self,
        id: Option<ShippingOptionId>,
        currency: Currency,
        items: &[DraftItem],
    ) -> Result<Option<&ShippingOption>> {
        let Some(id) = id else { return Ok(None) };
        if items.iter().all(|item| item.kept) {
            return Ok(None);
        }
        let offered = self.options.iter().find(|option| option.id == id && option.fare(currency).is_some());
        let option = offered.ok_or_else(|| {
            let message = "expected the id of one of the purchases' shippingOptions";
            Error::invalid("shippingOptionId", RefusalCode::NotAllowed, message)
        })?;
        if price(option, currency, items).is_none() {
            let message = "this way of sending does not take what weighs so much: expected another one";
            return Err(Error::invalid("shippingOptionId", RefusalCode::OutOfRange, message));
        }
        let unknown = self.unknown_to_customs(id, items);
        if unknown.is_empty() { Ok(Some(option)) } else { Err(stopped_by_customs(&unknown)) }
    }

    /// What draft items come to with a way of sending.
    pub(super) fn costs(
        &self,
        currency: Currency,
        items: &[DraftItem],
        option: Option<&ShippingOption>,
    ) -> CostBreakdown {
        let policy = &self.account.policy;
        let item = |item: &DraftItem| costs::Item {
            purchase_id: item.purchase_id,
            quantity: item.taken.units,
            value: item.value,
            outbound_shipping: item.outbound_shipping,
            limit: item.limit,
            resolution: item.requested_resolution,
            restocking_fee: item.rules.restocking_fee_percent,
            fault: item.rules.fault,
        };
        let charges = Charges {
            currency,
            items: items.iter().map(item).collect(),
            shipping: option.and_then(|option| Some((option.id, price(option, currency, items)?))),
            request_fee: policy.request_fee.minor(currency).unwrap_or(0),
            store_credit_bonus: policy.store_credit_bonus_percent,
            collection: policy.fee_collection,
            least_payable: self.account.payment.kind().least(currency), // where nobody takes payments it is waived, and said so
        };
        costs::calculate(&if self.is_gift { charges.of_gift() } else { charges })
    }
}
