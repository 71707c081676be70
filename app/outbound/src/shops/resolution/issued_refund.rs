//! A refund that was made for a resolution.

/// A refund that was made for a resolution.
pub(crate) struct IssuedRefund {
    /// The shop's id.
    pub id: String,
    /// In the shop's smallest unit.
    pub amount: i64,
}

/// The shop's ids of refunds, separated by commas.
pub(crate) fn refund_ids(refunds: &[IssuedRefund]) -> Option<String> {
    let ids: Vec<&str> = refunds.iter().map(|refund| refund.id.as_str()).collect();
    (!ids.is_empty()).then(|| ids.join(", "))
}

/// The sum of refunds.
pub(crate) fn total_refunded(refunds: &[IssuedRefund]) -> i64 {
    refunds.iter().fold(0, |sum, refund| sum.saturating_add(refund.amount))
}
