//! The costs of a return: the breakdown of a draft, and its revision as the return progresses.
//!
//! Each request has its own lines and is resolved on its own: its result never depends on what happens to the other
//! requests. [`calculate`] fixes the figures; [`revise`] drops and scales them.

mod breakdown;
mod draft;
#[cfg(test)]
mod limited;
mod request_costs;
mod revise;

pub use breakdown::{CostBreakdown, CostLine, LineKind, SettledAmounts};
pub use draft::{ChargedItem, Charges, calculate};
pub use revise::{CountedUnits, RequestOutcome, revise};
