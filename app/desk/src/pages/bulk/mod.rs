//! The page between ticking rows and changing all of them, and the page of the change.

pub mod load;
pub mod run;
mod run_view;
mod view;
