//! Prepares the request for a label, and records the carrier's answer.

use super::{maker::LabelMaker, verdict::LabelVerdict};
use crate::handle::Workers;
use domain::{
    Money,
    account::Account,
    address::Address,
    integration::IntegrationOperation,
    party::Actor,
    returning::{ParcelContent, ReturnOrder, ReturnRequest, Shipment, ShipmentStatus},
    shipping::{CarrierLabel, CarrierReference, LabelFile, ParcelLabel, customs::is_border_between},
    stage::StageName,
};
use outbound::bridge::{
    CarrierLabel as MadeLabel,
    contract::{GetLabel, LabelItem, LabelOption},
};
use returns::{
    Result,
    internals::{CARRIER_CHANGED, CallResult, Change, LabelAttempts, LabelProblem, OrBroken, Returned, sender_shown},
};
use store::{
    Lease, Writing, accounts,
    consumers::{self, Consumer},
    files,
    label_requests::{self, LabelRequest},
    return_orders, shipments, shipping_options,
};

/// How long after the label is made the first tracking query is sent, seconds.
const FOLLOWED_AFTER: i64 = 3_600;

/// A request for a label, ready to send.
pub(crate) struct LabelCall {
    pub maker: LabelMaker,
    /// The key that identifies the carrier.
    pub carrier: String,
    pub asked: GetLabel,
}

/// The locked rows of a shipment whose label is requested.
struct LockedLabel {
    account: Account,
    returned: Returned,
    shipment: Shipment,
    one: LabelRequest,
    /// Whether the consumer was erased after the job was claimed.
    is_forgotten: bool,
}

impl Workers {
    /// Prepares the request. `None` if the lease is lost or no label is needed.
    pub(crate) async fn begin_label(&self, claimed: &LabelRequest) -> Result<Option<LabelCall>> {
        let mut writing = self.retour.store().write().await?;
        let Some(locked) = lock(&mut writing, claimed).await? else { return Ok(None) };
        if locked.one.held_until != claimed.held_until {
            return Ok(None); // the lease ended, and another instance claimed it
        }
        let begun = if locked.shipment.status == ShipmentStatus::Cancelled || locked.is_forgotten {
            self.forgo_label(&mut writing, &locked).await?;
            None
        } else {
            self.request_label(&mut writing, locked).await?
        };
        writing.commit().await?;
        Ok(begun)
    }

    /// The label is no longer needed. One that may exist was voided with the cancellation, or is voided now.
    async fn forgo_label(&self, writing: &mut Writing, locked: &LockedLabel) -> Result<()> {
        let LockedLabel { account, shipment, one, .. } = locked;
        if shipment.status != ShipmentStatus::Cancelled {
            self.system_change(account).queue_void_of_unconfirmed_label(writing, shipment).await?;
        }
        Ok(label_requests::delete(writing.db(), one).await?)
    }

    async fn request_label(&self, writing: &mut Writing, locked: LockedLabel) -> Result<Option<LabelCall>> {
        let LockedLabel { account, mut returned, mut shipment, one, .. } = locked;
        let change = self.system_change(&account);
        let trouble = match self.label_maker(&account)? {
            // Another carrier may have made a label already, so this one is not called until staff confirm it.
            _ if !one.asked_carrier.is_empty() && one.asked_carrier != account.carrier_key() => LabelProblem {
                code: CARRIER_CHANGED.to_owned(),
                message:
                    "Another component received the request for this label and may have made it. Check there before \
                     you try again."
                        .to_owned(),
            },
            LabelMaker::LostBridge => LabelProblem {
                code: "NoCarrier".to_owned(),
                message: "The account's carrier is its bridge, but the bridge no longer makes labels.".to_owned(),
            },
            LabelMaker::Own => {
                label_requests::delete(writing.db(), &one).await?;
                shipment.label = ParcelLabel::Own;
                shipment.label_barcode.clone_from(&shipment.sscc);
                change.queue_simulated_step(writing, &shipment).await?;
                change.label_created(writing, &mut returned, shipment).await?;
                return Ok(None);
            }
            maker => return self.ask_maker(writing, &account, &returned, &shipment, maker, &one).await.map(Some),
        };
        label_requests::later(writing.db(), &one, None, 0, Lease::Ends).await?;
        let tried = LabelAttempts { failed_attempts: one.tries, next_attempt_at: None };
        change.label_failed(writing, &mut returned, shipment, &trouble, tried).await?;
        Ok(None)
    }

    /// Records the carrier and the lease of the call.
    async fn ask_maker(
        &self,
        writing: &mut Writing,
        account: &Account,
        returned: &Returned,
        shipment: &Shipment,
        maker: LabelMaker,
        one: &LabelRequest,
    ) -> Result<LabelCall> {
        let (now, carrier) = (self.retour.now(), account.carrier_key());
        label_requests::asked(writing.db(), one, &carrier, now, now.plus_seconds(maker.held_for())).await?;
        let mut asked = ask(account, returned, shipment, one);
        // Staff may have corrected the service since the submit, so the current one is used.
        if let Some(option) = &mut asked.shipping_option
            && let Some(known) = shipping_options::find(writing.db(), account.id, option.id).await?
        {
            option.carrier_service = known.value.carrier_service;
        }
        Ok(LabelCall { maker, carrier, asked })
    }

    /// Records the result of the call.
    pub(crate) async fn conclude_label(
        &self,
        claimed: &LabelRequest,
        verdict: &LabelVerdict,
        result: &CallResult,
    ) -> Result<()> {
        let mut writing = self.retour.store().write().await?;
        let Some(locked) = lock(&mut writing, claimed).await? else { return Ok(()) };
        if locked.is_forgotten {
            self.keep_nothing(&mut writing, locked, verdict).await?;
        } else {
            self.take_verdict(&mut writing, locked, verdict).await?;
        }
        let next_attempt_at = match verdict {
            LabelVerdict::Again { at, .. } => Some(*at),
            LabelVerdict::Made(..) | LabelVerdict::Failed(_) | LabelVerdict::Unclear(_) => None,
        };
        let operation = (claimed.account_id, IntegrationOperation::Label);
        self.retour.commit_with_health(writing, operation, result, next_attempt_at).await
    }

    /// The consumer is erased, so nothing is stored: the file stays unclaimed and is deleted, and the label is voided.
    async fn keep_nothing(&self, writing: &mut Writing, locked: LockedLabel, verdict: &LabelVerdict) -> Result<()> {
        let LockedLabel { account, mut shipment, one, .. } = locked;
        let change = self.system_change(&account);
        if let LabelVerdict::Made(made, _) = verdict {
            take(&mut shipment, made, &one.asked_carrier, None);
            change.queue_label_void(writing, &shipment).await?;
        } else {
            change.queue_void_of_unconfirmed_label(writing, &shipment).await?;
        }
        Ok(label_requests::delete(writing.db(), &one).await?)
    }

    async fn take_verdict(&self, writing: &mut Writing, locked: LockedLabel, verdict: &LabelVerdict) -> Result<()> {
        let LockedLabel { account, mut returned, mut shipment, one, .. } = locked;
        let change = self.system_change(&account);
        let failed = LabelAttempts { failed_attempts: one.tries.saturating_add(1), next_attempt_at: None };
        match verdict {
            // The shipment was cancelled, which voids any label that may have been made.
            verdict if shipment.status == ShipmentStatus::Cancelled && !matches!(verdict, LabelVerdict::Made(..)) => {
                Ok(label_requests::delete(writing.db(), &one).await?)
            }
            LabelVerdict::Made(made, _) if shipment.status == ShipmentStatus::Cancelled => {
                tracing::warn!(account = %account.id, transaction = %one.id, "a label was made for a shipment that was cancelled during the call");
                label_requests::delete(writing.db(), &one).await?;
                take(&mut shipment, made, &one.asked_carrier, None);
                change.update_parcel(writing, &mut shipment).await?;
                change.queue_label_void(writing, &shipment).await
            }
            LabelVerdict::Made(made, file) => {
                label_requests::delete(writing.db(), &one).await?;
                take(&mut shipment, made, &one.asked_carrier, *file);
                if let Some(file) = file {
                    files::claim(writing.db(), account.id, file.id).await?;
                }
                change.queue_tracking(writing, &shipment, FOLLOWED_AFTER).await?;
                change.label_created(writing, &mut returned, shipment).await
            }
            LabelVerdict::Failed(trouble) => {
                label_requests::delete(writing.db(), &one).await?;
                change.label_failed(writing, &mut returned, shipment, trouble, failed).await
            }
            LabelVerdict::Unclear(trouble) => {
                // The lease stays: the carrier may still be working on it, even if staff retry.
                label_requests::later(writing.db(), &one, None, 0, Lease::Stays).await?;
                change.label_failed(writing, &mut returned, shipment, trouble, failed).await
            }
            LabelVerdict::Again { at, tries, hold, trouble, is_late } => {
                label_requests::later(writing.db(), &one, Some(*at), *tries, *hold).await?;
                // The next request waits until the lease ends.
                let at = if matches!(hold, Lease::Stays) { (*at).max(one.held_until) } else { *at };
                let tried = LabelAttempts { failed_attempts: *tries, next_attempt_at: Some(at) };
                match trouble {
                    Some(trouble) if *is_late => {
                        change.label_failed(writing, &mut returned, shipment, trouble, tried).await
                    }
                    Some(trouble) => change.write_label_problem(writing, &returned, shipment, trouble, tried).await,
                    None => Ok(()),
                }
            }
        }
    }

    fn system_change<'a>(&'a self, account: &'a Account) -> Change<'a> {
        let (actor, comment) = (Actor::System, String::new());
        Change { retour: &self.retour, account, now: self.retour.now(), actor, staff: None, comment, parcel: None }
    }
}

/// Locks the rows. `None` if the request has been concluded.
async fn lock(writing: &mut Writing, claimed: &LabelRequest) -> Result<Option<LockedLabel>> {
    let (account, id) = (claimed.account_id, claimed.shipment_id);
    let account = accounts::find(writing.db(), account).await?.or_broken()?;
    let shipment = shipments::find(writing.db(), account.id, id).await?.or_broken()?;
    let order = return_orders::find(writing.db(), account.id, shipment.return_order_id).await?.or_broken()?;
    // Locks the consumer, so that an erasure runs either before or after this transaction.
    let is_forgotten = !consumers::hold(writing.db(), account.id, order.consumer_id).await?;
    let returned = Returned::lock(writing, account.id, order.id).await?.or_broken()?;
    // Read again under the lock.
    let shipment = shipments::find(writing.db(), account.id, id).await?.or_broken()?;
    let one = label_requests::find_of_shipment(writing.db(), account.id, id).await?;
    Ok(one.filter(|one| one.id == claimed.id).map(|one| LockedLabel { account, returned, shipment, one, is_forgotten }))
}

fn ask(account: &Account, returned: &Returned, shipment: &Shipment, one: &LabelRequest) -> GetLabel {
    let order = &returned.order;
    let option = order.shipping_option.as_ref();
    let item = |request: &ReturnRequest| LabelItem {
        purchase_id: request.purchase_external_id.clone(),
        name: request.product.name.clone(),
        sku: request.product.sku.clone(),
        quantity: request.quantity,
        value: request.purchase_price,
        weight: request.product.weight.unwrap_or(account.policy.default_weight),
        hs_code: request.product.hs_code.clone(),
        origin_country: request.product.origin_country.clone(),
    };
    let items: Vec<LabelItem> = returned
        .requests
        .iter()
        .filter(|request| is_sent(request))
        .filter_map(|request| part_of(item(request), request, shipment.contents.as_deref()))
        .collect();
    GetLabel {
        transaction_id: one.id.0,
        account: account.slug.clone(),
        return_order_id: order.id,
        return_order_number: order.number.clone(),
        order_numbers: order.order_numbers.clone(),
        shipping_option: option.map(|option| LabelOption {
            id: option.id,
            name: option.name.clone(),
            method: option.method,
            carrier_service: option.carrier_service.clone(),
        }),
        sender: sender_for_carrier(shipment, order, &returned.consumer),
        receiver: shipment.receiver.clone(),
        sscc: shipment.sscc.clone(),
        weight: items.iter().map(|item| u64::from(item.quantity) * u64::from(item.weight)).sum(),
        passes_customs: is_border_between(&shipment.sender, &shipment.receiver),
        items,
    }
}

/// The part of an item in this shipment; all of it, if the contents are unknown.
fn part_of(item: LabelItem, request: &ReturnRequest, contents: Option<&[ParcelContent]>) -> Option<LabelItem> {
    let Some(contents) = contents else { return Some(item) };
    let quantity = contents.iter().find(|content| content.return_request_id == request.id)?.quantity.min(item.quantity);
    let value = i128::from(item.value.minor) * i128::from(quantity) / i128::from(item.quantity.max(1));
    let value = Money::new(i64::try_from(value).unwrap_or(item.value.minor), item.value.currency);
    Some(LabelItem { quantity, value, ..item })
}

/// Whether the request is to be sent back.
fn is_sent(request: &ReturnRequest) -> bool {
    use StageName as N;
    let is_gone = matches!(request.state.stage.name(), N::RequestedRejected | N::ClosedCancelled | N::ClosedExpired);
    !request.state.kept && !is_gone
}

/// Copies the carrier's label into the shipment.
fn take(shipment: &mut Shipment, made: &MadeLabel, carrier: &str, file: Option<LabelFile>) {
    let qr_code = made.qr_code.clone();
    let reference = made.reference.clone().map(|id| CarrierReference { carrier: carrier.to_owned(), id });
    shipment.label = ParcelLabel::Carrier(CarrierLabel { file, qr_code, reference });
    shipment.label_barcode.clone_from(&made.barcode);
    shipment.carrier.clone_from(&made.carrier);
    shipment.tracking_number.clone_from(&made.tracking_number);
    shipment.tracking_url.clone_from(&made.tracking_url);
}

/// The sender for a carrier, which requires a street and a city. The city follows from the postal code.
fn sender_for_carrier(shipment: &Shipment, order: &ReturnOrder, consumer: &Consumer) -> Address {
    let shown = sender_shown(shipment, order, consumer);
    if shown == shipment.sender {
        return shown;
    }
    let Address { city, province, .. } = shipment.sender.clone();
    Address { street: order.number.clone(), city, province, ..shown }
}
