//! The circuit breakers of the systems that accounts connect.

use super::caller_limits::CallerLimits;
use domain::AccountId;
use outbound::bridge::Breakers;
use std::sync::Arc;

/// Circuit breakers by account and URL. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct CircuitBreakers {
    pub(crate) look_ups: Arc<Breakers<(AccountId, String)>>,
    pub(crate) callers: CallerLimits,
    /// For the settlement of resolutions. Separate from look-ups, which anybody can trigger.
    pub settling: Arc<Breakers<(AccountId, String)>>,
    /// For reading orders again and lists of changes. Separate from settlements, which matter more.
    pub changes: Arc<Breakers<(AccountId, String)>>,
    /// For labels.
    pub labels: Arc<Breakers<(AccountId, String)>>,
    /// For tracking and voiding. Separate from labels, since anybody can trigger a tracking request to the carrier.
    pub parcels: Arc<Breakers<(AccountId, String)>>,
    /// For returns that shops show. Separate from resolutions: an app may lack the scope for one of them.
    pub returns: Arc<Breakers<(AccountId, String)>>,
}
