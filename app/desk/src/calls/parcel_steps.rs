//! The parcels of a return.

use super::return_order_steps::{back, hidden};
use crate::{calls::call::Next, problem::Problem, visit::Visit};
use domain::stage::Scan;
use returns::{NewShipment, Scope, TrackingReport};

/// Asks the carrier for a failed label again.
pub async fn label_again(visit: &Visit, shipment: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    let asked = visit.retour.merchant(&staff).retry_label(hidden(shipment)?, visit.key()).await;
    said(visit, asked, visit.words.return_order.label_asked)
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
