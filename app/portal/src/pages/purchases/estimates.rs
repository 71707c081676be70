//! What the page of purchases needs for its estimates.

use crate::{
    amounts::estimate::{OutboundShipping, Pick, ReasonTerms, Terms},
    forms::choice::{Choice, preselected, quantity_for_estimate},
    progress::wording::replacement,
    visit::shop::ShopRequest,
};
use domain::{OrderId, order::ExchangeOption, policy::Resolution, shipping::Fare};
use returns::view;
use std::collections::BTreeMap;
use ui::components::ProductSummary;

/// The replacements for a purchase, with the names that shoppers read. Empty if it cannot be exchanged.
pub fn replacements(shop: &ShopRequest, purchase: &view::PurchaseView) -> Vec<ExchangeOption> {
    if !purchase.resolutions.contains(&Resolution::Exchange) {
        return Vec::new();
    }
    let named = |one: &ExchangeOption| ExchangeOption {
        sku: one.sku.clone(),
        name: replacement(one, Some(&purchase.product), shop.words.live()).to_owned(),
    };
    purchase.product.exchange_options.iter().map(named).collect()
}

/// What an estimate needs to know of the shop, taken from one purchase.
pub fn terms(shop: &ShopRequest, purchase: Option<&view::PurchaseView>) -> Terms {
    let policy = &shop.account.policy;
    let prices = purchase.and_then(|purchase| purchase.prices);
    let currency = prices.map_or(shop.account.currency, |prices| prices.unit_price.currency);
    let reason = |reason: &view::ReturnReasonView| ReasonTerms {
        id: reason.id.to_string(),
        fault: reason.fault,
        restocking: reason.restocking_fee_percent.unwrap_or_default(),
    };
    Terms {
        currency,
        shipping: purchase
            .iter()
            .flat_map(|purchase| &purchase.shipping_options)
            .filter_map(|option| Some(fare(option.fare.as_ref()?, option.max_weight)))
            .collect(),
        request_fee: policy.request_fee.minor(currency).unwrap_or(0),
        bonus: policy.store_credit_bonus_percent,
        collection: policy.fee_collection,
        least_payable: shop.account.payment.kind().least(currency),
        wanted: purchase.and_then(|purchase| preselected(&purchase.resolutions)).unwrap_or(Resolution::Refund),
        reasons: purchase.iter().flat_map(|purchase| &purchase.return_reasons).map(reason).collect(),
        left: None,
    }
}

fn fare(offered: &view::OfferedFare, max_weight: Option<u32>) -> Fare {
    let steps = offered.weight_prices.iter();
    Fare {
        price: offered.price.minor,
        steps: steps.map(|step| (step.above, step.price.map(|price| price.minor))).collect(),
        max_weight,
        free_from: offered.free_from.map(|least| least.minor),
    }
}

/// The weight of a unit, grams.
pub fn weight(shop: &ShopRequest, purchase: &view::PurchaseView) -> u32 {
    purchase.product.weight.unwrap_or(shop.account.policy.default_weight)
}

/// The outbound shipping that the order of a purchase refunds. Orders are numbered from 1.
pub fn outbound(of_orders: &BTreeMap<OrderId, returns::OutboundShipping>, order: OrderId) -> OutboundShipping {
    let found = (1..).zip(of_orders).find(|(_, (id, _))| **id == order);
    found.map_or_else(OutboundShipping::default, |(number, (_, one))| OutboundShipping {
        order: number,
        units: one.units,
        amount: one.amount,
    })
}

/// A selected purchase for the estimate. A row without a valid quantity is left out, as in the browser.
pub fn pick(
    shop: &ShopRequest,
    choice: &Choice,
    purchase: &view::PurchaseView,
    outbound: OutboundShipping,
) -> Option<Pick> {
    let typed = if choice.quantity.is_empty() { "1" } else { &choice.quantity };
    let prices = purchase.prices?;
    Some(Pick {
        name: ProductSummary::new(&purchase.product).name,
        quantity: quantity_for_estimate(typed, purchase.returnable_quantity)?,
        unit_price: prices.unit_price.minor,
        weight: weight(shop, purchase),
        dearer: prices.dearer_units,
        resolution: Resolution::from_name(&choice.resolution)
            .or(preselected(&purchase.resolutions))
            .unwrap_or(Resolution::Refund),
        reason: choice.reason.clone(),
        replacement: replacements(shop, purchase)
            .into_iter()
            .find(|one| one.sku == choice.exchange_for)
            .map(|one| one.name)
            .unwrap_or_default(),
        outbound,
    })
}
