//! The results of inspections.

use serde::{Deserialize, Serialize};

/// The result of an inspection in the warehouse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// The number of units that are refunded.
    pub accepted: u32,
    /// The number of units that are not refunded.
    pub refused: u32,
    /// The condition that the units are in.
    #[serde(default)]
    pub condition: Option<Condition>,
    /// What the warehouse does with the units.
    #[serde(default)]
    pub disposition: Option<Disposition>,
    /// A note for the merchant's people.
    #[serde(default)]
    pub note: Option<String>,
}

/// The condition of returned items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Condition")]
pub enum Condition {
    /// Unopened, as it was sold.
    New,
    /// Unpacked but not used.
    Opened,
    /// Shows signs of use.
    Used,
    /// Broken or damaged.
    Damaged,
    /// Parts or accessories are missing.
    Incomplete,
    /// Another item than the one that was bought.
    WrongItem,
}

/// What the warehouse does with returned items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Disposition")]
pub enum Disposition {
    /// Sold again as new.
    Restock,
    /// Repaired and sold again.
    Refurbish,
    /// Sold at a lower price.
    Outlet,
    /// Given to a charity.
    Donate,
    /// Thrown away or recycled.
    Dispose,
    /// Sent back to the consumer.
    ReturnToConsumer,
}

string_enum!(Condition, Disposition);
