//! How long rows of the queues of a merchant's staff may wait.

use crate::base::refusal::{Problems, RefusalCode};
use serde::{Deserialize, Serialize};

/// A year of working days: a longer target is none.
const MAX_HOURS: u32 = 6_264;

/// The target of each queue, in working hours: the hours of Monday to Friday in the account's time zone, so 24 hours are
/// one working day. `null`: no target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct QueueTargets {
    /// Requests that wait for a decision.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub to_decide: Option<u32>,
    /// Requests that wait for the customer.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub waiting_for_customer: Option<u32>,
    /// Labels that the carrier did not make.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub label_trouble: Option<u32>,
    /// Parcels that are late or in trouble.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub late_on_the_way: Option<u32>,
    /// Parcels that have arrived and are not counted.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub arrived_not_counted: Option<u32>,
    /// Received items that wait for their inspection.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub to_inspect: Option<u32>,
    /// Resolutions that wait for their approval.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub to_settle: Option<u32>,
    /// Approved resolutions that are not carried out.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub to_pay: Option<u32>,
    /// Resolutions that could not be carried out.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub payment_failed: Option<u32>,
    /// Withdrawals that nobody has dealt with.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub withdrawn: Option<u32>,
    /// Parcels without papers that belong to no return yet.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 6264)))]
    pub without_papers: Option<u32>,
}

impl Default for QueueTargets {
    fn default() -> Self {
        Self {
            to_decide: Some(24),
            waiting_for_customer: None,
            label_trouble: Some(1),
            late_on_the_way: Some(240),
            arrived_not_counted: Some(24),
            to_inspect: Some(48),
            to_settle: Some(48),
            to_pay: Some(48),
            payment_failed: Some(4),
            withdrawn: Some(240), // ten working days: the fourteen days of the law without weekends
            without_papers: Some(72),
        }
    }
}

impl QueueTargets {
    /// Problems by field.
    pub fn check(&self) -> Problems {
        let mut problems = Problems::default();
        for (field, hours) in [
            ("toDecide", self.to_decide),
            ("waitingForCustomer", self.waiting_for_customer),
            ("labelTrouble", self.label_trouble),
            ("lateOnTheWay", self.late_on_the_way),
            ("arrivedNotCounted", self.arrived_not_counted),
            ("toInspect", self.to_inspect),
            ("toSettle", self.to_settle),
            ("toPay", self.to_pay),
            ("paymentFailed", self.payment_failed),
            ("withdrawn", self.withdrawn),
            ("withoutPapers", self.without_papers),
        ] {
            if hours.is_some_and(|hours| !(1..=MAX_HOURS).contains(&hours)) {
                let message = format!("expected a whole number of hours from 1 to {MAX_HOURS}, or null for no target");
                problems.add(field, RefusalCode::OutOfRange, message);
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_hours_within_a_year_or_none() {
        let fields =
            |targets: QueueTargets| -> Vec<String> { targets.check().0.into_iter().map(|(field, _)| field).collect() };
        assert_eq!(fields(QueueTargets::default()), [""; 0]);
        let extremes =
            QueueTargets { to_decide: Some(1), to_pay: Some(MAX_HOURS), withdrawn: None, ..QueueTargets::default() };
        assert_eq!(fields(extremes), [""; 0]);
        let wrong = QueueTargets { to_decide: Some(0), to_pay: Some(MAX_HOURS + 1), ..QueueTargets::default() };
        assert_eq!(fields(wrong), ["toDecide", "toPay"]);
    }
}
