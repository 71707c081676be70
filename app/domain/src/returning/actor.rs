//! Who changed something.

use serde::{Deserialize, Serialize};

/// Who changed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum Actor {
    /// The consumer whose return it is.
    Consumer,
    /// The merchant: a user or a program with an API key.
    Merchant,
    /// Retour itself: a rule or a background job.
    System,
}

impl Actor {
    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Consumer => "Consumer",
            Self::Merchant => "Merchant",
            Self::System => "System",
        }
    }

    /// The actor of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Consumer, Self::Merchant, Self::System].into_iter().find(|one| one.name() == name)
    }
}
