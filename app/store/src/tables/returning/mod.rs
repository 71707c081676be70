//! Drafts, return orders, return requests, and what is attached to them.

pub mod drafts;
pub mod evidence;
pub mod figures;
pub mod found_parcels;
pub mod pending_evidence;
pub mod queues;
pub mod receipts;
mod related;
pub mod return_order_notes;
pub mod return_order_visits;
pub mod return_orders;
pub mod return_requests;
pub mod shipments;
pub mod stage_ages;
pub mod timeline;
pub mod tracking_updates;
pub mod warehouse_steps;
pub mod withdrawals;
pub mod worked_return_orders;
