//! What every other module builds on: identifiers, moments, languages, refusals.

#[macro_use]
mod string_enum;

pub mod email;
pub mod host;
pub mod id;
pub mod language;
pub(crate) mod nulls;
pub mod origin;
pub mod refusal;
pub mod time_zone;
pub mod timestamp;
pub mod working_time;
