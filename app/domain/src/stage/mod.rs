//! The life of a return request: which stages there are, what each knows, and what leads from one to the next.
//!
//! [`StageName`] is the flat list and the table; [`Stage`] adds each stage's own data; [`Request`] is all that
//! the machine remembers; [`Request::apply`] makes one [`Move`] and answers with a [`Step`]: the new state, the
//! stages entered, and what becomes of the purchase's units. Source: the table "Stages of a return request".

mod context;
mod inspection;
mod machine;
mod moves;
mod names;
mod request;
mod review;
mod state;
mod step;
mod submission;
mod target;
#[cfg(test)]
mod tests;

pub use context::Context;
pub use inspection::{Condition, Disposition, Inspection};
pub use machine::MISSING_UNITS_DAYS;
pub use moves::{Move, Scan};
pub use names::{StageGroup, StageName};
pub use request::Request;
pub use review::ReviewReason;
pub use state::{LATE_SCAN_DAYS, Stage};
pub use step::{Approval, Step};
pub use submission::{Submission, submit};
pub use target::Target;
