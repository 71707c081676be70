//! One request's lines and what they come to; the whole of them.

use super::breakdown::{CostBreakdown, CostLine, LineKind};
use crate::{
    base::id::{PurchaseId, ShippingOptionId},
    money::{Currency, Money},
    order::Claim,
    policy::Resolution,
};

/// One request of a return. Amounts are minor units.
pub(super) struct Part {
    purchase_id: PurchaseId,
    resolution: Resolution,
    currency: Currency,
    lines: Vec<CostLine>,
    cash: i64,
    credit: i64,
    /// What does not come back: of shipping, and of the items.
    limit: Claim,
    /// All fees, 0 or more.
    pub fees: i64,
    /// What of the fees is paid up front.
    pub paid: i64,
    /// What of them nobody pays.
    pub waived: i64,
}

impl Part {
    pub fn new(purchase_id: PurchaseId, resolution: Resolution, currency: Currency) -> Self {
        let (lines, limit) = (Vec::new(), Claim::default());
        Self { purchase_id, resolution, currency, lines, cash: 0, credit: 0, limit, fees: 0, paid: 0, waived: 0 }
    }

    /// The part that is of a purchase in a breakdown.
    pub fn of(whole: &CostBreakdown, purchase: PurchaseId, resolution: Resolution) -> Self {
        let mut part = Self::new(purchase, resolution, whole.currency);
        for line in whole.lines.iter().filter(|line| line.purchase_id == purchase) {
            match line.kind {
                LineKind::FeeWaiver => part.waived += line.amount.minor,
                kind => part.push(kind, line.amount.minor, line.quantity, line.shipping_option_id),
            }
        }
        part.paid = if whole.payable_now.minor == 0 {
            0
        } else if whole.payable_now == whole.fee_total {
            part.fees
        } else {
            (part.fees - part.own()).max(0)
        };
        part
    }

    /// Adds an amount. A line of 0 says nothing, but for the items themselves.
    pub fn push(&mut self, kind: LineKind, minor: i64, quantity: Option<u32>, option: Option<ShippingOptionId>) {
        match (kind, self.resolution) {
            (LineKind::ItemRefund, Resolution::Refund) | (LineKind::OutboundShippingRefund, _) => self.cash += minor,
            (LineKind::ItemRefund, Resolution::StoreCredit) | (LineKind::StoreCreditBonus, _) => self.credit += minor,
            // What an exchange is worth goes into goods.
            (LineKind::ItemRefund, Resolution::Exchange) | (LineKind::ExchangeValue | LineKind::FeeWaiver, _) => {}
            (LineKind::RefundLimit, _) => self.take_off(-minor),
            (LineKind::RestockingFee | LineKind::ReturnShipping | LineKind::RequestFee, _) => self.fees -= minor,
        }
        if minor != 0 || kind == LineKind::ItemRefund {
            let shipping_option_id = option.filter(|_| kind == LineKind::ReturnShipping);
            let amount = Money::new(minor, self.currency);
            self.lines.push(CostLine { kind, purchase_id: self.purchase_id, quantity, shipping_option_id, amount });
        }
    }

    /// What comes back before fees.
    pub fn gross(&self) -> i64 {
        self.cash + self.credit
    }

    /// The same without what sending the order cost: fees come off this.
    pub fn own(&self) -> i64 {
        self.gross() - self.shipping()
    }

    /// What of the items' price comes back or goes into goods.
    pub fn worth(&self) -> i64 {
        self.amount_of(LineKind::ItemRefund) - self.limit.items
    }

    fn shipping(&self) -> i64 {
        self.amount_of(LineKind::OutboundShippingRefund) - self.limit.shipping
    }

    /// Limits what comes back: of shipping first. Both are there already.
    fn take_off(&mut self, limit: i64) {
        let shipping = limit.min(self.shipping());
        let items = limit - shipping;
        self.cash -= shipping;
        match self.resolution {
            Resolution::Refund => self.cash -= items,
            Resolution::StoreCredit => self.credit -= items,
            Resolution::Exchange => {}
        }
        self.limit = Claim { items: self.limit.items + items, shipping: self.limit.shipping + shipping };
    }

    /// What of the fees comes off what comes back.
    pub fn deducted(&self) -> i64 {
        self.fees - self.paid - self.waived
    }

    pub fn amount_of(&self, kind: LineKind) -> i64 {
        self.lines.iter().filter(|line| line.kind == kind).map(|line| line.amount.minor).sum()
    }

    pub fn lines(&self) -> &[CostLine] {
        &self.lines
    }
}

/// The breakdown that parts come to. Fees come off cash that is not for shipping, then credit; waivers stand at the end.
pub(super) fn assemble(currency: Currency, parts: Vec<Part>) -> CostBreakdown {
    let sum = |of: &dyn Fn(&Part) -> i64| Money::new(parts.iter().map(of).sum(), currency);
    let off_cash = |part: &Part| part.deducted().min(part.cash - part.shipping());
    let (refund_total, fee_total) = (sum(&Part::gross), sum(&|part| part.fees - part.waived));
    let estimated_refund = sum(&|part| part.cash - off_cash(part));
    let estimated_credit = sum(&|part| part.credit - (part.deducted() - off_cash(part)));
    let payable_now = sum(&|part| part.paid);
    let waivers: Vec<CostLine> = parts.iter().filter(|part| part.waived != 0).map(Part::waiver).collect();
    let lines = parts.into_iter().flat_map(|part| part.lines).chain(waivers).collect();
    CostBreakdown { currency, lines, refund_total, fee_total, estimated_refund, estimated_credit, payable_now }
}

impl Part {
    fn waiver(&self) -> CostLine {
        CostLine {
            kind: LineKind::FeeWaiver,
            purchase_id: self.purchase_id,
            quantity: None,
            shipping_option_id: None,
            amount: Money::new(self.waived, self.currency),
        }
    }
}
