//! Return orders, return requests, drafts and shipments.

pub(crate) mod activity;
pub(crate) mod actors;
pub(crate) mod adjustments;
pub(crate) mod amendments;
pub(crate) mod batch;
pub(crate) mod command_sheet;
pub(crate) mod decisions;
pub(crate) mod drafts;
pub(crate) mod evidence;
pub(crate) mod find;
pub(crate) mod found_parcels;
pub(crate) mod handling;
pub(crate) mod list;
mod mentions;
pub(crate) mod new_shipment;
pub(crate) mod notes;
pub(crate) mod progress;
pub(crate) mod queues;
pub(crate) mod receiving;
pub(crate) mod scan;
pub(crate) mod shipments;
pub(crate) mod staff_action;
pub(crate) mod take_back;
pub(crate) mod visits;
