//! Turns a Medusa order into purchases of the contract.

use super::{
    money::{Decimal, sum},
    responses::{self, Fulfillment, OrderLine, PlacedOrder, ShippingMethod},
};
use crate::{
    bridge::contract::{Address, Consumer, Order, Product, Purchase, Purchases},
    shops::text::{address_line, bounded_text, is_web_url},
};
use domain::{Money, money::allocate};

/// The lines of a placed order, under the number that the shopper used. The total is rounded once and then distributed, so
/// that lines and shipping add up to what the shopper paid, to the cent.
pub(super) fn purchases(mut order: PlacedOrder, number: String) -> Purchases {
    order.items.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
    let currency = order.currency_code;
    let lines = order.items.iter().map(|line| line.totals.all());
    let exact: Vec<Decimal> = lines.chain([shipping(&order)]).collect();
    let whole = sum(exact.iter().copied()).minor(currency);
    let weights: Vec<u64> = exact.iter().map(|amount| amount.weight(currency)).collect();
    let mut parts = allocate::by_weight(whole, &weights);
    let theirs = Order {
        id: order.candidate.id.clone(),
        number,
        ordered_at: order.created_at,
        currency,
        tags: None,
        shipping_paid: Money::new(parts.pop().unwrap_or(0), currency),
        total_paid: order.paid().map(|paid| Money::new(paid.minor(currency).max(0), currency)),
        total_refunded: Some(Money::new(order.refunded().minor(currency).max(0), currency)),
    };
    let lines = order.items.iter().zip(parts).filter(|(line, _)| line.quantity > 0);
    let purchases = lines.map(|(line, paid)| purchase(&order, &theirs, line, paid)).collect();
    Purchases { consumer: consumer(&order), purchases }
}

/// What was paid for sending the order, without the shipping of its returns, claims and exchanges.
fn shipping(order: &PlacedOrder) -> Decimal {
    let is_own = |method: &&ShippingMethod| {
        let detail = method.detail.as_ref();
        detail.is_none_or(|of| [&of.return_id, &of.claim_id, &of.exchange_id].iter().all(|id| id.is_none()))
    };
    sum(order.shipping_methods.iter().flatten().filter(is_own).map(|method| method.total))
}

fn purchase(order: &PlacedOrder, theirs: &Order, line: &OrderLine, paid: i64) -> Purchase {
    let currency = theirs.currency;
    let all = order.fulfillments.iter().flatten();
    let sent: Vec<&Fulfillment> =
        all.filter(|fulfillment| was_sent(fulfillment) && fulfillment.units(&line.id) > 0).collect();
    let units =
        sent.iter().map(|fulfillment| fulfillment.units(&line.id)).fold(0, u32::saturating_add).min(line.quantity);
    let arrived = units == line.quantity && sent.iter().all(|fulfillment| fulfillment.delivered_at.is_some());
    let (tax, discount) = tax_and_discount(line);
    Purchase {
        purchase_id: line.id.clone(),
        order: theirs.clone(),
        product: product(line),
        quantity: line.quantity,
        paid: Money::new(paid, currency),
        tax: Money::new(tax.minor(currency).clamp(0, paid.max(0)), currency),
        tax_included: true,
        duties: None,
        discount: Some(Money::new(discount.minor(currency).max(0), currency)),
        fulfilled_at: sent.iter().filter_map(|fulfillment| fulfillment.shipped_at.or(fulfillment.delivered_at)).max(),
        fulfilled_quantity: Some(units),
        delivered_at: sent.iter().filter_map(|fulfillment| fulfillment.delivered_at).max().filter(|_| arrived),
        refunded_quantity: line.detail.returned().min(line.quantity),
        returnable: None,
        reason_code: None,
    }
}

/// Whether it left the merchant: a packed fulfilment did not.
fn was_sent(fulfillment: &Fulfillment) -> bool {
    fulfillment.canceled_at.is_none() && (fulfillment.shipped_at.is_some() || fulfillment.delivered_at.is_some())
}

/// The tax within the price of all units, and the discount. The shop's own amounts cover only the units that did not come
/// back, and there may be none.
fn tax_and_discount(line: &OrderLine) -> (Decimal, Decimal) {
    let rate = sum(line.tax_lines.iter().flatten().map(|tax| tax.rate));
    let (hundred, paid) = (Decimal::whole(100), line.totals.all());
    let with_tax = hundred.plus(rate);
    let ordered = line.unit_price.share(Decimal::whole(line.quantity), Decimal::whole(1));
    let before = if line.is_tax_inclusive { ordered } else { ordered.share(with_tax, hundred) };
    (paid.share(rate, with_tax), before.minus(paid))
}

fn product(line: &OrderLine) -> Product {
    let variant = line.variant.as_ref();
    let text = |text: Option<&String>| text.map(|text| bounded_text(text)).filter(|text| !text.is_empty());
    let options = variant.and_then(|variant| variant.options.as_ref()).into_iter().flatten();
    let attributes = options.filter_map(|value| {
        let name = text(value.option.as_ref().map(|option| &option.title))?;
        Some((name, bounded_text(&value.value)))
    });
    let names = [&line.product_title, &line.title, &line.variant_sku];
    Product {
        id: line.product_id.clone(),
        name: names.into_iter().find_map(|name| text(name.as_ref())).unwrap_or_default(),
        sku: text(line.variant_sku.as_ref()),
        barcode: text(line.variant_barcode.as_ref()),
        image_urls: Some(line.thumbnail.iter().filter(|url| is_web_url(url)).cloned().collect()),
        attributes: Some(attributes.collect()),
        weight: None, // Medusa does not say in which unit it is
        hs_code: text(variant.and_then(|variant| variant.hs_code.as_ref())),
        origin_country: variant.and_then(|variant| country(variant.origin_country.as_ref())),
        exchange_options: None,
        final_sale: None,
        requires_shipping: line.requires_shipping.map(|requires| requires && !line.is_giftcard.unwrap_or(false)),
    }
}

fn consumer(order: &PlacedOrder) -> Consumer {
    let named = order.candidate.addresses().next();
    let name = |name: Option<&String>| name.map(|name| bounded_text(name));
    Consumer {
        email: order.candidate.email.clone(),
        first_name: name(named.and_then(|address| address.first_name.as_ref())),
        last_name: name(named.and_then(|address| address.last_name.as_ref())),
        locale: None,
        addresses: Some(order.candidate.addresses().map(address).collect()),
    }
}

fn address(address: &responses::Address) -> Address {
    let line = |text: &Option<String>| text.as_ref().map(|text| address_line(text));
    let joined = |parts: [&Option<String>; 2], between: &str| {
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        Some(address_line(&parts.join(between)))
    };
    Address {
        name: joined([&address.first_name, &address.last_name], " "),
        street: line(&address.street),
        additional: joined([&address.company, &address.additional], ", "),
        postal_code: line(&address.postal_code),
        city: line(&address.city),
        province: line(&address.province),
        country: country(address.country_code.as_ref()),
    }
}

/// Medusa's country codes are in lower case.
fn country(code: Option<&String>) -> Option<String> {
    code.map(|code| code.to_uppercase())
        .filter(|code| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()))
}
