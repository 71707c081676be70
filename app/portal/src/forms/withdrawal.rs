//! The form that withdraws from a contract.

use serde::{Deserialize, Serialize};

/// A mistake in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WithdrawalMistake {
    /// The name is missing.
    NameMissing,
    /// The name cannot be stored.
    NameWrong,
    /// The contract is missing.
    ContractMissing,
    /// The contract is too long.
    ContractWrong,
    /// The e-mail address is missing.
    EmailMissing,
    /// The e-mail address is malformed.
    EmailWrong,
}
