//! Why a look-up at a shop found out nothing.

use crate::{base::Error, integrations::health::problems};
use domain::AccountId;
use outbound::bridge::{BridgeError, Unavailable};
use std::time::Duration;

/// No shopper is told to come back later than this, seconds.
const LONGEST: i64 = 3_600;

/// Why nothing was found out.
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

/// The merchant's log has what is to be mended; whoever asked learns that it is not their fault.
pub(crate) fn failed(account: AccountId, failed: LookUpFailure) -> Error {
    match failed {
        LookUpFailure::Here(error) => error,
        LookUpFailure::There(error) => {
            let problems = problems(&error);
            tracing::warn!(%account, %error, ?problems, "a shop could not be asked");
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

/// Whole ones, and at least one.
pub(crate) fn seconds(wait: Duration) -> i64 {
    i64::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(LONGEST).clamp(1, LONGEST)
}
