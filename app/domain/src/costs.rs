//! What a return costs and what comes back: the breakdown of a draft (design: "Cost breakdown of a draft").

use crate::{
    Currency, Money, Percent, PurchaseId, ShippingOptionId, allocate,
    policy::{FeeCollection, Resolution},
    reason::Fault,
};
use serde::{Deserialize, Serialize};

/// Everything a breakdown is made of. Amounts are minor units of `currency`, none below 0.
#[derive(Debug, Clone)]
pub struct Charges {
    /// What everything is in.
    pub currency: Currency,
    /// What goes back, each purchase once.
    pub items: Vec<Item>,
    /// The way of sending and its price, once it is chosen.
    pub shipping: Option<(ShippingOptionId, i64)>,
    /// The fee for a return, whatever is in it.
    pub request_fee: i64,
    /// What store credit is topped up with.
    pub store_credit_bonus: Percent,
    /// How fees are collected.
    pub collection: FeeCollection,
    /// The least amount a consumer can be asked to pay; `None` where no payment provider is set up.
    pub least_payable: Option<i64>,
}

/// One purchase that goes back.
#[derive(Debug, Clone)]
pub struct Item {
    /// Which.
    pub purchase_id: PurchaseId,
    /// How many units.
    pub quantity: u32,
    /// What they cost.
    pub value: i64,
    /// Its share of the outbound shipping that is paid back.
    pub outbound_shipping: i64,
    /// What is asked for.
    pub resolution: Resolution,
    /// What the reason keeps of the price.
    pub restocking_fee: Percent,
    /// Whose fault it is.
    pub fault: Fault,
}

/// What an amount in a breakdown is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum LineKind {
    /// What the items cost.
    ItemRefund,
    /// What sending them to the consumer cost.
    OutboundShippingRefund,
    /// What sending them back costs.
    ReturnShipping,
    /// What is kept of the price.
    RestockingFee,
    /// The fee for a return.
    RequestFee,
    /// What store credit is topped up with.
    StoreCreditBonus,
    /// The value that goes into other goods.
    ExchangeValue,
    /// What nobody can be asked to pay.
    FeeWaiver,
}

/// One amount of one request. Positive: to the consumer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CostLine {
    /// What it is for.
    pub kind: LineKind,
    /// Whose request it belongs to.
    pub purchase_id: PurchaseId,
    /// Units, where they count.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quantity: Option<u32>,
    /// The way of sending, for what it costs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shipping_option_id: Option<ShippingOptionId>,
    /// How much.
    pub amount: Money,
}

/// The whole calculation: lines that belong to requests, and what they come to. The lines sum to
/// `estimatedRefund + estimatedCredit - payableNow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CostBreakdown {
    /// What everything is in.
    pub currency: Currency,
    /// Every amount.
    pub lines: Vec<CostLine>,
    /// What comes back before fees: items, outbound shipping and bonus, without what goes into other goods.
    pub refund_total: Money,
    /// Fees after waivers; not negative.
    pub fee_total: Money,
    /// Money that comes back the way it was paid.
    pub estimated_refund: Money,
    /// Money that comes back as store credit.
    pub estimated_credit: Money,
    /// What must be paid before anything is sent.
    pub payable_now: Money,
}

impl CostBreakdown {
    /// What the lines of a purchase come to, minor units.
    pub fn sum_of(&self, purchase: PurchaseId) -> i64 {
        self.lines.iter().filter(|line| line.purchase_id == purchase).map(|line| line.amount.minor).sum()
    }
}

impl CostBreakdown {
    /// The sum of all lines of a kind, minor units.
    pub fn total(&self, kind: LineKind) -> i64 {
        self.lines.iter().filter(|line| line.kind == kind).map(|line| line.amount.minor).sum()
    }
}

/// Calculates the breakdown of a return.
pub fn calculate(charges: &Charges) -> CostBreakdown {
    let fees = fees(charges);
    let mut sums = Sums::default();
    let mut lines = Vec::new();
    for (item, fee) in charges.items.iter().zip(&fees) {
        let mut push = |kind, amount: i64, quantity, shipping_option_id| {
            if amount != 0 || kind == LineKind::ItemRefund {
                let amount = Money::new(amount, charges.currency);
                lines.push(CostLine { kind, purchase_id: item.purchase_id, quantity, shipping_option_id, amount });
            }
        };
        push(LineKind::ItemRefund, item.value, Some(item.quantity), None);
        push(LineKind::OutboundShippingRefund, item.outbound_shipping, None, None);
        sums.cash += item.outbound_shipping;
        match item.resolution {
            Resolution::Refund => sums.cash += item.value,
            Resolution::Exchange => push(LineKind::ExchangeValue, -item.value, Some(item.quantity), None),
            Resolution::StoreCredit => {
                let bonus = charges.store_credit_bonus.of_rounded_up(item.value);
                push(LineKind::StoreCreditBonus, bonus, None, None);
                sums.credit += item.value + bonus;
            }
        }
        push(LineKind::RestockingFee, -fee.restocking, None, None);
        push(LineKind::ReturnShipping, -fee.shipping, None, charges.shipping.map(|(id, _)| id));
        push(LineKind::RequestFee, -fee.request, None, None);
    }
    let owed: Vec<u64> = fees.iter().map(|fee| fee.sum().unsigned_abs()).collect();
    let settlement = settle(charges, &sums, fees.iter().map(Fee::sum).sum());
    // A waiver is a share of each request's fees, so that dropping a request drops its part of both.
    for (item, share) in charges.items.iter().zip(allocate::by_weight(settlement.waived, &owed)) {
        if share != 0 {
            let amount = Money::new(share, charges.currency);
            let purchase_id = item.purchase_id;
            lines.push(CostLine {
                kind: LineKind::FeeWaiver,
                purchase_id,
                quantity: None,
                shipping_option_id: None,
                amount,
            });
        }
    }
    let money = |minor| Money::new(minor, charges.currency);
    CostBreakdown {
        currency: charges.currency,
        lines,
        refund_total: money(sums.cash + sums.credit),
        fee_total: money(settlement.fees),
        estimated_refund: money(settlement.cash),
        estimated_credit: money(settlement.credit),
        payable_now: money(settlement.payable),
    }
}

#[derive(Default)]
struct Sums {
    cash: i64,
    credit: i64,
}

/// What one request owes.
struct Fee {
    restocking: i64,
    shipping: i64,
    request: i64,
}

impl Fee {
    fn sum(&self) -> i64 {
        self.restocking + self.shipping + self.request
    }
}

/// Each request's fees. Sending back is free as soon as something in the parcel is the merchant's fault (it must
/// travel anyway), and nobody pays a fee for returning nothing but the merchant's faults.
fn fees(charges: &Charges) -> Vec<Fee> {
    let blames_merchant = |item: &Item| item.fault == Fault::Merchant;
    let shipping =
        if charges.items.iter().any(blames_merchant) { 0 } else { charges.shipping.map_or(0, |(_, price)| price) };
    let request = if charges.items.iter().all(blames_merchant) { 0 } else { charges.request_fee };
    let weights: Vec<u64> = charges.items.iter().map(|item| item.value.unsigned_abs()).collect();
    let shipping = allocate::by_weight(shipping, &weights);
    let request = allocate::by_weight(request, &weights);
    charges
        .items
        .iter()
        .zip(shipping.into_iter().zip(request))
        .map(|(item, (shipping, request))| Fee {
            restocking: item.restocking_fee.of_rounded_down(item.value),
            shipping,
            request,
        })
        .collect()
}

struct Settlement {
    cash: i64,
    credit: i64,
    payable: i64,
    waived: i64,
    fees: i64,
}

/// Takes fees off what comes back (cash, then credit), or asks for them; what cannot be asked for is waived.
fn settle(charges: &Charges, sums: &Sums, fees: i64) -> Settlement {
    let deducted = match charges.collection {
        FeeCollection::Prepay => 0,
        FeeCollection::Deduct => fees,
    };
    let off_cash = deducted.min(sums.cash);
    let off_credit = (deducted - off_cash).min(sums.credit);
    let left = fees - off_cash - off_credit;
    let can_be_asked = charges.least_payable.is_some_and(|least| left >= least);
    let (payable, waived) = if can_be_asked { (left, 0) } else { (0, left) };
    Settlement { cash: sums.cash - off_cash, credit: sums.credit - off_credit, payable, waived, fees: fees - waived }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn item(value: i64) -> Item {
        Item {
            purchase_id: PurchaseId(Uuid::nil()),
            quantity: 1,
            value,
            outbound_shipping: 0,
            resolution: Resolution::Refund,
            restocking_fee: Percent::default(),
            fault: Fault::Consumer,
        }
    }

    fn charges(items: Vec<Item>) -> Charges {
        Charges {
            currency: Currency::from_code("EUR").unwrap(),
            items,
            shipping: Some((ShippingOptionId(Uuid::nil()), 495)),
            request_fee: 0,
            store_credit_bonus: Percent::from_hundredths(1_000).unwrap(),
            collection: FeeCollection::Deduct,
            least_payable: None,
        }
    }

    fn figures(charges: &Charges) -> (i64, i64, i64, i64) {
        let costs = calculate(charges);
        (
            costs.estimated_refund.minor,
            costs.estimated_credit.minor,
            costs.payable_now.minor,
            costs.total(LineKind::FeeWaiver),
        )
    }

    #[test]
    fn fees_come_off_cash_then_credit_and_never_below_zero() {
        assert_eq!(figures(&charges(vec![item(3995)])), (3500, 0, 0, 0));
        let credit = Item { resolution: Resolution::StoreCredit, ..item(1000) };
        assert_eq!(figures(&charges(vec![item(200), credit])), (0, 805, 0, 0));
        assert_eq!(figures(&charges(vec![item(200)])), (0, 0, 0, 295));
        let payable = Charges { least_payable: Some(50), ..charges(vec![item(200)]) };
        assert_eq!(figures(&payable), (0, 0, 295, 0));
        let too_little = Charges { least_payable: Some(296), ..payable };
        assert_eq!(figures(&too_little), (0, 0, 0, 295));
        let prepay =
            Charges { collection: FeeCollection::Prepay, least_payable: Some(50), ..charges(vec![item(3995)]) };
        assert_eq!(figures(&prepay), (3995, 0, 495, 0));
    }

    #[test]
    fn an_exchange_gives_nothing_back_and_still_owes_its_fees() {
        let exchange = Item { resolution: Resolution::Exchange, ..item(2000) };
        let costs = calculate(&Charges { least_payable: Some(1), ..charges(vec![exchange]) });
        assert_eq!((costs.estimated_refund.minor, costs.payable_now.minor), (0, 495));
        assert_eq!(costs.total(LineKind::ExchangeValue), -2000);
    }

    #[test]
    fn the_merchants_fault_travels_free() {
        let broken = Item { fault: Fault::Merchant, ..item(2000) };
        let with_fee = Charges { request_fee: 100, ..charges(vec![broken.clone()]) };
        assert_eq!(figures(&with_fee), (2000, 0, 0, 0));
        let mixed = Charges { items: vec![broken, item(1000)], ..with_fee };
        assert_eq!(figures(&mixed), (2900, 0, 0, 0));
    }

    #[test]
    fn restocking_is_rounded_down_and_the_bonus_up() {
        let percent = Percent::from_hundredths(1_500).unwrap();
        let costs =
            calculate(&Charges { shipping: None, ..charges(vec![Item { restocking_fee: percent, ..item(333) }]) });
        assert_eq!(costs.total(LineKind::RestockingFee), -49);
        let credit = Item { resolution: Resolution::StoreCredit, ..item(333) };
        assert_eq!(calculate(&charges(vec![credit])).total(LineKind::StoreCreditBonus), 34);
    }

    fn any_item() -> impl Strategy<Value = Item> {
        let resolution = prop::sample::select(vec![Resolution::Refund, Resolution::Exchange, Resolution::StoreCredit]);
        let fault = prop::sample::select(vec![Fault::Merchant, Fault::Consumer]);
        (0_i64..1_000_000_000, 0_i64..1_000, resolution, 0_u32..=10_000, fault, any::<u128>()).prop_map(
            |(value, outbound_shipping, resolution, percent, fault, id)| Item {
                purchase_id: PurchaseId(Uuid::from_u128(id)),
                outbound_shipping,
                resolution,
                restocking_fee: Percent::from_hundredths(percent).unwrap(),
                fault,
                ..item(value)
            },
        )
    }

    proptest! {
        #[test]
        fn lines_sum_to_what_comes_back_less_what_is_paid(
            items in prop::collection::vec(any_item(), 1..20),
            currency in prop::sample::select(Currency::all().collect::<Vec<_>>()),
            shipping in prop::option::of(0_i64..10_000),
            request_fee in 0_i64..5_000,
            prepay in any::<bool>(),
            least_payable in prop::option::of(0_i64..10_000),
        ) {
            let collection = if prepay { FeeCollection::Prepay } else { FeeCollection::Deduct };
            let shipping = shipping.map(|price| (ShippingOptionId(Uuid::nil()), price));
            let costs = calculate(&Charges { currency, shipping, request_fee, collection, least_payable, ..charges(items) });
            let lines: i64 = costs.lines.iter().map(|line| line.amount.minor).sum();
            let (refund, credit, payable) = (costs.estimated_refund.minor, costs.estimated_credit.minor, costs.payable_now.minor);
            prop_assert_eq!(lines, refund + credit - payable);
            prop_assert_eq!(costs.refund_total.minor - costs.fee_total.minor, refund + credit - payable);
            prop_assert!(refund >= 0 && credit >= 0 && payable >= 0 && costs.fee_total.minor >= 0);
            prop_assert!(payable == 0 || least_payable.is_some_and(|least| payable >= least));
        }
    }
}
