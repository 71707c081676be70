//! How much a resolution refunds, and sentences about refunds for the merchant's staff.

use super::early_exit::EarlyExit;
use crate::bridge::contract::ResolveReturn;
use domain::{Currency, Money, policy};

/// What the shopper is owed in money, in minor units. The value of an exchange goes into goods.
pub(crate) fn amount_owed(asked: &ResolveReturn, currency: Currency) -> Result<i64, EarlyExit> {
    let is_exchange = asked.kind == policy::Resolution::Exchange;
    let items = asked.items.iter().map(|item| item.amount);
    let amounts: Vec<Money> = items.clone().chain([asked.shipping_refund, asked.fees]).collect();
    let added = items.filter(|_| !is_exchange).chain([asked.shipping_refund]);
    if amounts.iter().any(|amount| amount.currency != currency) {
        return Err(EarlyExit::failed("The refund is in another currency than the order."));
    }
    if amounts.iter().any(|amount| amount.minor < 0) {
        return Err(EarlyExit::failed("An amount of the refund is below 0."));
    }
    let sum = added.map(|amount| amount.minor).try_fold(0_i64, i64::checked_add);
    let owed = sum.and_then(|sum| sum.checked_sub(asked.fees.minor)).filter(|owed| *owed >= 0);
    owed.ok_or_else(|| EarlyExit::failed("The sum of the refund is below 0, or too large."))
}

/// For a refund that was noted, but that the shop does not show.
pub(crate) fn unseen_refund(amount: &str) -> String {
    format!(
        "A refund of {amount} was started, but the shop shows no such refund and did not report a result. Ask the payment \
         provider whether the money was refunded. If not, try again; if it was, carry out the resolution by hand."
    )
}

/// For a refund during which the shop failed. The payment provider may have paid nevertheless.
pub(crate) fn crashed_refund(amount: &str) -> String {
    format!(
        "The shop failed while it refunded {amount} and kept no record of it. Ask the payment provider whether the money \
         was refunded. If not, try again; if it was, carry out the resolution by hand."
    )
}
