//! Returns of orders of which less is left than the returns are worth.

use super::{
    ChargedItem, Charges, CostBreakdown, CountedUnits, LineKind, RequestOutcome, SettledAmounts, calculate, revise,
};
use crate::{
    base::id::{PurchaseId, ShippingOptionId},
    money::{Currency, Percent},
    order::{RefundClaim, refund_limits},
    policy::{FeeCollection, Resolution, reason::Fault},
};
use proptest::prelude::*;
use uuid::Uuid;

const RESOLUTIONS: [Resolution; 3] = [Resolution::Refund, Resolution::StoreCredit, Resolution::Exchange];

fn id(number: usize) -> PurchaseId {
    PurchaseId(Uuid::from_u128(u128::try_from(number).unwrap()))
}

/// Items by value and resolution. The outbound shipping of 300 is refunded with the last item.
fn charges(items: &[(i64, Resolution)], left: i64) -> Charges {
    let shipping = |number: usize| if number + 1 == items.len() { 300 } else { 0 };
    let claim = |(number, &(items, _)): (usize, &(i64, Resolution))| RefundClaim { items, shipping: shipping(number) };
    let claims: Vec<RefundClaim> = items.iter().enumerate().map(claim).collect();
    let item = |((number, &(value, resolution)), limit): ((usize, &(i64, Resolution)), i64)| ChargedItem {
        purchase_id: id(number),
        quantity: 1,
        value,
        outbound_shipping: shipping(number),
        limit,
        resolution,
        restocking_fee: Percent::from_hundredths(1_000).unwrap(),
        fault: Fault::Consumer,
    };
    Charges {
        currency: Currency::from_code("EUR").unwrap(),
        items: items.iter().enumerate().zip(refund_limits(&claims, left)).map(item).collect(),
        shipping: Some((ShippingOptionId(Uuid::nil()), 495)),
        request_fee: 0,
        store_credit_bonus: Percent::from_hundredths(1_000).unwrap(),
        collection: FeeCollection::Deduct,
        least_payable: None,
        waives_fees: false,
    }
}

/// If the value fell, only the excess over what is then left is cut.
fn outcome(item: &ChargedItem, value: i64) -> RequestOutcome {
    let off_shipping = item.limit.min(item.outbound_shipping);
    RequestOutcome {
        purchase_id: item.purchase_id,
        resolution: item.resolution,
        drafted: item.resolution,
        counts: CountedUnits::Units { units: 1, value },
        outbound_shipping: item.outbound_shipping,
        limit: off_shipping + (item.limit - off_shipping - (item.value - value)).max(0),
        adjustment: 0,
    }
}

fn claimed(costs: &CostBreakdown, items: usize) -> i64 {
    (0..items).map(|number| costs.claim_of(id(number)).total()).sum()
}

#[test]
fn the_rest_is_refunded_less_fees() {
    let costs = calculate(&charges(&[(16_000, Resolution::Refund)], 8_500));
    let line = |kind| costs.total(kind);
    assert_eq!(line(LineKind::ItemRefund), 16_000);
    assert_eq!(line(LineKind::OutboundShippingRefund), 300);
    assert_eq!(line(LineKind::RefundLimit), -7_800);
    assert_eq!(line(LineKind::RestockingFee), -850, "a percentage of the limited refund");
    assert_eq!(costs.estimated_refund.minor, 8_500 - 850 - 495);
    assert_eq!(
        costs.settled(id(0), costs.value_of(id(0), true)),
        SettledAmounts { items: 8_500, shipping: 0, fees: 1_345 }
    );
}

#[test]
fn an_unpaid_order_refunds_nothing_and_owes_no_fee() {
    let costs = calculate(&charges(&[(10_000, Resolution::Refund), (500, Resolution::StoreCredit)], 0));
    assert_eq!((costs.estimated_refund.minor, costs.estimated_credit.minor, costs.payable_now.minor), (0, 0, 0));
    assert_eq!(costs.total(LineKind::RefundLimit), -10_800);
    assert_eq!(costs.total(LineKind::StoreCreditBonus), 0);
    assert_eq!(costs.total(LineKind::FeeWaiver), 495);
    // The value of an exchange is limited, too, and it never gives money.
    let exchange = calculate(&charges(&[(10_000, Resolution::Exchange)], 2_000));
    assert_eq!((exchange.total(LineKind::ExchangeValue), exchange.estimated_refund.minor), (-2_000, 0));
    assert_eq!((exchange.worth(id(0)), exchange.claim_of(id(0)).total()), (10_000, 2_000));
}

proptest! {
    #[test]
    fn refunds_never_exceed_the_rest_and_sum_up(
        picks in prop::collection::vec((0..200_000_i64, 0..3_usize, 0..200_000_i64), 1..6),
        left in 0..600_000_i64,
        prepay: bool,
        least in prop::option::of(0..500_i64),
    ) {
        let items: Vec<(i64, Resolution)> = picks.iter().map(|pick| (pick.0, RESOLUTIONS[pick.1])).collect();
        let collection = if prepay { FeeCollection::Prepay } else { FeeCollection::Deduct };
        let charges = Charges { collection, least_payable: least, ..charges(&items, left) };
        let before = calculate(&charges);
        let whole = items.iter().map(|item| item.0).sum::<i64>() + 300;
        prop_assert_eq!(claimed(&before, items.len()), whole.min(left));
        if left >= whole {
            let unlimited = charges.items.iter().map(|item| ChargedItem { limit: 0, ..item.clone() }).collect();
            prop_assert_eq!(&before, &calculate(&Charges { items: unlimited, ..charges.clone() }));
        }
        let fewer: Vec<RequestOutcome> =
            charges.items.iter().zip(&picks).map(|(item, pick)| outcome(item, pick.2.min(item.value))).collect();
        let all: Vec<RequestOutcome> = charges.items.iter().map(|item| outcome(item, item.value)).collect();
        prop_assert_eq!(&revise(&before, &all), &before);
        let after = revise(&before, &fewer);
        prop_assert!(claimed(&after, items.len()) <= claimed(&before, items.len()));

        for costs in [&before, &after] {
            let figures = [costs.estimated_refund, costs.estimated_credit, costs.payable_now, costs.fee_total];
            let [refund, credit, payable, fees] = figures.map(|money| money.minor);
            prop_assert!(refund >= 0 && credit >= 0 && payable >= 0 && fees >= 0, "{costs:?}");
            prop_assert_eq!(costs.lines.iter().map(|line| line.amount.minor).sum::<i64>(), refund + credit - payable);
            prop_assert!(refund + credit - costs.total(LineKind::StoreCreditBonus) <= left, "{costs:?}");
            let values: i64 = (0..items.len()).map(|number| costs.value_of(id(number), true)).sum();
            prop_assert_eq!(values, refund + credit, "{:?}", costs);
            for number in 0..items.len() {
                let claim = costs.claim_of(id(number));
                prop_assert!(claim.items >= 0 && claim.shipping >= 0);
                let value = costs.value_of(id(number), true);
                let SettledAmounts { items, shipping, fees } = costs.settled(id(number), value);
                prop_assert_eq!(items + shipping - fees, value);
                prop_assert!(items >= 0 && shipping >= 0 && fees >= 0);
                // Duties are a part of what is given for the items, whole unless that is cut.
                let limit = costs.limit_of(id(number)).items;
                let within = claim.items + limit;
                for duties in [0, within / 3, within] {
                    let settled = costs.settled_duties(id(number), value, duties);
                    prop_assert!((0..=duties.min((items - fees).max(0))).contains(&settled), "{costs:?}");
                    let is_cut = limit > 0 || items - fees < within;
                    prop_assert!(is_cut || settled == duties, "{costs:?}");
                }
            }
        }
    }
}

#[test]
fn a_limit_comes_off_the_duties_first_and_fees_off_the_goods() {
    let settled = |resolution, left, duties| {
        let costs = calculate(&charges(&[(16_000, resolution)], left));
        costs.settled_duties(id(0), costs.value_of(id(0), true), duties)
    };
    // 10 % and 4.95 are deducted.
    assert_eq!(settled(Resolution::Refund, 16_300, 2_000), 2_000);
    assert_eq!(settled(Resolution::Refund, 15_000, 2_000), 1_000, "shipping and 10.00 of the duties are cut");
    assert_eq!(settled(Resolution::Refund, 8_500, 2_000), 0);
    assert_eq!(settled(Resolution::Refund, 16_300, 15_500), 16_000 - 1_600 - 495, "no goods are left");
    assert_eq!(settled(Resolution::StoreCredit, 16_300, 2_000), 2_000, "the bonus is no duty");
    assert_eq!(settled(Resolution::Exchange, 16_300, 2_000), 0, "its value goes into goods");
}
