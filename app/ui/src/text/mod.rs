//! Sentences: numbered slots, plural forms, writing directions.

#[cfg(feature = "ssr")]
mod email;
mod format;
#[cfg(feature = "ssr")]
mod isolate;
#[cfg(feature = "ssr")]
pub mod placeholders;
mod plural;
mod table;

#[cfg(feature = "ssr")]
pub use email::masked;
pub use format::{Part, format, parts};
#[cfg(feature = "ssr")]
pub use isolate::isolated;
#[cfg(feature = "ssr")]
pub use plural::categories;
pub use plural::{category, plural};
