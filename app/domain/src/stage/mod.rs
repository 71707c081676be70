//! The life of a return request: its stages, the data of each, and the moves between them.
//!
//! [`StageName`] is the flat list and the table of transitions. [`Stage`] adds the data of each stage.
//! [`RequestState`] is everything that the state machine remembers. [`RequestState::apply`] makes one [`Move`] and
//! returns a [`Step`]: the new state, the stages entered, and the units that the purchase gives or gets back.

mod context;
mod counting;
mod inspection_result;
mod machine;
mod moves;
mod names;
mod queue;
mod request;
mod review;
mod state;
mod step;
mod submission;
mod take_back;
mod target;
#[cfg(test)]
mod tests;

pub use context::StageContext;
pub use counting::{Count, Findings};
pub use inspection_result::{Condition, Disposition, Inspection};
pub use machine::MISSING_UNITS_DAYS;
pub use moves::{Move, Scan};
pub use names::{StageGroup, StageName};
pub use queue::{Queue, QueuePart};
pub use request::RequestState;
pub use review::ReviewReason;
pub use state::{LATE_SCAN_DAYS, Stage};
pub use step::{Approval, Step};
pub use submission::{Submission, needs_approval, submit};
pub use target::StageTarget;
