//! Plans of refunds over any payments, and amounts of lines.

use super::{
    line_amounts::LineAmounts,
    order_state::Transaction,
    plan::{refundable, shares},
    responses::OrderLine,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashMap;

fn bag(minor: i64) -> Value {
    let amount = format!("{}.{:02}", minor / 100, minor % 100);
    json!({"presentmentMoney": {"amount": amount, "currencyCode": "EUR"}})
}

fn transaction(id: usize, kind: &str, status: &str, minor: i64, parent: Option<usize>) -> Transaction {
    let parent = parent.map(|parent| json!({"id": parent.to_string()}));
    let fields = json!({
        "id": id.to_string(), "kind": kind, "status": status, "gateway": "paypal", "createdAt": "2026-11-01T10:00:00Z",
        "amountSet": bag(minor), "parentTransaction": parent,
    });
    serde_json::from_value(fields).unwrap()
}

/// Payments, and refunds by the index of their payment; an index beyond the payments names none of them.
fn transactions() -> impl Strategy<Value = Vec<Transaction>> {
    let kinds = prop::sample::select(vec![
        ("SALE", "SUCCESS"),
        ("CAPTURE", "SUCCESS"),
        ("SALE", "FAILURE"),
        ("AUTHORIZATION", "SUCCESS"),
    ]);
    let payments = prop::collection::vec((kinds, 0_i64..100_000), 0..5);
    let statuses = prop::sample::select(vec!["SUCCESS", "PENDING", "UNKNOWN", "FAILURE", "ERROR"]);
    let refunds = prop::collection::vec((0_usize..6, statuses, 0_i64..60_000), 0..6);
    (payments, refunds).prop_map(|(payments, refunds)| {
        let first = payments.len();
        let refunds = refunds.into_iter().enumerate().map(move |(number, (parent, status, minor))| {
            transaction(100 + number, "REFUND", status, minor, Some(parent).filter(|parent| *parent < first))
        });
        let payments = payments.into_iter().enumerate();
        payments
            .map(|(id, ((kind, status), minor))| transaction(id, kind, status, minor, None))
            .chain(refunds)
            .collect()
    })
}

proptest! {
    /// A plan gives exactly the amount, takes no more from a payment than it brought in, and never gives more than the whole
    /// order has left.
    #[test]
    fn a_plan_never_gives_more_than_is_left(all in transactions(), amount in 0_i64..300_000) {
        let sum = |kept: &dyn Fn(&&Transaction) -> bool| -> i64 {
            all.iter().filter(|one| kept(one)).map(|one| one.amount_set.minor()).sum()
        };
        let paid = sum(&|one| one.is_payment());
        let left = refundable(&all);
        let in_all: i64 = left.iter().map(|share| share.amount).sum();
        prop_assert!(in_all <= paid);
        let out: HashMap<&str, i64> = all.iter().filter(|one| one.pays_out()).fold(HashMap::new(), |mut out, one| {
            let parent = one.parent.as_ref().map_or("", |parent| parent.id.as_str());
            *out.entry(parent).or_default() += one.amount_set.minor();
            out
        });
        for share in &left {
            let given = out.get(share.payment.id.as_str()).copied().unwrap_or(0);
            prop_assert!(share.payment.is_payment() && share.amount >= 0);
            prop_assert!(share.amount <= (share.payment.amount_set.minor() - given).max(0));
        }
        match shares(refundable(&all), amount) {
            Some(plan) => {
                prop_assert_eq!(plan.iter().map(|share| share.amount).sum::<i64>(), amount);
                for share in &plan {
                    let most = left.iter().find(|one| one.payment.id == share.payment.id).map_or(0, |one| one.amount);
                    prop_assert!(share.amount > 0 && share.amount <= most);
                }
            }
            None => prop_assert!(in_all < amount),
        }
    }
}

fn line(quantity: u32, unit: i64, discount: i64, average: i64, tax: i64) -> OrderLine {
    serde_json::from_value(json!({
        "id": "gid://shopify/LineItem/1", "title": "Mug", "sku": null, "quantity": quantity, "currentQuantity": quantity,
        "unfulfilledQuantity": 0, "isGiftCard": false, "requiresShipping": true, "image": null, "product": null,
        "variant": null, "weight": null, "originalUnitPriceSet": bag(unit),
        "discountedUnitPriceAfterAllDiscountsSet": bag(average), "discountAllocations": [{"allocatedAmountSet": bag(discount)}],
        "taxLines": [{"priceSet": bag(tax)}],
    }))
    .unwrap()
}

#[test]
fn a_line_costs_its_price_less_its_discounts_and_never_more_than_shopify_says() {
    let amounts = |line: &OrderLine, included| {
        let LineAmounts { paid, tax, discount } = LineAmounts::new(line, included);
        (paid, tax, discount)
    };
    // 3 × 10.00 less 1.00: the average, 9.67, would give 29.01.
    assert_eq!(amounts(&line(3, 1000, 100, 967, 463), true), (2900, 463, 100));
    assert_eq!(amounts(&line(3, 1000, 100, 967, 463), false), (2900, 463, 100));
    // A discount that is in the average but not among the allocations.
    assert_eq!(amounts(&line(2, 1000, 0, 800, 0), true), (1600, 0, 400));
    // An average that forgets a discount.
    assert_eq!(amounts(&line(2, 1000, 400, 1000, 0), true), (1600, 0, 400));
    assert_eq!(amounts(&line(1, 1000, 1000, 0, 50), true), (0, 0, 1000), "tax within nothing is nothing");
}
