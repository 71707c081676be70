//! A request to the desk: the person, their session, language and choices.

pub mod error_pages;
pub mod finding;
pub mod flash;
pub mod guest;
pub mod page;
pub mod problems;
pub mod reasons;
pub mod refused;
pub mod response;
pub mod selection;
pub mod session;
pub mod shown;
pub mod visitor;

pub use guest::{Desk, Guest};
pub use response::HandlerResult;
pub use visitor::{Arrival, Visit};
