//! Return orders, return requests, drafts and shipments.

pub(crate) mod decisions;
pub(crate) mod activity;
pub(crate) mod actors;
pub(crate) mod adjustments;
pub(crate) mod batch;
pub(crate) mod drafts;
pub(crate) mod evidence;
pub(crate) mod handling;
pub(crate) mod list;
pub(crate) mod new_shipment;
pub(crate) mod notes;
pub(crate) mod progress;
pub(crate) mod shipments;
pub(crate) mod visits;
