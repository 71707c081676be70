//! How far a user's sign-in has come.

use crate::{Timestamp, policy::SecondFactorRule};
use serde::{Deserialize, Serialize};

/// Days from the first sign-in that needs a second factor, in which the user may still do without one.
const GRACE_DAYS: u32 = 7;

/// What a session still needs. Only a complete session acts for the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum SignInStep {
    /// The user has to enter a code of their second factor.
    SecondFactor,
    /// The user has to set up a second factor. Until then, the session opens only the user's own security.
    Enrol,
    /// Nothing.
    Complete,
}

enum_names!(SignInStep { SecondFactor, Enrol, Complete });

/// What is known of a user when the first factor was right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstFactor {
    /// Whether the user has a second factor.
    pub has_second_factor: bool,
    /// Whether the user is an administrator.
    pub is_admin: bool,
    /// Whether the installation can store the secret of a second factor.
    pub can_enrol: bool,
    /// When the user's time without a second factor ends, if it has begun.
    pub due_at: Option<Timestamp>,
}

impl FirstFactor {
    /// The next step, and when the time without a second factor ends, if one is required.
    pub fn next(self, rule: SecondFactorRule, now: Timestamp) -> (SignInStep, Option<Timestamp>) {
        if self.has_second_factor {
            return (SignInStep::SecondFactor, None);
        }
        let is_required = match rule {
            SecondFactorRule::Off => false,
            SecondFactorRule::Admins => self.is_admin,
            SecondFactorRule::Everybody => true,
        };
        // Nobody is locked out for a factor that they cannot set up.
        if !is_required || !self.can_enrol {
            return (SignInStep::Complete, None);
        }
        let due_at = self.due_at.unwrap_or(now.plus_days(GRACE_DAYS));
        (if now < due_at { SignInStep::Complete } else { SignInStep::Enrol }, Some(due_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_772_366_400);
    const AGENT: FirstFactor = FirstFactor { has_second_factor: false, is_admin: false, can_enrol: true, due_at: None };
    const ADMIN: FirstFactor = FirstFactor { is_admin: true, ..AGENT };

    #[test]
    fn a_required_factor_leaves_seven_days() {
        let end = NOW.plus_days(7);
        assert_eq!(ADMIN.next(SecondFactorRule::Admins, NOW), (SignInStep::Complete, Some(end)));
        let waiting = FirstFactor { due_at: Some(end), ..ADMIN };
        let last = end.plus_seconds(-1);
        assert_eq!(waiting.next(SecondFactorRule::Admins, last), (SignInStep::Complete, Some(end)));
        assert_eq!(waiting.next(SecondFactorRule::Admins, end), (SignInStep::Enrol, Some(end)));
        assert_eq!(AGENT.next(SecondFactorRule::Everybody, NOW), (SignInStep::Complete, Some(end)));
    }

    #[test]
    fn a_factor_is_not_required_of_people_the_rule_does_not_name_or_who_cannot_set_one_up() {
        let late = Some(NOW.plus_days(8));
        let complete = (SignInStep::Complete, None);
        assert_eq!(FirstFactor { due_at: late, ..ADMIN }.next(SecondFactorRule::Off, NOW.plus_days(9)), complete);
        assert_eq!(FirstFactor { due_at: late, ..AGENT }.next(SecondFactorRule::Admins, NOW.plus_days(9)), complete);
        let without_key = FirstFactor { can_enrol: false, due_at: late, ..ADMIN };
        assert_eq!(without_key.next(SecondFactorRule::Everybody, NOW.plus_days(9)), complete);
    }

    #[test]
    fn a_factor_that_is_set_up_is_asked_for_even_if_no_rule_requires_it() {
        let enrolled = FirstFactor { has_second_factor: true, can_enrol: false, ..AGENT };
        assert_eq!(enrolled.next(SecondFactorRule::Off, NOW), (SignInStep::SecondFactor, None));
    }
}
