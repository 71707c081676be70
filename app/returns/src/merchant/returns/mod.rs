//! Return orders, return requests, drafts and shipments.

pub(crate) mod decisions;
pub(crate) mod drafts;
pub(crate) mod evidence;
pub(crate) mod list;
pub(crate) mod new_shipment;
pub(crate) mod progress;
pub(crate) mod shipments;
