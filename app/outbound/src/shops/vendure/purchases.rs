//! Turns a Vendure order into purchases of the contract.

use super::{
    money::Scale,
    prices,
    responses::{self, Fulfillment, OrderLine, PlacedOrder},
};
use crate::{
    bridge::{
        BridgeError,
        contract::{Address, Consumer, Order, Product, Purchase, Purchases},
    },
    shops::text::{address_line, bounded_text, is_web_url},
};
use domain::{Problems, RefusalCode, Timestamp, money::allocate};

/// The lines of a placed order; `decimals` are those of the shop's amounts.
pub(super) fn purchases(order: &PlacedOrder, decimals: u32) -> Result<Purchases, BridgeError> {
    let scale = Scale::new(order.currency_code, decimals)?;
    let paid = prices::paid(order);
    // Convert the total, then split it again: the parts add up even if our minor unit is coarser than the shop's unit.
    let whole = scale.money(paid.iter().fold(0, |sum, part| sum.saturating_add(*part)));
    let weights: Vec<u64> = paid.iter().map(|part| u64::try_from(*part).unwrap_or(0)).collect();
    let parts = allocate::by_weight(whole.minor, &weights);
    let theirs = their_order(order, scale)?;
    let lines = order.lines.iter().zip(paid.iter().zip(parts)).filter(|(line, _)| line.ordered() > 0);
    let purchase = |(line, (paid, minor)): (&OrderLine, (&i64, i64))| {
        let price = Price { paid: *paid, minor, scale };
        purchase(order, &theirs, line, &price)
    };
    Ok(Purchases { consumer: consumer(order), purchases: lines.map(purchase).collect() })
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

/// What was paid for a line.
struct Price {
    /// In the shop's unit.
    paid: i64,
    /// In our minor unit.
    minor: i64,
    scale: Scale,
}

fn purchase(order: &PlacedOrder, theirs: &Order, line: &OrderLine, price: &Price) -> Purchase {
    let ordered = line.ordered();
    let sent: Vec<&Fulfillment> = order.sent().filter(|fulfillment| units(&fulfillment.lines, line) > 0).collect();
    let fulfilled =
        sent.iter().map(|fulfillment| units(&fulfillment.lines, line)).fold(0, u32::saturating_add).min(ordered);
    let arrived = fulfilled == ordered && sent.iter().all(|fulfillment| fulfillment.state == "Delivered");
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
        duties: None,
        discount: Some(price.scale.money(discount)),
        fulfilled_at: sent.iter().map(|fulfillment| entered(order, fulfillment, "Shipped")).max(),
        fulfilled_quantity: Some(fulfilled),
        delivered_at: sent.iter().map(|fulfillment| entered(order, fulfillment, "Delivered")).max().filter(|_| arrived),
        refunded_quantity: gone(order, line).saturating_sub(ordered - fulfilled),
        returnable: None,
        reason_code: None,
    }
}

/// Units that cannot be returned any more: the larger of refunded and cancelled units, because a refunded unit is usually
/// cancelled too. The caller assumes that unsent units are among them first: an article that is out of stock is cancelled
/// before it is sent, and the sent units can still come back.
fn gone(order: &PlacedOrder, line: &OrderLine) -> u32 {
    let refunded = order.refunds().map(|refund| units(&refund.lines, line)).fold(0, u32::saturating_add);
    refunded.max(line.ordered() - line.quantity).min(line.ordered())
}

fn units(counted: &[responses::LineQuantity], line: &OrderLine) -> u32 {
    let own = counted.iter().filter(|one| one.order_line_id == line.id);
    own.map(|one| one.quantity).fold(0, u32::saturating_add)
}

/// When a fulfilment entered a state: by the order's history, or else when it last changed.
fn entered(order: &PlacedOrder, fulfillment: &Fulfillment, state: &str) -> Timestamp {
    let is_it =
        |entry: &&responses::HistoryEntry| entry.field("fulfillmentId") == fulfillment.id && entry.field("to") == state;
    order.history.items.iter().find(is_it).map_or(fulfillment.updated_at, |entry| entry.created_at)
}

/// The tax within the price of all units, and the discount.
fn tax_and_discount(line: &OrderLine, paid: i64) -> (i64, i64) {
    let (tax, before) = if line.quantity == line.ordered() {
        (paid.saturating_sub(line.prorated_line_price), line.price_with_tax)
    } else {
        // The line's own amounts cover the remaining units only, so the unit price is used.
        let unit = line.unit_price_with_tax;
        let tax = prices::share(paid, unit.saturating_sub(line.unit_price), unit);
        (tax, unit.saturating_mul(line.ordered().into()))
    };
    (tax.clamp(0, paid.max(0)), before.saturating_sub(paid).max(0))
}

fn product(line: &OrderLine) -> Product {
    let variant = &line.product_variant;
    let assets = [&line.featured_asset, &variant.featured_asset].into_iter().flatten();
    let mut image_urls: Vec<String> = assets.map(|asset| asset.preview.clone()).filter(|url| is_web_url(url)).collect();
    image_urls.dedup();
    let attribute = |option: &responses::VariantOption| (bounded_text(&option.group.name), bounded_text(&option.name));
    let attributes = variant.options.iter().map(attribute).filter(|(name, _)| !name.is_empty());
    // A product without a name in the shop's default language at least has a SKU.
    let name =
        [&variant.product.name, &variant.sku].map(|name| bounded_text(name)).into_iter().find(|name| !name.is_empty());
    Product {
        id: Some(variant.product.id.clone()),
        name: name.unwrap_or_default(),
        sku: Some(bounded_text(&variant.sku)),
        barcode: None,
        image_urls: Some(image_urls),
        attributes: Some(attributes.collect()),
        weight: None,
        hs_code: None,
        origin_country: None,
        exchange_options: None,
        final_sale: None,
        requires_shipping: None, // Vendure does not say
    }
}

fn consumer(order: &PlacedOrder) -> Consumer {
    let customer = order.customer.as_ref();
    let name = |name: Option<&String>| name.map(|name| bounded_text(name));
    Consumer {
        email: customer.map(|customer| customer.email_address.clone()),
        first_name: name(customer.and_then(|customer| customer.first_name.as_ref())),
        last_name: name(customer.and_then(|customer| customer.last_name.as_ref())),
        locale: None,
        addresses: Some([&order.shipping_address, &order.billing_address].into_iter().flatten().map(address).collect()),
    }
}

fn address(address: &responses::Address) -> Address {
    let line = |text: &Option<String>| text.as_ref().map(|text| address_line(text));
    let additional: Vec<&str> =
        [&address.company, &address.street_line_2].into_iter().flatten().map(String::as_str).collect();
    let is_country = |code: &&String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    Address {
        name: line(&address.full_name),
        street: line(&address.street_line_1),
        additional: Some(address_line(&additional.join(", "))),
        postal_code: line(&address.postal_code),
        city: line(&address.city),
        province: line(&address.province),
        country: address.country_code.as_ref().filter(is_country).cloned(),
    }
}
