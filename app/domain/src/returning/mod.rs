//! Returns: drafts, return orders, return requests, shipments, timelines.

mod bulk;
mod draft;
mod evidence;
mod found_parcel;
mod overrides;
mod proposal;
mod return_order;
mod return_request;
mod shipment;
mod timeline;
mod warehouse_step;
mod whole_return;

pub use bulk::{BatchOutcome, BulkAction, BulkChange, BulkItem, BulkResult};
pub use draft::{DRAFT_LIFE_HOURS, DraftItem, DraftReturnOrder, DraftStatus};
pub use evidence::{EvidenceFile, MAX_EVIDENCE};
pub use found_parcel::{FoundParcel, FoundParcelStatus};
pub use overrides::{
    MAX_OVERRIDE_CHARS, MIN_OVERRIDE_CHARS, OverriddenRule, Override, is_overridden, overrides_sentence,
};
pub use proposal::{Proposal, ProposalKind};
pub use return_order::{MAX_FLAGS, ReturnOrder, ReturnOrderStatus, ReturnSource};
pub use return_request::ReturnRequest;
pub use shipment::{MAX_PARCELS, ParcelContent, Shipment, ShipmentStatus, TrackingUpdate};
pub use timeline::TimelineEntry;
pub use warehouse_step::{RequestSnapshot, WarehouseStep, WarehouseStepKind};
pub use whole_return::{ReturnMember, blocks_cancelling, cancel, proceed};
