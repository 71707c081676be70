//! Turns a Shopify order into purchases of the contract.

use super::{
    duties::duties_of,
    line_amounts::{LineAmounts, tax_of},
    responses::{self, Fulfillment, OrderLine, PlacedOrder, Weight},
    supplement::Supplement,
};
use crate::{
    bridge::contract::{Address, Consumer, ExchangeOption, Order, Product, Purchase, Purchases},
    shops::text::{address_line, bounded_text, is_web_url},
};
use domain::{Money, order::IneligibleCode};

/// The most entries of a list in the contract.
const MAX_ITEMS: usize = 250;
/// The product tag that makes a sale final, without spaces, dashes and case.
const FINAL_SALE_TAG: &str = "finalsale";

/// The lines of an order. All pages of its lines have been read.
pub(super) fn purchases(order: &PlacedOrder, supplement: &Supplement) -> Purchases {
    let theirs = their_order(order);
    let lines = order.line_items.nodes.iter().filter(|line| line.quantity > 0);
    Purchases {
        consumer: consumer(order),
        purchases: lines.map(|line| purchase(order, &theirs, line, supplement)).collect(),
    }
}

fn their_order(order: &PlacedOrder) -> Order {
    let money = |minor: i64| Money::new(minor.max(0), order.presentment_currency_code);
    let shipping = order.shipping_line.as_ref().map_or(0, |line| {
        let on_top = if order.taxes_included { 0 } else { tax_of(&line.tax_lines) };
        line.discounted_price_set.minor().saturating_add(on_top)
    });
    Order {
        id: order.id.clone(),
        number: bounded_text(&order.name),
        ordered_at: order.processed_at,
        currency: order.presentment_currency_code,
        tags: Some(order.tags.iter().take(MAX_ITEMS).map(|tag| bounded_text(tag)).collect()),
        shipping_paid: money(shipping),
        total_paid: Some(money(order.total_received_set.minor())),
        total_refunded: Some(money(order.total_refunded_set.minor())),
    }
}

fn purchase(order: &PlacedOrder, theirs: &Order, line: &OrderLine, supplement: &Supplement) -> Purchase {
    let sent: Vec<&Fulfillment> = order.sent().filter(|fulfillment| fulfillment.units_of(line) > 0).collect();
    let units = sent.iter().map(|fulfillment| fulfillment.units_of(line));
    let fulfilled = units.fold(0, u32::saturating_add).min(line.quantity);
    let amounts = LineAmounts::new(line, order.taxes_included);
    let money = |minor: i64| Money::new(minor, order.presentment_currency_code);
    let reason_code = obstacle(order, line, amounts);
    let duties = duties_of(order, line, supplement.duties);
    // Units that come back to the shop by another return are treated like refunded ones.
    let gone = refunded(line, fulfilled).saturating_add(supplement.in_returns.of_line(&line.id)).min(line.quantity);
    Purchase {
        purchase_id: line.id.clone(),
        order: theirs.clone(),
        product: product(line, supplement.options.of_line(line)),
        quantity: line.quantity,
        paid: money(amounts.paid.saturating_add(duties)),
        tax: money(amounts.tax),
        tax_included: order.taxes_included,
        duties: Some(money(duties)),
        discount: Some(money(amounts.discount)),
        fulfilled_at: sent.iter().map(|fulfillment| fulfillment.created_at).max(),
        fulfilled_quantity: Some(fulfilled),
        delivered_at: delivered_at(&sent).filter(|_| fulfilled == line.quantity),
        refunded_quantity: gone,
        returnable: reason_code.map(|_| false),
        reason_code,
    }
}

/// When all of these fulfilments had arrived.
fn delivered_at(sent: &[&Fulfillment]) -> Option<domain::Timestamp> {
    let arrived: Option<Vec<_>> = sent.iter().map(|fulfillment| fulfillment.delivered_at).collect();
    arrived?.into_iter().max()
}

/// The sent units that were refunded. Shopify counts all units that were refunded or removed. Of these, units that are neither
/// sent nor still to be sent were removed before anything was sent, and no longer matter.
fn refunded(line: &OrderLine, fulfilled: u32) -> u32 {
    fulfilled.saturating_add(line.unfulfilled_quantity).saturating_sub(line.current_quantity).min(line.quantity)
}

/// Why the line cannot be returned, apart from the policy.
fn obstacle(order: &PlacedOrder, line: &OrderLine, amounts: LineAmounts) -> Option<IneligibleCode> {
    // A refund of a gift card would leave its balance usable.
    (line.is_gift_card || is_tip(order, line, amounts)).then_some(IneligibleCode::NotShippable)
}

/// Whether the line is the order's tip. Shopify has no mark for it: the line has no product, and costs what was tipped.
fn is_tip(order: &PlacedOrder, line: &OrderLine, amounts: LineAmounts) -> bool {
    let tip = order.total_tip_received_set.minor();
    tip > 0 && amounts.paid == tip && line.product.is_none() && line.variant.is_none() && !line.requires_shipping
}

fn product(line: &OrderLine, exchange_options: Option<Vec<ExchangeOption>>) -> Product {
    let product = line.product.as_ref();
    let variant = line.variant.as_ref();
    let customs = variant.map(|variant| &variant.inventory_item);
    let options = variant.map(|variant| variant.selected_options.as_slice()).unwrap_or_default();
    let attributes = options.iter().filter(|option| option.name != "Title"); // of products without variants
    let attributes = attributes.map(|option| (bounded_text(&option.name), bounded_text(&option.value)));
    let image_urls = line.image.iter().map(|image| image.url.clone()).filter(|url| is_web_url(url));
    let name = [line.title.as_str(), line.sku.as_deref().unwrap_or_default()].map(bounded_text);
    Product {
        id: product.map(|product| product.id.clone()),
        name: name.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| "–".to_owned()),
        sku: line.sku.as_ref().map(|sku| bounded_text(sku)),
        barcode: variant.and_then(|variant| variant.barcode.as_ref()).map(|barcode| bounded_text(barcode)),
        image_urls: Some(image_urls.collect()),
        attributes: Some(attributes.filter(|(name, _)| !name.is_empty()).take(MAX_ITEMS).collect()),
        weight: line.weight.as_ref().and_then(grams),
        hs_code: customs.and_then(|known| known.harmonized_system_code.as_ref()).map(|code| bounded_text(code)),
        origin_country: customs.and_then(|known| known.country_code_of_origin.clone()),
        exchange_options,
        final_sale: product.map(is_final),
        requires_shipping: Some(line.requires_shipping),
    }
}

/// Whether a product is sold as final: by a tag, or by a metafield of the type `boolean`.
fn is_final(product: &responses::Product) -> bool {
    let is_tag = |tag: &String| {
        let letters = tag.chars().filter(char::is_ascii_alphanumeric);
        letters.collect::<String>().eq_ignore_ascii_case(FINAL_SALE_TAG)
    };
    product.tags.iter().any(is_tag) || product.final_sale.as_ref().is_some_and(|metafield| metafield.value == "true")
}

/// The weight in grams; `None` if it is unknown or absurd.
fn grams(weight: &Weight) -> Option<u32> {
    let unit = match weight.unit.as_str() {
        "GRAMS" => 1.0,
        "KILOGRAMS" => 1_000.0,
        "OUNCES" => 28.349_523_125,
        "POUNDS" => 453.592_37,
        _ => return None,
    };
    let grams = (weight.value * unit).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
    (1.0..=1_000_000.0).contains(&grams).then_some(grams as u32)
}

fn consumer(order: &PlacedOrder) -> Consumer {
    let addresses: Vec<&responses::Address> =
        [&order.shipping_address, &order.billing_address].into_iter().flatten().collect();
    let name = |of: fn(&responses::Address) -> &Option<String>| {
        // The buyer's name is in the billing address: the goods may go to somebody else.
        addresses.iter().rev().find_map(|address| of(address).as_ref()).map(|name| bounded_text(name))
    };
    Consumer {
        email: order.email.clone(),
        first_name: name(|address| &address.first_name),
        last_name: name(|address| &address.last_name),
        locale: order.customer_locale.as_ref().map(|locale| bounded_text(locale)),
        addresses: Some(addresses.iter().map(|address| address_of(address)).collect()),
    }
}

fn address_of(address: &responses::Address) -> Address {
    let line = |text: &Option<String>| text.as_ref().map(|text| address_line(text));
    let joined = |texts: [&Option<String>; 2], between: &str| {
        let texts: Vec<&str> = texts.into_iter().flatten().map(|text| text.trim()).collect();
        let present: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        address_line(&present.join(between))
    };
    let is_country = |code: &&String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    Address {
        name: Some(joined([&address.first_name, &address.last_name], " ")),
        street: line(&address.street),
        additional: Some(joined([&address.company, &address.additional], ", ")),
        postal_code: line(&address.zip),
        city: line(&address.city),
        province: line(&address.province),
        country: address.country_code.as_ref().filter(is_country).cloned(),
    }
}
