//! The systems that an account is connected to: its shop and its carrier, and the health of the calls to them.

mod bridge;
mod carrier;
mod connection;
mod health;
mod operation;
mod shopify;

pub use bridge::{Bridge, BridgeKind};
pub use carrier::{Carrier, CarrierKind, Karrio};
pub use connection::{BridgeConnection, PreviousSecret};
pub use health::{FailedAttempts, IntegrationHealth, MAX_ERROR_CHARS, bounded};
pub use operation::{IntegrationOperation, IntegrationRole};
pub use shopify::{RemovedSecrets, ShopifyAccess, ShopifyConnection, ShopifyDuties, ShopifyReturns, ShopifyVersion};
