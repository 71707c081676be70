//! The form that withdraws from a contract.

use serde::{Deserialize, Serialize};

/// What is wrong with a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WithdrawalMistake {
    /// No name.
    NameMissing,
    /// None that can be kept.
    NameWrong,
    /// Nothing that it is about.
    ContractMissing,
    /// Too much of it.
    ContractWrong,
    /// No e-mail address.
    EmailMissing,
    /// None that can be one.
    EmailWrong,
}
