//! The queues of a merchant's staff: which return requests wait for a person, and since when.

use super::names::StageName;
use crate::{
    TimeZone,
    base::{timestamp::Timestamp, working_time::working_hours_before},
    policy::QueueTargets,
};
use serde::{Deserialize, Serialize};

/// A queue, in the order in which staff see them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Queue")]
pub enum Queue {
    /// A person has to decide about the request.
    ToDecide,
    /// The customer has to add photos or to pay.
    WaitingForCustomer,
    /// The carrier made no label, or has not answered for a quarter of an hour.
    LabelTrouble,
    /// No news of the parcel for ten days, or the carrier reports a problem.
    LateOnTheWay,
    /// The parcel was delivered, and its items are not all counted.
    ArrivedNotCounted,
    /// The items wait for their inspection.
    ToInspect,
    /// An agent asks others to approve something.
    ToApprove,
    /// The resolution waits for its approval.
    ToSettle,
    /// The resolution is approved and not carried out.
    ToPay,
    /// The resolution could not be carried out, or has not ended for a day.
    PaymentFailed,
    /// Withdrawals that nobody has dealt with.
    Withdrawn,
    /// Parcels that arrived without papers and belong to no return yet.
    WithoutPapers,
    /// Returns in progress that the member of the staff has.
    Mine,
    /// Returns in progress that staff flagged.
    Flagged,
}

enum_names!(Queue {
    ToDecide,
    WaitingForCustomer,
    LabelTrouble,
    LateOnTheWay,
    ArrivedNotCounted,
    ToInspect,
    ToApprove,
    ToSettle,
    ToPay,
    PaymentFailed,
    Withdrawn,
    WithoutPapers,
    Mine,
    Flagged,
});

crate::string_enum!(Queue);

/// A carrier usually makes a label within seconds.
const LABEL_SECONDS: i64 = 15 * 60;
/// A parcel without news for this long is late.
const NEWS_SECONDS: i64 = 10 * 86_400;
/// A connected shop usually carries out a resolution within minutes.
const SHOP_SECONDS: i64 = 3_600;
/// A resolution that has been processed for this long is stuck.
const PROCESSING_SECONDS: i64 = 86_400;

/// Return requests of one stage that belong to a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePart {
    /// The stage.
    pub stage: StageName,
    /// Only requests that entered the stage before this moment.
    pub entered_before: Option<Timestamp>,
    /// Only requests whose parcels have not changed since this moment.
    pub without_news_since: Option<Timestamp>,
}

impl Queue {
    /// The queues whose rows are return requests of some stages.
    pub const OF_REQUESTS: [Self; 9] = [
        Self::ToDecide,
        Self::WaitingForCustomer,
        Self::LabelTrouble,
        Self::LateOnTheWay,
        Self::ArrivedNotCounted,
        Self::ToInspect,
        Self::ToSettle,
        Self::ToPay,
        Self::PaymentFailed,
    ];

    /// The return requests in the queue; none if its rows are none. `settled_by_shop`: whether a connected shop carries
    /// out resolutions.
    pub fn parts(self, now: Timestamp, settled_by_shop: bool) -> Vec<QueuePart> {
        let all = |stage| QueuePart { stage, entered_before: None, without_news_since: None };
        let before = |stage, seconds: i64| QueuePart { entered_before: Some(now.plus_seconds(-seconds)), ..all(stage) };
        match self {
            Self::ToDecide => vec![all(StageName::RequestedReview)],
            Self::WaitingForCustomer => {
                vec![all(StageName::RequestedEvidencePending), all(StageName::SubmittedPaymentPending)]
            }
            Self::LabelTrouble => {
                vec![all(StageName::SubmittedLabelFailed), before(StageName::SubmittedLabelPending, LABEL_SECONDS)]
            }
            Self::LateOnTheWay => {
                let late = before(StageName::ShipmentInTransit, NEWS_SECONDS);
                let silent = QueuePart { without_news_since: late.entered_before, ..late };
                vec![all(StageName::ShipmentException), silent]
            }
            Self::ArrivedNotCounted => vec![all(StageName::ShipmentDelivered), all(StageName::ReceivedPartial)],
            Self::ToInspect => vec![all(StageName::InspectionPending)],
            Self::ToSettle => vec![all(StageName::ResolutionPending)],
            Self::ToPay if settled_by_shop => vec![before(StageName::ResolutionApproved, SHOP_SECONDS)],
            Self::ToPay => vec![all(StageName::ResolutionApproved)],
            Self::PaymentFailed => {
                vec![all(StageName::ResolutionFailed), before(StageName::ResolutionProcessing, PROCESSING_SECONDS)]
            }
            Self::ToApprove | Self::Withdrawn | Self::WithoutPapers | Self::Mine | Self::Flagged => Vec::new(),
        }
    }

    /// The working hours after which a row of the queue is over its target; `None`: it has none.
    pub fn target_hours(self, targets: &QueueTargets) -> Option<u32> {
        match self {
            Self::ToDecide => targets.to_decide,
            Self::WaitingForCustomer => targets.waiting_for_customer,
            Self::LabelTrouble => targets.label_trouble,
            Self::LateOnTheWay => targets.late_on_the_way,
            Self::ArrivedNotCounted => targets.arrived_not_counted,
            Self::ToInspect => targets.to_inspect,
            Self::ToApprove | Self::ToSettle => targets.to_settle,
            Self::ToPay => targets.to_pay,
            Self::PaymentFailed => targets.payment_failed,
            Self::Withdrawn => targets.withdrawn,
            Self::WithoutPapers => targets.without_papers,
            Self::Mine | Self::Flagged => None,
        }
    }

    /// Rows that have waited since before this moment are over the queue's target.
    pub fn over_target_before(self, targets: &QueueTargets, zone: &TimeZone, now: Timestamp) -> Option<Timestamp> {
        self.target_hours(targets).map(|hours| working_hours_before(zone, now, hours))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_795_705_200);

    fn stages(queue: Queue) -> Vec<StageName> {
        queue.parts(NOW, true).into_iter().map(|part| part.stage).collect()
    }

    #[test]
    fn no_stage_is_in_two_queues_and_no_end_is_in_any() {
        let mut met = Vec::new();
        for queue in Queue::ALL {
            for stage in stages(queue) {
                assert!(!met.contains(&stage) && !stage.is_end(), "{} {stage}", queue.name());
                met.push(stage);
            }
            assert_eq!(stages(queue).is_empty(), !Queue::OF_REQUESTS.contains(&queue), "{}", queue.name());
            assert_eq!(Queue::from_name(queue.name()), Some(queue));
        }
    }

    #[test]
    fn a_connected_shop_has_an_hour_to_pay() {
        let parts = |by_shop| Queue::ToPay.parts(NOW, by_shop);
        assert_eq!(parts(true)[0].entered_before, Some(NOW.plus_seconds(-3_600)));
        assert_eq!(parts(false)[0].entered_before, None);
    }

    #[test]
    fn a_parcel_is_late_after_ten_days_without_news() {
        let ten_days = Some(NOW.plus_seconds(-10 * 86_400));
        let silent = Queue::LateOnTheWay.parts(NOW, true)[1];
        assert_eq!((silent.entered_before, silent.without_news_since), (ten_days, ten_days));
    }

    #[test]
    fn targets_count_working_hours() {
        let targets = QueueTargets { to_decide: Some(24), to_settle: None, ..QueueTargets::default() };
        // Monday, 30 November 2026, 09:00: a working day before is Friday, 09:00.
        let monday = Timestamp::parse("2026-11-30T09:00:00Z").unwrap();
        let friday = Timestamp::parse("2026-11-27T09:00:00Z").unwrap();
        assert_eq!(Queue::ToDecide.over_target_before(&targets, &TimeZone::UTC, monday), Some(friday));
        assert_eq!(Queue::ToSettle.over_target_before(&targets, &TimeZone::UTC, monday), None);
    }
}
