//! A cost breakdown as a receipt: labelled lines with formatted amounts, ready to show.

use crate::words::Live;
use domain::{
    Money, PurchaseId,
    costs::{CostBreakdown, CostLine, LineKind},
};
use serde::{Deserialize, Serialize};
use ui::{money, text::format};

/// A cost breakdown with every line named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub lines: Vec<ReceiptLine>,
    /// What is due before the return is sent. It is not part of the refund.
    pub payable: Option<ReceiptLine>,
    /// A second amount beside the total: store credit beside money.
    pub also: Option<ReceiptLine>,
    /// The total.
    pub total: ReceiptLine,
    /// What kind of total it is.
    pub total_kind: TotalKind,
}

/// What the total of a receipt stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TotalKind {
    Refund,
    /// Money, at most this much: something is still open.
    UpTo,
    Credit,
    /// Money, with store credit beside it.
    Both,
    /// Other goods at no charge.
    Exchange,
    /// Nothing but a payment due.
    Due,
    /// Other goods, and a payment due.
    ExchangeDue,
}

impl TotalKind {
    /// Whether the total is the payment due.
    fn is_due(self) -> bool {
        matches!(self, Self::Due | Self::ExchangeDue)
    }
}

/// One line of a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptLine {
    /// The label.
    pub what: String,
    /// A note; may be empty.
    pub note: String,
    /// The amount, or a word such as "Free".
    pub figure: String,
}

impl ReceiptLine {
    /// A line without a note.
    pub fn new(what: &str, figure: String) -> Self {
        Self { what: what.to_owned(), note: String::new(), figure }
    }
}

#[derive(Debug, Clone, Default)]
pub struct ReceiptNames {
    pub name: String,
    /// In an exchange, the name of the replacement.
    pub replacement: Option<String>,
}

/// How a receipt names the shipping.
#[derive(Debug, Clone)]
pub enum ReceiptShipping<'a> {
    /// Nothing is sent.
    None,
    /// The selected option, at the price in the breakdown.
    Chosen(&'a str),
    /// No option is selected yet: this text replaces the price.
    Open(String),
}

impl Receipt {
    /// The receipt of a breakdown. `called` names each purchase.
    pub fn new(
        costs: &CostBreakdown,
        sending: &ReceiptShipping<'_>,
        called: impl Fn(PurchaseId) -> ReceiptNames,
        words: &Live,
    ) -> Self {
        let amount = |minor| money::format(Money::new(minor, costs.currency), words);
        let (mut lines, exchanged) = items(costs, called, words);
        let sign = fee_sign(costs);
        let mut add = |kind, label, sign: i64| {
            let minor = rest(costs, kind, &exchanged);
            if minor != 0 {
                lines.push(ReceiptLine::new(label, amount(minor * sign)));
            }
        };
        add(LineKind::ExchangeValue, words.exchange_value, 1);
        add(LineKind::StoreCreditBonus, words.credit_bonus, 1);
        add(LineKind::OutboundShippingRefund, words.outbound_shipping, 1);
        add(LineKind::RefundLimit, words.refund_limit, 1);
        add(LineKind::Adjustment, words.adjustment, 1);
        // If all fees are waived, neither they nor the waiver are lines: together they are zero.
        let has_fees = costs.fee_total.minor != 0;
        if has_fees {
            add(LineKind::RestockingFee, words.restocking, -sign);
            add(LineKind::RequestFee, words.request_fee, -sign);
        }
        let shipping = shipping_fee(costs) * sign;
        let sent = if shipping == 0 { words.free.to_owned() } else { amount(shipping) };
        let (note, figure) = match sending {
            ReceiptShipping::None => (None, String::new()),
            ReceiptShipping::Chosen(name) => (Some(*name), sent),
            ReceiptShipping::Open(range) => (Some(words.choose_next), range.clone()),
        };
        lines.extend(note.map(|note| ReceiptLine {
            what: words.return_shipping.to_owned(),
            note: note.to_owned(),
            figure,
        }));
        let waived = costs.total(LineKind::FeeWaiver);
        if has_fees && waived != 0 {
            lines.push(ReceiptLine::new(words.waiver, amount(waived)));
        }
        Self::with_sums(lines, costs, !exchanged.is_empty(), words)
    }

    /// The sums below the lines.
    fn with_sums(lines: Vec<ReceiptLine>, costs: &CostBreakdown, is_exchange: bool, words: &Live) -> Self {
        let figure = |money| money::format(money, words);
        let (refund, credit, due) = (costs.estimated_refund, costs.estimated_credit, costs.payable_now);
        let credited = ReceiptLine::new(words.as_credit, figure(credit));
        let payable = ReceiptLine::new(words.payable, figure(due));
        let is_due = due.minor > 0;
        let (total_kind, total) = match (refund.minor > 0, credit.minor > 0) {
            (true, true) => (TotalKind::Both, ReceiptLine::new(words.as_money, figure(refund))),
            (false, true) => (TotalKind::Credit, credited.clone()),
            (false, false) if is_due => {
                (if is_exchange { TotalKind::ExchangeDue } else { TotalKind::Due }, payable.clone())
            }
            (false, false) if is_exchange => {
                (TotalKind::Exchange, ReceiptLine::new(words.exchanged, words.no_charge.to_owned()))
            }
            (_, false) => (
                TotalKind::Refund,
                ReceiptLine::new(if is_due { words.refund_later } else { words.total }, figure(refund)),
            ),
        };
        Self {
            lines,
            payable: (is_due && !total_kind.is_due()).then_some(payable),
            also: (total_kind == TotalKind::Both).then_some(credited),
            total,
            total_kind,
        }
    }

    /// The receipt while the amount is still open: the total says "up to".
    #[must_use]
    pub fn up_to(mut self, words: &Live) -> Self {
        if matches!(self.total_kind, TotalKind::Refund | TotalKind::Both) {
            self.total_kind = TotalKind::UpTo;
            words.up_to.clone_into(&mut self.total.what);
        }
        self
    }

    /// The receipt while a payment will become due before the return is sent: `figure` says how much.
    #[must_use]
    pub fn due_first(mut self, figure: String, words: &Live) -> Self {
        let line = ReceiptLine::new(words.due_first, figure);
        match self.total_kind {
            TotalKind::Exchange => (self.total_kind, self.total) = (TotalKind::ExchangeDue, line),
            total_kind if total_kind.is_due() => self.total = line,
            total_kind => {
                if total_kind == TotalKind::Refund {
                    words.refund_later.clone_into(&mut self.total.what);
                }
                self.payable = Some(line);
            }
        }
        self
    }

    /// The receipt while the shop has not approved the return: its payment is not due yet.
    #[must_use]
    pub fn due_later(self, words: &Live) -> Self {
        match self.due().map(|due| due.figure.clone()) {
            Some(figure) => self.due_first(figure, words),
            None => self,
        }
    }

    /// The payment due.
    pub fn due(&self) -> Option<&ReceiptLine> {
        self.payable.as_ref().or(self.total_kind.is_due().then_some(&self.total))
    }

    /// The receipt after the payment, which is now called `what`.
    #[must_use]
    pub fn paid(mut self, what: &str, words: &Live) -> Self {
        if let Some(payable) = &mut self.payable {
            what.clone_into(&mut payable.what);
        }
        match self.total_kind {
            TotalKind::Due | TotalKind::ExchangeDue => what.clone_into(&mut self.total.what),
            TotalKind::Refund => words.total.clone_into(&mut self.total.what),
            _ => {}
        }
        self
    }

    /// The heading of the receipt.
    pub fn title<'a>(&self, words: &'a Live) -> &'a str {
        match self.total_kind {
            TotalKind::Exchange | TotalKind::ExchangeDue => words.receipt_exchange,
            TotalKind::Credit => words.as_credit,
            _ => words.receipt,
        }
    }

    /// The label of the total in the bar at the foot of a phone.
    pub fn bar_label<'a>(&'a self, words: &'a Live) -> &'a str {
        match self.total_kind {
            TotalKind::Refund if self.payable.is_some() => words.refund_later,
            TotalKind::Refund | TotalKind::Both => words.bar_back,
            TotalKind::UpTo => words.bar_up_to,
            TotalKind::Credit => words.bar_credit,
            TotalKind::Exchange | TotalKind::Due | TotalKind::ExchangeDue => &self.total.what,
        }
    }
}

/// What the shopper pays for shipping, minor units. Zero if all fees are waived.
pub fn shipping_fee(costs: &CostBreakdown) -> i64 {
    if costs.fee_total.minor == 0 { 0 } else { -costs.total(LineKind::ReturnShipping) }
}

/// The sign of fees on the receipt: a fee that is due first is not taken off the refund, and has no minus.
pub fn fee_sign(costs: &CostBreakdown) -> i64 {
    if costs.payable_now == costs.fee_total { 1 } else { -1 }
}

/// A line per purchase, and which purchases are exchanged. In an exchange, the value of the item and of its replacement share a
/// line.
fn items(
    costs: &CostBreakdown,
    called: impl Fn(PurchaseId) -> ReceiptNames,
    words: &Live,
) -> (Vec<ReceiptLine>, Vec<PurchaseId>) {
    let amount = |minor| money::format(Money::new(minor, costs.currency), words);
    let mut exchanged = Vec::new();
    let mut lines = Vec::new();
    for line in costs.lines.iter().filter(|line| line.kind == LineKind::ItemRefund) {
        let id = line.purchase_id;
        let ReceiptNames { name, replacement } = called(id);
        let name = what(line, name, words);
        let Some(replacement) = replacement else {
            lines.push(ReceiptLine::new(&name, amount(line.amount.minor)));
            continue;
        };
        exchanged.push(id);
        let into_goods =
            costs.lines.iter().filter(|line| line.purchase_id == id && line.kind == LineKind::ExchangeValue);
        let left = line.amount.minor + into_goods.map(|line| line.amount.minor).sum::<i64>() - costs.limit_of(id).items;
        let figure = if left == 0 { words.no_charge.to_owned() } else { amount(left) };
        lines.push(ReceiptLine::new(&format(words.exchanged_for, &[&name, &replacement]), figure));
    }
    (lines, exchanged)
}

/// The sum of a kind, minor units, without the amounts that the lines of exchanged purchases include.
fn rest(costs: &CostBreakdown, kind: LineKind, exchanged: &[PurchaseId]) -> i64 {
    let said = |id: &PurchaseId| match kind {
        LineKind::RefundLimit => -costs.limit_of(*id).items,
        LineKind::ExchangeValue => {
            let own = costs.lines.iter().filter(|line| line.purchase_id == *id && line.kind == kind);
            own.map(|line| line.amount.minor).sum()
        }
        _ => 0,
    };
    costs.total(kind) - exchanged.iter().map(said).sum::<i64>()
}

fn what(line: &CostLine, name: String, words: &Live) -> String {
    match line.quantity {
        Some(quantity) if quantity > 1 => format(words.units_of, &[&money::count(quantity, words), &name]),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::live::EN;
    use domain::{
        Currency, Percent, ShippingOptionId,
        costs::{ChargedItem, Charges, calculate},
        policy::{FeeCollection, Resolution, reason::Fault},
    };
    use uuid::Uuid;

    fn item(id: u128, value: i64, resolution: Resolution) -> ChargedItem {
        ChargedItem {
            purchase_id: PurchaseId(Uuid::from_u128(id)),
            quantity: 1,
            value,
            outbound_shipping: 0,
            limit: 0,
            resolution,
            restocking_fee: Percent::default(),
            fault: Fault::Consumer,
        }
    }

    fn charges(items: Vec<ChargedItem>) -> Charges {
        Charges {
            currency: Currency::from_code("GBP").unwrap(),
            items,
            shipping: Some((ShippingOptionId(Uuid::nil()), 395)),
            request_fee: 0,
            store_credit_bonus: Percent::default(),
            collection: FeeCollection::Deduct,
            least_payable: None,
            waives_fees: false,
        }
    }

    fn receipt(charges: &Charges) -> Receipt {
        let called = |id: PurchaseId| {
            let item = charges.items.iter().find(|item| item.purchase_id == id).unwrap();
            let replacement = (item.resolution == Resolution::Exchange).then(|| "Green".to_owned());
            ReceiptNames { name: "Mug".to_owned(), replacement }
        };
        Receipt::new(&calculate(charges), &ReceiptShipping::Chosen("Label"), called, &EN)
    }

    fn shown(receipt: &Receipt) -> Vec<(&str, &str)> {
        let sums = receipt.payable.iter().chain(&receipt.also).chain([&receipt.total]);
        receipt.lines.iter().chain(sums).map(|line| (line.what.as_str(), line.figure.as_str())).collect()
    }

    #[test]
    fn an_exchange_is_one_line_and_free() {
        let exchange = receipt(&charges(vec![item(1, 1_250, Resolution::Exchange)]));
        let lines = [("Mug → Green", "No charge"), ("Return shipping", "Free"), ("Exchange", "No charge")];
        assert_eq!(shown(&exchange), lines);
        assert_eq!(
            (exchange.bar_label(&EN), exchange.title(&EN), exchange.total_kind),
            ("Exchange", "Your exchange", TotalKind::Exchange)
        );

        let limited = ChargedItem { limit: 1_000, ..item(1, 1_250, Resolution::Exchange) };
        assert_eq!(shown(&receipt(&charges(vec![limited]))), lines);
    }

    #[test]
    fn the_refund_beside_an_exchange_bears_the_fees() {
        let both = receipt(&charges(vec![item(1, 1_250, Resolution::Exchange), item(2, 2_000, Resolution::Refund)]));
        assert_eq!(
            shown(&both),
            [
                ("Mug → Green", "No charge"),
                ("Mug", "£20.00"),
                ("Return shipping", "−£3.95"),
                ("Refund total", "£16.05")
            ]
        );
        assert_eq!(both.bar_label(&EN), "Your refund");
    }

    #[test]
    fn a_payment_due_is_separate_from_the_refund() {
        let prepaid = |items| Charges {
            request_fee: 100,
            collection: FeeCollection::Prepay,
            least_payable: Some(1),
            ..charges(items)
        };
        let refund = receipt(&prepaid(vec![item(1, 1_251, Resolution::Refund)]));
        assert_eq!(
            shown(&refund),
            [
                ("Mug", "£12.51"),
                ("Handling fee", "£1.00"),
                ("Return shipping", "£3.95"),
                ("Due now", "£4.95"),
                ("Refund later", "£12.51")
            ]
        );
        assert_eq!((refund.bar_label(&EN), refund.due().unwrap().figure.as_str()), ("Refund later", "£4.95"));
        let paid = refund.paid("Already paid", &EN);
        assert_eq!(shown(&paid)[3..], [("Already paid", "£4.95"), ("Refund total", "£12.51")]);

        let exchange = receipt(&prepaid(vec![item(1, 1_251, Resolution::Exchange)]));
        assert_eq!(
            shown(&exchange),
            [
                ("Mug → Green", "No charge"),
                ("Handling fee", "£1.00"),
                ("Return shipping", "£3.95"),
                ("Due now", "£4.95")
            ]
        );
        assert_eq!((exchange.title(&EN), exchange.bar_label(&EN)), ("Your exchange", "Due now"));
        let later = exchange.due_later(&EN);
        assert_eq!((later.title(&EN), later.due().unwrap().what.as_str()), ("Your exchange", EN.due_first));
        assert_eq!(later.paid("Already paid", &EN).total.what, "Already paid");

        // A fee beyond the refund is due, too, but takes the refund off first.
        let beyond = Charges { least_payable: Some(1), ..charges(vec![item(1, 200, Resolution::Refund)]) };
        let lines = [("Mug", "£2.00"), ("Return shipping", "−£3.95"), ("Due now", "£1.95")];
        assert_eq!((shown(&receipt(&beyond)).as_slice(), receipt(&beyond).title(&EN)), (&lines[..], "Your refund"));
    }

    #[test]
    fn a_partial_waiver_is_a_line() {
        let little = receipt(&charges(vec![item(1, 200, Resolution::Refund)]));
        assert_eq!(
            shown(&little),
            [("Mug", "£2.00"), ("Return shipping", "−£3.95"), ("Fee waived", "£1.95"), ("Refund total", "£0.00")]
        );
    }
}
