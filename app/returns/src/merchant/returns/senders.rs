//! The sender of a shipment, corrected by staff before the parcel is sent.

use super::{shipments::lock_return_of, staff_change::check_reason};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, audit, conclude,
        detached, error::check,
    },
    merchant::{handle::MerchantHandle, settings::printable::unprintable_lines},
    returning::worked::record_work,
    view::{self, redaction::SeenByStaff as _},
};
use domain::{
    Problems, Refusal, RefusalCode, ShipmentId,
    address::Address,
    audit::AuditAction,
    returning::{Shipment, ShipmentStatus},
    shipping::ParcelLabel,
};
use schemars::JsonSchema;
use serde::Deserialize;
use store::{label_requests, shipments};

/// The address that a parcel comes from, as staff correct it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SenderInput {
    /// The whole address. A known country stays: another one has other ways of sending.
    pub address: Address,
    /// The reason: 3 to 500 characters. Only staff see it.
    #[schemars(length(min = 3, max = 500))]
    pub reason: String,
}

impl SenderInput {
    fn check(&self) -> Result<()> {
        let mut problems = Problems::default();
        problems.add_parts("address", self.address.check_complete());
        problems.add_parts("address", unprintable_lines(&self.address));
        check_reason(&mut problems, &self.reason);
        check(problems)
    }
}

impl MerchantHandle<'_> {
    /// Corrects the sender of a shipment whose label a carrier did not make: it failed, or Retour draws it.
    pub async fn correct_sender(
        self,
        id: ShipmentId,
        input: SenderInput,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ShipmentView>> {
        input.check()?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.correct_sender_once(staff, id, &input, key.as_ref())).await })
            .await
    }
}

impl Retour {
    async fn correct_sender_once(
        &self,
        staff: Staff,
        id: ShipmentId,
        input: &SenderInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ShipmentView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut returned = lock_return_of(&mut writing, account, id).await?;
        let mut shipment = shipments::find(writing.db(), account, id).await?.or_broken()?;
        check_correctable(&shipment)?;
        if !shipment.sender.country.is_empty() && input.address.country != shipment.sender.country {
            let message = format!("expected the country {}", shipment.sender.country);
            return Err(Error::invalid("address.country", RefusalCode::NotAllowed, message));
        }
        if input.address != shipment.sender {
            // A refused request is tried again with the address of its first try.
            if label_requests::find_of_shipment(writing.db(), account, id).await?.is_some() {
                return Err(Refusal::new(RefusalCode::TooLate, ASKED).into());
            }
            let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
            let change = self.change_by(&staff, &settings, format!("Sender: {}", input.reason.trim()));
            let now = change.now;
            shipment.sender = input.address.clone();
            shipment.updated_at = now;
            if !shipments::set_sender(writing.db(), account, &shipment).await? {
                return Err(Error::broken()); // the return order is locked, so no other transaction can have changed it
            }
            shipment.version += 1;
            if let Some(request) = returned.requests.first() {
                writing.add_timeline_entry(change.entry_within_stage(request));
            }
            record_work(&mut writing, &staff, returned.order.id, now).await?;
            // Without the address, which is a person's.
            audit::record(&mut writing, &staff, now, AuditAction::SenderCorrected, id, None, None);
            // The return order contains the shipment, so its version changes too.
            change.follow_up(&mut writing, &mut returned).await?;
        }
        let shown = view::ShipmentView::from(shipment).seen_by_staff(&staff);
        conclude(writing, account, key, 200, shown).await
    }
}

const ASKED: &str = "The carrier is being asked for the label with this sender. Try again in a few minutes.";

/// Refuses a shipment that has left, and one whose label a carrier has made or is asked for: the carrier keeps the old
/// sender.
fn check_correctable(shipment: &Shipment) -> Result<(), Refusal> {
    let is_drawn = shipment.status == ShipmentStatus::LabelCreated && shipment.label == ParcelLabel::Own;
    if is_drawn || shipment.status == ShipmentStatus::LabelFailed {
        return Ok(());
    }
    let message = match shipment.status {
        ShipmentStatus::New => ASKED,
        ShipmentStatus::LabelCreated => {
            "The carrier has made the label with this sender. Cancel the return and make another one."
        }
        _ => "It is too late to correct the sender: the parcel was sent or cancelled.",
    };
    Err(Refusal::new(RefusalCode::TooLate, message))
}
