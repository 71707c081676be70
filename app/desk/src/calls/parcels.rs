//! The parcels of a return.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Asks the carrier for a failed label again, by the same use case as `POST /shipments/<id>/label`.
#[server(prefix = "/desk/call", endpoint = "label-again", input = PostUrl, output = Json, client = Fetch)]
pub async fn label_again(#[server(default)] shipment: String) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::parcel_steps::label_again(&visit, &shipment).await;
    call.answer(result)
}

/// Corrects the sender of a parcel, by the same use case as `POST /shipments/<id>/sender`.
#[server(prefix = "/desk/call", endpoint = "correct-sender", input = PostUrl, output = Json, client = Fetch)]
pub async fn correct_sender(#[server(default)] shipment: String) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::parcel_steps::correct_sender(&visit, &shipment).await;
    call.answer(result)
}

/// Chooses another way of sending, by the same use case as `POST /return-orders/<id>/shipping-option`; with `preview`, says what
/// it would cost, as `…/shipping-option/preview` does.
#[server(prefix = "/desk/call", endpoint = "change-shipping", input = PostUrl, output = Json, client = Fetch)]
pub async fn change_shipping(
    #[server(default)] order: String,
    #[server(default)] version: String,
    #[server(default)] option: String,
    #[server(default)] reason: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let is_preview = visit.form.as_ref().is_some_and(|form| form.fields.get("preview") == "yes");
    let typed = super::parcel_steps::TypedShipping { order, version, option, reason, is_preview };
    let result = super::parcel_steps::change_shipping(&visit, typed).await;
    call.answer(result)
}

/// Cancels one of several parcels, by the same use case as `POST /shipments/<id>/cancel`.
#[server(prefix = "/desk/call", endpoint = "cancel-parcel", input = PostUrl, output = Json, client = Fetch)]
pub async fn cancel_parcel(#[server(default)] shipment: String) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::parcel_steps::cancel_parcel(&visit, &shipment).await;
    call.answer(result)
}

/// Reports a parcel as delivered, by the same use case as `POST /shipments/<id>/tracking-updates`.
#[server(prefix = "/desk/call", endpoint = "report-delivered", input = PostUrl, output = Json, client = Fetch)]
pub async fn report_delivered(#[server(default)] shipment: String) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::parcel_steps::report_delivered(&visit, &shipment).await;
    call.answer(result)
}

/// Adds a parcel, by the same use case as `POST /return-orders/<id>/shipments`.
#[server(prefix = "/desk/call", endpoint = "add-parcel", input = PostUrl, output = Json, client = Fetch)]
pub async fn add_parcel(#[server(default)] order: String) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::parcel_steps::add_parcel(&visit, &order).await;
    call.answer(result)
}
