//! Checks answers: does an answer match the question, and can it be true?
//!
//! A problem names the field and what is allowed. It repeats currencies and numbers, but no other values.

use super::contract::{
    Address, Consumer, Credentials, GetLabel, LabelStatus, MadeLabel, Order, Product, Proof, Purchase, Purchases,
    Resolution, ResolutionStatus, ResolveReturn,
};
use domain::address;
use domain::{
    Currency, Money, Problems, RefusalCode, Timestamp,
    money::MAX_AMOUNT,
    order::check_exchange_options,
    proof::{EmailKey, TypedOrderNumber, postal_code::is_same},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most lines of an order.
const MAX_LINES: usize = 1_000;
/// The most items of a list within a line.
const MAX_ITEMS: usize = 250;
/// The longest text, in characters.
const MAX_TEXT_CHARS: usize = 500;
const MAX_EMAIL_CHARS: usize = 320;
const MAX_CODE_CHARS: usize = 100;
const MAX_URL_CHARS: usize = 2_000;
const MAX_QUANTITY: u32 = 1_000_000;
/// 2200-01-01: a later time is an error, such as milliseconds read as seconds.
const LATEST: Timestamp = Timestamp::from_seconds(7_258_118_400);
/// The most problems that are reported: they are stored, and nobody reads a longer list.
const MAX_PROBLEMS: usize = 50;

/// Problems that show that an answer is about another order or another person. Such an answer must not be shown: otherwise a
/// component that does not compare credentials would disclose every order to everyone.
pub(crate) fn not_theirs(answer: &Purchases, asked: &Credentials) -> Problems {
    let mut problems = Problems::default();
    let number = TypedOrderNumber::new(&asked.order_number);
    for (index, purchase) in answer.purchases.iter().enumerate() {
        if number.as_ref().is_none_or(|number| number.fit(&purchase.order.number).is_none()) {
            let field = format!("purchases[{index}].order.number");
            problems.add(field, RefusalCode::Mismatch, "expected the requested order number, or status 404");
        }
    }
    let is_email = |text: Option<&String>, email: &str| {
        let email = EmailKey::new(email);
        email.is_some() && text.and_then(|text| EmailKey::new(text)) == email
    };
    let has_code = |address: &Address, code: &str| {
        let [stored, country] =
            [&address.postal_code, &address.country].map(|text| text.as_deref().unwrap_or_default());
        is_same(code, stored, country)
    };
    let consumer = &answer.consumer;
    match &asked.proof {
        Proof::Email(email) if !is_email(consumer.email.as_ref(), email) => {
            let message = "expected the requested e-mail address, or status 404";
            problems.add("consumer.email", RefusalCode::Mismatch, message);
        }
        Proof::PostalCode(code) if !consumer.addresses.iter().flatten().any(|address| has_code(address, code)) => {
            let message = "expected one with the requested postal code, or status 404";
            problems.add("consumer.addresses", RefusalCode::Mismatch, message);
        }
        _ => {}
    }
    shortened(problems)
}

/// Values of purchases that cannot be true, or that we cannot process.
pub(super) fn purchases(answer: &Purchases) -> Problems {
    let mut problems = Problems::default();
    problems.add_parts("consumer", consumer(&answer.consumer));
    let lines = &answer.purchases;
    if lines.len() > MAX_LINES {
        problems.add("purchases", RefusalCode::OutOfRange, format!("expected at most {MAX_LINES} lines"));
    }
    let (mut ids, mut orders) = (HashSet::new(), HashMap::new());
    for (index, line) in lines.iter().enumerate().take(MAX_LINES) {
        let mut own = purchase(line);
        if !ids.insert(&line.purchase_id) {
            own.add("purchaseId", RefusalCode::Mismatch, "duplicate: expected each line once");
        }
        let (first, order) = *orders.entry(&line.order.id).or_insert((index, &line.order));
        own.add_parts("order", differences(&line.order, order, first));
        problems.add_parts(&format!("purchases[{index}]"), own);
    }
    shortened(problems)
}

/// Checks an answer to a resolution. `reason` is its reason on one line, empty if it has none.
pub(crate) fn resolution(answer: &Resolution, asked: &ResolveReturn, reason: &str) -> Problems {
    match answer.status {
        ResolutionStatus::Completed => completed(answer, asked),
        ResolutionStatus::Pending => reference(answer),
        ResolutionStatus::Failed => failed(answer, reason),
    }
}

fn reference(answer: &Resolution) -> Problems {
    let mut problems = Problems::default();
    optional_text("externalReference", answer.external_reference.as_ref(), &mut problems);
    problems
}

fn failed(answer: &Resolution, reason: &str) -> Problems {
    let mut problems = reference(answer);
    if reason.is_empty() {
        let message = "expected the cause in a sentence, because status is Failed";
        problems.add("reason", RefusalCode::Required, message);
    }
    problems
}

/// Checks an answer about a label. `reason` is its reason on one line, empty if it has none.
pub(crate) fn label(answer: &MadeLabel, asked: &GetLabel, reason: &str) -> Problems {
    let is_printed = asked.shipping_option.as_ref().is_none_or(|option| !option.method.shows_code());
    let mut problems = Problems::default();
    let texts = [
        ("qrCode", &answer.qr_code, MAX_TEXT_CHARS),
        ("barcode", &answer.barcode, MAX_CODE_CHARS),
        ("carrier", &answer.carrier, MAX_CODE_CHARS),
        ("trackingNumber", &answer.tracking_number, MAX_CODE_CHARS),
        ("trackingUrl", &answer.tracking_url, MAX_URL_CHARS),
        ("errorCode", &answer.error_code, MAX_CODE_CHARS),
    ];
    for (field, text, most_chars) in texts {
        if let Some(text) = text {
            problems.check_text(field, text, 0..=most_chars);
        }
    }
    let is_some = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    if is_some(&answer.tracking_url) && !answer.tracking_url.as_deref().is_some_and(is_web_address) {
        problems.add("trackingUrl", RefusalCode::NotAllowed, "expected an address that begins with https://");
    }
    match answer.status {
        LabelStatus::Created if !is_printed && !is_some(&answer.qr_code) => {
            let message = "expected the content of the code, because the consumer prints nothing with this method";
            problems.add("qrCode", RefusalCode::Required, message);
        }
        LabelStatus::Created if answer.label.is_none() && !is_some(&answer.qr_code) => {
            let message = "expected a label or a qrCode, because status is Created";
            problems.add("label", RefusalCode::Required, message);
        }
        LabelStatus::Failed if reason.is_empty() => {
            let message = "expected the cause in a sentence, because status is Failed";
            problems.add("reason", RefusalCode::Required, message);
        }
        _ => {}
    }
    problems
}

/// Whether it is safe as a link: not `javascript:` and the like.
fn is_web_address(url: &str) -> bool {
    let rest = url.trim().strip_prefix("https://").or_else(|| url.trim().strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.chars().any(|c| c.is_whitespace() || c.is_control()))
}

/// A completed resolution has given what was asked for, item by item.
fn completed(answer: &Resolution, asked: &ResolveReturn) -> Problems {
    let mut problems = reference(answer);
    let mut seen = HashSet::new();
    for (index, given) in answer.items.iter().flatten().enumerate() {
        let mut own = Problems::default();
        if !seen.insert(given.return_request_id) {
            own.add("returnRequestId", RefusalCode::Mismatch, "duplicate: expected each item once");
        }
        match asked.items.iter().find(|item| item.return_request_id == given.return_request_id) {
            None => own.add("returnRequestId", RefusalCode::Mismatch, "expected a requested one"),
            Some(item) => {
                if given.quantity.is_some_and(|quantity| quantity != item.quantity) {
                    own.add("quantity", RefusalCode::Mismatch, format!("expected {}, as requested", item.quantity));
                }
                if given.amount.is_some_and(|amount| amount != item.amount) {
                    let (value, currency) = (item.amount.decimal(), item.amount.currency);
                    own.add("amount", RefusalCode::Mismatch, format!("expected {value} {currency}, as requested"));
                }
            }
        }
        problems.add_parts(&format!("items[{index}]"), own);
    }
    if answer.items.is_some() && asked.items.iter().any(|item| !seen.contains(&item.return_request_id)) {
        problems.add("items", RefusalCode::Required, "expected every requested item, or no list");
    }
    shortened(problems)
}

/// The first problems of a long list, and the number of the others.
pub(super) fn shortened(mut problems: Problems) -> Problems {
    let more = problems.0.len().saturating_sub(MAX_PROBLEMS);
    if more > 0 {
        problems.0.truncate(MAX_PROBLEMS);
        problems.add("", RefusalCode::NotAllowed, format!("and {more} more"));
    }
    problems
}

fn consumer(consumer: &Consumer) -> Problems {
    let mut problems = Problems::default();
    let texts = [("firstName", &consumer.first_name), ("lastName", &consumer.last_name), ("locale", &consumer.locale)];
    for (field, text) in texts {
        optional_text(field, text.as_ref(), &mut problems);
    }
    problems.check_text("email", consumer.email.as_deref().unwrap_or_default(), 0..=MAX_EMAIL_CHARS);
    let addresses = consumer.addresses.as_deref().unwrap_or_default();
    check_count("addresses", addresses.len(), &mut problems);
    for (index, address) in addresses.iter().enumerate().take(MAX_ITEMS) {
        problems.add_parts(&format!("addresses[{index}]"), check_address(address));
    }
    problems
}

fn check_address(address: &Address) -> Problems {
    address::Address::from(address).check()
}

fn purchase(purchase: &Purchase) -> Problems {
    let mut problems = Problems::default();
    problems.check_text("purchaseId", &purchase.purchase_id, 1..=MAX_TEXT_CHARS);
    problems.add_parts("order", order(&purchase.order));
    problems.add_parts("product", product(&purchase.product));
    if !(1..=MAX_QUANTITY).contains(&purchase.quantity) {
        let message = format!("expected a whole number from 1 to {MAX_QUANTITY}");
        problems.add("quantity", RefusalCode::OutOfRange, message);
    } else if purchase.refunded_quantity > purchase.quantity {
        let message = format!("expected at most quantity, {}", purchase.quantity);
        problems.add("refundedQuantity", RefusalCode::OutOfRange, message);
    }
    check_fulfilment(purchase, &mut problems);
    check_amounts(purchase, &mut problems);
    if purchase.returnable == Some(true) && purchase.reason_code.is_some() {
        problems.add("reasonCode", RefusalCode::Mismatch, "expected none, because returnable is true");
    }
    problems
}

fn check_fulfilment(purchase: &Purchase, problems: &mut Problems) {
    check_moment("fulfilledAt", purchase.fulfilled_at, problems);
    check_moment("deliveredAt", purchase.delivered_at, problems);
    let sent = purchase.fulfilled_quantity.unwrap_or(0);
    if sent > purchase.quantity {
        let message = format!("expected at most quantity, {}", purchase.quantity);
        problems.add("fulfilledQuantity", RefusalCode::OutOfRange, message);
    } else if sent > 0 && purchase.fulfilled_at.is_none() {
        problems.add("fulfilledQuantity", RefusalCode::Mismatch, "expected 0 or none, because fulfilledAt is null");
    }
}

fn check_amounts(purchase: &Purchase, problems: &mut Problems) {
    let currency = purchase.order.currency;
    let before = problems.0.len();
    check_amount("paid", purchase.paid, currency, problems);
    check_amount("tax", purchase.tax, currency, problems);
    if problems.0.len() == before {
        let paid = purchase.paid.decimal();
        if purchase.tax_included && purchase.tax.minor > purchase.paid.minor {
            let message = format!("expected at most paid, {paid}, which includes it");
            problems.add("tax", RefusalCode::OutOfRange, message);
        } else if purchase.total().minor > MAX_AMOUNT {
            problems.add("paid", RefusalCode::OutOfRange, "together with tax, the amount is too large");
        }
    }
    if let Some(discount) = purchase.discount {
        check_amount("discount", discount, currency, problems);
    }
}

fn order(order: &Order) -> Problems {
    let mut problems = Problems::default();
    problems.check_text("id", &order.id, 1..=MAX_TEXT_CHARS);
    problems.check_text("number", &order.number, 1..=MAX_TEXT_CHARS);
    check_moment("orderedAt", Some(order.ordered_at), &mut problems);
    check_amount("shippingPaid", order.shipping_paid, order.currency, &mut problems);
    for (field, amount) in [("totalPaid", order.total_paid), ("totalRefunded", order.total_refunded)] {
        if let Some(amount) = amount {
            check_amount(field, amount, order.currency, &mut problems);
        }
    }
    check_list("tags", order.tags.as_deref(), MAX_TEXT_CHARS, &mut problems);
    problems
}

/// Fields of the order in which two of its lines differ.
fn differences(order: &Order, known: &Order, at: usize) -> Problems {
    let mut problems = Problems::default();
    let fields = [
        ("number", order.number != known.number),
        ("orderedAt", order.ordered_at != known.ordered_at),
        ("currency", order.currency != known.currency),
        ("shippingPaid", order.shipping_paid != known.shipping_paid),
        ("totalPaid", order.total_paid != known.total_paid),
        ("totalRefunded", order.total_refunded != known.total_refunded),
    ];
    for (field, _) in fields.into_iter().filter(|(_, differs)| *differs) {
        let message = format!("expected the same as in purchases[{at}], which is of the same order");
        problems.add(field, RefusalCode::Mismatch, message);
    }
    problems
}

fn product(product: &Product) -> Problems {
    let mut problems = Problems::default();
    problems.check_text("name", &product.name, 1..=MAX_TEXT_CHARS);
    let texts =
        [("id", &product.id), ("sku", &product.sku), ("barcode", &product.barcode), ("hsCode", &product.hs_code)];
    for (field, text) in texts {
        optional_text(field, text.as_ref(), &mut problems);
    }
    let is_country = |code: &String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    if product.origin_country.as_ref().is_some_and(|code| !code.is_empty() && !is_country(code)) {
        let message = "expected two letters of ISO 3166-1, such as NL";
        problems.add("originCountry", RefusalCode::NotAllowed, message);
    }
    check_list("imageUrls", product.image_urls.as_deref(), MAX_URL_CHARS, &mut problems);
    for (index, url) in product.image_urls.iter().flatten().enumerate().take(MAX_ITEMS) {
        if !(url.starts_with("https://") || url.starts_with("http://")) {
            let message = "expected an address that begins with https://";
            problems.add(format!("imageUrls[{index}]"), RefusalCode::NotAllowed, message);
        }
    }
    if let Some(attributes) = &product.attributes {
        check_attributes(attributes, &mut problems);
    }
    let exchange = product.exchange_options.as_deref().unwrap_or_default();
    problems.0.extend(check_exchange_options(exchange.iter().map(|one| (one.sku.as_str(), one.name.as_str()))).0);
    problems
}

fn check_attributes(attributes: &BTreeMap<String, String>, problems: &mut Problems) {
    check_count("attributes", attributes.len(), problems);
    for (name, value) in attributes.iter().take(MAX_ITEMS) {
        problems.check_text("attributes", name, 1..=MAX_TEXT_CHARS);
        problems.check_text("attributes", value, 0..=MAX_TEXT_CHARS);
    }
}

/// An amount has to be 0 or more, in the order's currency.
fn check_amount(field: &str, money: Money, currency: Currency, problems: &mut Problems) {
    if money.currency != currency {
        let message = format!("expected the order's currency, {currency}");
        problems.add(format!("{field}.currency"), RefusalCode::Mismatch, message);
    } else if !(0..=MAX_AMOUNT).contains(&money.minor) {
        let most = Money::new(MAX_AMOUNT, currency).decimal();
        problems.add(field, RefusalCode::OutOfRange, format!("expected an amount from 0 to {most}"));
    }
}

fn check_moment(field: &str, at: Option<Timestamp>, problems: &mut Problems) {
    if at.is_some_and(|at| !(Timestamp::from_seconds(0)..LATEST).contains(&at)) {
        problems.add(field, RefusalCode::OutOfRange, "expected a time from 1970 to 2199");
    }
}

fn optional_text(field: &str, text: Option<&String>, problems: &mut Problems) {
    if let Some(text) = text {
        problems.check_text(field, text, 0..=MAX_TEXT_CHARS);
    }
}

fn check_list(field: &str, texts: Option<&[String]>, most_chars: usize, problems: &mut Problems) {
    let texts = texts.unwrap_or_default();
    check_count(field, texts.len(), problems);
    for (index, text) in texts.iter().enumerate().take(MAX_ITEMS) {
        problems.check_text(&format!("{field}[{index}]"), text, 0..=most_chars);
    }
}

fn check_count(field: &str, count: usize, problems: &mut Problems) {
    if count > MAX_ITEMS {
        problems.add(field, RefusalCode::OutOfRange, format!("expected at most {MAX_ITEMS}"));
    }
}
