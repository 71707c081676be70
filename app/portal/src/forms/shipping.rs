//! The form that selects how a return is sent.

use serde::{Deserialize, Serialize};

/// A mistake in the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShipMistake {
    /// No shipping option, or one that is not offered.
    OptionMissing,
}
