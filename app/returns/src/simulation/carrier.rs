//! The reports of the simulated carrier.

use crate::{
    base::{Result, Retour, Staff},
    merchant::returns::shipments::TrackingReport,
    returning::parcels::SIMULATED_CARRIER,
};
use domain::{
    account::Account,
    returning::{Shipment, ShipmentStatus},
    stage::Scan,
};

/// A report about a parcel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Report {
    pub scan: Scan,
    pub explanation: &'static str,
}

/// The report of an exception. Only a trigger causes it.
pub(crate) const EXCEPTION: Report = Report { scan: Scan::Exception, explanation: "The parcel is damaged" };

/// The next report about a parcel; `None` if it has arrived or cannot be sent.
pub(crate) fn next_report(shipment: &Shipment) -> Option<Report> {
    let (scan, explanation) = match shipment.status {
        ShipmentStatus::New | ShipmentStatus::LabelFailed | ShipmentStatus::Cancelled | ShipmentStatus::Delivered => {
            return None;
        }
        ShipmentStatus::LabelCreated => (Scan::InTransit, "Handed over to the carrier"),
        ShipmentStatus::InTransit if shipment.tracking.len() < 2 => (Scan::InTransit, "Sorted at the depot"),
        ShipmentStatus::InTransit | ShipmentStatus::Exception => (Scan::Delivered, "Delivered to the warehouse"),
    };
    Some(Report { scan, explanation })
}

impl Retour {
    /// Moves a parcel of the simulated carrier one step on. The last step is its receipt in the warehouse. Returns
    /// whether another step follows.
    pub(crate) async fn advance_simulated_parcel(&self, account: &Account, shipment: &Shipment) -> Result<bool> {
        let staff = Staff::operator(account.id);
        match next_report(shipment) {
            Some(report) => {
                self.report_simulated_scan(&staff, shipment, report).await?;
                Ok(true)
            }
            None if shipment.status == ShipmentStatus::Delivered => {
                let is_taken_in = self.take_in(&staff, shipment).await?;
                Ok(!is_taken_in)
            }
            None => Ok(false),
        }
    }

    pub(crate) async fn report_simulated_scan(&self, staff: &Staff, shipment: &Shipment, report: Report) -> Result<()> {
        // If the account's carrier is `own`, its parcels name no carrier yet.
        let is_unnamed = shipment.carrier.is_empty();
        let report = TrackingReport {
            status: report.scan,
            explanation: report.explanation.to_owned(),
            happened_at: None,
            carrier: is_unnamed.then(|| SIMULATED_CARRIER.to_owned()),
            tracking_number: is_unnamed.then(|| shipment.sscc.clone()),
            tracking_url: None,
        };
        self.merchant(staff).track(shipment.id, report, None).await.map(drop)
    }
}
