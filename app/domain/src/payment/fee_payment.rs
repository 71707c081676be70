//! The payment for a return.
//!
//! A payment is settled once, however often and in whatever order the provider reports it.

use super::{
    checkout::Checkout,
    provider::PaymentKind,
    status::{PaymentState, PaymentStatus},
};
use crate::{
    base::{id::PaymentId, timestamp::Timestamp},
    money::Money,
};
use serde::{Deserialize, Serialize};

/// A payment for a return.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// Identifier.
    pub id: PaymentId,
    /// The provider, as it was when the return began to wait for the payment.
    pub kind: PaymentKind,
    /// The amount; more than 0.
    pub amount: Money,
    /// The state of the payment.
    pub state: PaymentState,
    /// The part that has to be refunded, minor units: from 0 to the amount, and 0 until the money has arrived.
    pub refund_due: i64,
    /// The part that was refunded, minor units.
    pub refunded: i64,
    /// When the return stops waiting for it.
    pub due: Timestamp,
    /// The path on this server where it is paid.
    pub checkout: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Attempts to pay at a provider's page, oldest first; none for Retour's own page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checkouts: Vec<Checkout>,
    /// The number of the attempt that settled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_by: Option<u32>,
    /// The last failure of a call to the provider; empty: none.
    #[serde(default, rename = "trouble", skip_serializing_if = "String::is_empty")]
    pub last_error: String,
    /// The number of failed calls to the provider since its last success.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed_attempts: u32,
    /// When Retour repeats the failed call; `None`: at the shopper's next attempt to pay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Timestamp>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Payment {
    /// Records that the money has arrived. Repeating it has no effect. Money that arrives after the end is refunded.
    pub fn settle(&mut self) {
        if self.state == PaymentState::Expired {
            self.refund_due = self.amount.minor;
        }
        self.state = PaymentState::Paid;
    }

    /// Ends the payment with the return, which earned this part of it, minor units. The rest is refunded once.
    pub fn end(&mut self, earned: i64) {
        match self.state {
            PaymentState::Pending => self.state = PaymentState::Expired,
            PaymentState::Paid => {
                let back = self.amount.minor - earned.clamp(0, self.amount.minor);
                self.refund_due = self.refund_due.max(back); // a refund cannot be undone
            }
            PaymentState::Expired => {}
        }
    }

    /// The amount still to refund, minor units.
    pub fn owed_back(&self) -> i64 {
        self.refund_due - self.refunded
    }

    /// Records a failed call to the provider: the reason, and when Retour repeats it.
    pub fn fail(&mut self, last_error: &str, next_attempt_at: Option<Timestamp>) {
        last_error.clone_into(&mut self.last_error);
        self.failed_attempts = self.failed_attempts.saturating_add(1);
        self.next_attempt_at = next_attempt_at;
    }

    /// Records that the provider works again.
    pub fn recover(&mut self) {
        (self.last_error, self.failed_attempts, self.next_attempt_at) = (String::new(), 0, None);
    }

    /// Records that the whole amount due was refunded.
    pub fn refund_completed(&mut self) {
        self.refunded = self.refund_due;
    }

    /// The payment status that the API shows for the return.
    pub fn status(&self) -> PaymentStatus {
        match self.state {
            PaymentState::Pending => PaymentStatus::Pending,
            PaymentState::Expired => PaymentStatus::Expired,
            PaymentState::Paid if self.refunded == self.amount.minor => PaymentStatus::Refunded,
            PaymentState::Paid => PaymentStatus::Paid,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::money::Currency;
    use proptest::prelude::*;
    use uuid::Uuid;

    const AT: Timestamp = Timestamp::from_seconds(1_800_000_000);

    #[derive(Debug, Clone, Copy)]
    enum Happens {
        Settle,
        End(i64),
        GiveBack,
    }

    fn any_of_them() -> impl Strategy<Value = Happens> {
        prop_oneof![Just(Happens::Settle), (0_i64..700).prop_map(Happens::End), Just(Happens::GiveBack)]
    }

    pub(in crate::payment) fn payment() -> Payment {
        Payment {
            id: PaymentId(Uuid::nil()),
            kind: PaymentKind::Simulated,
            amount: Money::new(495, Currency::from_code("EUR").unwrap()),
            state: PaymentState::Pending,
            refund_due: 0,
            refunded: 0,
            due: AT.plus_hours(48),
            checkout: String::new(),
            created_at: AT,
            checkouts: Vec::new(),
            settled_by: None,
            last_error: String::new(),
            failed_attempts: 0,
            next_attempt_at: None,
        }
    }

    #[test]
    fn names_are_the_same_in_json_and_sql() {
        for state in PaymentState::ALL {
            assert_eq!(serde_json::to_value(state).unwrap(), state.name());
            assert_eq!(PaymentState::from_name(state.name()), Some(state));
        }
    }

    #[test]
    fn late_money_is_refunded_in_full_and_the_unearned_part_of_other_money() {
        let mut late = payment();
        late.end(0);
        assert_eq!((late.state, late.status(), late.owed_back()), (PaymentState::Expired, PaymentStatus::Expired, 0));
        late.settle();
        assert_eq!((late.status(), late.owed_back()), (PaymentStatus::Paid, 495));
        late.refund_completed();
        assert_eq!((late.status(), late.owed_back()), (PaymentStatus::Refunded, 0));
        let mut part = payment();
        part.settle();
        part.end(400);
        assert_eq!(part.owed_back(), 95);
        part.refund_completed();
        assert_eq!((part.status(), part.refunded), (PaymentStatus::Paid, 95));
        part.end(450);
        assert_eq!(part.owed_back(), 0, "a refund cannot be undone");
        part.end(0);
        assert_eq!(part.owed_back(), 400);
    }

    #[test]
    fn failures_of_the_provider_count_until_it_recovers() {
        let mut one = payment();
        one.fail("The payment provider answered with status 503.", Some(AT));
        one.fail("The payment provider answered with status 500.", None);
        assert_eq!((one.failed_attempts, one.next_attempt_at), (2, None));
        assert_eq!(one.last_error, "The payment provider answered with status 500.");
        let stored = serde_json::to_value(&one).unwrap();
        assert_eq!(serde_json::from_value::<Payment>(stored).unwrap(), one);
        one.recover();
        assert_eq!(one, payment());
    }

    proptest! {
        /// In any order of events, no more is refunded than arrived, and money that arrived after the end is refunded.
        #[test]
        fn no_more_is_refunded_than_arrived(all in prop::collection::vec(any_of_them(), 0..12)) {
            let mut payment = payment();
            let (mut came, mut came_late, mut given_back) = (false, false, 0);
            for one in all {
                match one {
                    Happens::Settle => {
                        came_late |= payment.state == PaymentState::Expired;
                        came = true;
                        payment.settle();
                    }
                    Happens::End(earned) => payment.end(earned),
                    Happens::GiveBack => {
                        given_back += payment.owed_back();
                        payment.refund_completed();
                    }
                }
                prop_assert!(payment.owed_back() >= 0);
                prop_assert_eq!(given_back, payment.refunded);
                let most = if came { 495 } else { 0 };
                prop_assert!(payment.refund_due <= most);
                prop_assert!(!came_late || payment.refund_due == 495);
                let again = { let mut again = payment.clone(); again.settle(); again };
                prop_assert!(!came || again == payment, "settling is idempotent");
            }
        }
    }
}
