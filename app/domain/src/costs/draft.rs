//! The breakdown of a draft: fixes every figure.

use super::{
    breakdown::{CostBreakdown, LineKind},
    request_costs::{RequestCosts, assemble},
};
use crate::{
    base::id::{PurchaseId, ShippingOptionId},
    money::{Currency, Percent, allocate},
    policy::{FeeCollection, Resolution, reason::Fault},
};

/// The input of a breakdown. Amounts are minor units of `currency`, none below 0.
#[derive(Debug, Clone)]
pub struct Charges {
    /// The currency of all amounts.
    pub currency: Currency,
    /// The returned items, each purchase once.
    pub items: Vec<ChargedItem>,
    /// The shipping option and its price, once chosen.
    pub shipping: Option<(ShippingOptionId, i64)>,
    /// The fee per return, whatever it contains.
    pub request_fee: i64,
    /// The bonus on store credit.
    pub store_credit_bonus: Percent,
    /// How fees are collected.
    pub collection: FeeCollection,
    /// The smallest amount that a consumer can be asked to pay; `None` without a payment provider.
    pub least_payable: Option<i64>,
    /// Whether staff waive all fees.
    pub waives_fees: bool,
}

/// A purchase that is returned.
#[derive(Debug, Clone)]
pub struct ChargedItem {
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// The number of units.
    pub quantity: u32,
    /// The price of the units.
    pub value: i64,
    /// Its share of the refunded outbound shipping.
    pub outbound_shipping: i64,
    /// The part of both that is not refunded, because no more is left of the order ([`crate::order::refund_limits`]).
    pub limit: i64,
    /// The requested resolution.
    pub resolution: Resolution,
    /// The restocking fee of the reason.
    pub restocking_fee: Percent,
    /// The party at fault.
    pub fault: Fault,
}

impl Charges {
    /// The same for the recipient of a gift. They pay nothing: fees are deducted from what they receive and waived
    /// beyond that. Outbound shipping is not refunded, because the recipient did not pay it.
    #[must_use]
    pub fn of_gift(self) -> Self {
        let item = |item: ChargedItem| ChargedItem { outbound_shipping: 0, limit: item.value - item.worth(), ..item };
        let items = self.items.into_iter().map(item).collect();
        Self { items, collection: FeeCollection::Deduct, least_payable: None, ..self }
    }
}

/// Calculates the breakdown of a return.
pub fn calculate(charges: &Charges) -> CostBreakdown {
    let fees = fees(charges);
    let mut parts: Vec<RequestCosts> =
        charges.items.iter().zip(&fees).map(|(item, fee)| part(charges, item, fee)).collect();
    // Fees beyond the refund that bears them have to be paid; if the amount cannot be collected, they are waived.
    let unpaid = |part: &RequestCosts| match charges.collection {
        FeeCollection::Prepay => part.fees,
        FeeCollection::Deduct => (part.fees - part.own()).max(0),
    };
    let left = parts.iter().map(unpaid).sum::<i64>();
    let can_be_asked = charges.least_payable.is_some_and(|least| left >= least);
    for part in &mut parts {
        let unpaid = unpaid(part);
        (part.paid, part.waived) = if charges.waives_fees {
            (0, part.fees)
        } else if can_be_asked {
            (unpaid, 0)
        } else {
            (0, unpaid)
        };
    }
    assemble(charges.currency, parts)
}

fn part(charges: &Charges, item: &ChargedItem, fee: &RequestFees) -> RequestCosts {
    let mut part = RequestCosts::new(item.purchase_id, item.resolution, charges.currency);
    part.push(LineKind::ItemRefund, item.value, Some(item.quantity), None);
    part.push(LineKind::OutboundShippingRefund, item.outbound_shipping, None, None);
    part.push(LineKind::RefundLimit, -item.limit, None, None);
    match item.resolution {
        Resolution::Refund => {}
        Resolution::Exchange => part.push(LineKind::ExchangeValue, -item.worth(), Some(item.quantity), None),
        Resolution::StoreCredit => part.push(LineKind::StoreCreditBonus, item.bonus(charges), None, None),
    }
    part.push(LineKind::RestockingFee, -fee.restocking, None, None);
    part.push(LineKind::ReturnShipping, -fee.shipping, None, charges.shipping.map(|(id, _)| id));
    part.push(LineKind::RequestFee, -fee.request, None, None);
    part
}

impl ChargedItem {
    /// The part of its price that is refunded or goes into goods: the price less its limit, which cuts shipping first.
    fn worth(&self) -> i64 {
        self.value - (self.limit - self.limit.min(self.outbound_shipping))
    }

    fn restocking(&self) -> i64 {
        self.restocking_fee.of_rounded_down(self.worth())
    }

    /// The bonus on store credit for it. The part that restocking keeps earns none.
    fn bonus(&self, charges: &Charges) -> i64 {
        charges.store_credit_bonus.of_rounded_up(self.worth() - self.restocking())
    }
}

/// The fees of one request.
struct RequestFees {
    restocking: i64,
    shipping: i64,
    request: i64,
}

/// The fees of each request. Sending back is free if any item in the parcel is the merchant's fault, because the
/// parcel has to travel anyway. A return of only such items costs no request fee.
fn fees(charges: &Charges) -> Vec<RequestFees> {
    let blames_merchant = |item: &ChargedItem| item.fault == Fault::Merchant;
    let shipping =
        if charges.items.iter().any(blames_merchant) { 0 } else { charges.shipping.map_or(0, |(_, price)| price) };
    let request = if charges.items.iter().all(blames_merchant) { 0 } else { charges.request_fee };
    let mut capacity = FeeCapacity::new(charges);
    let shipping = capacity.share(shipping, &charges.items);
    let request = capacity.share(request, &charges.items);
    let shares = shipping.into_iter().zip(request);
    let fee = |(item, (shipping, request)): (&ChargedItem, _)| RequestFees {
        restocking: item.restocking(),
        shipping,
        request,
    };
    charges.items.iter().zip(shares).map(fee).collect()
}

/// The amount of each request's refund that can bear shared fees: cash first, then credit. Outbound shipping bears
/// none, because only the end shows which request refunds it.
struct FeeCapacity([Vec<u64>; 2]);

impl FeeCapacity {
    fn new(charges: &Charges) -> Self {
        let capacity = |of: &dyn Fn(&ChargedItem) -> i64| {
            charges.items.iter().map(|item| u64::try_from(of(item)).unwrap_or(0)).collect() // below 0: no capacity
        };
        let left = |item: &ChargedItem| item.worth() - item.restocking();
        let is = |item: &ChargedItem, resolution| item.resolution == resolution;
        Self([
            capacity(&|item| if is(item, Resolution::Refund) { left(item) } else { 0 }),
            capacity(&|item| if is(item, Resolution::StoreCredit) { left(item) + item.bonus(charges) } else { 0 }),
        ])
    }

    /// Splits a fee over the requests in proportion to the rest of their refunds, so that each can bear its share.
    /// The part beyond all refunds is split by the price of the items.
    fn share(&mut self, fee: i64, items: &[ChargedItem]) -> Vec<i64> {
        let mut shares = vec![0; items.len()];
        let mut left = fee;
        for capacity in &mut self.0 {
            let most = i64::try_from(capacity.iter().map(|&one| u128::from(one)).sum::<u128>()).unwrap_or(i64::MAX);
            let now = left.min(most);
            let parts = allocate::by_weight(now, capacity);
            for ((share, room), part) in shares.iter_mut().zip(capacity).zip(parts) {
                *share += part;
                *room = room.saturating_sub(part.unsigned_abs());
            }
            left -= now;
        }
        let values: Vec<u64> = items.iter().map(|item| item.value.unsigned_abs()).collect();
        for (share, part) in shares.iter_mut().zip(allocate::by_weight(left, &values)) {
            *share += part;
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn item(value: i64) -> ChargedItem {
        ChargedItem {
            purchase_id: PurchaseId(Uuid::nil()),
            quantity: 1,
            value,
            outbound_shipping: 0,
            limit: 0,
            resolution: Resolution::Refund,
            restocking_fee: Percent::default(),
            fault: Fault::Consumer,
        }
    }

    fn charges(items: Vec<ChargedItem>) -> Charges {
        Charges {
            currency: Currency::from_code("EUR").unwrap(),
            items,
            shipping: Some((ShippingOptionId(Uuid::nil()), 495)),
            request_fee: 0,
            store_credit_bonus: Percent::from_hundredths(1_000).unwrap(),
            collection: FeeCollection::Deduct,
            least_payable: None,
            waives_fees: false,
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
    fn fees_are_deducted_from_cash_then_credit_and_never_below_zero() {
        assert_eq!(figures(&charges(vec![item(3995)])), (3500, 0, 0, 0));
        let credit = ChargedItem { resolution: Resolution::StoreCredit, ..item(1000) };
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
    fn staff_waive_all_fees_of_a_return() {
        let waived = |charges: Charges| Charges { waives_fees: true, ..charges };
        assert_eq!(figures(&waived(charges(vec![item(3995)]))), (3995, 0, 0, 495));
        let prepay =
            Charges { collection: FeeCollection::Prepay, least_payable: Some(50), ..charges(vec![item(3995)]) };
        assert_eq!(figures(&waived(prepay)), (3995, 0, 0, 495));
        let restocked = ChargedItem { restocking_fee: Percent::from_hundredths(1_000).unwrap(), ..item(1_000) };
        assert_eq!(figures(&waived(charges(vec![restocked]))), (1_000, 0, 0, 595));
    }

    #[test]
    fn fees_of_a_gift_are_deducted_even_if_the_shop_collects_up_front() {
        let credit = ChargedItem { resolution: Resolution::StoreCredit, ..item(1000) };
        let prepay = Charges { collection: FeeCollection::Prepay, least_payable: Some(50), ..charges(vec![credit]) };
        assert_eq!(figures(&prepay.of_gift()), (0, 605, 0, 0), "10.00 and 10 %, less 4.95");
    }

    #[test]
    fn requests_with_a_refund_bear_the_fees_of_those_without() {
        let percent = Percent::from_hundredths(10_000).unwrap();
        let exchange = ChargedItem { resolution: Resolution::Exchange, ..item(2000) };
        let nothing_left = ChargedItem { restocking_fee: percent, ..item(3000) };
        let items = [exchange, nothing_left, item(1000)].into_iter().enumerate();
        let numbered = |(id, item)| ChargedItem { purchase_id: PurchaseId(Uuid::from_u128(id as u128)), ..item };
        let costs = calculate(&charges(items.map(numbered).collect()));
        let values = [0, 1, 2].map(|id| costs.value_of(PurchaseId(Uuid::from_u128(id)), true));
        assert_eq!((values, costs.estimated_refund.minor), ([0, 0, 505], 505));
        assert_eq!(costs.total(LineKind::FeeWaiver), 0);
    }

    #[test]
    fn outbound_shipping_bears_no_fees_and_restocking_earns_no_bonus() {
        let completes = ChargedItem { outbound_shipping: 500, ..item(200) };
        assert_eq!(figures(&charges(vec![completes])), (500, 0, 0, 295));
        let all = Percent::from_hundredths(10_000).unwrap();
        let kept = ChargedItem { resolution: Resolution::StoreCredit, restocking_fee: all, ..item(1000) };
        assert_eq!(figures(&Charges { shipping: None, ..charges(vec![kept]) }), (0, 0, 0, 0));
    }

    #[test]
    fn an_exchange_refunds_nothing_and_still_owes_its_fees() {
        let exchange = ChargedItem { resolution: Resolution::Exchange, ..item(2000) };
        let costs = calculate(&Charges { least_payable: Some(1), ..charges(vec![exchange]) });
        assert_eq!((costs.estimated_refund.minor, costs.payable_now.minor), (0, 495));
        assert_eq!(costs.total(LineKind::ExchangeValue), -2000);
    }

    #[test]
    fn returns_by_the_merchants_fault_are_free() {
        let broken = ChargedItem { fault: Fault::Merchant, ..item(2000) };
        let with_fee = Charges { request_fee: 100, ..charges(vec![broken.clone()]) };
        assert_eq!(figures(&with_fee), (2000, 0, 0, 0));
        let mixed = Charges { items: vec![broken, item(1000)], ..with_fee };
        assert_eq!(figures(&mixed), (2900, 0, 0, 0));
    }

    #[test]
    fn restocking_is_rounded_down_and_the_bonus_up() {
        let percent = Percent::from_hundredths(1_500).unwrap();
        let costs = calculate(&Charges {
            shipping: None,
            ..charges(vec![ChargedItem { restocking_fee: percent, ..item(333) }])
        });
        assert_eq!(costs.total(LineKind::RestockingFee), -49);
        let credit = ChargedItem { resolution: Resolution::StoreCredit, ..item(333) };
        assert_eq!(calculate(&charges(vec![credit])).total(LineKind::StoreCreditBonus), 34);
    }

    fn any_item() -> impl Strategy<Value = ChargedItem> {
        let resolution = prop::sample::select(vec![Resolution::Refund, Resolution::Exchange, Resolution::StoreCredit]);
        let fault = prop::sample::select(vec![Fault::Merchant, Fault::Consumer]);
        (0_i64..1_000_000_000, 0_i64..1_000, resolution, 0_u32..=10_000, fault, any::<u128>()).prop_map(
            |(value, outbound_shipping, resolution, percent, fault, id)| ChargedItem {
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
        fn lines_sum_to_the_refund_less_the_payment(
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
            prop_assert!(costs.lines.iter().all(|line| costs.value_of(line.purchase_id, true) <= refund + credit));
            prop_assert!(payable == 0 || least_payable.is_some_and(|least| payable >= least));
        }

        #[test]
        fn a_gift_costs_nobody_anything_and_gives_no_money(
            items in prop::collection::vec(any_item(), 1..20),
            shipping in 0_i64..10_000,
            request_fee in 0_i64..5_000,
            prepay in any::<bool>(),
            least_payable in prop::option::of(0_i64..10_000),
        ) {
            let for_gifts = |item: ChargedItem| {
                let resolution = if item.resolution.is_for_gifts() { item.resolution } else { Resolution::StoreCredit };
                ChargedItem { resolution, ..item }
            };
            let items: Vec<ChargedItem> = items.into_iter().map(for_gifts).collect();
            let collection = if prepay { FeeCollection::Prepay } else { FeeCollection::Deduct };
            let shipping = Some((ShippingOptionId(Uuid::nil()), shipping));
            let bought = Charges { shipping, request_fee, collection, least_payable, ..charges(items) };
            let costs = calculate(&bought.of_gift());
            prop_assert_eq!((costs.payable_now.minor, costs.estimated_refund.minor), (0, 0));
            prop_assert!(costs.estimated_credit.minor >= 0);
        }
    }
}
