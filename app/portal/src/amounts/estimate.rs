//! The estimate of a return while items are still being selected. It runs the server's calculation, exact to the cent, for every
//! shipping option, since the option is selected later.

use crate::{
    amounts::receipt::{Receipt, ReceiptNames, ReceiptShipping, fee_sign, shipping_fee},
    words::Live,
};
use domain::{
    Currency, Money, Percent, PurchaseId, ShippingOptionId,
    costs::{ChargedItem, Charges, CostBreakdown, LineKind, calculate},
    order::{RefundClaim, refund_limits},
    policy::{FeeCollection, Resolution, reason::Fault},
    shipping::Fare,
};
use serde::{Deserialize, Serialize};
use ui::{money, text::format};
use uuid::Uuid;

/// What an estimate needs to know of a shop. Amounts are in minor units.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Terms {
    /// The currency of all amounts.
    pub currency: Currency,
    /// The price of each shipping option.
    pub shipping: Vec<Fare>,
    /// The fee for a return.
    pub request_fee: i64,
    /// The bonus on store credit.
    pub bonus: Percent,
    /// How fees are collected.
    pub collection: FeeCollection,
    /// The smallest amount that can be charged. `None` if the shop takes no payments.
    pub least_payable: Option<i64>,
    /// The resolution if the form does not ask for one.
    pub wanted: Resolution,
    /// What each reason implies.
    pub reasons: Vec<ReasonTerms>,
    /// How much of the orders can still be refunded. `None` without a limit.
    pub left: Option<i64>,
}

/// What an estimate needs to know of a reason.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReasonTerms {
    /// Its id as a text, because the browser has no other use for parsing and writing ids.
    pub id: String,
    /// Who bears the costs.
    pub fault: Fault,
    /// The restocking fee.
    pub restocking: Percent,
}

/// One selected purchase.
#[derive(Debug, Clone)]
pub struct Pick {
    pub name: String,
    pub quantity: u32,
    /// The price of one unit, minor units.
    pub unit_price: i64,
    /// The weight of one unit, grams.
    pub weight: u32,
    /// How many units cost one minor unit more. An order's discount does not always divide evenly.
    pub dearer: u32,
    pub resolution: Resolution,
    /// The id of the reason; empty until one is selected.
    pub reason: String,
    /// In an exchange, the replacement; empty until one is selected.
    pub replacement: String,
    /// What its order refunds once it is returned completely.
    pub outbound: OutboundShipping,
}

/// The delivery of an order, which is refunded with the last units of the order. Nothing by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutboundShipping {
    /// Which order of the page it is.
    pub order: i64,
    /// How many units complete the return of the order.
    pub units: i64,
    /// What is refunded, minor units.
    pub amount: i64,
}

impl Pick {
    fn called(&self, words: &Live) -> ReceiptNames {
        let replacement = (self.resolution == Resolution::Exchange).then(|| match self.replacement.as_str() {
            "" => words.replacement.to_owned(),
            named => named.to_owned(),
        });
        ReceiptNames { name: self.name.clone(), replacement }
    }

    fn value(&self) -> i64 {
        let dearer = i64::from(self.quantity.min(self.dearer));
        self.unit_price.saturating_mul(i64::from(self.quantity)).saturating_add(dearer)
    }
}

/// The receipt of what is selected. It says "up to" if the shipping option makes a difference. `None` if nothing is selected.
pub fn estimate(terms: &Terms, picks: &[Pick], words: &Live) -> Option<Receipt> {
    if picks.is_empty() {
        return None;
    }
    let outcomes = by_way(terms, picks);
    let comes_back = |costs: &CostBreakdown| costs.estimated_refund.minor + costs.estimated_credit.minor;
    let due = |costs: &CostBreakdown| costs.payable_now.minor;
    let best = outcomes.iter().max_by_key(|costs| (comes_back(costs), -due(costs)))?;
    let worst = outcomes.iter().min_by_key(|costs| comes_back(costs))?;
    let called = |id: PurchaseId| {
        let index = usize::try_from(id.0.as_u128()).unwrap_or(usize::MAX);
        picks.get(index).map(|pick| pick.called(words)).unwrap_or_default()
    };
    let shipping = sending(terms.currency, outcomes.iter().map(shipping_fee), fee_sign(best), words);
    let receipt = Receipt::new(best, &ReceiptShipping::Open(shipping), called, words);
    let is_open = comes_back(best) != comes_back(worst) || best.total(LineKind::RefundLimit) != 0;
    let receipt = if is_open { receipt.up_to(words) } else { receipt };
    let Some(most) = outcomes.iter().map(due).max().filter(|most| *most > 0) else { return Some(receipt) };
    let figure = range(terms.currency, outcomes.iter().map(due).min()?, most, words);
    Some(receipt.due_first(figure, words))
}

/// What one selected purchase gives with another resolution, all else being equal: an amount, or "up to" an amount if the shipping
/// option makes a difference. Of an exchange, what is due for it.
pub fn outcome(terms: &Terms, picks: &[Pick], index: usize, wanted: Resolution, words: &Live) -> Option<String> {
    let mut picks = picks.to_vec();
    picks.get_mut(index)?.resolution = wanted;
    let ways = by_way(terms, &picks);
    if wanted == Resolution::Exchange {
        let due = ways.iter().map(|costs| costs.payable_now.minor);
        let (least, most) = (due.clone().min()?, due.max()?);
        let figure = || format(words.outcome_due, &[&range(terms.currency, least, most, words)]);
        return Some(if most == 0 { words.no_charge.to_owned() } else { figure() });
    }
    let id = PurchaseId(Uuid::from_u128(u128::try_from(index).ok()?));
    let values = ways.iter().map(|costs| costs.value_of(id, false));
    let (least, most) = (values.clone().min()?, values.max()?);
    let figure = money::format(Money::new(most, terms.currency), words);
    let is_limited = ways.iter().any(|costs| costs.total(LineKind::RefundLimit) != 0);
    Some(if least == most && !is_limited { figure } else { format(words.outcome_up_to, &[&figure]) })
}

/// The costs with each shipping option.
fn by_way(terms: &Terms, picks: &[Pick]) -> Vec<CostBreakdown> {
    let value = picks.iter().map(Pick::value).fold(0, i64::saturating_add);
    let grams = picks.iter().map(|pick| u64::from(pick.quantity) * u64::from(pick.weight)).sum();
    let mut prices: Vec<i64> = terms.shipping.iter().filter_map(|fare| fare.of(value, grams)).collect();
    if prices.is_empty() {
        prices.push(0);
    }
    prices.into_iter().map(|price| calculate(&charges(terms, picks, price))).collect()
}

/// The price of shipping: one amount, or a range from the lowest to the highest.
fn sending(currency: Currency, fees: impl Iterator<Item = i64> + Clone, sign: i64, words: &Live) -> String {
    match (fees.clone().min(), fees.max()) {
        (Some(least), Some(most)) if least != most => range(currency, least, most, words),
        (Some(0) | None, _) => words.free.to_owned(),
        (Some(only), _) => money::format(Money::new(only * sign, currency), words),
    }
}

/// One amount, or a range.
fn range(currency: Currency, least: i64, most: i64, words: &Live) -> String {
    let figure = |minor| match minor {
        0 => money::format_zero(currency, words),
        _ => money::format(Money::new(minor, currency), words),
    };
    if least == most { figure(most) } else { format(words.range, &[&figure(least), &figure(most)]) }
}

/// The outbound shipping that each purchase refunds: the last one of an order that is returned completely.
fn outbound(picks: &[Pick]) -> Vec<i64> {
    let refunded = |(index, pick): (usize, &Pick)| {
        let OutboundShipping { order, units, amount } = pick.outbound;
        let of_order = || picks.iter().enumerate().filter(|(_, one)| one.outbound.order == order);
        let is_complete = of_order().map(|(_, one)| i64::from(one.quantity)).sum::<i64>() == units;
        if is_complete && of_order().all(|(other, _)| other <= index) { amount } else { 0 }
    };
    picks.iter().enumerate().map(refunded).collect()
}

fn charges(terms: &Terms, picks: &[Pick], shipping: i64) -> Charges {
    let claim = |(pick, shipping): (&Pick, i64)| RefundClaim { items: pick.value(), shipping };
    let claims: Vec<RefundClaim> = picks.iter().zip(outbound(picks)).map(claim).collect();
    let limits = terms.left.map_or_else(|| vec![0; claims.len()], |left| refund_limits(&claims, left));
    let item = |(((index, pick), limit), claim): (((u128, &Pick), i64), &RefundClaim)| {
        let reason = terms.reasons.iter().find(|reason| reason.id == pick.reason);
        ChargedItem {
            purchase_id: PurchaseId(Uuid::from_u128(index)),
            quantity: pick.quantity,
            value: claim.items,
            outbound_shipping: claim.shipping,
            limit,
            resolution: pick.resolution,
            restocking_fee: reason.map(|reason| reason.restocking).unwrap_or_default(),
            fault: reason.map_or(Fault::Consumer, |reason| reason.fault),
        }
    };
    Charges {
        currency: terms.currency,
        items: (0_u128..).zip(picks).zip(limits).zip(&claims).map(item).collect(),
        shipping: Some((ShippingOptionId(Uuid::nil()), shipping)),
        request_fee: terms.request_fee,
        store_credit_bonus: terms.bonus,
        collection: terms.collection,
        least_payable: terms.least_payable,
        waives_fees: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::live::EN;

    fn terms(shipping: &[i64]) -> Terms {
        let reason = |number, fault| ReasonTerms {
            id: Uuid::from_u128(number).to_string(),
            fault,
            restocking: Percent::default(),
        };
        Terms {
            currency: Currency::from_code("GBP").unwrap(),
            shipping: shipping.iter().map(|&price| Fare { price, ..Fare::default() }).collect(),
            request_fee: 0,
            bonus: Percent::from_hundredths(1_000).unwrap(),
            collection: FeeCollection::Deduct,
            least_payable: None,
            wanted: Resolution::Refund,
            reasons: vec![reason(1, Fault::Consumer), reason(2, Fault::Merchant)],
            left: None,
        }
    }

    fn pick(reason: u128, resolution: Resolution) -> Pick {
        let reason = Uuid::from_u128(reason).to_string();
        let replacement = String::new();
        Pick {
            name: "Mug".into(),
            quantity: 3,
            unit_price: 1250,
            weight: 700,
            dearer: 2,
            resolution,
            reason,
            replacement,
            outbound: OutboundShipping::default(),
        }
    }

    #[test]
    fn the_estimate_shows_the_range_of_shipping_prices() {
        let receipt = estimate(&terms(&[395, 495, 0]), &[pick(1, Resolution::Refund)], &EN).unwrap();
        let lines: Vec<_> = receipt.lines.iter().map(|line| (line.what.as_str(), line.figure.as_str())).collect();
        assert_eq!(lines, [("3 × Mug", "£37.52"), ("Return shipping", "£0–£4.95")]);
        assert_eq!((receipt.total.what.as_str(), receipt.total.figure.as_str()), ("Refund up to", "£37.52"));
    }

    #[test]
    fn shipping_is_free_from_a_minimum_value() {
        let figure = |least| {
            let terms =
                Terms { shipping: vec![Fare { price: 495, free_from: Some(least), ..Fare::default() }], ..terms(&[]) };
            let receipt = estimate(&terms, &[pick(1, Resolution::Refund)], &EN).unwrap();
            (receipt.lines.last().unwrap().figure.clone(), receipt.total.figure)
        };
        assert_eq!(figure(3_752), ("Free".to_owned(), "£37.52".to_owned()));
        assert_eq!(figure(3_753), ("−£4.95".to_owned(), "£32.57".to_owned()));
    }

    #[test]
    fn prices_depend_on_weight_and_options_on_their_maximum() {
        let heavy = Fare { price: 395, steps: vec![(2_000, Some(595))], ..Fare::default() };
        let light = Fare { price: 100, max_weight: Some(2_000), ..Fare::default() };
        let terms = Terms { shipping: vec![heavy, light], ..terms(&[]) };
        let sent = |quantity| {
            let pick = Pick { quantity, ..pick(1, Resolution::Refund) };
            estimate(&terms, &[pick], &EN).unwrap().lines.last().unwrap().figure.clone()
        };
        assert_eq!((sent(2).as_str(), sent(3).as_str()), ("£1.00–£3.95", "−£5.95"));
    }

    #[test]
    fn shipping_is_free_if_the_merchant_is_at_fault() {
        let receipt = estimate(&terms(&[395, 495]), &[pick(2, Resolution::Refund)], &EN).unwrap();
        assert_eq!(receipt.lines.last().unwrap().figure, "Free");
        assert_eq!(receipt.total.what, "Refund total");
        assert!(estimate(&terms(&[395]), &[], &EN).is_none());
    }

    #[test]
    fn refunds_are_limited_to_what_is_left_of_the_order() {
        let of = |left| {
            let terms = Terms { left: Some(left), ..terms(&[0]) };
            let receipt = estimate(&terms, &[pick(1, Resolution::Refund)], &EN).unwrap();
            (receipt.lines.iter().any(|line| line.what == EN.refund_limit), receipt.total.what, receipt.total.figure)
        };
        assert_eq!(of(3_752), (false, EN.total.to_owned(), "£37.52".to_owned()));
        assert_eq!(of(2_000), (true, EN.up_to.to_owned(), "£20.00".to_owned()));
        assert_eq!(of(0), (true, EN.up_to.to_owned(), "£0.00".to_owned()));
    }

    #[test]
    fn the_delivery_is_refunded_with_the_last_units_of_an_order() {
        let of = |order, units| OutboundShipping { order, units, amount: 495 };
        let two = |quantity, order| Pick { quantity, outbound: of(order, 5), ..pick(1, Resolution::Refund) };
        let shown = |picks: &[Pick]| {
            let receipt = estimate(&terms(&[0]), picks, &EN).unwrap();
            let shipping = receipt.lines.iter().find(|line| line.what == EN.outbound_shipping);
            (shipping.map(|line| line.figure.clone()), receipt.total.figure)
        };
        assert_eq!(shown(&[two(3, 1), two(2, 1)]), (Some("£4.95".to_owned()), "£67.49".to_owned()));
        assert_eq!(shown(&[two(3, 1), two(1, 1)]), (None, "£50.03".to_owned()), "a unit is missing");
        assert_eq!(shown(&[two(3, 1), two(2, 2)]), (None, "£62.54".to_owned()), "they are of two orders");
        let each = [two(5, 1), pick(1, Resolution::Refund), two(5, 2)];
        assert_eq!(shown(&each).0.unwrap(), "£9.90", "each order refunds its own");
        let left = Terms { left: Some(6_300), ..terms(&[0]) };
        let receipt = estimate(&left, &[two(3, 1), two(2, 1)], &EN).unwrap();
        assert_eq!((receipt.total.what.as_str(), receipt.total.figure.as_str()), (EN.up_to, "£63.00"));
    }

    #[test]
    fn each_resolution_shows_what_it_gives() {
        let picks = [pick(1, Resolution::Refund), pick(2, Resolution::Exchange)];
        let shown = |terms: &Terms, picks: &[Pick], wanted| outcome(terms, picks, 0, wanted, &EN).unwrap_or_default();
        let all = |terms: &Terms, picks: &[Pick]| {
            [Resolution::Refund, Resolution::StoreCredit, Resolution::Exchange]
                .map(|wanted| shown(terms, picks, wanted))
        };
        assert_eq!(all(&terms(&[495]), &picks[..1]), ["£32.57", "£36.33", "No charge"]);
        assert_eq!(all(&terms(&[0, 495]), &picks[..1]), ["up to £37.52", "up to £41.28", "No charge"]);
        assert_eq!(
            all(&terms(&[0, 495]), &picks),
            ["£37.52", "£41.28", "No charge"],
            "one of them is the shop's fault"
        );
        let prepaid = Terms { collection: FeeCollection::Prepay, least_payable: Some(1), ..terms(&[495]) };
        assert_eq!(all(&prepaid, &picks[..1]), ["£37.52", "£41.28", "£4.95 due"]);
        let choice = Terms { shipping: terms(&[0, 495]).shipping, ..prepaid };
        assert_eq!(all(&choice, &picks[..1])[2], "£0–£4.95 due");
        assert_eq!(all(&Terms { left: Some(2_000), ..terms(&[0]) }, &picks[..1])[0], "up to £20.00");
    }

    #[test]
    fn an_exchange_is_free_with_every_option() {
        let swap = |replacement: &str| {
            let pick = Pick { replacement: replacement.into(), ..pick(1, Resolution::Exchange) };
            let receipt = estimate(&terms(&[395, 495, 0]), &[pick], &EN).unwrap();
            let line = receipt.lines[0].clone();
            assert_eq!((receipt.lines[1].figure.as_str(), receipt.total.figure.as_str()), ("Free", "No charge"));
            (line.what, line.figure, receipt.total.what)
        };
        assert_eq!(swap("Green"), ("3 × Mug → Green".into(), "No charge".into(), "Exchange".into()));
        assert_eq!(swap("").0, "3 × Mug → replacement");
    }

    #[test]
    fn a_payment_due_is_shown_before_an_option_is_selected() {
        let terms = Terms { collection: FeeCollection::Prepay, least_payable: Some(1), ..terms(&[395, 495, 0]) };
        let receipt = estimate(&terms, &[pick(1, Resolution::Refund)], &EN).unwrap();
        let due = receipt.payable.clone().unwrap();
        assert_eq!((due.what.as_str(), due.figure.as_str()), (EN.due_first, "£0–£4.95"));
        assert_eq!((receipt.total.what.as_str(), receipt.total.figure.as_str()), ("Refund later", "£37.52"));
        assert_eq!(receipt.lines.last().unwrap().figure, "£0–£4.95");
        let one = Terms { shipping: vec![Fare { price: 395, ..Fare::default() }], ..terms.clone() };
        let one = estimate(&one, &[pick(1, Resolution::Refund)], &EN).unwrap();
        assert_eq!(one.lines.last().unwrap().figure, "£3.95", "it is not taken off the refund");
        let exchange = estimate(&terms, &[pick(1, Resolution::Exchange)], &EN).unwrap();
        assert_eq!(exchange.title(&EN), "Your exchange");
        assert_eq!((exchange.total.what.as_str(), exchange.total.figure.as_str()), (EN.due_first, "£0–£4.95"));
    }

    #[test]
    fn credit_is_shown_beside_money() {
        let picks = [pick(1, Resolution::Refund), pick(1, Resolution::StoreCredit)];
        let receipt = estimate(&terms(&[0]), &picks, &EN).unwrap();
        assert_eq!(receipt.also.unwrap().figure, "£41.28");
        assert_eq!(receipt.total.figure, "£37.52");
    }
}
