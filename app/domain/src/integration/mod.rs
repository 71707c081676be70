//! The systems that an account is connected to: its shop and its carrier, and the health of the calls to them.

mod bridge;
mod carrier;
mod health;
mod operation;

pub use bridge::{Bridge, BridgeConnection, BridgeKind, PreviousSecret};
pub use carrier::{Carrier, CarrierKind, Karrio};
pub use health::{FailedAttempts, IntegrationHealth, MAX_ERROR_CHARS, bounded};
pub use operation::{IntegrationOperation, IntegrationRole};
