//! How the steps of a resolution end early.

use super::issued_refund::{IssuedRefund, refund_ids};
use crate::bridge::{BridgeError, Resolved};

/// How often the steps run: once, and once more if the shop's state has changed under them.
const MAX_RUNS: usize = 2;

/// What ends the steps of a resolution before the last one. The steps return it as their error, so that `?` passes it on.
#[derive(Debug)]
pub(crate) enum EarlyExit {
    /// With an outcome.
    Resolved(Resolved),
    /// Without an outcome.
    Error(BridgeError),
    /// The shop's state has changed since the first step read it: run the steps again.
    StateChanged,
}

impl EarlyExit {
    /// The resolution failed, and nothing was refunded.
    pub(crate) fn failed(reason: &str) -> Self {
        Self::Resolved(failed(reason))
    }

    /// The resolution is in progress: the next call sees more.
    pub(crate) fn pending(refunds: &[IssuedRefund]) -> Self {
        Self::Resolved(Resolved::Pending { external_reference: refund_ids(refunds) })
    }

    /// A part or all may have been refunded: a person has to look.
    pub(crate) fn unclear(refunds: &[IssuedRefund], reason: String) -> Self {
        Self::Resolved(Resolved::Unclear { external_reference: refund_ids(refunds), reason })
    }
}

impl From<BridgeError> for EarlyExit {
    fn from(error: BridgeError) -> Self {
        Self::Error(error)
    }
}

/// The outcome of a resolution that failed.
pub(crate) fn failed(reason: &str) -> Resolved {
    Resolved::Failed { external_reference: None, reason: reason.to_owned() }
}

/// Runs the steps of a resolution. Each step checks whether an earlier call has already done it, so that the steps can run
/// again.
pub(crate) async fn run_steps<F>(steps: impl Fn() -> F) -> Result<Resolved, BridgeError>
where
    F: Future<Output = Result<Resolved, EarlyExit>>,
{
    for _ in 0..MAX_RUNS {
        match steps().await {
            Ok(resolved) | Err(EarlyExit::Resolved(resolved)) => return Ok(resolved),
            Err(EarlyExit::Error(error)) => return Err(error),
            Err(EarlyExit::StateChanged) => {}
        }
    }
    Ok(Resolved::Pending { external_reference: None })
}
