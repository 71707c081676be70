//! What every other folder builds on. It knows nothing about returns.

pub(crate) mod account_secrets;
pub(crate) mod api_origins;
pub mod bodies;
pub(crate) mod caller_limits;
pub(crate) mod cipher;
pub(crate) mod circuit_breakers;
pub(crate) mod client_address;
pub(crate) mod clock;
pub(crate) mod coalesce;
pub(crate) mod credentials;
pub(crate) mod error;
pub(crate) mod figures;
pub(crate) mod guessing;
pub(crate) mod hash;
pub(crate) mod heartbeat;
pub(crate) mod idempotency;
pub(crate) mod known_health;
pub(crate) mod offer_cache;
pub(crate) mod parcel_numbers;
pub(crate) mod passwords;
pub(crate) mod patch_field;
pub(crate) mod retour;
pub(crate) mod sealed;
pub(crate) mod secrets;
pub(crate) mod server_paths;
pub(crate) mod tokens;
pub(crate) mod transaction;
pub(crate) mod uploads;

pub(crate) use clock::Source;
pub(crate) use credentials::{Role, Scope, Shopper, Staff};
pub(crate) use error::{Error, FieldError, OrBroken, Result};
pub(crate) use idempotency::{Begun, Done, IdempotencyKey, conclude};
pub(crate) use retour::Retour;
pub(crate) use transaction::{again_on_deadlock, detached};
