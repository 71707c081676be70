//! The form that selects how a return is sent.

use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShipMistake {
    /// No way of sending, or one that is not offered.
    OptionMissing,
}
