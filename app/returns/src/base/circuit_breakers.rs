//! The circuit breakers of the systems that accounts connect.

use super::caller_limits::CallerLimits;
use domain::AccountId;
use outbound::bridge::Breakers;
use std::sync::Arc;

/// Shops that are left alone for a while, by account and shop. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct CircuitBreakers {
    pub(crate) look_ups: Arc<Breakers<(AccountId, String)>>,
    pub(crate) callers: CallerLimits,
    /// Of their own: whoever looks orders up is anybody.
    pub(crate) settling: Arc<Breakers<(AccountId, String)>>,
    pub(crate) labels: Arc<Breakers<(AccountId, String)>>,
    /// Of their own: anybody can have a carrier asked where a parcel is.
    pub(crate) parcels: Arc<Breakers<(AccountId, String)>>,
}
