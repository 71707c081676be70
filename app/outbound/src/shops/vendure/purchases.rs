//! From a responses's order to purchases.

use crate::bridge::{
    BridgeError,
    contract::{Address, Consumer, Order, Product, Purchase, Purchases},
};
use crate::shops::vendure::{
    money::Scale,
    prices,
    responses::{self, Fulfillment, Line, PlacedOrder},
};
use domain::{Problems, RefusalCode, Timestamp, allocate};

/// The longest text that is kept, and the longest line of an address, characters.
const MAX_TEXT: usize = 500;
const MAX_LINE: usize = 200;

/// The lines of an order that was placed; `decimals` are those of the responses's amounts.
pub(super) fn purchases(order: &PlacedOrder, decimals: u32) -> Result<Purchases, BridgeError> {
    let scale = scale(order.currency_code, decimals)?;
    let paid = prices::paid(order);
    // Split again in our own minor units: exact, and to the whole where a currency is coarser than the responses's amounts.
    let whole = scale.money(paid.iter().fold(0, |sum, part| sum.saturating_add(*part)));
    let weights: Vec<u64> = paid.iter().map(|part| u64::try_from(*part).unwrap_or(0)).collect();
    let parts = allocate::by_weight(whole.minor, &weights);
    let theirs = their_order(order, scale)?;
    let lines = order.lines.iter().zip(paid.iter().zip(parts)).filter(|(line, _)| line.ordered() > 0);
    let purchase = |(line, (paid, minor)): (&Line, (&i64, i64))| {
        let price = Price { paid: *paid, minor, scale };
        purchase(order, &theirs, line, &price)
    };
    Ok(Purchases { consumer: consumer(order), purchases: lines.map(purchase).collect() })
}

/// How a responses counts in a currency.
pub(super) fn scale(currency: domain::Currency, decimals: u32) -> Result<Scale, BridgeError> {
    Scale::new(currency, decimals).ok_or_else(|| {
        let path = "data.globalSettings.serverConfig.moneyStrategyPrecision";
        let mut problems = Problems::default();
        problems.add(path, RefusalCode::OutOfRange, "expected at most 9 decimals");
        BridgeError::BadAnswer(problems)
    })
}

fn their_order(order: &PlacedOrder, scale: Scale) -> Result<Order, BridgeError> {
    let ordered_at = order.order_placed_at.ok_or_else(|| {
        let mut problems = Problems::default();
        problems.add("data.orders.items.orderPlacedAt", RefusalCode::Required, "this field is missing");
        BridgeError::BadAnswer(problems)
    })?;
    let refunded = order.refunds().map(|refund| refund.total).fold(0, i64::saturating_add);
    Ok(Order {
        id: order.id.clone(),
        number: order.code.clone(),
        ordered_at,
        currency: order.currency_code,
        tags: None,
        shipping_paid: scale.money(order.shipping_with_tax),
        total_paid: Some(scale.money(order.paid().max(0))),
        total_refunded: Some(scale.money(refunded.max(0))),
    })
}

/// What was paid for a line: as the responses counts, and as we do.
struct Price {
    paid: i64,
    minor: i64,
    scale: Scale,
}

fn purchase(order: &PlacedOrder, theirs: &Order, line: &Line, price: &Price) -> Purchase {
    let ordered = line.ordered();
    let sent: Vec<&Fulfillment> = order.sent().filter(|parcel| units(&parcel.lines, line) > 0).collect();
    let fulfilled = sent.iter().map(|parcel| units(&parcel.lines, line)).fold(0, u32::saturating_add).min(ordered);
    let arrived = fulfilled == ordered && sent.iter().all(|parcel| parcel.state == "Delivered");
    let (tax, discount) = tax_and_discount(line, price.paid);
    let mut paid = price.scale.money(0);
    paid.minor = price.minor;
    Purchase {
        purchase_id: line.id.clone(),
        order: theirs.clone(),
        product: product(line),
        quantity: ordered,
        paid,
        tax: price.scale.money(tax),
        tax_included: true,
        discount: Some(price.scale.money(discount)),
        fulfilled_at: sent.iter().map(|parcel| entered(order, parcel, "Shipped")).max(),
        fulfilled_quantity: Some(fulfilled),
        delivered_at: sent.iter().map(|parcel| entered(order, parcel, "Delivered")).max().filter(|_| arrived),
        refunded_quantity: gone(order, line).saturating_sub(ordered - fulfilled),
        returnable: None,
        reason_code: None,
    }
}

/// Units that are gone, by what the responses knows: one that was refunded was mostly cancelled too, so it is the larger
/// of both. Those that were never sent are taken to have gone first: an article that ran out is cancelled before it is
/// sent, and what was sent can still come back.
fn gone(order: &PlacedOrder, line: &Line) -> u32 {
    let refunded = order.refunds().map(|refund| units(&refund.lines, line)).fold(0, u32::saturating_add);
    refunded.max(line.ordered() - line.quantity).min(line.ordered())
}

fn units(counted: &[responses::LineQuantity], line: &Line) -> u32 {
    let own = counted.iter().filter(|one| one.order_line_id == line.id);
    own.map(|one| one.quantity).fold(0, u32::saturating_add)
}

/// When a parcel entered a state: as the history has it, or else when it last changed.
fn entered(order: &PlacedOrder, parcel: &Fulfillment, state: &str) -> Timestamp {
    let is_it =
        |entry: &&responses::HistoryEntry| entry.field("fulfillmentId") == parcel.id && entry.field("to") == state;
    order.history.items.iter().find(is_it).map_or(parcel.updated_at, |entry| entry.created_at)
}

/// The tax within what was paid for all units, and what was taken off before.
fn tax_and_discount(line: &Line, paid: i64) -> (i64, i64) {
    let (tax, before) = if line.quantity == line.ordered() {
        (paid.saturating_sub(line.prorated_line_price), line.price_with_tax)
    } else {
        // By the unit's price, since the line's is that of what is left.
        let unit = line.unit_price_with_tax;
        let tax = prices::share(paid, unit.saturating_sub(line.unit_price), unit);
        (tax, unit.saturating_mul(line.ordered().into()))
    };
    (tax.clamp(0, paid.max(0)), before.saturating_sub(paid).max(0))
}

fn product(line: &Line) -> Product {
    let variant = &line.product_variant;
    let assets = [&line.featured_asset, &variant.featured_asset].into_iter().flatten();
    let mut image_urls: Vec<String> = assets.map(|asset| asset.preview.clone()).filter(|url| is_shown(url)).collect();
    image_urls.dedup();
    let attribute =
        |option: &responses::VariantOption| (text(&option.group.name, MAX_TEXT), text(&option.name, MAX_TEXT));
    let attributes = variant.options.iter().map(attribute).filter(|(name, _)| !name.is_empty());
    // A product without a name in the responses's own language has its number at least.
    let name = [&variant.product.name, &variant.sku]
        .map(|name| text(name, MAX_TEXT))
        .into_iter()
        .find(|name| !name.is_empty());
    Product {
        id: Some(variant.product.id.clone()),
        name: name.unwrap_or_default(),
        sku: Some(text(&variant.sku, MAX_TEXT)),
        barcode: None,
        image_urls: Some(image_urls),
        attributes: Some(attributes.collect()),
        weight: None,
        hs_code: None,
        origin_country: None,
        exchange_options: None,
        final_sale: None,
        requires_shipping: None, // Vendure does not tell
    }
}

/// Shops without an asset server have paths, or nothing.
fn is_shown(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

fn consumer(order: &PlacedOrder) -> Consumer {
    let customer = order.customer.as_ref();
    let name = |name: Option<&String>| name.map(|name| text(name, MAX_TEXT));
    Consumer {
        email: customer.map(|customer| customer.email_address.clone()),
        first_name: name(customer.and_then(|customer| customer.first_name.as_ref())),
        last_name: name(customer.and_then(|customer| customer.last_name.as_ref())),
        locale: None,
        addresses: Some([&order.shipping_address, &order.billing_address].into_iter().flatten().map(address).collect()),
    }
}

fn address(address: &responses::Address) -> Address {
    let line = |text: &Option<String>| text.as_ref().map(|text| self::text(text, MAX_LINE));
    let additional: Vec<&str> =
        [&address.company, &address.street_line_2].into_iter().flatten().map(String::as_str).collect();
    let is_country = |code: &&String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    Address {
        name: line(&address.full_name),
        street: line(&address.street_line_1),
        additional: Some(text(&additional.join(", "), MAX_LINE)),
        postal_code: line(&address.postal_code),
        city: line(&address.city),
        province: line(&address.province),
        country: address.country_code.as_ref().filter(is_country).cloned(),
    }
}

/// As people typed it into the responses, but on one line and no longer than it is kept: no reason to refuse an order.
fn text(text: &str, most: usize) -> String {
    text.replace(char::is_control, " ").trim().chars().take(most).collect()
}
