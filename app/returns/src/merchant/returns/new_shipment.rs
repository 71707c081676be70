//! Additional shipments of a return that does not fit into one parcel.

use crate::{
    base::{
        Begun, Done, Error, FieldError, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, audit,
        conclude, detached,
    },
    merchant::handle::MerchantHandle,
    returning::{
        change::{Change, Returned},
        events::{OrderSnapshot, order_data},
        worked::record_work,
    },
    view,
};
use domain::{
    AccountId, Refusal, RefusalCode, ReturnOrderId,
    audit::AuditAction,
    returning::{MAX_PARCELS, ParcelContent, ReturnRequest, ShipmentStatus},
    shipping::ShippingMethod,
    webhook::EventType,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use store::{Writing, accounts, shipments};

/// An additional shipment of a return order.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NewShipment {
    /// Its contents, each return request once: they determine the weight and value that the carrier gets. All units to
    /// send, if left out.
    pub contents: Option<Vec<ParcelContent>>,
}

impl MerchantHandle<'_> {
    /// Adds a shipment, with its own label, to a return that is being sent.
    pub async fn add_parcel(
        self,
        order: ReturnOrderId,
        new: NewShipment,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ShipmentView>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.add_parcel_once(staff, order, &new, key.as_ref())).await })
            .await
    }
}

impl Retour {
    async fn add_parcel_once(
        &self,
        staff: Staff,
        order: ReturnOrderId,
        new: &NewShipment,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ShipmentView>> {
        let account = staff.account();
        let parcel = Some(self.parcel_number(account).await?);
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut returned = Returned::lock(&mut writing, account, order).await?.ok_or(Error::NotFound)?;
        check_sent(&mut writing, account, &returned).await?;
        check_contents(new.contents.as_deref(), &returned)?;
        let settings = accounts::find(writing.db(), account).await?.or_broken()?;
        let change = Change { parcel, ..self.change_by(&staff, &settings, String::new()) };
        let now = change.now;
        let shipment = change.new_parcel(&mut writing, &returned, new.contents.clone()).await?;
        record_work(&mut writing, &staff, order, now).await?;
        let of = Some(json!({"returnOrderId": order}));
        audit::record(&mut writing, &staff, now, AuditAction::ShipmentAdded, shipment.id, None, of);
        if let Some(labelled) = change.store_parcel(&mut writing, Some(shipment.clone())).await? {
            let new_shipments = std::slice::from_ref(&labelled);
            let Returned { order, consumer, requests, .. } = &returned;
            let data = order_data(&OrderSnapshot { order, consumer, requests, new_shipments })?;
            change.write_shipment_event(&mut writing, EventType::LabelCreated, &labelled, &data)?;
        }
        // The return order contains the shipment, so its version changes too.
        change.follow_up(&mut writing, &mut returned).await?;
        conclude(writing, account, key, 201, shipment.into()).await
    }
}

/// Refuses a return without a label, one whose units have all arrived, and one with the most shipments.
async fn check_sent(writing: &mut Writing, account: AccountId, returned: &Returned) -> Result<()> {
    let order = &returned.order;
    let has_label = order.shipping_option.as_ref().map(|option| option.method).is_some_and(ShippingMethod::has_label);
    let is_sent = returned.requests.iter().any(|request| request.state.is_expected() && !order.status.is_over());
    let parcels = shipments::list_of_return_orders(writing.db(), account, &[order.id]).await?;
    let open = parcels.iter().filter(|parcel| parcel.status != ShipmentStatus::Cancelled).count();
    let refusal = match (has_label && is_sent && open > 0, open >= MAX_PARCELS) {
        (true, false) => return Ok(()),
        (true, true) => (RefusalCode::LimitReached, format!("A return order has at most {MAX_PARCELS} shipments.")),
        (false, _) => {
            let message =
                "Another shipment needs a return order with a label and at least one item that has not arrived.";
            (RefusalCode::IllegalTransition, message.to_owned())
        }
    };
    Err(Refusal::new(refusal.0, refusal.1).into())
}

fn check_contents(contents: Option<&[ParcelContent]>, returned: &Returned) -> Result<()> {
    let Some(contents) = contents else { return Ok(()) };
    let mut errors = Vec::new();
    if contents.is_empty() {
        errors.push(FieldError::new(
            "contents",
            RefusalCode::Required,
            "expected at least one item, or no contents at all",
        ));
    }
    for (index, content) in contents.iter().enumerate() {
        let field = |name: &str| format!("contents[{index}].{name}");
        let is_before = |one: &ParcelContent| one.return_request_id == content.return_request_id;
        let is_it = |one: &&ReturnRequest| one.id == content.return_request_id && one.state.is_in_parcel();
        let request = returned.requests.iter().find(is_it);
        match request {
            None => {
                let message = "expected the id of a return request of this return order that is sent by parcel";
                errors.push(FieldError::new(field("returnRequestId"), RefusalCode::NotAllowed, message));
            }
            Some(_) if contents.iter().take(index).any(is_before) => {
                let message = "duplicate: expected each return request once";
                errors.push(FieldError::new(field("returnRequestId"), RefusalCode::Mismatch, message));
            }
            Some(request) if !(1..=request.quantity).contains(&content.quantity) => {
                let message = format!("expected a whole number from 1 to {}", request.quantity);
                errors.push(FieldError::new(field("quantity"), RefusalCode::OutOfRange, message));
            }
            Some(_) => {}
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
}
