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
pub(crate) fn next_report(parcel: &Shipment) -> Option<Report> {
    let (scan, explanation) = match parcel.status {
        ShipmentStatus::New | ShipmentStatus::LabelFailed | ShipmentStatus::Cancelled | ShipmentStatus::Delivered => {
            return None;
        }
        ShipmentStatus::LabelCreated => (Scan::InTransit, "Handed over to the carrier"),
        ShipmentStatus::InTransit if parcel.tracking.len() < 2 => (Scan::InTransit, "Sorted at the depot"),
        ShipmentStatus::InTransit | ShipmentStatus::Exception => (Scan::Delivered, "Delivered to the warehouse"),
    };
    Some(Report { scan, explanation })
}

impl Retour {
    /// Moves a parcel of the simulated carrier one step on. The last step is its receipt in the warehouse. Returns
    /// whether another step follows.
    pub(crate) async fn advance_simulated_parcel(&self, account: &Account, parcel: &Shipment) -> Result<bool> {
        let staff = Staff::operator(account.id);
        match next_report(parcel) {
            Some(report) => {
                self.report_simulated_scan(&staff, parcel, report).await?;
                Ok(true)
            }
            None if parcel.status == ShipmentStatus::Delivered => {
                let is_taken_in = self.take_in(&staff, parcel).await?;
                Ok(!is_taken_in)
            }
            None => Ok(false),
        }
    }

    pub(crate) async fn report_simulated_scan(&self, staff: &Staff, parcel: &Shipment, report: Report) -> Result<()> {
        // If the account's carrier is `own`, its parcels name no carrier yet.
        let is_unnamed = parcel.carrier.is_empty();
        let report = TrackingReport {
            status: report.scan,
            explanation: report.explanation.to_owned(),
            happened_at: None,
            carrier: is_unnamed.then(|| SIMULATED_CARRIER.to_owned()),
            tracking_number: is_unnamed.then(|| parcel.sscc.clone()),
            tracking_url: None,
        };
        self.merchant(staff).track(parcel.id, report, None).await.map(drop)
    }
}
