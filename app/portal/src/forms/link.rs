//! The form that asks for a link to the shopper's orders.

use serde::{Deserialize, Serialize};

/// A mistake in the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkMistake {
    /// The e-mail address is malformed.
    EmailWrong,
}
