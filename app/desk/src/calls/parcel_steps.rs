//! The parcels of a return.

use super::return_order_steps::{back, effect_text, hidden};
use crate::{
    calls::call::Next,
    problem::{Mistake, Problem},
    visit::{Visit, shown::Shown},
};
use domain::{ReturnOrderId, address::Address, stage::Scan};
use returns::{NewShipment, Scope, SenderInput, ShippingChangeInput, TrackingReport};

/// Another way of sending, as it was typed.
pub struct TypedShipping {
    pub order: String,
    pub version: String,
    pub option: String,
    pub reason: String,
    /// Whether only what it would change in money is shown.
    pub is_preview: bool,
}

/// Asks the carrier for a failed label again.
pub async fn label_again(visit: &Visit, shipment: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    let asked = visit.retour.merchant(&staff).retry_label(hidden(shipment)?, visit.key()).await;
    said(visit, asked, visit.words.return_order.label_asked)
}

/// Corrects the sender of a parcel, with what the form's fields say.
pub async fn correct_sender(visit: &Visit, shipment: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    let fields = visit.form.as_ref().map(|form| form.fields.clone()).unwrap_or_default();
    let text = |name: &str| fields.get(name).trim().to_owned();
    let address = Address {
        name: text("name"),
        street: text("street"),
        additional: text("additional"),
        postal_code: text("postalCode"),
        city: text("city"),
        province: text("province"),
        country: text("country"),
    };
    let input = SenderInput { address, reason: text("reason") };
    let done = visit.retour.merchant(&staff).correct_sender(hidden(shipment)?, input, visit.key()).await;
    said(visit, done, visit.words.return_order.sender_corrected).map_err(|problem| match problem {
        Problem::Mistakes(mistakes) => Problem::Mistakes(mistakes.into_iter().map(of_form).collect()),
        problem => problem,
    })
}

/// A mistake at the field of the form that corrects a sender.
fn of_form(mistake: Mistake) -> Mistake {
    let field = mistake.field.strip_prefix("address.").unwrap_or(&mistake.field).to_owned();
    Mistake { field, ..mistake }
}

/// Chooses another way of sending.
pub async fn change_shipping(visit: &Visit, typed: TypedShipping) -> Result<Next, Problem> {
    let (id, staff): (ReturnOrderId, _) = (hidden(&typed.order)?, visit.may_act(Scope::Write)?);
    let Ok(shipping_option_id) = typed.option.parse() else {
        return Err(Problem::mistake("option", visit.words.new_return.choose_way));
    };
    let input = ShippingChangeInput { shipping_option_id, reason: typed.reason };
    let handle = visit.retour.merchant(&staff);
    let done = if typed.is_preview {
        let effect = handle.preview_shipping(id, input).await;
        effect.map(|effect| Next::here(visit).showing(Shown::Effect(effect_text(visit, &effect))))
    } else {
        let changed = handle.change_shipping(id, input, Some(hidden(&typed.version)?), visit.key()).await;
        changed.map(|_| Next::at(back(visit)).saying(visit.words.return_order.shipping_changed))
    };
    done.map_err(|error| match visit.problem(error) {
        Problem::Mistakes(mistakes) => Problem::Mistakes(mistakes.into_iter().map(of_shipping).collect()),
        problem => problem,
    })
}

/// A mistake at the field of the form that chooses a way of sending.
fn of_shipping(mistake: Mistake) -> Mistake {
    let field = if mistake.field == "shippingOptionId" { "option".to_owned() } else { mistake.field };
    Mistake { field, ..mistake }
}

/// Cancels one of several parcels.
pub async fn cancel_parcel(visit: &Visit, shipment: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    let cancelled = visit.retour.merchant(&staff).cancel_parcel(hidden(shipment)?, visit.key()).await;
    said(visit, cancelled, visit.words.return_order.parcel_is_cancelled)
}

/// Reports a parcel as delivered.
pub async fn report_delivered(visit: &Visit, shipment: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    let report = TrackingReport {
        status: Scan::Delivered,
        explanation: String::new(),
        happened_at: None,
        carrier: None,
        tracking_number: None,
        tracking_url: None,
    };
    let reported = visit.retour.merchant(&staff).track(hidden(shipment)?, report, visit.key()).await;
    said(visit, reported, visit.words.return_order.parcel_is_reported)
}

/// Adds a parcel.
pub async fn add_parcel(visit: &Visit, order: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    let added = visit.retour.merchant(&staff).add_parcel(hidden(order)?, NewShipment::default(), visit.key()).await;
    said(visit, added, visit.words.return_order.parcel_is_added)
}

fn said<T>(visit: &Visit, result: Result<T, returns::Error>, text: &'static str) -> Result<Next, Problem> {
    result.map(|_| Next::at(back(visit)).saying(text)).map_err(|error| visit.problem(error))
}
