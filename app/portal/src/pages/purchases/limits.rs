//! How much of an order can still be refunded before anything is selected.

use crate::visit::shop::ShopRequest;
use domain::Money;
use returns::view;
use std::collections::BTreeMap;
use ui::{money, text::format};

/// How much of the orders of these purchases can still be refunded, minor units. `None` if one of them has no limit.
pub fn left<'a>(purchases: impl Iterator<Item = &'a view::PurchaseView>) -> Option<i64> {
    let lefts: BTreeMap<_, Option<i64>> = purchases
        .map(|purchase| (purchase.order_id, purchase.prices.and_then(|prices| Some(prices.refundable_up_to?.minor))))
        .collect();
    lefts.into_values().try_fold(0, |sum: i64, left| Some(sum.saturating_add(left?)))
}

/// A sentence about how much of an order can still be refunded, if that is less than its returnable items cost.
pub fn sentence(shop: &ShopRequest, number: &str, purchases: &[view::PurchaseView]) -> String {
    let of_order = || purchases.iter().filter(|purchase| purchase.order_number == number);
    let worth = |purchase: &view::PurchaseView| {
        let (units, prices) = (i64::from(purchase.returnable_quantity), purchase.prices?);
        let dearer = i64::from(prices.dearer_units).min(units);
        Some(prices.unit_price.minor.saturating_mul(units).saturating_add(dearer))
    };
    let goods = of_order().filter_map(worth).fold(0, i64::saturating_add);
    let prices = of_order().find_map(|purchase| purchase.prices);
    match (left(of_order()), prices) {
        (Some(0), Some(_)) if goods > 0 => shop.words.order_limit_none.to_owned(),
        (Some(left), Some(prices)) if left < goods => {
            let left = Money::new(left, prices.unit_price.currency);
            format(shop.words.order_limit, &[&money::format(left, shop.words.live())])
        }
        _ => String::new(),
    }
}
