//! Shipments: the parcels of return orders.

use crate::{
    address::Address,
    base::{
        id::{ReturnOrderId, ReturnRequestId, ShipmentId},
        refusal::{Refusal, RefusalCode},
        timestamp::Timestamp,
    },
    shipping::ParcelLabel,
    stage::{Move, Scan},
};
use serde::{Deserialize, Serialize};

/// A parcel of a return order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shipment {
    /// Identifier.
    pub id: ShipmentId,
    /// Its return order.
    pub return_order_id: ReturnOrderId,
    /// Its contents, if they were named; `None`: all that is sent.
    pub contents: Option<Vec<ParcelContent>>,
    /// The status.
    pub status: ShipmentStatus,
    /// The parcel number: the 18 digits of a GS1 SSCC.
    pub sscc: String,
    /// Its label.
    pub label: ParcelLabel,
    /// The barcode on the label: the SSCC on Retour's own labels; empty while it is unknown.
    pub label_barcode: String,
    /// The sender; empty if unknown.
    pub sender: Address,
    /// The receiver.
    pub receiver: Address,
    /// The carrier's name; empty if unknown.
    pub carrier: String,
    /// The carrier's tracking number; may be empty.
    pub tracking_number: String,
    /// The URL of the tracking page; may be empty.
    pub tracking_url: String,
    /// Why there is no label, as a code; may be empty.
    pub error_code: String,
    /// Why there is no label, for people; may be empty.
    pub error_message: String,
    /// The number of failed requests for the label since a person last asked for it.
    pub failed_attempts: u32,
    /// When Retour asks the carrier again; `None`: it does not.
    pub next_attempt_at: Option<Timestamp>,
    /// The carrier's reports, ordered by the carrier's time.
    pub tracking: Vec<TrackingUpdate>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// A version counter, from 1.
    pub version: i64,
}

named_enum! {
    /// The states of a parcel.
    ShipmentStatus {
        /// The shipment has no label yet.
        New,
        /// The carrier refused to make a label.
        LabelFailed,
        /// The parcel has a label and can be sent.
        LabelCreated,
        /// The parcel is on its way.
        InTransit,
        /// The carrier reports a problem.
        Exception,
        /// The carrier delivered the parcel.
        Delivered,
        /// The parcel will not be sent.
        Cancelled,
    }
}

/// Units of a return request in a parcel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ParcelContent {
    /// The return request whose units are in the parcel.
    pub return_request_id: ReturnRequestId,
    /// How many of its units; at least 1.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 1_000_000)))]
    pub quantity: u32,
}

/// The maximum number of parcels of a return order, without cancelled ones.
pub const MAX_PARCELS: usize = 20;

impl Shipment {
    /// The report that tells where it is: the latest by the carrier's time, or the delivery once there is one.
    pub fn latest(&self) -> Option<&TrackingUpdate> {
        self.tracking.iter().max_by_key(|update| update.rank())
    }

    /// Removes the error of its label.
    pub fn clear_error(&mut self) {
        (self.error_code, self.error_message) = Default::default();
        (self.failed_attempts, self.next_attempt_at) = (0, None);
    }

    /// Adds a report. Returns the move of the requests in the parcel; `None` if the report is already known.
    pub fn record(&mut self, update: TrackingUpdate) -> Option<Move> {
        if self.tracking.contains(&update) {
            return None;
        }
        let scan = update.status;
        let is_late = self.latest().is_some_and(|latest| latest.rank() > update.rank());
        self.tracking.push(update);
        self.tracking.sort_by_key(|update| update.happened_at);
        if is_late {
            return Some(Move::TrackLate(scan));
        }
        self.status = match scan {
            Scan::InTransit => ShipmentStatus::InTransit,
            Scan::Exception => ShipmentStatus::Exception,
            Scan::Delivered => ShipmentStatus::Delivered,
        };
        Some(Move::Track(scan))
    }

    /// Whether it can be sent; if not, the reason.
    pub fn check_label(&self) -> Result<(), Refusal> {
        match self.status {
            ShipmentStatus::Cancelled => {
                Err(Refusal::new(RefusalCode::ShipmentCancelled, "This shipment is cancelled and its label is void."))
            }
            ShipmentStatus::New | ShipmentStatus::LabelFailed => {
                Err(Refusal::new(RefusalCode::LabelNotReady, "This shipment has no label yet. Try again later."))
            }
            ShipmentStatus::LabelCreated
            | ShipmentStatus::InTransit
            | ShipmentStatus::Exception
            | ShipmentStatus::Delivered => Ok(()),
        }
    }
}

/// A report of a carrier on a parcel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackingUpdate {
    /// The reported state.
    pub status: Scan,
    /// The carrier's explanation; may be empty.
    pub explanation: String,
    /// The time of the event, by the carrier's clock.
    pub happened_at: Timestamp,
}

impl TrackingUpdate {
    /// The order of reports: nothing comes after the delivery.
    pub fn rank(&self) -> (bool, Timestamp, Scan) {
        (self.status == Scan::Delivered, self.happened_at, self.status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::time_zone::TimeZone,
        order::TakenUnits,
        policy::{Policy, ResolveOn, reason::ReasonRules},
        stage::{RequestState, Stage, StageContext, Submission, submit},
    };
    use proptest::prelude::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn any_policy() -> impl Strategy<Value = Policy> {
        let resolve_on = prop::sample::select(vec![
            ResolveOn::Submission,
            ResolveOn::FirstScan,
            ResolveOn::Delivery,
            ResolveOn::Receipt,
            ResolveOn::Inspection,
        ]);
        (resolve_on, any::<bool>()).prop_map(|(resolve_on, auto_resolve)| Policy {
            resolve_on,
            auto_resolve,
            ..Policy::default()
        })
    }

    /// A request for three units that can be sent.
    fn ready() -> RequestState {
        let taken = TakenUnits { units: 3, remainder_units: 0 };
        let submission =
            Submission { taken, kept: false, held: false, by_merchant: true, has_evidence: false, review: None };
        let context = StageContext { policy: &Policy::default(), zone: &TimeZone::UTC, now: NOW };
        let request = submit(submission, &ReasonRules::default(), &context).state;
        RequestState { stage: Stage::SubmittedReady { expires: None }, ..request }
    }

    /// A parcel without any report.
    fn parcel() -> Shipment {
        Shipment {
            id: ShipmentId(uuid::Uuid::nil()),
            return_order_id: ReturnOrderId(uuid::Uuid::nil()),
            contents: None,
            status: ShipmentStatus::LabelCreated,
            sscc: String::new(),
            label: ParcelLabel::Own,
            label_barcode: String::new(),
            sender: Address::default(),
            receiver: Address::default(),
            carrier: String::new(),
            tracking_number: String::new(),
            tracking_url: String::new(),
            error_code: String::new(),
            error_message: String::new(),
            failed_attempts: 0,
            next_attempt_at: None,
            tracking: Vec::new(),
            created_at: NOW,
            updated_at: NOW,
            version: 1,
        }
    }

    /// The parcel and a request in it after reports in this order.
    fn tracked(reports: &[TrackingUpdate], policy: &Policy) -> (Shipment, RequestState) {
        let context = StageContext { policy, zone: &TimeZone::UTC, now: NOW };
        let (mut shipment, mut request) = (parcel(), ready());
        for report in reports {
            if let Some(mv) = shipment.record(report.clone()) {
                request = request.apply(&mv, &context).unwrap().state;
            }
        }
        (shipment, request)
    }

    #[test]
    fn a_parcel_can_be_sent_with_a_label_that_is_valid() {
        let check = |status| Shipment { status, ..parcel() }.check_label().map_err(|refusal| refusal.code);
        for status in [ShipmentStatus::LabelCreated, ShipmentStatus::InTransit, ShipmentStatus::Delivered] {
            assert_eq!(check(status), Ok(()));
        }
        assert_eq!(check(ShipmentStatus::New), Err(RefusalCode::LabelNotReady));
        assert_eq!(check(ShipmentStatus::LabelFailed), Err(RefusalCode::LabelNotReady));
        assert_eq!(check(ShipmentStatus::Cancelled), Err(RefusalCode::ShipmentCancelled));
    }

    #[test]
    fn a_report_is_late_only_after_a_later_one() {
        let report = |explanation: &str, second| TrackingUpdate {
            status: Scan::InTransit,
            explanation: explanation.to_owned(),
            happened_at: NOW.plus_seconds(second),
        };
        let mut parcel = parcel();
        assert_eq!(parcel.record(report("collected", 1)), Some(Move::Track(Scan::InTransit)));
        assert_eq!(parcel.record(report("sorted", 1)), Some(Move::Track(Scan::InTransit)), "at the same time");
        assert_eq!(parcel.record(report("sorted", 1)), None, "already known");
        assert_eq!(parcel.record(report("announced", 0)), Some(Move::TrackLate(Scan::InTransit)));
    }

    fn any_report() -> impl Strategy<Value = TrackingUpdate> {
        let scan = prop_oneof![Just(Scan::InTransit), Just(Scan::Exception), Just(Scan::Delivered)];
        (scan, 0_i64..4).prop_map(|(status, second)| TrackingUpdate {
            status,
            explanation: String::new(),
            happened_at: NOW.plus_seconds(second),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn the_order_of_reports_does_not_matter(
            reports in prop::collection::vec(any_report(), 1..6).prop_shuffle(),
            policy in any_policy(),
        ) {
            let mut in_order = reports.clone();
            in_order.sort_by_key(TrackingUpdate::rank);
            in_order.dedup();
            let ((ours, request), (theirs, other)) = (tracked(&reports, &policy), tracked(&in_order, &policy));
            prop_assert_eq!(ours.status, theirs.status);
            prop_assert_eq!(ours.tracking.len(), theirs.tracking.len(), "each report once");
            prop_assert_eq!(request, other);
            let delivered = reports.iter().any(|report| report.status == Scan::Delivered);
            prop_assert_eq!(ours.status == ShipmentStatus::Delivered, delivered, "nothing comes after the delivery");
        }
    }
}
