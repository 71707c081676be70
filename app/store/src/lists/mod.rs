//! Lists that can be filtered, searched, sorted and paged through.
//!
//! A [`List`] describes what a table can be asked; a [`Listing`] is one such question. Every page is cut by a sequence
//! number of the rows: a page costs the same however many rows there are and however deep it is, and rows that others
//! write during a walk are neither skipped nor repeated. A test explains every list on both databases.
//!
//! To add a field: give it an index that begins with `account_id` and the field and ends with `seq`.
//!
//! Several filters, and fields without an index, are answered by a scan of a limited number of rows (`reading.rs`).

mod clause;
mod list;
mod listing;
pub mod page;
mod query;
mod reading;
mod related;
mod text;

pub use clause::{ClauseParts, Condition, MAX_CHARS, MAX_VALUES, Operator, clause_parts, escaped};
pub(crate) use list::{BY_CONSUMER, Search};
pub use list::{Field, FieldKind, List, SequenceColumn};
pub use listing::{Direction, Listing, Sort};
pub use query::Counted;
#[cfg(feature = "testing")]
pub use query::explain;
pub(crate) use query::{count, fetch};
pub(crate) use related::Implied;
pub use related::{Related, RelatedValues};
