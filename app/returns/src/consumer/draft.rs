//! Putting a return together: what it would cost and give back, before anything is taken.

use super::{Settings, consumer};
use crate::{
    Done, Error, FieldError, IdempotencyKey, Result, Retour, Shopper, detached,
    idempotency::{Begun, conclude},
    view,
};
use domain::{
    Currency, DraftReturnOrderId, Money, PurchaseId, RefusalCode, ReturnReasonId, ShippingOptionId, Timestamp,
    costs::{self, Charges, CostBreakdown},
    order::{ExchangeOption, Purchase},
    policy::Resolution,
    quantity::TakenUnits,
    reason::ReturnReason,
    returning::{DRAFT_LIFE_HOURS, DraftItem, DraftReturnOrder},
    shipping::ShippingOption,
    status::DraftStatus,
};
use std::collections::{BTreeMap, HashSet};
use store::{Db, consumers::Consumer, drafts};

/// More than anybody returns at once; bounds the work of one request.
const MAX_ITEMS: usize = 1_000;
const MAX_COMMENT_CHARS: usize = 2_000;

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
    /// What for.
    pub resolution: Resolution,
    /// With an exchange: the stock-keeping unit that is wanted in its place, one of those that the shop offers for it.
    pub exchange_for: Option<String>,
}

impl From<&DraftItem> for Selection {
    fn from(item: &DraftItem) -> Self {
        Self {
            purchase_id: item.purchase_id,
            quantity: item.taken.units.into(),
            return_reason_id: Some(item.return_reason_id),
            comment: item.return_reason_comment.clone(),
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
        let retour = self.clone();
        detached(async move {
            let (settings, mut reading) = Settings::load(retour.store.read().await?, &shopper).await?;
            let consumer = consumer(reading.db(), &shopper).await?;
            // Before what was chosen is checked: it may have been returned since.
            if let Some(done) = retour.answered(&mut reading, shopper.account, key.as_ref()).await? {
                return Ok(done);
            }
            let draft = retour.new_draft(reading, &settings, &consumer, &selections, shipping_option).await?;
            let mut writing = match retour.begin(shopper.account, key.as_ref()).await? {
                Begun::New(writing) => writing,
                Begun::Before(done) => return Ok(done),
            };
            drafts::insert(writing.db(), shopper.account, &draft).await?;
            conclude(writing, shopper.account, key.as_ref(), 201, draft.into()).await
        })
        .await
    }

    /// A draft that is not kept yet.
    pub(super) async fn new_draft(
        &self,
        reading: store::Reading,
        settings: &Settings,
        consumer: &Consumer,
        selections: &[Selection],
        shipping_option: Option<ShippingOptionId>,
    ) -> Result<DraftReturnOrder> {
        let now = self.now();
        let shopper = Shopper { account: settings.account.id, consumer: consumer.id };
        let priced = Pricing { settings, shopper, now }.price(reading, consumer, selections).await?;
        let option = settings.option(shipping_option, priced.currency, &priced.items)?;
        Ok(DraftReturnOrder {
            id: DraftReturnOrderId(self.source.id()),
            consumer_id: consumer.id,
            status: DraftStatus::Open,
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
            let (settings, reading) = Settings::load(retour.store.read().await?, &shopper).await?;
            drop(reading);
            let mut writing = match retour.begin(shopper.account, key.as_ref()).await? {
                Begun::New(writing) => writing,
                Begun::Before(done) => return Ok(done),
            };
            let found = drafts::find(writing.db(), shopper.account, shopper.consumer, id).await?;
            let mut draft = found.ok_or(Error::NotFound)?;
            check_open(&draft, retour.now())?;
            let currency = draft.cost_breakdown.currency;
            let option = settings.option(Some(shipping_option), currency, &draft.items)?;
            draft.cost_breakdown = settings.costs(currency, &draft.items, option);
            draft.shipping_option_id = option.map(|option| option.id);
            draft.updated_at = retour.now();
            if !drafts::set_shipping_option(writing.db(), shopper.account, &draft).await? {
                return Err(
                    domain::Refusal::new(RefusalCode::DraftOutdated, "This draft was submitted meanwhile.").into()
                );
            }
            conclude(writing, shopper.account, key.as_ref(), 200, draft.into()).await
        })
        .await
    }

    /// What an outdated draft would come to now, if it can still be done at all.
    pub(super) async fn costs_now(&self, shopper: &Shopper, id: DraftReturnOrderId) -> Option<CostBreakdown> {
        let now = self.now();
        let (settings, mut reading) = Settings::load(self.store.read().await.ok()?, shopper).await.ok()?;
        let consumer = consumer(reading.db(), shopper).await.ok()?;
        let draft = drafts::find(reading.db(), shopper.account, shopper.consumer, id).await.ok()??;
        let selections: Vec<Selection> = draft.items.iter().map(Selection::from).collect();
        let pricing = Pricing { settings: &settings, shopper: *shopper, now };
        let priced = pricing.price(reading, &consumer, &selections).await.ok()?;
        let option = settings.option(draft.shipping_option_id, priced.currency, &priced.items).ok()?;
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
        Ok(draft.into())
    }

    /// What a draft would come to with each way of sending that is on offer, in the merchant's order, and what each costs
    /// with it.
    pub async fn compare_shipping(
        &self,
        shopper: &Shopper,
        id: DraftReturnOrderId,
        locale: &domain::Locale,
    ) -> Result<Vec<(view::ShippingOptionView, CostBreakdown)>> {
        let (settings, mut reading) = Settings::load(self.store.read().await?, shopper).await?;
        let draft = drafts::find(reading.db(), shopper.account, shopper.consumer, id).await?.ok_or(Error::NotFound)?;
        let currency = draft.cost_breakdown.currency;
        let offers = settings.options.iter().filter_map(|option| {
            let view = view::ShippingOptionView::new(option, currency, locale)?;
            let price = Money::new(option.price(currency, value_sent(&draft.items))?, currency);
            let costs = settings.costs(currency, &draft.items, Some(option));
            Some((view::ShippingOptionView { price, ..view }, costs))
        });
        Ok(offers.collect())
    }
}

/// What the goods that are sent cost, minor units.
fn value_sent(items: &[DraftItem]) -> i64 {
    items.iter().filter(|item| !item.kept).map(|item| item.value).sum()
}

/// Says no to a draft that is over.
pub(crate) fn check_open(draft: &DraftReturnOrder, now: Timestamp) -> Result<()> {
    let refusal = match draft.status {
        DraftStatus::Open if now < draft.expires_at => return Ok(()),
        DraftStatus::Open | DraftStatus::Expired => {
            (RefusalCode::DraftExpired, "This draft is older than 24 hours. Make a new one.")
        }
        DraftStatus::Rejected => (RefusalCode::DraftRejected, "The shop declined this draft."),
        DraftStatus::Accepted => (RefusalCode::DraftOutdated, "This draft was submitted already."),
    };
    Err(domain::Refusal::new(refusal.0, refusal.1).into())
}

impl Settings {
    /// The chosen way of sending, if it is on offer in this currency; none for items that are kept.
    fn option(
        &self,
        id: Option<ShippingOptionId>,
        currency: Currency,
        items: &[DraftItem],
    ) -> Result<Option<&ShippingOption>> {
        let Some(id) = id else { return Ok(None) };
        if items.iter().all(|item| item.kept) {
            return Ok(None);
        }
        let offered = self.options.iter().find(|option| option.id == id && option.prices.minor(currency).is_some());
        offered.map(Some).ok_or_else(|| {
            let message = "expected the id of one of the purchases' shippingOptions";
            Error::invalid("shippingOptionId", RefusalCode::NotAllowed, message)
        })
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
            resolution: item.requested_resolution,
            restocking_fee: item.rules.restocking_fee_percent,
            fault: item.rules.fault,
        };
        costs::calculate(&Charges {
            currency,
            items: items.iter().map(item).collect(),
            shipping: option.and_then(|option| Some((option.id, option.price(currency, value_sent(items))?))),
            request_fee: policy.request_fee.minor(currency).unwrap_or(0),
            store_credit_bonus: policy.store_credit_bonus_percent,
            collection: policy.fee_collection,
            least_payable: None, // no payment provider is set up: what could be asked for is waived, and said so
        })
    }
}

struct Pricing<'a> {
    settings: &'a Settings,
    shopper: Shopper,
    now: Timestamp,
}

struct Priced {
    currency: Currency,
    items: Vec<DraftItem>,
}

impl Pricing<'_> {
    /// Checks each selection and fixes its figures. All bad fields are told at once.
    async fn price(
        &self,
        mut reading: store::Reading,
        consumer: &Consumer,
        selections: &[Selection],
    ) -> Result<Priced> {
        check_count(selections)?;
        let shop = self.settings.account.bridge.shop();
        let mut errors = Vec::new();
        let mut chosen: Vec<(Purchase, DraftItem)> = Vec::with_capacity(selections.len());
        for (index, selection) in selections.iter().enumerate() {
            let (proof, id) = (&consumer.credentials, selection.purchase_id);
            let found = store::purchases::find(reading.db(), self.shopper.account, proof, id, &shop).await?;
            let Some(purchase) = found else {
                let message = "expected the id of one of this consumer's purchases";
                errors.push(FieldError::new(
                    format!("selectedPurchases[{index}].purchaseId"),
                    RefusalCode::NotAllowed,
                    message,
                ));
                continue;
            };
            match self.item(&purchase, selection) {
                Ok(item) => chosen.push((purchase, item)),
                Err(problems) => errors.extend(problems.into_iter().map(|(field, code, message)| {
                    FieldError::new(format!("selectedPurchases[{index}].{field}"), code, message)
                })),
            }
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        let currency = one_currency(&chosen)?;
        self.add_outbound_shipping(reading.db(), &mut chosen).await?;
        self.keep_cheap_items(reading.db(), currency, &mut chosen).await?;
        Ok(Priced { currency, items: chosen.into_iter().map(|(_, item)| item).collect() })
    }

    fn item(&self, purchase: &Purchase, selection: &Selection) -> Result<DraftItem, Vec<Problem>> {
        let eligibility = self.settings.judge(purchase, self.now);
        if let Some(code) = eligibility.obstacle {
            let message = format!("this purchase cannot be returned: {code:?}");
            return Err(vec![("purchaseId", RefusalCode::NotReturnable, message)]);
        }
        let mut problems = Vec::new();
        if selection.comment.chars().count() > MAX_COMMENT_CHARS {
            let message = format!("expected at most {MAX_COMMENT_CHARS} characters");
            problems.push(("returnReasonComment", RefusalCode::OutOfRange, message));
        }
        if selection.comment.contains('\0') {
            let message = "expected a text without NUL characters".to_owned(); // Postgres keeps none
            problems.push(("returnReasonComment", RefusalCode::NotAllowed, message));
        }
        let taken =
            units(purchase, selection.quantity, eligibility.returnable).map_err(|problem| problems.push(problem));
        let reason = self.reason(selection).map_err(|problem| problems.push(problem));
        let exchange_for = exchange_for(purchase, selection).map_err(|problem| problems.push(problem));
        let (Ok(taken), Ok(reason), Ok(exchange_for), true) = (taken, reason, exchange_for, problems.is_empty()) else {
            return Err(problems);
        };
        Ok(DraftItem {
            purchase_id: purchase.id,
            order_id: purchase.order.id,
            taken,
            seen: purchase.units,
            value: purchase.units.value(taken),
            outbound_shipping: 0,
            return_reason_id: reason.id,
            rules: reason.rules.clone(),
            return_reason_comment: selection.comment.clone(),
            requested_resolution: selection.resolution,
            exchange_for,
            kept: false,
        })
    }

    /// The reason, if it is one of the account's and goes with what is asked for.
    fn reason(&self, selection: &Selection) -> Result<&ReturnReason, Problem> {
        let Some(id) = selection.return_reason_id else {
            return Err(("returnReasonId", RefusalCode::Required, "expected the id of a return reason".to_owned()));
        };
        let known = self.settings.reasons.iter().find(|reason| reason.id == id).ok_or_else(|| {
            let message = "expected the id of one of the purchase's returnReasons".to_owned();
            ("returnReasonId", RefusalCode::NotAllowed, message)
        })?;
        if known.rules.allows(selection.resolution, &self.settings.account.policy.resolutions) {
            return Ok(known);
        }
        let message = "with this reason the shop does not offer that".to_owned();
        Err(("requestedResolution", RefusalCode::NotAllowed, message))
    }

    /// What sending an order cost comes back once, when with this return all of its units have come back.
    async fn add_outbound_shipping(&self, mut db: Db<'_>, chosen: &mut [(Purchase, DraftItem)]) -> Result<()> {
        let paid: BTreeMap<_, _> =
            chosen.iter().map(|(purchase, _)| (purchase.order.id, purchase.order.shipping_left)).collect();
        for (order, shipping_paid) in paid.into_iter().filter(|&(_, paid)| paid > 0) {
            let lines = store::purchases::list_of_order(db.reborrow(), self.shopper.account, order).await?;
            let units_in = |line: &Purchase| {
                let here =
                    chosen.iter().find(|(purchase, _)| purchase.id == line.id).map_or(0, |(_, item)| item.taken.units);
                line.units.taken + here
            };
            if lines.iter().any(|line| units_in(line) < line.units.bought) {
                continue;
            }
            // With the last of them it is: that is when it comes back.
            if let Some((_, item)) = chosen.iter_mut().rfind(|(purchase, _)| purchase.order.id == order) {
                item.outbound_shipping = shipping_paid;
            }
        }
        Ok(())
    }

    /// Below the policy's sum for an order, counting what was kept of it before, sending back is not worth it.
    async fn keep_cheap_items(
        &self,
        mut db: Db<'_>,
        currency: Currency,
        chosen: &mut [(Purchase, DraftItem)],
    ) -> Result<()> {
        let Some(below) = self.settings.account.policy.keep_item_below.minor(currency) else { return Ok(()) };
        let mut sums: BTreeMap<_, i64> = BTreeMap::new();
        for (purchase, item) in chosen.iter() {
            *sums.entry(purchase.order.id).or_default() += item.value;
        }
        for (order, sum) in &mut sums {
            *sum += store::return_requests::sum_kept(db.reborrow(), self.shopper.account, *order).await?;
        }
        // One parcel or none: a return that must travel for one item travels with all of them.
        if sums.values().all(|&sum| sum < below) {
            for (_, item) in chosen {
                item.kept = true;
            }
        }
        Ok(())
    }
}

/// A field of a selection, what is wrong with it, and what is allowed.
type Problem = (&'static str, RefusalCode, String);

fn units(purchase: &Purchase, quantity: i64, returnable: u32) -> Result<TakenUnits, Problem> {
    let units = u32::try_from(quantity).ok().filter(|&units| units >= 1);
    units.and_then(|units| purchase.units.take(units)).ok_or_else(|| {
        let code = if units.is_some() { RefusalCode::QuantityExceeded } else { RefusalCode::OutOfRange };
        ("quantity", code, format!("expected a whole number from 1 to {returnable}"))
    })
}

/// What is wanted in place of it: nothing may be named that costs more, so it is one of those that the shop offers.
fn exchange_for(purchase: &Purchase, selection: &Selection) -> Result<Option<ExchangeOption>, Problem> {
    let Some(sku) = &selection.exchange_for else { return Ok(None) };
    if selection.resolution != Resolution::Exchange {
        let message = "expected only with the requestedResolution Exchange".to_owned();
        return Err(("exchangeFor", RefusalCode::NotAllowed, message));
    }
    let offered = purchase.product.exchange_options.iter().find(|offered| offered.sku == *sku).cloned();
    offered.map(Some).ok_or_else(|| {
        let message = "expected the sku of one of the purchase's product.exchangeOptions".to_owned();
        ("exchangeFor.sku", RefusalCode::NotAllowed, message)
    })
}

fn check_count(selections: &[Selection]) -> Result<()> {
    if selections.is_empty() || selections.len() > MAX_ITEMS {
        let message = format!("expected 1 to {MAX_ITEMS} purchases");
        return Err(Error::invalid("selectedPurchases", RefusalCode::OutOfRange, message));
    }
    let mut seen = HashSet::new();
    let twice = selections.iter().position(|selection| !seen.insert(selection.purchase_id));
    match twice {
        None => Ok(()),
        Some(index) => {
            let message = "this purchase is in the list twice: put its units together";
            Err(Error::invalid(format!("selectedPurchases[{index}].purchaseId"), RefusalCode::Mismatch, message))
        }
    }
}

fn one_currency(chosen: &[(Purchase, DraftItem)]) -> Result<Currency> {
    let mut currencies = chosen.iter().map(|(purchase, _)| purchase.order.currency);
    let first = currencies.next().ok_or(Error::Broken)?;
    if currencies.all(|currency| currency == first) {
        return Ok(first);
    }
    let message = "these purchases were paid in different currencies: return them separately";
    Err(Error::invalid("selectedPurchases", RefusalCode::Mismatch, message))
}
