//! What a carrier is asked, and what becomes of the parcel and of what is in it.

use super::{
    maker::LabelMaker,
    worker::{Trouble, Verdict},
};
use crate::{
    Error, Result, Retour,
    change::{Change, Returned, Whole, order_data},
    parcels::receiver,
};
use domain::{
    Money, Refusal, RefusalCode, ShipmentId, TransactionId,
    carrier::{CarrierLabel, CarrierReference, LabelFile, ParcelLabel},
    customs::is_border_between,
    order::Account,
    returning::{Actor, ParcelContent, ReturnRequest, Shipment},
    stage::{Move, StageName},
    status::ShipmentStatus,
    webhook::EventType,
};
use outbound::bridge::{
    Made,
    contract::{GetLabel, LabelItem, LabelOption},
};
use store::{
    Hold, Writing, accounts, consumers, files,
    label_requests::{self, LabelRequest},
    return_orders, shipments, shipping_options,
};

/// Why a label is not asked for where it may have been made elsewhere.
const CARRIER_CHANGED: &str = "CarrierChanged";

/// How long after its label was made it is asked first where a parcel is, seconds.
const FOLLOWED_AFTER: i64 = 3_600;

/// A label that can be asked for.
pub(super) struct Begun {
    pub maker: LabelMaker,
    /// What tells it from others.
    pub name: String,
    pub asked: GetLabel,
}

/// A parcel whose label is asked for, held until the transaction ends.
struct Locked {
    account: Account,
    returned: Returned,
    parcel: Shipment,
    one: LabelRequest,
    /// Whether the consumer was erased meanwhile.
    is_forgotten: bool,
}

impl Retour {
    /// Tells whom to ask what. Nothing, where it is somebody else's turn by now, or nobody's.
    pub(super) async fn begin_label(&self, claimed: &LabelRequest) -> Result<Option<Begun>> {
        let mut writing = self.store.write().await?;
        let Some(locked) = lock(&mut writing, claimed).await? else { return Ok(None) };
        let Locked { account, mut returned, mut parcel, one, is_forgotten } = locked;
        if one.held_until != claimed.held_until {
            return Ok(None); // claimed by another meanwhile
        }
        let change = self.by_itself(&account);
        if parcel.status == ShipmentStatus::Cancelled || is_forgotten {
            // Nobody needs it. What may have been made is void since it was called off, or is voided now.
            if parcel.status != ShipmentStatus::Cancelled {
                change.have_unheard_label_voided(&mut writing, &parcel).await?;
            }
            label_requests::delete(writing.db(), &one).await?;
            writing.commit().await?;
            return Ok(None);
        }
        let begun = match self.label_maker(&account)? {
            // What one may have made, another is not asked for before a person says so.
            _ if !one.asked_shop.is_empty() && one.asked_shop != account.carrier_name() => {
                let message =
                    "Another component was asked for this label and may have made it: look there before trying again.";
                let trouble = Trouble { code: CARRIER_CHANGED.to_owned(), message: message.to_owned() };
                label_requests::later(writing.db(), &one, None, (0, Hold::Ends)).await?;
                change.label_failed(&mut writing, &mut returned, (parcel, &trouble)).await?;
                None
            }
            LabelMaker::Us => {
                label_requests::delete(writing.db(), &one).await?;
                parcel.label = ParcelLabel::Own;
                parcel.label_barcode.clone_from(&parcel.sscc);
                change.label_is_there(&mut writing, &mut returned, parcel).await?;
                None
            }
            LabelMaker::Nobody => {
                let message = "The account's carrier is its bridge, which is none that makes labels any more.";
                let trouble = Trouble { code: "NoCarrier".to_owned(), message: message.to_owned() };
                label_requests::later(writing.db(), &one, None, (0, Hold::Ends)).await?;
                change.label_failed(&mut writing, &mut returned, (parcel, &trouble)).await?;
                None
            }
            maker => {
                let (now, name) = (self.now(), account.carrier_name());
                label_requests::asked(writing.db(), &one, &name, now, now.plus_seconds(maker.held_for())).await?;
                let mut asked = ask(&account, &returned, &parcel, &one);
                // As it is called by now: that may be what was mended.
                if let Some(option) = &mut asked.shipping_option
                    && let Some(known) = shipping_options::find(writing.db(), account.id, option.id).await?
                {
                    option.carrier_service = known.value.carrier_service;
                }
                Some(Begun { maker, name, asked })
            }
        };
        writing.commit().await?;
        Ok(begun)
    }

    /// Takes down what came of it.
    pub(super) async fn conclude_label(&self, claimed: &LabelRequest, verdict: &Verdict) -> Result<()> {
        let mut writing = self.store.write().await?;
        let Some(locked) = lock(&mut writing, claimed).await? else { return Ok(()) };
        let Locked { account, mut returned, mut parcel, one, is_forgotten } = locked;
        if is_forgotten {
            // Nothing of theirs is to come back; the file is nobody's, and goes. The label is not used.
            let change = self.by_itself(&account);
            if let Verdict::Made(made, _) = verdict {
                take(&mut parcel, (made, &one.asked_shop), None);
                change.have_label_voided(&mut writing, &parcel).await?;
            } else {
                change.have_unheard_label_voided(&mut writing, &parcel).await?;
            }
            label_requests::delete(writing.db(), &one).await?;
            return Ok(writing.commit().await?);
        }
        let change = self.by_itself(&account);
        match verdict {
            Verdict::Made(made, file) => {
                label_requests::delete(writing.db(), &one).await?;
                if parcel.status == ShipmentStatus::Cancelled {
                    tracing::warn!(account = %account.id, transaction = %one.id, "a label was made for a return that was called off meanwhile");
                    take(&mut parcel, (made, &one.asked_shop), None);
                    change.keep(&mut writing, &mut parcel).await?;
                    change.have_label_voided(&mut writing, &parcel).await?;
                } else {
                    take(&mut parcel, (made, &one.asked_shop), *file);
                    if let Some(file) = file {
                        files::claim(writing.db(), account.id, file.id).await?;
                    }
                    change.have_followed(&mut writing, &parcel, FOLLOWED_AFTER).await?;
                    change.label_is_there(&mut writing, &mut returned, parcel).await?;
                }
            }
            Verdict::Failed(trouble) => {
                label_requests::delete(writing.db(), &one).await?;
                change.label_failed(&mut writing, &mut returned, (parcel, trouble)).await?;
            }
            Verdict::Unclear(trouble) => {
                // It may be at it yet, also for a person who has it tried again.
                label_requests::later(writing.db(), &one, None, (0, Hold::Stays)).await?;
                change.label_failed(&mut writing, &mut returned, (parcel, trouble)).await?;
            }
            Verdict::Again { at, tries, hold, trouble, is_late } => {
                label_requests::later(writing.db(), &one, Some(*at), (*tries, *hold)).await?;
                match trouble {
                    Some(trouble) if *is_late => {
                        change.label_failed(&mut writing, &mut returned, (parcel, trouble)).await?;
                    }
                    Some(trouble) if is_news(&parcel, trouble) => {
                        change.keep_trouble(&mut writing, &mut parcel, trouble).await?;
                    }
                    _ => {}
                }
            }
        }
        Ok(writing.commit().await?)
    }

    fn by_itself<'a>(&'a self, account: &'a Account) -> Change<'a> {
        let (actor, comment) = (Actor::System, String::new());
        Change { retour: self, account, now: self.now(), actor, staff: None, comment, parcel: None }
    }
}

/// `None` where it is known by now how it ended.
async fn lock(writing: &mut Writing, claimed: &LabelRequest) -> Result<Option<Locked>> {
    let (account, shipment) = (claimed.account_id, claimed.shipment_id);
    let account = accounts::find(writing.db(), account).await?.ok_or(Error::Broken)?;
    let parcel = shipments::find(writing.db(), account.id, shipment).await?.ok_or(Error::Broken)?;
    let order = return_orders::find(writing.db(), account.id, parcel.return_order_id).await?.ok_or(Error::Broken)?;
    // Who is forgotten at this moment is forgotten before or after this.
    consumers::hold(writing.db(), account.id, order.consumer_id).await?;
    let is_forgotten = store::erasures::is_erased(writing.db(), account.id, order.consumer_id).await?;
    let returned = Returned::lock(writing, account.id, order.id).await?.ok_or(Error::Broken)?;
    // As they are now that nobody else can change them.
    let parcel = shipments::find(writing.db(), account.id, shipment).await?.ok_or(Error::Broken)?;
    let one = label_requests::find_of_shipment(writing.db(), account.id, shipment).await?;
    Ok(one.filter(|one| one.id == claimed.id).map(|one| Locked { account, returned, parcel, one, is_forgotten }))
}

fn ask(account: &Account, returned: &Returned, parcel: &Shipment, one: &LabelRequest) -> GetLabel {
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
        .filter_map(|request| part_of(item(request), request, parcel.contents.as_deref()))
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
        sender: parcel.sender.clone(),
        receiver: parcel.receiver.clone(),
        sscc: parcel.sscc.clone(),
        weight: items.iter().map(|item| u64::from(item.quantity) * u64::from(item.weight)).sum(),
        passes_customs: is_border_between(&parcel.sender, &parcel.receiver),
        items,
    }
}

/// What of an item is in a parcel: all of it, where nobody has said.
fn part_of(item: LabelItem, request: &ReturnRequest, contents: Option<&[ParcelContent]>) -> Option<LabelItem> {
    let Some(contents) = contents else { return Some(item) };
    let quantity = contents.iter().find(|content| content.return_request_id == request.id)?.quantity.min(item.quantity);
    let value = i128::from(item.value.minor) * i128::from(quantity) / i128::from(item.quantity.max(1));
    let value = Money::new(i64::try_from(value).unwrap_or(item.value.minor), item.value.currency);
    Some(LabelItem { quantity, value, ..item })
}

fn is_news(parcel: &Shipment, trouble: &Trouble) -> bool {
    parcel.error_code != trouble.code || parcel.error_message != trouble.message
}

/// Whether it is to be in the parcel.
fn is_sent(request: &ReturnRequest) -> bool {
    use StageName as N;
    let is_gone = matches!(request.state.stage.name(), N::RequestedRejected | N::ClosedCancelled | N::ClosedExpired);
    !request.state.kept && !is_gone
}

/// What was made, and by whom.
fn take(parcel: &mut Shipment, (made, carrier): (&Made, &str), file: Option<LabelFile>) {
    let qr_code = made.qr_code.clone();
    let reference = made.reference.clone().map(|id| CarrierReference { carrier: carrier.to_owned(), id });
    parcel.label = ParcelLabel::Carrier(CarrierLabel { file, qr_code, reference });
    parcel.label_barcode.clone_from(&made.barcode);
    parcel.carrier.clone_from(&made.carrier);
    parcel.tracking_number.clone_from(&made.tracking_number);
    parcel.tracking_url.clone_from(&made.tracking_url);
}

impl Change<'_> {
    /// What is in the parcel can be sent: its stages, and those who want to hear of labels.
    async fn label_is_there(&self, writing: &mut Writing, returned: &mut Returned, mut parcel: Shipment) -> Result<()> {
        parcel.status = ShipmentStatus::LabelCreated;
        (parcel.error_code, parcel.error_message) = Default::default();
        self.keep(writing, &mut parcel).await?;
        for index in 0..returned.requests.len() {
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelFailed {
                self.go(writing, returned, (index, &Move::RetryLabel)).await?;
            }
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelPending {
                self.go(writing, returned, (index, &self.label_made())).await?;
            }
        }
        self.follow_up(writing, returned).await?;
        let Returned { order, consumer, requests, .. } = returned;
        let new_shipments = std::slice::from_ref(&parcel);
        let data = order_data(&Whole { order, consumer, requests, new_shipments })?;
        self.tell_shipment(writing, EventType::LabelCreated, &parcel, &data)
    }

    /// There is none yet: what is in it waits for somebody to see to it.
    async fn label_failed(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        (mut parcel, trouble): (Shipment, &Trouble),
    ) -> Result<()> {
        let is_new = parcel.status == ShipmentStatus::New;
        if is_new {
            parcel.status = ShipmentStatus::LabelFailed;
            for index in 0..returned.requests.len() {
                if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelPending {
                    let failed = Move::LabelFailed { error: trouble.message.clone() };
                    self.go(writing, returned, (index, &failed)).await?;
                }
            }
            self.follow_up(writing, returned).await?;
        }
        if is_new || is_news(&parcel, trouble) {
            self.keep_trouble(writing, &mut parcel, trouble).await
        } else {
            Ok(())
        }
    }

    /// Has the carrier asked again, for all that is in the parcel: under the same transaction, unless it is known that it
    /// made none.
    pub(crate) async fn ask_again(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        parcel: &mut Shipment,
    ) -> Result<()> {
        for index in 0..returned.requests.len() {
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelFailed {
                self.go(writing, returned, (index, &Move::RetryLabel)).await?;
            }
        }
        // A person was asked to look whether another component has made it; whoever tries again after that has looked.
        if parcel.error_code == CARRIER_CHANGED {
            label_requests::looked_into(writing.db(), self.account.id, parcel.id).await?;
        }
        // Where it goes may be what was mended.
        parcel.receiver = receiver(writing.db(), self.account, returned.order.shipping_option.as_ref()).await?;
        parcel.status = ShipmentStatus::New;
        (parcel.error_code, parcel.error_message) = Default::default();
        self.keep(writing, parcel).await?;
        self.ask_for_label(writing, parcel.id).await
    }

    /// Has the carrier asked, by the worker.
    pub(crate) async fn ask_for_label(&self, writing: &mut Writing, parcel: ShipmentId) -> Result<()> {
        let transaction = TransactionId(self.retour.source.id());
        Ok(label_requests::insert(writing.db(), self.account.id, (transaction, parcel), self.now).await?)
    }

    async fn keep_trouble(&self, writing: &mut Writing, parcel: &mut Shipment, trouble: &Trouble) -> Result<()> {
        parcel.error_code.clone_from(&trouble.code);
        parcel.error_message.clone_from(&trouble.message);
        self.keep(writing, parcel).await
    }

    async fn keep(&self, writing: &mut Writing, parcel: &mut Shipment) -> Result<()> {
        parcel.updated_at = self.now;
        if !shipments::update(writing.db(), self.account.id, parcel).await? {
            return Err(Error::Broken); // the return order is locked: nobody else can have changed it
        }
        parcel.version += 1;
        Ok(())
    }
}

/// Whether a carrier can be asked again for a parcel's label, or why not.
pub(crate) fn check_asked_again(parcel: &Shipment) -> Result<(), Refusal> {
    match parcel.status {
        ShipmentStatus::New | ShipmentStatus::LabelFailed => Ok(()),
        ShipmentStatus::Cancelled => parcel.check_label(),
        _ => Err(Refusal::new(RefusalCode::IllegalTransition, "This shipment has its label. There is no other one.")),
    }
}
