//! Another way of sending: staff choose another shipping option, before anybody has seen the parcel.
//!
//! The old parcel is cancelled, the new one gets its own label, and the costs follow, all in one transaction. What the consumer
//! pays online is not raised: nobody would ask for the difference.

use super::{amendments::check_raised, decisions::check_raised_override, staff_change::check_reason};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Shopper, Staff, again_on_deadlock, audit,
        conclude, detached, error::check, parcel_numbers::ParcelNumber,
    },
    drafting::settings::Settings,
    merchant::{handle::MerchantHandle, version::check_version},
    returning::{
        change::{Change, Returned},
        costs::{ReleasedShipping, revise_costs},
        override_limit::lock_orders,
        worked::record_work,
    },
    view::{self, redaction::SeenByStaff as _},
};
use domain::{
    Problems, Refusal, RefusalCode, ReturnOrderId, ShippingOptionId, Timestamp,
    audit::AuditAction,
    costs::CostBreakdown,
    party::Actor,
    returning::{DraftReturnOrder, ReturnOrder, ReturnRequest, Shipment, ShipmentStatus},
    shipping::ShippingOption,
    stage::{Move, RequestState, StageGroup, StageName},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use store::{Db, Writing, consumers, drafts, return_orders, return_requests, shipments};

/// Another way of sending a return order.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ShippingChange")]
pub struct ShippingChangeInput {
    /// The shipping option: one of those that are offered for the items, in the consumer's country.
    pub shipping_option_id: ShippingOptionId,
    /// The reason: 3 to 500 characters. Only staff see it.
    #[schemars(length(min = 3, max = 500))]
    pub reason: String,
}

impl ShippingChangeInput {
    fn check(&self) -> Result<()> {
        let mut problems = Problems::default();
        check_reason(&mut problems, &self.reason);
        check(problems)
    }
}

impl MerchantHandle<'_> {
    /// Chooses another way of sending for a return order whose parcel nobody has seen. `version`: the version that the caller
    /// has seen.
    pub async fn change_shipping(
        self,
        id: ReturnOrderId,
        input: ShippingChangeInput,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        input.check()?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| retour.change_shipping_once(staff, id, &input, version, key.as_ref())).await
        })
        .await
    }

    /// What another way of sending would make of the costs of a return order. Nothing is changed.
    pub async fn preview_shipping(
        self,
        id: ReturnOrderId,
        input: ShippingChangeInput,
    ) -> Result<view::AmendmentPreview> {
        input.check()?;
        let account = self.staff.account();
        let (settings, mut reading) = self.retour.settings_of_return(&self.staff, id).await?;
        let returned = Returned::read(reading.db(), account, id).await?.or_broken()?;
        let planned =
            Box::pin(planned(reading.db(), &self.staff, &settings, returned, &input, self.retour.now())).await?;
        Ok(view::AmendmentPreview { before: planned.costs, after: planned.returned.order.cost_breakdown })
    }
}

/// A return as another way of sending makes it, before it is written.
struct PlannedChange {
    returned: Returned,
    /// The requests before their costs were calculated again.
    earlier: Vec<ReturnRequest>,
    /// The costs of the return before.
    costs: CostBreakdown,
    /// The shipping options before and after; `None`: nothing changes.
    options: Option<(ShippingOption, ShippingOption)>,
    /// The parcels that are cancelled.
    parcels: Vec<Shipment>,
    /// The promised outbound shipping that the return no longer refunds.
    released: ReleasedShipping,
}

impl Retour {
    async fn change_shipping_once(
        &self,
        staff: Staff,
        id: ReturnOrderId,
        input: &ShippingChangeInput,
        version: Option<i64>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let account = staff.account();
        let (settings, reading) = self.settings_of_return(&staff, id).await?;
        drop(reading); // otherwise each request would hold one connection while it waits for a second one
        let parcel = Some(self.parcel_number(account).await?);
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let order = return_orders::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        // Locks the consumer, so that an erasure runs either before or after this transaction.
        if !consumers::hold(writing.db(), account, order.consumer_id).await? {
            let message = "The consumer's data was erased, so no other parcel can be sent.";
            return Err(Refusal::new(RefusalCode::TooLate, message).into());
        }
        let returned = Returned::lock(&mut writing, account, id).await?.or_broken()?;
        check_version(version, returned.order.version)?;
        lock_orders(&mut writing, account, &returned.draft.items).await?;
        // It is large.
        let planned = Box::pin(planned(writing.db(), &staff, &settings, returned, input, self.now())).await?;
        let order = Box::pin(self.carry_out(&mut writing, &staff, &settings, planned, &input.reason, parcel)).await?;
        conclude(writing, account, key, 200, view::ReturnOrderView::from(order).seen_by_staff(&staff)).await
    }

    /// The settings as they apply to the consumer of a return order.
    async fn settings_of_return(&self, staff: &Staff, id: ReturnOrderId) -> Result<(Settings, store::Reading)> {
        let (account, mut reading) = (staff.account(), self.store.read().await?);
        let order = return_orders::find(reading.db(), account, id).await?.ok_or(Error::NotFound)?;
        let shopper = Shopper { account, consumer: order.consumer_id };
        let (settings, _, reading) = Settings::load(self, reading, &shopper).await?;
        Ok((settings, reading))
    }

    /// Writes the change, and what follows from it.
    async fn carry_out(
        &self,
        writing: &mut Writing,
        staff: &Staff,
        settings: &Settings,
        planned: PlannedChange,
        reason: &str,
        parcel: Option<ParcelNumber>,
    ) -> Result<ReturnOrder> {
        let PlannedChange { mut returned, earlier, costs, options, parcels, released } = planned;
        let Some((old, new)) = options else { return Ok(returned.order) };
        let account = staff.account();
        let id = returned.order.id;
        let locale = &settings.account.branding.locale;
        let comment = format!("{} → {}: {}", old.name.get(locale), new.name.get(locale), reason.trim());
        let change = Change { parcel, ..self.change_by(staff, &settings.account, comment) };
        released.release(writing, account).await?;
        change.store_costs(writing, &mut returned, &earlier).await?;
        if let Some(request) = returned.requests.iter().find(|request| is_sent(request)) {
            writing.add_timeline_entry(change.entry_within_stage(request));
        }
        let labelled = change.send_another_way(writing, &mut returned, &parcels, new.method.has_label()).await?;
        let now = change.now;
        record_work(writing, staff, id, now).await?;
        let audited = |option: &ShippingOption, costs: &CostBreakdown| {
            Some(
                json!({"shippingOptionId": option.id, "estimatedRefund": costs.estimated_refund, "payableNow": costs.payable_now}),
            )
        };
        let (before, after) = (audited(&old, &costs), audited(&new, &returned.order.cost_breakdown));
        audit::record(writing, staff, now, AuditAction::ShippingChanged, id, before, after);
        change.follow_up_with_labels(writing, &mut returned, labelled.into_iter().collect()).await?;
        // The last mail may be about the label that is void now.
        if is_under_way(&returned) {
            change.queue_mail_again(writing, id).await?;
        }
        Ok(returned.order)
    }
}

impl Change<'_> {
    /// Writes the shipping option and the costs of a return, and the requests whose value has changed with them. `earlier`: the
    /// requests before.
    async fn store_costs(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        earlier: &[ReturnRequest],
    ) -> Result<()> {
        let account = self.id();
        let is_written = drafts::set_shipping_option(writing.db(), account, &returned.draft).await?;
        return_orders::set_shipping_option(writing.db(), account, &returned.order).await?;
        if !is_written {
            return Err(Error::broken()); // the draft of a return order stays accepted
        }
        for (request, _) in returned.requests.iter_mut().zip(earlier).filter(|(now, was)| *now != *was) {
            request.updated_at = self.now;
            if !return_requests::update(writing.db(), account, request).await? {
                return Err(Error::broken()); // the return order is locked, so no other transaction can have changed it
            }
            request.version += 1;
        }
        Ok(())
    }

    /// Cancels the parcels of a return, moves its requests to the new way of sending, and makes its parcel, if it needs one.
    /// Returns the parcel if it has its label.
    async fn send_another_way(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        parcels: &[Shipment],
        label_needed: bool,
    ) -> Result<Option<Shipment>> {
        self.cancel_parcels(writing, returned.order.id).await?;
        let is_label_due = label_needed && is_under_way(returned);
        for index in 0..returned.requests.len() {
            let request = returned.request(index)?;
            if is_sent(request) {
                let step = request.state.apply(&Move::SendAnotherWay { label_needed }, &self.context())?;
                self.write_step(writing, returned, index, step, Actor::System).await?;
            }
        }
        if !is_label_due {
            return Ok(None);
        }
        let mut parcel = self.start_parcel(writing, returned).await?;
        // Staff may have corrected the sender of the parcel before.
        if let Some(before) = parcels.iter().rev().find(|parcel| parcel.status != ShipmentStatus::Cancelled) {
            parcel.sender.clone_from(&before.sender);
        }
        self.store_parcel(writing, Some(parcel)).await
    }
}

/// Calculates what another way of sending makes of a return. Writes nothing.
async fn planned(
    mut db: Db<'_>,
    staff: &Staff,
    settings: &Settings,
    mut returned: Returned,
    input: &ShippingChangeInput,
    now: Timestamp,
) -> Result<PlannedChange> {
    let account = staff.account();
    let parcels = shipments::list_of_return_orders(db.reborrow(), account, &[returned.order.id]).await?;
    let old = check_unsent(&returned, &parcels)?;
    let (costs, mut earlier) = (returned.order.cost_breakdown.clone(), returned.requests.clone());
    let mut released = ReleasedShipping::none();
    let mut options = None;
    if old.id != input.shipping_option_id {
        let (currency, items) = (costs.currency, &returned.draft.items);
        let new = settings.option(Some(input.shipping_option_id), currency, items)?.cloned().or_broken()?;
        let cost_breakdown = settings.costs(currency, items, Some(&new));
        let shipping_option_id = Some(new.id);
        check_payable(&returned, &cost_breakdown)?;
        let draft = DraftReturnOrder { cost_breakdown, shipping_option_id, updated_at: now, ..returned.draft.clone() };
        (returned.draft, returned.order.shipping_option) = (draft, Some(new.clone()));
        earlier.clone_from(&returned.requests);
        released = revise_costs(db.reborrow(), account, &mut returned, None).await?;
        check_raised(staff, &returned, &earlier, &settings.account.policy)?;
        check_raised_override(db, staff, &settings.account, &returned, &costs).await?;
        options = Some((old, new));
    }
    Ok(PlannedChange { returned, earlier, costs, options, parcels, released })
}

/// Whether the request is sent back, with the parcel of its return.
fn is_sent(request: &ReturnRequest) -> bool {
    !request.state.kept && !request.state.stage.name().is_end()
}

/// Whether the return is approved, so that its consumer has a label or waits for one.
fn is_under_way(returned: &Returned) -> bool {
    let is_submitted = |request: &ReturnRequest| request.state.stage.name().group() == StageGroup::Submitted;
    returned.requests.iter().any(|request| is_sent(request) && is_submitted(request))
}

/// The shipping option of a return that can still be sent in another way, or why it cannot.
fn check_unsent(returned: &Returned, parcels: &[Shipment]) -> Result<ShippingOption> {
    let refused = |code, message: &str| Err(Refusal::new(code, message).into());
    let sent: Vec<&ReturnRequest> = returned.requests.iter().filter(|request| is_sent(request)).collect();
    let Some(option) = returned.order.shipping_option.clone().filter(|_| !sent.is_empty()) else {
        return refused(RefusalCode::IllegalTransition, "Nothing of this return order is to be sent any more.");
    };
    if sent.iter().any(|request| request.state.stage.name() == StageName::SubmittedPaymentPending) {
        let message = "The consumer is asked to pay for the return now. Wait for the payment, or cancel the return and make \
                       another one.";
        return refused(RefusalCode::TooLate, message);
    }
    let is_early = |state: &RequestState| {
        matches!(state.stage.name().group(), StageGroup::Requested | StageGroup::Submitted) && state.is_unseen()
    };
    let has_left = |parcel: &Shipment| {
        matches!(parcel.status, ShipmentStatus::InTransit | ShipmentStatus::Exception | ShipmentStatus::Delivered)
    };
    let is_settled = returned.requests.iter().any(|request| request.state.approved_units.is_some());
    let has_arrived = returned.requests.iter().any(|request| request.state.received > 0 || request.state.surplus > 0);
    if sent.iter().all(|request| is_early(&request.state))
        && !is_settled
        && !has_arrived
        && !parcels.iter().any(has_left)
    {
        return Ok(option);
    }
    let message = "The way of sending can only be changed before the carrier has the parcel, before anything of the return has \
                   arrived, and before a resolution of it is approved.";
    refused(RefusalCode::IllegalTransition, message)
}

/// Refuses to raise what the consumer pays for the return, once the return is approved: nobody would ask for the difference.
/// A part that was paid too much goes back when the return is completed.
fn check_payable(returned: &Returned, costs: &CostBreakdown) -> Result<()> {
    let before = returned.draft.cost_breakdown.payable_now.minor;
    if costs.payable_now.minor <= before || (!is_under_way(returned) && returned.order.payment.is_none()) {
        return Ok(());
    }
    let message = "It is too late to raise what the consumer pays for the return. Choose a way of sending that costs no more, or \
                   cancel the return and make another one.";
    Err(Refusal::new(RefusalCode::TooLate, message).into())
}
