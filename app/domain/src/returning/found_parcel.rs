//! Parcels that arrived without papers.

use crate::base::{
    id::{FoundParcelId, ReturnOrderId},
    timestamp::Timestamp,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A parcel that no paper and no number connects with a return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundParcel {
    /// Identifier.
    pub id: FoundParcelId,
    /// A short number to write on the parcel: `F-` and eight characters.
    pub number: String,
    /// The status.
    pub status: FoundParcelStatus,
    /// The code that was scanned; may be empty.
    pub code: String,
    /// The carrier's name; may be empty.
    pub carrier: String,
    /// What is in it; may be empty.
    pub contents: String,
    /// A note for the merchant's people; may be empty.
    pub note: String,
    /// The return that it belongs to, once somebody has found out.
    pub return_order_id: Option<ReturnOrderId>,
    /// The user or program that found it; `None` for the operator.
    pub found_by: Option<Uuid>,
    /// When it was found.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// A version counter, from 1.
    pub version: i64,
}

named_enum! {
    /// The states of a found parcel.
    FoundParcelStatus {
        /// Its return is unknown.
        Open,
        /// It belongs to a return.
        Matched,
        /// Nothing remains to be done, although no return was found.
        Closed,
    }
}
