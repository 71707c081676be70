//! What a shop offers a shopper, as views.

use super::settings::Settings;
use crate::view::{Offered, PurchasePrices, PurchaseView, ReturnReasonView, ShippingOptionView};
use domain::{
    Currency, Locale,
    order::Purchase,
    policy::{Resolution, eligibility::Eligibility},
};

/// What the settings offer for an order in this currency, with these resolutions.
pub(crate) fn offered(settings: &Settings, currency: Currency, resolutions: &[Resolution], locale: &Locale) -> Offered {
    let option = |option| ShippingOptionView::new(option, currency, locale);
    let reason = |reason| ReturnReasonView::new(reason, resolutions, locale);
    let offered = Offered {
        options: settings.options.iter().filter_map(option).collect(),
        reasons: settings.reasons.iter().map(reason).collect(),
    };
    if settings.is_gift { offered.without_amounts() } else { offered }
}

/// A purchase with everything that the shop offers for it. `refundable` is what is left of its order, in minor units.
pub(crate) fn purchase_view(
    purchase: Purchase,
    eligibility: Eligibility,
    refundable: Option<i64>,
    settings: &Settings,
    locale: &Locale,
) -> PurchaseView {
    let resolutions = settings.account.policy.resolutions_for(&purchase.product);
    let offered = offered(settings, purchase.order.currency, &resolutions, locale);
    let prices = PurchasePrices {
        unit_price: purchase.money(purchase.units.unit_price()),
        total_price: purchase.money(purchase.units.total),
        dearer_units: purchase.units.remainder_units().saturating_sub(purchase.units.taken_remainder_units),
        refundable_up_to: refundable.map(|minor| purchase.money(minor)),
    };
    PurchaseView {
        id: purchase.id,
        order_number: purchase.order.number.clone(),
        order_id: purchase.order.id,
        ordered_at: purchase.order.ordered_at,
        fulfilled_at: purchase.fulfilled_at,
        quantity: purchase.units.bought,
        returnable_quantity: eligibility.returnable,
        prices: (!settings.is_gift).then_some(prices),
        eligibility: eligibility.into(),
        shipping_options: offered.options,
        return_reasons: offered.reasons,
        resolutions,
        external_id: purchase.external_id,
        product: purchase.product,
    }
}
