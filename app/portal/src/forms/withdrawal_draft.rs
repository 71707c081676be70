//! A withdrawal that is not confirmed yet, and the texts of its mistakes.

use crate::{forms::withdrawal::WithdrawalMistake, words::Words};
use domain::{Problems, RefusalCode, WithdrawalId, withdrawal::Statement};
use serde::{Deserialize, Serialize};

impl WithdrawalMistake {
    /// The mistakes of a statement, in the order of its fields.
    pub fn of(problems: &Problems) -> Vec<Self> {
        let mistake = |(field, refusal): &(String, domain::Refusal)| {
            let is_missing = refusal.code == RefusalCode::Required;
            match (field.as_str(), is_missing) {
                ("name", true) => Self::NameMissing,
                ("name", false) => Self::NameWrong,
                ("contract", true) => Self::ContractMissing,
                ("contract", false) => Self::ContractWrong,
                (_, true) => Self::EmailMissing,
                (_, false) => Self::EmailWrong,
            }
        };
        problems.0.iter().map(mistake).collect()
    }

    pub fn text(self, words: &Words) -> &'static str {
        match self {
            Self::NameMissing => words.withdraw_name_missing,
            Self::NameWrong => words.withdraw_name_wrong,
            Self::ContractMissing => words.withdraw_contract_missing,
            Self::ContractWrong => words.withdraw_contract_wrong,
            Self::EmailMissing => words.email_missing,
            Self::EmailWrong => words.withdraw_email_wrong,
        }
    }

    pub fn field(self) -> &'static str {
        match self {
            Self::NameMissing | Self::NameWrong => "name",
            Self::ContractMissing | Self::ContractWrong => "contract",
            Self::EmailMissing | Self::EmailWrong => "email",
        }
    }
}

/// A statement that is not confirmed yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithdrawalDraft {
    /// The id of the withdrawal. Confirming twice creates one withdrawal.
    pub id: WithdrawalId,
    pub statement: Statement,
}
