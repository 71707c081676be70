//! A cost breakdown as a receipt: lines in words and figures, ready to be shown.

use crate::{
    money,
    words::{Live, fill},
};
use domain::{
    Money, PurchaseId,
    costs::{CostBreakdown, CostLine, LineKind},
};
use serde::{Deserialize, Serialize};

/// Every line named, and what they come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// What it is made of.
    pub lines: Vec<Line>,
    /// A second figure beside the total: store credit beside money.
    pub also: Option<Line>,
    /// What it comes to.
    pub total: Line,
    /// What is paid before anything is sent, so that it does not come off what comes back.
    pub payable: Option<Line>,
}

/// One line of a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What for.
    pub what: String,
    /// More about it; may be empty.
    pub note: String,
    /// How much, or a word like "Free".
    pub figure: String,
}

impl Line {
    /// A line without a note.
    pub fn new(what: &str, figure: String) -> Self {
        Self { what: what.to_owned(), note: String::new(), figure }
    }
}

/// The way of sending, as a receipt names it.
#[derive(Debug, Clone)]
pub enum Sending<'a> {
    /// Nothing is sent.
    None,
    /// At the price in the breakdown, under this name.
    Chosen(&'a str),
    /// Still to be chosen: what is said instead of a price.
    Open(String),
}

impl Receipt {
    /// The receipt of a breakdown. `name` tells what each purchase is called.
    pub fn new(
        costs: &CostBreakdown,
        sending: &Sending<'_>,
        name: impl Fn(PurchaseId) -> String,
        words: &Live,
    ) -> Self {
        let amount = |minor| money::format(Money::new(minor, costs.currency), words);
        let items = costs.lines.iter().filter(|line| line.kind == LineKind::ItemRefund);
        let mut lines: Vec<Line> =
            items.map(|line| Line::new(&what(line, &name, words), amount(line.amount.minor))).collect();
        let sums = [
            (LineKind::ExchangeValue, words.exchange_value),
            (LineKind::StoreCreditBonus, words.credit_bonus),
            (LineKind::OutboundShippingRefund, words.outbound_shipping),
            (LineKind::RefundLimit, words.refund_limit),
            (LineKind::RestockingFee, words.restocking),
            (LineKind::RequestFee, words.request_fee),
        ];
        for (kind, label) in sums {
            if let Some(sum) = sum(costs, kind) {
                lines.push(Line::new(label, amount(sum)));
            }
        }
        let sent = sum(costs, LineKind::ReturnShipping).map_or_else(|| words.free.to_owned(), amount);
        match sending {
            Sending::None => {}
            Sending::Chosen(name) => {
                lines.push(Line { what: words.return_shipping.to_owned(), note: (*name).to_owned(), figure: sent });
            }
            Sending::Open(range) => {
                let note = words.choose_next.to_owned();
                lines.push(Line { what: words.return_shipping.to_owned(), note, figure: range.clone() });
            }
        }
        if let Some(sum) = sum(costs, LineKind::FeeWaiver) {
            lines.push(Line::new(words.waiver, amount(sum)));
        }
        let (refund, credit) = (costs.estimated_refund.minor, costs.estimated_credit.minor);
        let (also, total) = match (refund, credit) {
            (_, 0) => (None, Line::new(words.total, amount(refund))),
            (0, _) => (None, Line::new(words.as_credit, amount(credit))),
            _ => (Some(Line::new(words.as_credit, amount(credit))), Line::new(words.as_money, amount(refund))),
        };
        let payable = costs.payable_now.minor;
        let payable = (payable > 0).then(|| Line::new(words.payable, money::format_added(costs.payable_now, words)));
        Self { lines, also, total, payable }
    }

    /// The same where a person of the shop decides how much of it comes back: the total says "up to". Beside store credit the
    /// figures name themselves.
    #[must_use]
    pub fn up_to(mut self, words: &Live) -> Self {
        if self.total.what == words.total {
            words.up_to.clone_into(&mut self.total.what);
        }
        self
    }
}

/// The sum of a kind; `None` where it has no line.
fn sum(costs: &CostBreakdown, kind: LineKind) -> Option<i64> {
    costs.lines.iter().any(|line| line.kind == kind).then(|| costs.total(kind))
}

fn what(line: &CostLine, name: &impl Fn(PurchaseId) -> String, words: &Live) -> String {
    let name = name(line.purchase_id);
    match line.quantity {
        Some(quantity) if quantity > 1 => fill(words.units_of, &[&money::count(quantity, words), &name]),
        _ => name,
    }
}
