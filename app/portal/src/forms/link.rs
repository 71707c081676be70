//! The form that asks for a link to the shopper's orders.

use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkMistake {
    /// No e-mail address.
    EmailWrong,
}
