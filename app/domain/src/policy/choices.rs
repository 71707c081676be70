//! The choices that a policy offers a merchant.

use serde::{Deserialize, Serialize};

/// Where the return window starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "WindowStart")]
pub enum WindowStart {
    /// The day on which the item was sent.
    Fulfilled,
    /// The day on which the order was placed.
    Ordered,
    /// The day on which the item arrived; while that is unknown, the day on which it was sent.
    Delivered,
}

/// A resolution that a consumer can get for a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "ResolutionType"))]
#[serde(remote = "Resolution")]
pub enum Resolution {
    /// Money back, the way it was paid.
    Refund,
    /// Another item of the same price.
    Exchange,
    /// Money to spend in the shop.
    StoreCredit,
}

enum_names!(Resolution { Refund, Exchange, StoreCredit });

impl Resolution {
    /// Whether the recipient of a gift can get it.
    pub fn is_for_gifts(self) -> bool {
        match self {
            Self::Exchange | Self::StoreCredit => true,
            Self::Refund => false,
        }
    }
}

/// When a request may enter `Resolution: Pending`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "ResolveOn")]
pub enum ResolveOn {
    /// As soon as the return is submitted.
    Submission,
    /// When a carrier first sees the parcel.
    FirstScan,
    /// When the carrier has delivered it.
    Delivery,
    /// When the warehouse has received it.
    Receipt,
    /// When the warehouse has inspected it.
    Inspection,
}

/// The party that carries out resolutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "Resolver")]
pub enum Resolver {
    /// Retour, through the shop's bridge.
    Bridge,
    /// Another system, which reports the result by the API.
    External,
}

/// What proves an order in addition to its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "LookUpBy")]
pub enum LookUpBy {
    /// The e-mail address of the order.
    Email,
    /// The postal code that the order was delivered to.
    PostalCode,
}

/// How fees of a return are collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "FeeCollection")]
pub enum FeeCollection {
    /// Fees are taken off the refund.
    Deduct,
    /// The consumer pays fees before anything is sent.
    Prepay,
}

/// The users who need a second factor to sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "SecondFactorRule")]
pub enum SecondFactorRule {
    /// Nobody. Each user may still set one up.
    Off,
    /// Users with the role `admin`.
    Admins,
    /// All users.
    Everybody,
}

string_enum!(WindowStart, Resolution, ResolveOn, Resolver, LookUpBy, FeeCollection, SecondFactorRule);
