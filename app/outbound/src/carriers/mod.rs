//! Carriers behind which labels are made.

pub mod karrio;
