//! The systems that an account is connected to: its shop and its carrier, and how calls to them ended.

mod bridge;
mod carrier;
mod health;
mod operation;

pub use bridge::{Bridge, BridgeKind, Connection, PreviousSecret};
pub use carrier::{Carrier, CarrierKind, Karrio};
pub use health::{FailedAttempts, Health, MAX_ERROR_CHARS, bounded};
pub use operation::{IntegrationOperation, IntegrationRole};
