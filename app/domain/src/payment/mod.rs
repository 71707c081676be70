//! What a consumer pays for a return: who takes the money, and what becomes of a payment.
//!
//! A payment is settled once, however often and in whatever order it is said to be paid.

mod checkout;
mod provider;

pub use checkout::{Checkout, CheckoutState, Heard, Leads, Refund, RefundOutcome, Refunding, Todo};
pub use provider::{PaymentKind, PaymentProvider, Processor};

use crate::{Money, PaymentId, Timestamp, status::PaymentStatus};
use serde::{Deserialize, Serialize};

/// What is to be paid for a return.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// Identifier.
    pub id: PaymentId,
    /// To whom: as it was when the return began to wait for it.
    pub kind: PaymentKind,
    /// How much; more than 0.
    pub amount: Money,
    /// Where it stands.
    pub state: PaymentState,
    /// What of it is to go back, minor units: 0 up to the amount; nothing of what is not here.
    pub refund_due: i64,
    /// What of that went back, minor units.
    pub refunded: i64,
    /// Until when the return waits for it.
    pub due: Timestamp,
    /// Where it is paid: a path of this server.
    pub checkout: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Tries to pay at a provider's page, oldest first; none where it is ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checkouts: Vec<Checkout>,
    /// Which of them settled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_by: Option<u32>,
    /// Why the provider could not be asked, or refuses; empty: nothing is wrong.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trouble: String,
    /// The number of failed calls to the provider since its last success.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed_attempts: u32,
    /// When Retour repeats the failed call; `None`: at the shopper's next attempt to pay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Timestamp>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The states of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "PaymentState")]
pub enum PaymentState {
    /// The payment has not arrived yet.
    Pending,
    /// The payment has arrived.
    Paid,
    /// The payment did not arrive in time.
    Expired,
}

words!(PaymentState);

impl PaymentState {
    /// Every one of them.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Paid, Self::Expired];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Paid => "Paid",
            Self::Expired => "Expired",
        }
    }

    /// The state of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

impl Payment {
    /// Whoever takes the money says that it is here. Said again, nothing happens. What comes after the end goes back.
    pub fn settle(&mut self) {
        if self.state == PaymentState::Expired {
            self.refund_due = self.amount.minor;
        }
        self.state = PaymentState::Paid;
    }

    /// The return is over, and so much of the payment was for it, minor units: the rest goes back, once.
    pub fn end(&mut self, earned: i64) {
        match self.state {
            PaymentState::Pending => self.state = PaymentState::Expired,
            PaymentState::Paid => {
                let back = self.amount.minor - earned.clamp(0, self.amount.minor);
                self.refund_due = self.refund_due.max(back); // what went back does not come again
            }
            PaymentState::Expired => {}
        }
    }

    /// What is still to go back, minor units.
    pub fn owed_back(&self) -> i64 {
        self.refund_due - self.refunded
    }

    /// Records a failed call to the provider: the reason, and when Retour repeats it.
    pub fn fail(&mut self, trouble: &str, next_attempt_at: Option<Timestamp>) {
        trouble.clone_into(&mut self.trouble);
        self.failed_attempts = self.failed_attempts.saturating_add(1);
        self.next_attempt_at = next_attempt_at;
    }

    /// Records that the provider works again.
    pub fn recover(&mut self) {
        (self.trouble, self.failed_attempts, self.next_attempt_at) = (String::new(), 0, None);
    }

    /// All that was to go back did.
    pub fn gave_back(&mut self) {
        self.refunded = self.refund_due;
    }

    /// What the return's payment status is with it.
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
mod tests {
    use super::*;
    use crate::Currency;
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

    pub(super) fn payment() -> Payment {
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
            trouble: String::new(),
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
    fn money_that_comes_late_goes_back_whole_and_what_was_not_earned_in_part() {
        let mut late = payment();
        late.end(0);
        assert_eq!((late.state, late.status(), late.owed_back()), (PaymentState::Expired, PaymentStatus::Expired, 0));
        late.settle();
        assert_eq!((late.status(), late.owed_back()), (PaymentStatus::Paid, 495));
        late.gave_back();
        assert_eq!((late.status(), late.owed_back()), (PaymentStatus::Refunded, 0));
        let mut part = payment();
        part.settle();
        part.end(400);
        assert_eq!(part.owed_back(), 95);
        part.gave_back();
        assert_eq!((part.status(), part.refunded), (PaymentStatus::Paid, 95));
        part.end(450);
        assert_eq!(part.owed_back(), 0, "what went back is not asked for again");
        part.end(0);
        assert_eq!(part.owed_back(), 400);
    }

    #[test]
    fn failures_of_the_provider_count_until_it_does_what_it_is_asked() {
        let mut one = payment();
        one.fail("The payment provider answered with status 503.", Some(AT));
        one.fail("The payment provider answered with status 500.", None);
        assert_eq!((one.failed_attempts, one.next_attempt_at), (2, None));
        assert_eq!(one.trouble, "The payment provider answered with status 500.");
        let kept = serde_json::to_value(&one).unwrap();
        assert_eq!(serde_json::from_value::<Payment>(kept).unwrap(), one);
        one.recover();
        assert_eq!(one, payment());
    }

    proptest! {
        /// Whatever is said in whatever order: no more goes back than came, and money that came after the end goes back.
        #[test]
        fn no_more_goes_back_than_came(all in prop::collection::vec(any_of_them(), 0..12)) {
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
                        payment.gave_back();
                    }
                }
                prop_assert!(payment.owed_back() >= 0);
                prop_assert_eq!(given_back, payment.refunded);
                let most = if came { 495 } else { 0 };
                prop_assert!(payment.refund_due <= most);
                prop_assert!(!came_late || payment.refund_due == 495);
                let again = { let mut again = payment.clone(); again.settle(); again };
                prop_assert!(!came || again == payment, "twice is once");
            }
        }
    }
}
