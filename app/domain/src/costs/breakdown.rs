//! The breakdown of a return's costs.

use crate::{
    base::id::{PurchaseId, ShippingOptionId},
    money::{Currency, Money},
    order::RefundClaim,
};
use serde::{Deserialize, Serialize};

/// What an amount of a breakdown is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum LineKind {
    /// The price of the returned items.
    ItemRefund,
    /// The price of the delivery to the consumer.
    OutboundShippingRefund,
    /// The price of sending the items back.
    ReturnShipping,
    /// The part of the price that the shop keeps.
    RestockingFee,
    /// The shop's fee for a return.
    RequestFee,
    /// The bonus for choosing store credit.
    StoreCreditBonus,
    /// The value that is exchanged for other items.
    ExchangeValue,
    /// The part of the fees that is waived.
    FeeWaiver,
    /// The part that is not refunded because no more is left of the payment for the order.
    RefundLimit,
    /// What staff added, or took off.
    Adjustment,
}

/// One amount of one request. Positive amounts go to the consumer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CostLine {
    /// What the amount is for.
    pub kind: LineKind,
    /// The purchase that the amount belongs to.
    pub purchase_id: PurchaseId,
    /// The number of units that the amount covers, where units count.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quantity: Option<u32>,
    /// The shipping option that the amount is for, where it is for one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shipping_option_id: Option<ShippingOptionId>,
    /// The amount. Positive amounts go to the consumer.
    pub amount: Money,
}

/// The full calculation: the lines of all requests and their totals. The lines sum to `estimatedRefund +
/// estimatedCredit - payableNow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CostBreakdown {
    /// The currency of all amounts in the breakdown.
    pub currency: Currency,
    /// The amounts that the totals consist of.
    pub lines: Vec<CostLine>,
    /// The total before fees: items, outbound shipping and bonus, without what goes into exchanges, and within what is
    /// left of the order.
    pub refund_total: Money,
    /// The fees after waivers; never negative.
    pub fee_total: Money,
    /// The money that the consumer gets back the way it was paid.
    pub estimated_refund: Money,
    /// The money that the consumer gets as store credit.
    pub estimated_credit: Money,
    /// The amount to pay before anything is sent.
    pub payable_now: Money,
}

impl CostBreakdown {
    /// The sum of all lines of a kind, minor units.
    pub fn total(&self, kind: LineKind) -> i64 {
        self.lines.iter().filter(|line| line.kind == kind).map(|line| line.amount.minor).sum()
    }

    /// What the return gives, minor units: money, store credit, and the value that is exchanged for other items.
    pub fn given(&self) -> i64 {
        self.estimated_refund.minor + self.estimated_credit.minor - self.total(LineKind::ExchangeValue)
    }

    /// The amount given for a purchase, minor units: its lines without prepaid fees, not below 0; with `with_shipping`
    /// also the outbound shipping, which bears no fees.
    pub fn value_of(&self, purchase: PurchaseId, with_shipping: bool) -> i64 {
        let prepaid = self.payable_now == self.fee_total;
        let (mut own, mut shipping) = (0, 0);
        for line in self.lines_of(purchase) {
            match line.kind {
                LineKind::OutboundShippingRefund => shipping += line.amount.minor,
                LineKind::RefundLimit => {}
                kind if prepaid && kind.is_fee_line() => {}
                _ => own += line.amount.minor,
            }
        }
        let limit = self.limit_of(purchase);
        own -= limit.items;
        own.max(0) + if with_shipping { shipping - limit.shipping } else { 0 }
    }

    /// The part of a purchase and of its outbound shipping that is not refunded because no more is left of the
    /// payment. Shipping is cut first.
    pub fn limit_of(&self, purchase: PurchaseId) -> RefundClaim {
        let of = |kind| -> i64 {
            self.lines_of(purchase).filter(|line| line.kind == kind).map(|line| line.amount.minor).sum()
        };
        let whole = -of(LineKind::RefundLimit);
        let shipping = whole.min(of(LineKind::OutboundShippingRefund)).max(0);
        RefundClaim { items: whole - shipping, shipping }
    }

    /// The amount of its order's payment that a purchase claims, before fees and for any resolution.
    pub fn claim_of(&self, purchase: PurchaseId) -> RefundClaim {
        let limit = self.limit_of(purchase);
        let (mut items, mut shipping) = (-limit.items, -limit.shipping);
        for line in self.lines_of(purchase) {
            match line.kind {
                LineKind::ItemRefund => items += line.amount.minor,
                LineKind::OutboundShippingRefund => shipping += line.amount.minor,
                _ => {}
            }
        }
        RefundClaim { items, shipping }
    }

    fn lines_of(&self, purchase: PurchaseId) -> impl Iterator<Item = &CostLine> {
        self.lines.iter().filter(move |line| line.purchase_id == purchase)
    }

    /// The value of the returned goods before any limit or fee, minor units.
    pub fn worth(&self, purchase: PurchaseId) -> i64 {
        self.lines_of(purchase).filter(|line| line.kind == LineKind::ItemRefund).map(|line| line.amount.minor).sum()
    }
}

/// The settlement of one request as a shop is asked to carry it out. Minor units, none below 0; the consumer receives
/// `items + shipping - fees`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettledAmounts {
    /// For the items: the amount paid for them within the order's limit, with the bonus on store credit; 0 for an
    /// exchange.
    pub items: i64,
    /// Outbound shipping.
    pub shipping: i64,
    /// The fees that are deducted.
    pub fees: i64,
}

impl CostBreakdown {
    /// The settlement of a purchase's request, given the fixed total value (see [`Self::value_of`]).
    pub fn settled(&self, purchase: PurchaseId, value: i64) -> SettledAmounts {
        let limit = self.limit_of(purchase);
        let (mut items, mut shipping) = (-limit.items, -limit.shipping);
        for line in self.lines_of(purchase) {
            match line.kind {
                LineKind::ItemRefund | LineKind::StoreCreditBonus | LineKind::ExchangeValue => {
                    items += line.amount.minor;
                }
                LineKind::OutboundShippingRefund => shipping += line.amount.minor,
                // What staff take off is not refunded for the items; what they add reduces the fees.
                LineKind::Adjustment => items += line.amount.minor.min(0),
                LineKind::ReturnShipping
                | LineKind::RestockingFee
                | LineKind::RequestFee
                | LineKind::FeeWaiver
                | LineKind::RefundLimit => {}
            }
        }
        // Only the last return of an order refunds outbound shipping: it is the part of the value beyond the
        // purchase's own.
        let shipping = (value - self.value_of(purchase, false)).clamp(0, shipping);
        let fees = (items + shipping - value).max(0);
        SettledAmounts { items: value - shipping + fees, shipping, fees }
    }

    /// The import duties within [`SettledAmounts::items`], minor units, less than that by at least the fees. `duties` are those
    /// within the price of the units that count.
    ///
    /// What is cut because no more is left of the order comes off the duties first: usually, somebody refunded them by hand.
    /// What staff take off, and fees, come off the goods first: a refund of duties by hand is then noticed, however much the
    /// settlement was reduced.
    pub fn settled_duties(&self, purchase: PurchaseId, value: i64, duties: i64) -> i64 {
        let SettledAmounts { items, fees, .. } = self.settled(purchase, value);
        (duties - self.limit_of(purchase).items).min(items - fees).max(0)
    }
}

impl LineKind {
    /// Whether it is a fee or the waiver of one.
    fn is_fee_line(self) -> bool {
        matches!(self, Self::ReturnShipping | Self::RestockingFee | Self::RequestFee | Self::FeeWaiver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_return_gives_is_money_credit_and_exchanged_value() {
        let money = |minor| Money::new(minor, Currency::from_code("EUR").unwrap());
        let line = |kind, minor| CostLine {
            kind,
            purchase_id: PurchaseId(uuid::Uuid::nil()),
            quantity: None,
            shipping_option_id: None,
            amount: money(minor),
        };
        let breakdown = CostBreakdown {
            currency: money(0).currency,
            lines: vec![line(LineKind::RequestFee, -7), line(LineKind::ExchangeValue, -30)],
            refund_total: money(0),
            fee_total: money(-7),
            estimated_refund: money(100),
            estimated_credit: money(20),
            payable_now: money(0),
        };
        assert_eq!(breakdown.given(), 150);
    }
}
