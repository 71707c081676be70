//! What a return costs and what comes back: the breakdown of a draft (design: "Cost breakdown of a draft"), and what
//! it comes to as the return goes on.
//!
//! Each request carries its own lines and is resolved by itself: what one comes to never depends on what becomes of
//! the others. [`calculate`] fixes the figures, [`revise`] drops and scales them.

mod breakdown;
mod draft;
#[cfg(test)]
mod limited;
mod request_costs;
mod revise;

pub use breakdown::{CostBreakdown, CostLine, LineKind, Settled};
pub use draft::{Charges, Item, calculate};
pub use revise::{Counts, Outcome, revise};
