//! The bodies in which a merchant's programs send orders and their lines.

use crate::orders::import::{LATEST, MAX_ITEMS, MAX_QUANTITY, MAX_TEXT, shipping_of};
use domain::{
    Currency, Money, Problems, RefusalCode, Timestamp,
    address::Address,
    money::MAX_AMOUNT,
    order::{NewOrder, NewPurchase, OrderSums, Product, check_exchange_options, check_parcel_facts},
    proof::TypedOrderNumber,
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::HashSet;

const MAX_EMAIL_CHARS: usize = 320;
/// A text on one line that has an `@` or is blank.
const EMAIL_OR_BLANK: &str =
    r"^([ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*|[^\x00-\x1f\x7f-\x9f]*@[^\x00-\x1f\x7f-\x9f]*)$";
const MAX_POSTAL_CODE_CHARS: usize = 200;
const MAX_URL_CHARS: usize = 2_000;
/// The longest id of a line: imports join the id of the order and that of the line.
pub(crate) const MAX_EXTERNAL_ID_CHARS: usize = 1_000;

/// A sales order of the shop.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OrderInput {
    /// The shop's own id, 1 to 500 characters; the number, if left out.
    #[schemars(length(min = 1, max = 500))]
    pub external_id: Option<String>,
    /// The order number that people know: 1 to 500 characters.
    #[schemars(length(min = 1, max = 500))]
    pub number: String,
    /// The buyer's e-mail address, up to 320 characters. Either this, the address's `postalCode` or `billingPostalCode`
    /// is required: shoppers prove the order with one of them.
    #[serde(default)]
    #[schemars(length(max = 320), extend("pattern" = EMAIL_OR_BLANK))]
    pub email: String,
    /// The delivery address.
    #[serde(default)]
    pub address: Address,
    /// The postal code of the billing address, up to 200 characters. It proves the order if the delivery address has no
    /// postal code, as with pickups and downloads. It is never printed.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub billing_postal_code: String,
    /// The currency of all prices of the order. Never changes.
    pub currency: Currency,
    /// When the order was placed. Never changes.
    pub ordered_at: Timestamp,
    /// The amount that was paid for delivery; 0, if left out.
    pub shipping_paid: Option<Money>,
    /// The amount paid for the order: its total, less what is outstanding. Returns of the order never give back more
    /// than this, less `totalRefunded`. If left out, there is no limit, or the known one stays.
    pub total_paid: Option<Money>,
    /// The amount of money that the shop has given back so far, including refunds of returns. If left out, it is 0
    /// beside `totalPaid`; if both are left out, the known amount stays. If `totalPaid` is unknown, a person decides
    /// about the returns of an order of which the shop has refunded something on its own.
    pub total_refunded: Option<Money>,
    /// The shop's tags: up to 250, up to 500 characters each.
    #[serde(default)]
    #[schemars(length(max = 250), inner(length(min = 1, max = 500)))]
    pub tags: Vec<String>,
}

/// One line of a sales order. It replaces the known line: fields that are left out are cleared.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PurchaseInput {
    /// The order. Required with a single purchase, not allowed within an order's `purchases`.
    pub order: Option<OrderInput>,
    /// The shop's own id of the line, 1 to 1,000 characters. May be left out if the path contains it.
    #[schemars(length(min = 1, max = 1_000))]
    pub external_id: Option<String>,
    /// The product that was bought. Its name is required.
    pub product: Product,
    /// Units bought, 1 to 1,000,000. Cannot change while some of them are in returns.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub quantity: u32,
    /// Units sent; all that were not removed, if left out.
    pub fulfilled_quantity: Option<u32>,
    /// Units that were removed from the order before they were sent. The order's shipping does not wait for them. If
    /// left out, it is 0; a single purchase keeps the known number.
    pub removed_quantity: Option<u32>,
    /// The price paid for all units: after discount, tax included. Cannot change while some of them are in returns.
    pub total_price: Option<Money>,
    /// The price paid for each unit, in place of `totalPrice`.
    pub unit_price: Option<Money>,
    /// The tax contained in the total; 0, if left out.
    pub tax: Option<Money>,
    /// The discount that the total already contains; 0, if left out.
    pub discount: Option<Money>,
    /// Whether the line was sold as not returnable; `false`, if left out.
    #[serde(default)]
    pub final_sale: bool,
    /// Whether the product is sent in a parcel, unlike gift cards, downloads and services. If left out, it is `true`,
    /// except for a line without a SKU whose name is that of a tip, a fee, a duty, postage or a voucher. The first four
    /// can then never be returned.
    pub requires_shipping: Option<bool>,
    /// When the units were sent.
    pub fulfilled_at: Option<Timestamp>,
    /// When the units arrived.
    pub delivered_at: Option<Timestamp>,
    /// Units sent that the shop knows to be refunded, including those that it refunded for Retour; 0, if left out. Units
    /// beyond those that Retour has settled cannot be returned.
    pub refunded_quantity: Option<u32>,
}

/// Sales orders to import together.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = orders_example())]
pub struct OrdersInput {
    /// The orders to import, each once.
    pub orders: Vec<OrderWithPurchases>,
}

fn orders_example() -> serde_json::Value {
    serde_json::json!({"orders": [{
        "order": {
            "number": "2001", "email": "grace@example.com", "currency": "EUR", "orderedAt": "2026-01-31T12:00:00Z",
            "shippingPaid": {"value": "4.95", "currency": "EUR"},
        },
        "purchases": [{
            "externalId": "2001/1", "product": {"name": "Mug, blue", "sku": "MUG-BLUE"}, "quantity": 2,
            "totalPrice": {"value": "39.95", "currency": "EUR"}, "fulfilledAt": "2026-02-01T09:00:00Z",
        }],
    }]})
}

/// A sales order together with its lines.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OrderWithPurchases {
    /// The sales order itself.
    pub order: OrderInput,
    /// The lines of the order, each once, at least one.
    pub purchases: Vec<PurchaseInput>,
}

impl OrderInput {
    /// The order without its lines.
    fn read(&self, field: &str, problems: &mut Problems) -> NewOrder {
        let mut own = Problems::default();
        let external_id = self.external_id.as_ref().unwrap_or(&self.number);
        if self.external_id.is_some() {
            own.check_text("externalId", external_id, 1..=MAX_TEXT);
        }
        own.check_text("number", &self.number, 1..=MAX_TEXT);
        if TypedOrderNumber::new(&self.number).is_none() && !self.number.trim().is_empty() {
            own.add("number", RefusalCode::NotAllowed, "expected more than # and spaces");
        }
        own.check_text("email", &self.email, 0..=MAX_EMAIL_CHARS);
        if !(self.email.trim().is_empty() || self.email.contains('@')) {
            own.add("email", RefusalCode::OutOfRange, "expected an e-mail address");
        }
        own.add_parts("address", self.address.check());
        own.check_text("billingPostalCode", &self.billing_postal_code, 0..=MAX_POSTAL_CODE_CHARS);
        let proofs = [&self.email, &self.address.postal_code, &self.billing_postal_code];
        if proofs.iter().all(|proof| proof.trim().is_empty()) {
            let message =
                "expected this, address.postalCode or billingPostalCode, so that the shopper can find the order";
            own.add("email", RefusalCode::Required, message);
        }
        check_moment("orderedAt", Some(self.ordered_at), &mut own);
        let shipping_paid = amount("shippingPaid", self.shipping_paid, self.currency, &mut own);
        let paid = amount("totalPaid", self.total_paid, self.currency, &mut own);
        let refunded = amount("totalRefunded", self.total_refunded, self.currency, &mut own);
        check_list("tags", &self.tags, 1..=MAX_TEXT, &mut own);
        problems.add_parts(field, own);
        NewOrder {
            external_id: external_id.clone(),
            number: self.number.clone(),
            email: self.email.clone(),
            address: self.address.clone(),
            currency: self.currency,
            ordered_at: self.ordered_at,
            shipping_paid,
            sums: OrderSums { paid: self.total_paid.map(|_| paid), refunded },
            is_partial: false,
            review: None,
            billing_postal_code: self.billing_postal_code.clone(),
            tags: self.tags.clone(),
            lines: Vec::new(),
        }
    }
}

impl PurchaseInput {
    /// The order with this as its only line, at a position that the caller sets.
    pub(crate) fn read(&self, external_id: &str) -> Result<NewOrder, Problems> {
        let mut problems = Problems::default();
        if self.external_id.as_ref().is_some_and(|id| id != external_id) {
            problems.add("externalId", RefusalCode::Mismatch, "expected the same as in the path, or nothing");
        }
        let Some(order) = &self.order else {
            problems.add("order", RefusalCode::Required, "this field is missing");
            return Err(problems);
        };
        let mut order = order.read("order", &mut problems);
        order.lines.push(self.line(external_id, order.currency, &mut problems));
        if problems.0.is_empty() { Ok(order) } else { Err(problems) }
    }

    fn line(&self, external_id: &str, currency: Currency, problems: &mut Problems) -> NewPurchase {
        if !(1..=MAX_QUANTITY).contains(&self.quantity) {
            let message = format!("expected a whole number from 1 to {MAX_QUANTITY}");
            problems.add("quantity", RefusalCode::OutOfRange, message);
        }
        let removed = self.removed_quantity.unwrap_or(0);
        let parts = [
            ("fulfilledQuantity", self.fulfilled_quantity),
            ("removedQuantity", self.removed_quantity),
            ("refundedQuantity", self.refunded_quantity),
        ];
        for (field, _) in parts.into_iter().filter(|(_, units)| units.is_some_and(|units| units > self.quantity)) {
            problems.add(field, RefusalCode::OutOfRange, "expected at most quantity");
        }
        let fulfilled = self.fulfilled_quantity.unwrap_or(self.quantity.saturating_sub(removed));
        if removed <= self.quantity && fulfilled <= self.quantity && removed > self.quantity - fulfilled {
            let message = "expected at most the units that were not sent";
            problems.add("removedQuantity", RefusalCode::OutOfRange, message);
        }
        check_product(&self.product, problems);
        let total = self.total(currency, problems);
        let tax = amount("tax", self.tax, currency, problems);
        if total.is_some_and(|total| tax > total) {
            problems.add("tax", RefusalCode::OutOfRange, "expected at most the total, which includes the tax");
        }
        check_moment("fulfilledAt", self.fulfilled_at, problems);
        check_moment("deliveredAt", self.delivered_at, problems);
        let (requires_shipping, obstacle) = shipping_of(&self.product.name, &self.product.sku, self.requires_shipping);
        NewPurchase {
            external_id: external_id.to_owned(),
            position: 1,
            product: self.product.clone(),
            quantity: self.quantity,
            fulfilled,
            shop_refunded: self.refunded_quantity.unwrap_or(0),
            total: total.unwrap_or(0),
            tax,
            duties: 0,
            discount: amount("discount", self.discount, currency, problems),
            final_sale: self.final_sale,
            requires_shipping,
            removed,
            obstacle,
            fulfilled_at: self.fulfilled_at,
            delivered_at: self.delivered_at,
        }
    }

    /// The price paid for all units, or `None` if the input is contradictory or invalid.
    fn total(&self, currency: Currency, problems: &mut Problems) -> Option<i64> {
        let before = problems.0.len();
        let total = match (self.total_price, self.unit_price) {
            (Some(_), None) => amount("totalPrice", self.total_price, currency, problems),
            (None, Some(_)) => {
                let unit = amount("unitPrice", self.unit_price, currency, problems);
                let total = unit.saturating_mul(i64::from(self.quantity));
                if total > MAX_AMOUNT {
                    problems.add(
                        "unitPrice",
                        RefusalCode::OutOfRange,
                        "multiplied by quantity, the amount is too large",
                    );
                }
                total
            }
            (Some(_), Some(_)) => {
                problems.add("unitPrice", RefusalCode::Mismatch, "expected either this or totalPrice, not both");
                0
            }
            (None, None) => {
                problems.add("totalPrice", RefusalCode::Required, "expected either this or unitPrice");
                0
            }
        };
        (problems.0.len() == before).then_some(total)
    }
}

impl OrdersInput {
    /// The orders, or all problems of the input.
    pub fn read(&self) -> Result<Vec<NewOrder>, Problems> {
        let mut problems = Problems::default();
        let (mut order_ids, mut line_ids) = (HashSet::new(), HashSet::new());
        let mut orders = Vec::with_capacity(self.orders.len());
        for (index, OrderWithPurchases { order, purchases }) in self.orders.iter().enumerate() {
            let path = format!("orders[{index}]");
            let mut order = order.read(&format!("{path}.order"), &mut problems);
            if !order_ids.insert(order.external_id.clone()) {
                let message = "duplicate: expected each order once";
                problems.add(format!("{path}.order.externalId"), RefusalCode::Mismatch, message);
            }
            if purchases.is_empty() {
                problems.add(format!("{path}.purchases"), RefusalCode::Required, "expected at least one purchase");
            }
            for ((place, purchase), position) in purchases.iter().enumerate().zip(1..) {
                let mut own = Problems::default();
                let external_id = purchase.external_id.as_deref().unwrap_or_default();
                own.check_text("externalId", external_id, 1..=MAX_EXTERNAL_ID_CHARS);
                if !line_ids.insert(external_id.to_owned()) {
                    own.add("externalId", RefusalCode::Mismatch, "duplicate: expected each line once");
                }
                if purchase.order.is_some() {
                    own.add("order", RefusalCode::NotAllowed, "expected nothing here: put the order beside purchases");
                }
                let line = purchase.line(external_id, order.currency, &mut own);
                order.lines.push(NewPurchase { position, ..line });
                problems.add_parts(&format!("{path}.purchases[{place}]"), own);
            }
            orders.push(order);
        }
        if problems.0.is_empty() { Ok(orders) } else { Err(problems) }
    }
}

/// An amount of 0 or more in the order's currency, in minor units.
fn amount(field: &str, money: Option<Money>, currency: Currency, problems: &mut Problems) -> i64 {
    let Some(money) = money else { return 0 };
    if money.currency != currency {
        let message = format!("expected the order's currency, {currency}");
        problems.add(format!("{field}.currency"), RefusalCode::Mismatch, message);
    } else if !(0..=MAX_AMOUNT).contains(&money.minor) {
        let most = Money::new(MAX_AMOUNT, currency).decimal();
        problems.add(field, RefusalCode::OutOfRange, format!("expected an amount from 0 to {most}"));
    }
    money.minor
}

fn check_moment(field: &str, at: Option<Timestamp>, problems: &mut Problems) {
    if at.is_some_and(|at| !(Timestamp::from_seconds(0)..LATEST).contains(&at)) {
        problems.add(field, RefusalCode::OutOfRange, "expected a time from 1970 to 2199");
    }
}

fn check_list(field: &str, texts: &[String], chars: std::ops::RangeInclusive<usize>, problems: &mut Problems) {
    if texts.len() > MAX_ITEMS {
        problems.add(field, RefusalCode::OutOfRange, format!("expected at most {MAX_ITEMS} items"));
    }
    for (index, text) in texts.iter().enumerate().take(MAX_ITEMS) {
        problems.check_text(&format!("{field}[{index}]"), text, chars.clone());
    }
}

fn check_product(product: &Product, problems: &mut Problems) {
    problems.check_text("product.name", &product.name, 1..=MAX_TEXT);
    problems.check_text("product.sku", &product.sku, 0..=MAX_TEXT);
    problems.check_text("product.barcode", &product.barcode, 0..=MAX_TEXT);
    check_list("product.imageUrls", &product.image_urls, 1..=MAX_URL_CHARS, problems);
    if !product.image_urls.iter().all(|url| url.starts_with("https://") || url.starts_with("http://")) {
        problems.add("product.imageUrls", RefusalCode::NotAllowed, "expected addresses that begin with https://");
    }
    if product.attributes.len() > MAX_ITEMS {
        let message = format!("expected at most {MAX_ITEMS} attributes");
        problems.add("product.attributes", RefusalCode::OutOfRange, message);
    }
    for (name, value) in product.attributes.iter().take(MAX_ITEMS) {
        problems.check_text("product.attributes", name, 1..=MAX_TEXT);
        problems.check_text("product.attributes", value, 0..=MAX_TEXT);
    }
    let exchange = product.exchange_options.iter().map(|one| (one.sku.as_str(), one.name.as_str()));
    problems.add_parts("product", check_exchange_options(exchange));
    problems.add_parts("product", check_parcel_facts(product.weight, &product.hs_code, &product.origin_country));
}
