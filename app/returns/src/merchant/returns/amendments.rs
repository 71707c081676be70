//! Amendments: staff change what a request asks for, before anything of it has arrived.

use super::staff_change::check_reason;
use crate::{
    base::{
        Begun, Done, Error, FieldError, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, audit,
        conclude, detached, error::check,
    },
    drafting::settings::Settings,
    merchant::{
        handle::MerchantHandle,
        returns::decisions::{check_agent_amount, check_raised_override},
    },
    returning::{
        change::{Change, Returned},
        costs::{ReleasedShipping, revise_costs},
        override_limit::lock_orders,
        worked::record_work,
    },
    view::{self, redaction::SeenByStaff as _},
};
use domain::{
    Problems, Refusal, RefusalCode, ReturnReasonId, ReturnRequestId,
    audit::AuditAction,
    costs::CostBreakdown,
    order::{ExchangeOption, TakenUnits},
    policy::{Policy, Resolution, reason::ReasonRules},
    returning::{DraftItem, DraftReturnOrder, ReturnRequest},
    stage::{StageGroup, StageName},
};
use serde_json::{Value, json};
use store::{Db, Writing, completeness::FreedUnits, drafts, purchases, return_orders, return_requests};

/// As for shoppers.
const MAX_COMMENT_CHARS: usize = 2_000;

/// What a request asks for instead. Fields that are `None` stay.
#[derive(Debug, Clone, Default)]
pub struct AmendmentInput {
    /// The number of units: fewer than before.
    pub quantity: Option<u32>,
    /// The return reason.
    pub return_reason_id: Option<ReturnReasonId>,
    /// The comment in the consumer's words.
    pub return_reason_comment: Option<String>,
    /// The requested resolution.
    pub requested_resolution: Option<Resolution>,
    /// For an exchange: the SKU of the wanted item.
    pub exchange_for: Option<String>,
    /// Why: 3 to 500 characters. Only staff see it.
    pub reason: String,
    /// The current stage as the caller knows it: any other stage is a conflict.
    pub from_stage: Option<StageName>,
}

impl AmendmentInput {
    fn check(&self) -> Result<()> {
        let mut problems = Problems::default();
        check_reason(&mut problems, &self.reason);
        let comment = self.return_reason_comment.as_deref().unwrap_or_default();
        if comment.chars().count() > MAX_COMMENT_CHARS || comment.contains('\0') {
            let message = format!("expected at most {MAX_COMMENT_CHARS} characters, none of them NUL");
            problems.add("returnReasonComment", RefusalCode::OutOfRange, message);
        }
        check(problems)
    }
}

impl MerchantHandle<'_> {
    /// Changes what a request asks for, before anything of it has arrived. The costs follow; its stage stays.
    pub async fn amend(
        self,
        id: ReturnRequestId,
        input: AmendmentInput,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        input.check()?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.amend_once(staff, id, &input, key.as_ref())).await }).await
    }
}

/// A return as a change of one of its requests makes it, before it is written.
struct AmendedReturn {
    returned: Returned,
    /// The place of the request.
    index: usize,
    /// The requests before their costs were calculated again.
    earlier: Vec<ReturnRequest>,
    /// The costs of the return before.
    costs: CostBreakdown,
    settings: Settings,
    /// Empty: nothing changes.
    changes: Vec<Changed>,
    /// The units that the request gives back.
    freed: TakenUnits,
    /// The promised outbound shipping that the return no longer refunds.
    released: ReleasedShipping,
}

impl MerchantHandle<'_> {
    /// What a change of a request would make of the costs of its return. Nothing is changed.
    pub async fn preview_amendment(self, id: ReturnRequestId, input: AmendmentInput) -> Result<view::AmendmentPreview> {
        input.check()?;
        let (account, mut reading) = (self.staff.account(), self.retour.store.read().await?);
        let found = return_requests::find(reading.db(), account, id).await?.ok_or(Error::NotFound)?;
        let returned = Returned::read(reading.db(), account, found.return_order_id).await?.or_broken()?;
        let amended = Box::pin(self.retour.amended_return(reading.db(), &self.staff, returned, id, &input)).await?;
        Ok(view::AmendmentPreview { before: amended.costs, after: amended.returned.order.cost_breakdown })
    }
}

impl Retour {
    async fn amend_once(
        &self,
        staff: Staff,
        id: ReturnRequestId,
        input: &AmendmentInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let returned = Returned::lock_with(&mut writing, account, id).await?.ok_or(Error::NotFound)?;
        lock_orders(&mut writing, account, &returned.draft.items).await?;
        // It is large.
        let amended = Box::pin(self.amended_return(writing.db(), &staff, returned, id, input)).await?;
        let AmendedReturn { mut returned, index, earlier, settings, changes, freed, released, .. } = amended;
        if !changes.is_empty() {
            if freed.units > 0 {
                let purchase = returned.request(index)?.purchase_id;
                purchases::give_back(writing.db(), account, purchase, freed).await?;
            }
            released.release(&mut writing, account).await?;
            let change = self.change_by(&staff, &settings.account, said(&changes, input));
            change.store_amended(&mut writing, &mut returned, index, &earlier).await?;
            record_work(&mut writing, &staff, returned.order.id, change.now).await?;
            let (old, new) = values(&changes);
            audit::record(&mut writing, &staff, change.now, AuditAction::RequestAmended, id, Some(old), Some(new));
        }
        let request = returned.requests.into_iter().nth(index).or_broken()?;
        let shown = view::ReturnRequestView::from(request).seen_by_staff(&staff);
        conclude(writing, account, key, 200, shown).await
    }

    /// Changes what a request asks for and the costs that follow from it. Writes nothing.
    async fn amended_return(
        &self,
        mut db: Db<'_>,
        staff: &Staff,
        mut returned: Returned,
        id: ReturnRequestId,
        input: &AmendmentInput,
    ) -> Result<AmendedReturn> {
        let account = staff.account();
        let index = returned.index_of(id)?;
        let before = returned.request(index)?.clone();
        check_stage(&returned, &before, input.from_stage)?;
        let mut settings = Settings::of_account(self, db.reborrow(), account).await?;
        if returned.consumer.credentials.is_gift() {
            settings.is_gift = true;
            settings.account.policy = settings.account.policy.of_gifts();
        }
        // The product of a request has no options: the replacement was chosen when it was submitted.
        let sold = purchases::find_whole(db.reborrow(), account, before.purchase_id).await?;
        let offered = sold.map(|sold| sold.purchase.product.exchange_options).unwrap_or_default();
        let item = amended(returned.item(before.purchase_id)?, &before, input, &settings, &offered)?;
        let changes = changes(returned.item(before.purchase_id)?, &item);
        let costs = returned.order.cost_breakdown.clone();
        let freed = before.state.taken.without(before.state.taken.first(item.taken.units));
        let mut released = ReleasedShipping::none();
        let mut earlier = returned.requests.clone();
        if !changes.is_empty() {
            let draft = redrafted(&returned, &item, &changes, &settings)?;
            returned.draft = DraftReturnOrder { updated_at: self.now(), ..draft };
            ask_for(returned.requests.get_mut(index).or_broken()?, item);
            earlier.clone_from(&returned.requests);
            let freed = FreedUnits { purchase: before.purchase_id, units: freed.units };
            released = revise_costs(db.reborrow(), account, &mut returned, Some(freed)).await?;
            check_raised(staff, &returned, &earlier, &settings.account.policy)?;
            check_raised_override(db, staff, &settings.account, &returned, &costs).await?;
        }
        Ok(AmendedReturn { returned, index, earlier, costs, settings, changes, freed, released })
    }
}

impl Change<'_> {
    /// Writes the draft, the request, others whose value has changed with it, and the return order, with an entry in the
    /// timeline. `earlier`: the requests before their costs were calculated again.
    async fn store_amended(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        index: usize,
        earlier: &[ReturnRequest],
    ) -> Result<()> {
        let account = self.account.id;
        drafts::amend(writing.db(), account, &returned.draft).await?;
        return_requests::amend(writing.db(), account, returned.request(index)?).await?;
        for (place, (request, before)) in returned.requests.iter_mut().zip(earlier).enumerate() {
            if place != index && request == before {
                continue;
            }
            request.updated_at = self.now;
            if !return_requests::update(writing.db(), account, request).await? {
                return Err(Error::broken()); // the return order is locked, so no other transaction can have changed it
            }
            request.version += 1;
        }
        let entry = self.entry_within_stage(returned.request(index)?);
        writing.add_timeline_entry(entry);
        returned.order.updated_at = self.now;
        if !return_orders::update(writing.db(), account, &returned.order).await? {
            return Err(Error::broken()); // likewise
        }
        returned.order.version += 1;
        Ok(())
    }
}

/// Refuses a request of which something has arrived, or whose return has a request that is approved already: that one's
/// value is fixed.
fn check_stage(returned: &Returned, request: &ReturnRequest, believed: Option<StageName>) -> Result<()> {
    let (state, stage) = (&request.state, request.state.stage.name());
    if let Some(believed) = believed.filter(|believed| *believed != stage) {
        let message = format!("The return request is in stage {stage}, not in {believed}.");
        return Err(Refusal::new(RefusalCode::StageConflict, message).into());
    }
    let is_early = matches!(stage.group(), StageGroup::Requested | StageGroup::Submitted | StageGroup::Shipment);
    let has_arrived = state.received > 0 || state.surplus > 0;
    let is_settled = returned.requests.iter().any(|request| request.state.approved_units.is_some());
    if is_early && !stage.is_end() && !has_arrived && !is_settled {
        return Ok(());
    }
    let message = format!(
        "The return request is in stage {stage}. It can only be changed before anything of it has arrived, and before a \
         resolution of its return is approved."
    );
    Err(Refusal::new(RefusalCode::IllegalTransition, message).into())
}

/// Refuses a change by an agent that raises what a request gives, such as by a reason without a fee, above the policy's
/// `agentLimit`. `earlier`: the requests before their costs were calculated again.
pub(super) fn check_raised(
    staff: &Staff,
    returned: &Returned,
    earlier: &[ReturnRequest],
    policy: &Policy,
) -> Result<()> {
    let raised = returned.requests.iter().zip(earlier).filter(|(now, was)| now.resolution_value > was.resolution_value);
    for (request, _) in raised {
        check_agent_amount(staff, request, policy)?;
    }
    Ok(())
}

/// The draft item as the request asks for it now. `offered`: what the product can be exchanged for.
fn amended(
    item: &DraftItem,
    request: &ReturnRequest,
    input: &AmendmentInput,
    settings: &Settings,
    offered: &[ExchangeOption],
) -> Result<DraftItem> {
    let mut errors = Vec::new();
    let mut new = DraftItem {
        return_reason_comment: input
            .return_reason_comment
            .clone()
            .unwrap_or_else(|| request.return_reason_comment.clone()),
        ..item.clone()
    };
    if let Some(quantity) = input.quantity {
        let most = request.quantity;
        if !(1..=most).contains(&quantity) {
            let message = format!("expected a whole number from 1 to {most}");
            errors.push(FieldError::new("quantity", RefusalCode::OutOfRange, message));
        }
        new.taken = request.state.taken.first(quantity);
        new.value = item.seen.value(new.taken);
        // Fewer units reduce the value first, so only what exceeds that stays cut.
        new.limit = (item.limit - (item.value - new.value)).max(0);
        new.weight = item.weight / u64::from(item.taken.units.max(1)) * u64::from(new.taken.units);
    }
    if let Some(id) = input.return_reason_id.filter(|id| *id != item.return_reason_id) {
        match settings.reasons.iter().find(|reason| reason.id == id) {
            Some(reason) => {
                (new.return_reason_id, new.answers) = (id, Vec::new());
                new.rules = ReasonRules { questions: Vec::new(), ..reason.rules.clone() };
            }
            None => {
                let message = "expected the id of one of the account's return reasons";
                errors.push(FieldError::new("returnReasonId", RefusalCode::NotAllowed, message));
            }
        }
    }
    if input.requested_resolution.is_some() || input.exchange_for.is_some() {
        new.requested_resolution = input.requested_resolution.unwrap_or(item.requested_resolution);
        match exchange(offered, new.requested_resolution, input.exchange_for.as_deref()) {
            Ok(wanted) => new.exchange_for = wanted,
            Err(error) => errors.push(error),
        }
    }
    if !new.rules.allows(new.requested_resolution, &settings.account.policy.resolutions)
        && (new.requested_resolution, new.return_reason_id) != (item.requested_resolution, item.return_reason_id)
    {
        let message = "the shop does not offer this resolution for this reason";
        errors.push(FieldError::new("requestedResolution", RefusalCode::NotAllowed, message));
    }
    if errors.is_empty() { Ok(new) } else { Err(Error::Invalid(errors)) }
}

/// The wanted replacement: one that the shop offers.
fn exchange(
    offered: &[ExchangeOption],
    resolution: Resolution,
    sku: Option<&str>,
) -> Result<Option<ExchangeOption>, FieldError> {
    let Some(sku) = sku else { return Ok(None) };
    if resolution != Resolution::Exchange {
        let message = "expected only with the requestedResolution Exchange";
        return Err(FieldError::new("exchangeFor", RefusalCode::NotAllowed, message));
    }
    let offered = offered.iter().find(|offered| offered.sku == sku).cloned();
    offered.map(Some).ok_or_else(|| {
        let message = "expected the sku of one of the product's exchangeOptions";
        FieldError::new("exchangeFor.sku", RefusalCode::NotAllowed, message)
    })
}

/// The draft with the changed item, and its costs: the policy may have changed, so a comment alone leaves them as they are.
/// What the consumer has to pay for the return stays.
fn redrafted(
    returned: &Returned,
    item: &DraftItem,
    changes: &[Changed],
    settings: &Settings,
) -> Result<DraftReturnOrder> {
    let mut draft = returned.draft.clone();
    let payable = draft.cost_breakdown.payable_now;
    for place in draft.items.iter_mut().filter(|place| place.purchase_id == item.purchase_id) {
        place.clone_from(item);
    }
    if !changes.iter().any(|(name, ..)| matches!(*name, "quantity" | "returnReasonId" | "requestedResolution")) {
        return Ok(draft);
    }
    let option = returned.order.shipping_option.as_ref();
    draft.cost_breakdown = settings.costs(draft.cost_breakdown.currency, &draft.items, option);
    if draft.cost_breakdown.payable_now == payable {
        return Ok(draft);
    }
    let message =
        "It is too late to change what the consumer has to pay for the return. Cancel it and make another one.";
    Err(Refusal::new(RefusalCode::TooLate, message).into())
}

/// Makes a request ask for what its draft item says.
fn ask_for(request: &mut ReturnRequest, item: DraftItem) {
    request.quantity = item.taken.units;
    (request.state.quantity, request.state.taken) = (item.taken.units, item.taken);
    request.purchase_price.minor = item.value;
    request.return_reason_id = item.return_reason_id;
    request.return_reason_comment = item.return_reason_comment;
    request.answers = item.answers;
    (request.requested_resolution, request.exchange_for) = (item.requested_resolution, item.exchange_for);
}

/// A field that changed, with its values before and after.
type Changed = (&'static str, Value, Value);

/// What changed, without what people wrote.
fn changes(before: &DraftItem, after: &DraftItem) -> Vec<Changed> {
    let sku = |item: &DraftItem| item.exchange_for.as_ref().map(|wanted| wanted.sku.clone());
    let resolution = |item: &DraftItem| item.requested_resolution.name();
    let mut changed = Vec::new();
    let mut compare = |name, old: Value, new: Value| {
        if old != new {
            changed.push((name, old, new));
        }
    };
    compare("quantity", json!(before.taken.units), json!(after.taken.units));
    compare("returnReasonId", json!(before.return_reason_id), json!(after.return_reason_id));
    compare("requestedResolution", json!(resolution(before)), json!(resolution(after)));
    compare("exchangeFor", json!(sku(before)), json!(sku(after)));
    if before.return_reason_comment != after.return_reason_comment {
        changed.push(("returnReasonComment", Value::Null, Value::Null));
    }
    changed
}

/// The values before and after, for the audit log.
fn values(changes: &[Changed]) -> (Value, Value) {
    let old = changes.iter().map(|(name, old, _)| ((*name).to_owned(), old.clone()));
    let new = changes.iter().map(|(name, _, new)| ((*name).to_owned(), new.clone()));
    (Value::Object(old.collect()), Value::Object(new.collect()))
}

/// The comment on the timeline: quantities and resolutions before and after, and why.
fn said(changes: &[Changed], input: &AmendmentInput) -> String {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let shown = changes.iter().map(|(name, old, new)| match *name {
        "quantity" | "requestedResolution" => format!("{name} {} → {}", plain(old), plain(new)),
        _ => (*name).to_owned(),
    });
    format!("{}: {}", shown.collect::<Vec<_>>().join(", "), input.reason.trim())
}
