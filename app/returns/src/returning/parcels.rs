//! Shipments: creating, storing and cancelling them.

use super::change::{Change, Returned};
use crate::{
    base::{Error, OrBroken, Result, parcel_numbers::ParcelNumber},
    view::ReturnAddress,
};
use domain::{
    Refusal, RefusalCode, ReturnOrderId,
    account::Account,
    address::Address,
    integration::Carrier,
    party::Actor,
    returning::{ParcelContent, ReturnOrder, ReturnOrderStatus, Shipment, ShipmentStatus},
    shipping::{CarrierLabel, ParcelLabel, ShippingMethod, ShippingOption},
    stage::{Move, Scan, StageName},
};
use outbound::labels::Sscc;
use store::{Db, Writing, consumers::Consumer, label_requests, shipments};

impl Change<'_> {
    /// Creates the shipment of a return, with its label if Retour makes it at once. The caller stores the shipment with
    /// [`Self::store_parcel`].
    pub(crate) async fn start_parcel(&self, writing: &mut Writing, returned: &mut Returned) -> Result<Shipment> {
        let shipment = self.new_parcel(writing, returned, None).await?;
        if shipment.status == ShipmentStatus::New {
            return Ok(shipment);
        }
        for index in 0..returned.requests.len() {
            let state = &returned.request(index)?.state;
            if state.stage.name() == StageName::SubmittedLabelPending {
                let step = state.apply(&self.label_made(), &self.context())?;
                self.write_step(writing, returned, index, step, Actor::System).await?;
            }
        }
        Ok(shipment)
    }

    /// Stores a new shipment, and queues its label request if it has no label. Returns the shipment if it has its
    /// label.
    pub(crate) async fn store_parcel(
        &self,
        writing: &mut Writing,
        packed: Option<Shipment>,
    ) -> Result<Option<Shipment>> {
        let Some(shipment) = packed else { return Ok(None) };
        store::shipments::insert(writing.db(), self.id(), &shipment).await?;
        if shipment.status == ShipmentStatus::New {
            self.queue_label(writing, shipment.id).await?;
            return Ok(None);
        }
        self.queue_simulated_step(writing, &shipment).await?;
        Ok(Some(shipment))
    }

    /// The move for a label that is made now.
    pub(crate) fn label_made(&self) -> Move {
        // Old policies may have 0, which is refused today.
        let days = self.account.policy.label_expires_days.max(1);
        Move::LabelMade { expires: self.account.time_zone.end_of_day(self.now, days) }
    }

    /// Builds a shipment with a number, for [`Self::store_parcel`]. Retour draws its own labels on demand; a carrier
    /// has to make its label first.
    pub(crate) async fn new_parcel(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        contents: Option<Vec<ParcelContent>>,
    ) -> Result<Shipment> {
        let (order, sender) = (&returned.order, &returned.consumer.address);
        let serial = self.parcel.as_ref().and_then(ParcelNumber::take).or_broken()?;
        let receiver = receiver(writing.db(), self.account, order.shipping_option.as_ref()).await?;
        let sscc = Sscc::nth(&self.account.policy.gs1_company_prefix, serial).or_broken()?; // checked when the policy was set
        let is_simulated = self.account.carrier == Carrier::Simulated;
        let (status, label) = match self.account.carrier {
            Carrier::Own | Carrier::Simulated => (ShipmentStatus::LabelCreated, ParcelLabel::Own),
            Carrier::Bridge | Carrier::Karrio(_) => {
                (ShipmentStatus::New, ParcelLabel::Carrier(CarrierLabel::default()))
            }
        };
        Ok(Shipment {
            id: domain::ShipmentId(self.retour.source.id()),
            return_order_id: order.id,
            contents,
            status,
            label_barcode: if label == ParcelLabel::Own { sscc.to_string() } else { String::new() },
            label,
            sscc: sscc.to_string(),
            sender: sender.clone(),
            receiver,
            carrier: if is_simulated { SIMULATED_CARRIER.to_owned() } else { String::new() },
            tracking_number: if is_simulated { sscc.to_string() } else { String::new() },
            tracking_url: String::new(),
            error_code: String::new(),
            error_message: String::new(),
            failed_attempts: 0,
            next_attempt_at: None,
            tracking: Vec::new(),
            created_at: self.now,
            updated_at: self.now,
            version: 1,
        })
    }
}

/// The name of the simulated carrier on shipments.
pub(crate) const SIMULATED_CARRIER: &str = "Simulated carrier";

/// The address for shipments of a shipping option; empty if the merchant has not set one.
pub(crate) async fn receiver(db: Db<'_>, account: &Account, option: Option<&ShippingOption>) -> Result<Address> {
    let location = option.and_then(|option| option.return_location_id);
    let receiver = store::return_locations::find_receiver(db, account.id, location).await?;
    Ok(receiver.or_else(|| account.policy.return_address.clone()).unwrap_or_default())
}

/// The address of a return that the consumer sends with a carrier of their own choice; `None` for other returns.
pub async fn return_address(
    db: Db<'_>,
    account: &Account,
    order: &ReturnOrder,
    consumer: &Consumer,
) -> Result<Option<ReturnAddress>> {
    let option = order.shipping_option.as_ref().filter(|option| option.method == ShippingMethod::OwnCarrier);
    if option.is_none() || order.status != ReturnOrderStatus::Open {
        return Ok(None);
    }
    let address = receiver(db, account, option).await?;
    let is_set = address != Address::default();
    Ok(is_set.then(|| ReturnAddress { address, sent_from: consumer.address.country.clone() }))
}

impl Change<'_> {
    /// Updates a shipment, whose return order is locked.
    pub async fn update_parcel(&self, writing: &mut Writing, parcel: &mut Shipment) -> Result<()> {
        parcel.updated_at = self.now;
        if !shipments::update(writing.db(), self.account.id, parcel).await? {
            return Err(Error::broken()); // the return order is locked, so no other transaction can have changed it
        }
        parcel.version += 1;
        Ok(())
    }
}

/// The error code of a label that a person has to void at the carrier.
pub const LABEL_NOT_VOIDED: &str = "LabelNotVoided";

impl Change<'_> {
    /// Cancels the shipments of a return order: voids their labels, and stops waiting for labels.
    pub(crate) async fn cancel_parcels(&self, writing: &mut Writing, order: ReturnOrderId) -> Result<()> {
        let account = self.account.id;
        let parcels = shipments::list_of_return_orders(writing.db(), account, &[order]).await?;
        for parcel in parcels.iter().filter(|parcel| parcel.status != ShipmentStatus::Cancelled) {
            self.queue_label_void(writing, parcel).await?;
            self.queue_void_of_unconfirmed_label(writing, parcel).await?;
        }
        shipments::cancel_of_return_order(writing.db(), account, order, self.now).await?;
        Ok(label_requests::forget(writing.db(), account, order).await?)
    }

    /// Cancels one of several shipments of a locked return order. Requests may be complete without it.
    pub(crate) async fn cancel_one_parcel(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        parcel: &mut Shipment,
    ) -> Result<()> {
        let (account, order) = (self.account.id, parcel.return_order_id);
        let is_erased = store::erasures::is_erased(writing.db(), account, returned.order.consumer_id).await?;
        self.queue_label_void(writing, parcel).await?;
        self.queue_void_of_unconfirmed_label(writing, parcel).await?;
        parcel.status = ShipmentStatus::Cancelled;
        if parcel.error_code != LABEL_NOT_VOIDED {
            parcel.clear_error();
        }
        if is_erased && matches!(&parcel.label, ParcelLabel::Carrier(_)) {
            LABEL_NOT_VOIDED.clone_into(&mut parcel.error_code);
            let message = "The consumer's data was erased, including the carrier's id of this label. Void the label at \
                           the carrier.";
            message.clone_into(&mut parcel.error_message);
        }
        self.update_parcel(writing, parcel).await?;
        label_requests::forget(writing.db(), account, order).await?;
        let parcels = shipments::list_of_return_orders(writing.db(), account, &[order]).await?;
        let mut left = parcels.iter().filter(|one| one.status != ShipmentStatus::Cancelled);
        if left.all(|one| one.status == ShipmentStatus::Delivered) {
            self.move_contents(writing, returned, &Move::Track(Scan::Delivered)).await?;
        }
        // The return order contains the shipment, so its version and events change too.
        self.follow_up(writing, returned).await
    }
}

/// Whether a shipment can be cancelled by itself, or why not: items that are still to be sent keep a label.
pub(crate) fn check_parcel_cancellable(
    parcel: &Shipment,
    order: &ReturnOrder,
    parcels: &[Shipment],
) -> Result<(), Refusal> {
    let is_other = |one: &Shipment| one.id != parcel.id && one.check_label().is_ok();
    let message = match parcel.status {
        ShipmentStatus::InTransit | ShipmentStatus::Exception | ShipmentStatus::Delivered => {
            "The carrier already has this parcel, or has had it."
        }
        ShipmentStatus::New | ShipmentStatus::LabelFailed | ShipmentStatus::LabelCreated
            if !order.status.is_over() && !parcels.iter().any(is_other) =>
        {
            "No other shipment of this return order has a label. Cancel the return order, or add another shipment \
             first."
        }
        _ => return Ok(()),
    };
    Err(Refusal::new(RefusalCode::IllegalTransition, message))
}
