//! Withdrawals, as the API shows them.

use domain::{
    ConsumerId, Locale, ReturnOrderId, Timestamp, WithdrawalId,
    withdrawal::{self, WithdrawalStatus},
};
use schemars::JsonSchema;
use serde::Serialize;

/// A consumer's statement that they withdraw from a contract, and its status.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Withdrawal {
    /// Unique identifier of the withdrawal.
    pub id: WithdrawalId,
    /// A short number for people to refer to.
    #[schemars(extend("examples" = ["W-7K3M9QXA"]))]
    pub number: String,
    /// The state of the withdrawal.
    pub status: WithdrawalStatus,
    /// The name of the person who withdrew.
    pub name: String,
    /// The contract, in the person's own words; may have several lines.
    #[schemars(extend("examples" = ["Order 1001, the blue mug"]))]
    pub contract: String,
    /// The e-mail address that the acknowledgement is sent to.
    pub email: String,
    /// The language in which the person withdrew.
    pub language: Locale,
    /// The numbers of the orders that the statement names, if orders with these numbers and the e-mail address exist.
    pub purchase_order_numbers: Vec<String>,
    /// The consumer who proved one of these orders; `null` if nobody has.
    pub consumer_id: Option<ConsumerId>,
    /// The return order that follows from it; `null` if there is none.
    pub return_order_id: Option<ReturnOrderId>,
    /// The merchant's note; may be empty.
    pub note: String,
    /// When the withdrawal was submitted.
    pub created_at: Timestamp,
    /// When the withdrawal last changed.
    pub updated_at: Timestamp,
    /// The version of the withdrawal: it grows with each change and is the `ETag`.
    pub version: i64,
}

impl From<withdrawal::Withdrawal> for Withdrawal {
    fn from(withdrawal: withdrawal::Withdrawal) -> Self {
        let status = withdrawal.status();
        let withdrawal::Statement { name, contract, email } = withdrawal.statement;
        Self {
            id: withdrawal.id,
            number: withdrawal.number,
            status,
            name,
            contract,
            email,
            language: withdrawal.language,
            purchase_order_numbers: withdrawal.order_numbers,
            consumer_id: withdrawal.consumer_id,
            return_order_id: withdrawal.return_order_id,
            note: withdrawal.note,
            created_at: withdrawal.created_at,
            updated_at: withdrawal.updated_at,
            version: withdrawal.version,
        }
    }
}

/// The key that orders the events of one withdrawal for a receiver. Events use it in place of a return order's id.
pub(crate) fn line_of(id: WithdrawalId) -> ReturnOrderId {
    ReturnOrderId(id.0)
}
