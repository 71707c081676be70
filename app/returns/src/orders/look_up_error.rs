//! Why a look-up at a shop failed.

use crate::{base::Error, integrations::health::problems};
use domain::AccountId;
use outbound::bridge::{BridgeError, Unavailable};
use std::time::Duration;

/// The longest time after which a shopper is asked to retry, in seconds.
const LONGEST: i64 = 3_600;

/// Why a look-up failed.
pub(crate) enum LookUpFailure {
    Here(Error),
    There(BridgeError),
}

impl From<Error> for LookUpFailure {
    fn from(error: Error) -> Self {
        Self::Here(error)
    }
}

impl From<BridgeError> for LookUpFailure {
    fn from(error: BridgeError) -> Self {
        Self::There(error)
    }
}

/// Logs what the merchant or operator has to fix, and returns the shopper's error, which shows that the cause is not
/// theirs.
pub(crate) fn failed(account: AccountId, failed: LookUpFailure) -> Error {
    match failed {
        LookUpFailure::Here(error) => error,
        LookUpFailure::There(error) => {
            let problems = problems(&error);
            tracing::warn!(%account, %error, ?problems, "a look-up at a shop failed");
            let seconds = match &error {
                BridgeError::Unavailable(Unavailable::Status { wait_seconds: Some(seconds), .. }) => {
                    Some(i64::try_from(*seconds).unwrap_or(LONGEST).clamp(1, LONGEST))
                }
                BridgeError::Unavailable(Unavailable::LeftAlone { wait }) => Some(seconds(*wait)),
                _ => None,
            };
            if error.is_timeout() { Error::BridgeTimedOut } else { Error::BridgeUnavailable { seconds } }
        }
    }
}

/// The wait in whole seconds, at least one.
pub(crate) fn seconds(wait: Duration) -> i64 {
    i64::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(LONGEST).clamp(1, LONGEST)
}
