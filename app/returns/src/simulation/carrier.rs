//! What the simulated carrier reports.

use crate::{Result, Retour, Staff, TrackingReport, parcels::SIMULATED_CARRIER};
use domain::{order::Account, returning::Shipment, stage::Scan, status::ShipmentStatus};

/// What the carrier reports of a parcel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Report {
    pub scan: Scan,
    pub explanation: &'static str,
}

/// The report of trouble, which comes only when it is asked for.
pub(super) const EXCEPTION: Report = Report { scan: Scan::Exception, explanation: "The parcel is damaged" };

/// The next report of a parcel; `None` where it has arrived or cannot be sent.
pub(super) fn next_report(parcel: &Shipment) -> Option<Report> {
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
    /// Moves a parcel of the simulated carrier one step on, in the end into the warehouse. Whether another step follows.
    pub(crate) async fn move_simulated(&self, account: &Account, parcel: &Shipment) -> Result<bool> {
        let staff = Staff::operator(account.id);
        match next_report(parcel) {
            Some(report) => {
                self.report_simulated(&staff, parcel, report).await?;
                Ok(true)
            }
            None if parcel.status == ShipmentStatus::Delivered => {
                self.take_in(&staff, parcel).await?;
                Ok(false)
            }
            None => Ok(false),
        }
    }

    pub(super) async fn report_simulated(&self, staff: &Staff, parcel: &Shipment, report: Report) -> Result<()> {
        // The parcels of an account with its own carrier name none.
        let is_unnamed = parcel.carrier.is_empty();
        let report = TrackingReport {
            status: report.scan,
            explanation: report.explanation.to_owned(),
            happened_at: None,
            carrier: is_unnamed.then(|| SIMULATED_CARRIER.to_owned()),
            tracking_number: is_unnamed.then(|| parcel.sscc.clone()),
            tracking_url: None,
        };
        self.track(staff, parcel.id, report, None).await.map(drop)
    }
}
