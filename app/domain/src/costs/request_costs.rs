//! The lines of one request and their totals; the sum of all requests.

use super::breakdown::{CostBreakdown, CostLine, LineKind};
use crate::{
    base::id::{PurchaseId, ShippingOptionId},
    money::{Currency, Money},
    order::RefundClaim,
    policy::Resolution,
};

/// The costs of one request. Amounts are minor units.
pub(super) struct RequestCosts {
    purchase_id: PurchaseId,
    resolution: Resolution,
    currency: Currency,
    lines: Vec<CostLine>,
    cash: i64,
    credit: i64,
    /// The part that is not refunded: of shipping, and of the items.
    limit: RefundClaim,
    /// All fees, 0 or more.
    pub fees: i64,
    /// The part of the fees that is prepaid.
    pub paid: i64,
    /// The part of the fees that is waived.
    pub waived: i64,
}

impl RequestCosts {
    pub fn new(purchase_id: PurchaseId, resolution: Resolution, currency: Currency) -> Self {
        let (lines, limit) = (Vec::new(), RefundClaim::default());
        Self { purchase_id, resolution, currency, lines, cash: 0, credit: 0, limit, fees: 0, paid: 0, waived: 0 }
    }

    /// The costs of one purchase within a breakdown.
    pub fn of(breakdown: &CostBreakdown, purchase: PurchaseId, resolution: Resolution) -> Self {
        let mut costs = Self::new(purchase, resolution, breakdown.currency);
        for line in breakdown.lines.iter().filter(|line| line.purchase_id == purchase) {
            match line.kind {
                LineKind::FeeWaiver => costs.waived += line.amount.minor,
                kind => costs.push(kind, line.amount.minor, line.quantity, line.shipping_option_id),
            }
        }
        costs.paid = if breakdown.payable_now.minor == 0 {
            0
        } else if breakdown.payable_now == breakdown.fee_total {
            costs.fees
        } else {
            (costs.fees - costs.own()).max(0)
        };
        costs
    }

    /// Adds an amount. Lines of 0 are omitted, except for the items themselves.
    pub fn push(&mut self, kind: LineKind, minor: i64, quantity: Option<u32>, option: Option<ShippingOptionId>) {
        match (kind, self.resolution) {
            (LineKind::ItemRefund | LineKind::Adjustment, Resolution::Refund)
            | (LineKind::OutboundShippingRefund, _) => self.cash += minor,
            (LineKind::ItemRefund | LineKind::Adjustment, Resolution::StoreCredit)
            | (LineKind::StoreCreditBonus, _) => self.credit += minor,
            // The value of an exchange goes into goods.
            (LineKind::ItemRefund | LineKind::Adjustment, Resolution::Exchange)
            | (LineKind::ExchangeValue | LineKind::FeeWaiver, _) => {}
            (LineKind::RefundLimit, _) => self.take_off(-minor),
            (LineKind::RestockingFee | LineKind::ReturnShipping | LineKind::RequestFee, _) => self.fees -= minor,
        }
        if minor != 0 || kind == LineKind::ItemRefund {
            let shipping_option_id = option.filter(|_| kind == LineKind::ReturnShipping);
            let amount = Money::new(minor, self.currency);
            self.lines.push(CostLine { kind, purchase_id: self.purchase_id, quantity, shipping_option_id, amount });
        }
    }

    /// The refund before fees.
    pub fn gross(&self) -> i64 {
        self.cash + self.credit
    }

    /// The refund before fees without outbound shipping: fees are deducted from it. With what staff added or took off.
    pub fn own(&self) -> i64 {
        self.gross() - self.shipping()
    }

    /// The part of the items' price that is refunded or goes into goods.
    pub fn worth(&self) -> i64 {
        self.amount_of(LineKind::ItemRefund) - self.limit.items
    }

    fn shipping(&self) -> i64 {
        self.amount_of(LineKind::OutboundShippingRefund) - self.limit.shipping
    }

    /// Limits the refund, shipping first. Both lines have been added before.
    fn take_off(&mut self, limit: i64) {
        let shipping = limit.min(self.shipping());
        let items = limit - shipping;
        self.cash -= shipping;
        match self.resolution {
            Resolution::Refund => self.cash -= items,
            Resolution::StoreCredit => self.credit -= items,
            Resolution::Exchange => {}
        }
        self.limit = RefundClaim { items: self.limit.items + items, shipping: self.limit.shipping + shipping };
    }

    /// The part of the fees that is deducted from the refund.
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

/// Sums up requests to a breakdown. Fees are deducted from cash without outbound shipping, then from credit; waivers
/// stand at the end.
pub(super) fn assemble(currency: Currency, requests: Vec<RequestCosts>) -> CostBreakdown {
    let sum = |of: &dyn Fn(&RequestCosts) -> i64| Money::new(requests.iter().map(of).sum(), currency);
    let off_cash = |request: &RequestCosts| request.deducted().min(request.cash - request.shipping());
    let (refund_total, fee_total) = (sum(&RequestCosts::gross), sum(&|request| request.fees - request.waived));
    let estimated_refund = sum(&|request| request.cash - off_cash(request));
    let estimated_credit = sum(&|request| request.credit - (request.deducted() - off_cash(request)));
    let payable_now = sum(&|request| request.paid);
    let waivers: Vec<CostLine> =
        requests.iter().filter(|request| request.waived != 0).map(RequestCosts::waiver).collect();
    let lines = requests.into_iter().flat_map(|request| request.lines).chain(waivers).collect();
    CostBreakdown { currency, lines, refund_total, fee_total, estimated_refund, estimated_credit, payable_now }
}

impl RequestCosts {
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
