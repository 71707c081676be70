//! What a return costs with a shipping option.

use crate::amounts::receipt::Receipt;
use serde::{Deserialize, Serialize};

/// What a return costs with a shipping option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shipped {
    /// The receipt. `None` for a gift, whose amounts are not shown. The page has the receipt of every option already, so its island
    /// does not read this one.
    #[cfg_attr(not(feature = "ssr"), serde(skip))]
    pub receipt: Option<Receipt>,
}
