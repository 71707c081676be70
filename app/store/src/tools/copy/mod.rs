//! Copies everything from one database to another, of either kind, and compares them.
//!
//! What to copy is read from the databases themselves, so that no migration can forget a column or a table. Each table
//! is read and written in the order of a key, in transactions of some rows: the target always has the beginning of a
//! table, and its largest key tells where to continue. An unfinished copy is marked in the target by a table of its own
//! (`copying`), which is dropped at the end.

mod compare;
mod error;
mod files;
mod numbers;
mod pair;
mod progress;
mod rows;
mod schema;
mod values;

pub use compare::{Compared, Difference};
pub use error::{CopyError, Side};
pub use files::{FileOf, list as list_files};
pub use pair::{Pair, TargetState, is_under_way};
pub use progress::{Progress, Watcher};
pub use schema::LEFT_BEHIND;
