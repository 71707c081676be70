//! A demo shop whose orders show each rule.

use crate::{
    base::{Error, OrBroken, Result, Retour, Scope},
    operator::{
        accounts::NewAccount,
        defaults::{BRING_IT, BRING_IT_TEXT, PRINT_A_LABEL, RETURN_LABEL_TEXT, SHOW_A_CODE, SHOW_A_CODE_TEXT},
        handle::OperatorHandle,
    },
    orders::import::{ImportError, Parsed},
};
use domain::{
    Currency, Money, Percent, TimeZone, Timestamp,
    account::Account,
    address::Address,
    branding::Branding,
    order::{ExchangeOption, NewOrder, NewPurchase, Product},
    policy::{Policy, Resolution},
    shipping::ShippingMethod,
};
use std::collections::BTreeMap;

/// The slug of the demo shop.
pub const SLUG: &str = "fjord-fern";

/// The demo shop, ready to use.
#[derive(Debug, Clone)]
pub struct Demo {
    /// The shop.
    pub account: Account,
    /// An API key for it.
    pub key: String,
    /// The orders to look up: number, e-mail address, and a description.
    pub orders: Vec<(String, String, &'static str)>,
}

impl OperatorHandle<'_> {
    /// Creates the demo shop, or brings its orders up to date. `key` is the API key from an earlier run, if there is
    /// one.
    pub async fn demo(self, key: Option<String>) -> Result<Demo> {
        let account = match self.retour.account(SLUG).await {
            Ok(account) => account,
            Err(Error::UnknownAccount) => self.retour.create_demo_account().await?,
            Err(error) => return Err(error),
        };
        let known = match &key {
            Some(key) => self.retour.program(key).await.is_ok_and(|program| program.account == account.id),
            None => false,
        };
        let key = match key.filter(|_| known) {
            Some(key) => key,
            None => self.retour.create_service_user(account.id, "demo", &[Scope::Admin]).await?,
        };
        let shown = orders(self.retour.now())?;
        let orders = shown.iter().map(|(order, about)| (order.number.clone(), order.email.clone(), *about)).collect();
        let parsed = shown.into_iter().map(|(order, _)| Ok::<_, ImportError>(Parsed::from(order)));
        self.retour.import(account.id, parsed).await?;
        Ok(Demo { account, key, orders })
    }
}

impl Retour {
    async fn create_demo_account(&self) -> Result<Account> {
        let currency = gbp()?;
        let policy = Policy {
            final_sale: vec!["final-sale".to_owned()],
            resolutions: vec![Resolution::Refund, Resolution::Exchange, Resolution::StoreCredit],
            store_credit_bonus_percent: Percent::from_hundredths(1_000).unwrap_or_default(),
            refund_days: Some(5),
            review_days: Some(2),
            transit_days: Some(3),
            return_address: Some(Address {
                name: "Fjord & Fern Returns".to_owned(),
                street: "14 Harbour Yard".to_owned(),
                additional: "Unit 3".to_owned(),
                postal_code: "EH6 7AB".to_owned(),
                city: "Edinburgh".to_owned(),
                province: String::new(),
                country: "GB".to_owned(),
            }),
            ..Policy::default()
        };
        let branding = Branding {
            color: Some("#2f6f5e".to_owned()),
            logo_url: Some("/demo/logo.svg".to_owned()),
            logo_dark_url: Some("/demo/logo-dark.svg".to_owned()),
            contact_email: Some("help@fjord-fern.example".to_owned()),
            ..Branding::default()
        };
        let new = NewAccount {
            slug: SLUG.to_owned(),
            name: "Fjord & Fern".to_owned(),
            currency,
            time_zone: TimeZone::UTC,
            policy,
            branding,
            api_origins: Vec::new(),
        };
        let option = |method, name, text, minor| self.option(method, name, text, Money::new(minor, currency));
        let options = vec![
            option(ShippingMethod::Label, &PRINT_A_LABEL, &RETURN_LABEL_TEXT, 395)?,
            option(ShippingMethod::Paperless, &SHOW_A_CODE, &SHOW_A_CODE_TEXT, 495)?,
            option(ShippingMethod::InStore, &BRING_IT, &BRING_IT_TEXT, 0)?,
        ];
        self.create_account_with(new, options, false).await
    }
}

pub(super) fn gbp() -> Result<Currency> {
    Currency::from_code("GBP").or_broken()
}

/// A line: SKU, name, picture, variant, units, pence for all units together.
pub(super) type DemoLine =
    (&'static str, &'static str, Option<&'static str>, &'static [(&'static str, &'static str)], u32, i64);

pub(super) const SHIRT: DemoLine =
    ("LS-204-M", "Linen shirt, relaxed fit", Some("linen-shirt"), &[("Colour", "Sage"), ("Size", "M")], 1, 5_900);
pub(super) const BLANKET: DemoLine =
    ("WB-110", "Lambswool blanket", Some("wool-blanket"), &[("Colour", "Heather")], 1, 8_500);
pub(super) const MUGS: DemoLine = ("CM-031", "Stoneware mug", Some("ceramic-mug"), &[("Glaze", "Oatmeal")], 4, 5_000);
pub(super) const LAMP: DemoLine =
    ("DL-017", "Articulated desk lamp", Some("desk-lamp"), &[("Finish", "Brass")], 1, 12_900);
pub(super) const TOTE: DemoLine = ("CT-002", "Canvas tote", Some("canvas-tote"), &[], 2, 3_801);
pub(super) const BOOTS: DemoLine = ("WB-908-43", "Walking boots", Some("walking-boots"), &[("Size", "43")], 1, 14_500);
pub(super) const BOARD: DemoLine = ("OB-050", "Oak serving board", Some("oak-board"), &[], 1, 4_200);
pub(super) const JACKET: DemoLine =
    ("RJ-77-L", "Rain jacket", Some("rain-jacket"), &[("Colour", "Slate"), ("Size", "L")], 1, 11_900);

fn orders(now: Timestamp) -> Result<Vec<(NewOrder, &'static str)>> {
    let day = |ago: i64| now.plus_seconds(-86_400 * ago);
    let card = ("GC-050", "Gift card", None, &[][..], 1, 5_000);
    let mut first = order("1001", "ada@example.com", day(6), &[SHIRT, BLANKET, MUGS, LAMP, TOTE])?;
    first.shipping_paid = 495;
    let mut second = order("1002", "ben@example.com", day(9), &[BOOTS, JACKET, card])?;
    if let Some(card) = second.lines.last_mut() {
        card.final_sale = true;
    }
    let mut third = order("1003", "cleo@example.com", day(61), &[BOARD, SHIRT])?;
    if let Some(shirt) = third.lines.last_mut() {
        shirt.fulfilled = 0;
        shirt.fulfilled_at = None;
    }
    let variants: Vec<DemoLine> = (0..300).map(|_| MUGS).collect();
    let mut long = order("1004", "dora@example.com", day(3), &variants)?;
    for (number, line) in (1..).zip(&mut long.lines) {
        line.product.name = long_name(number);
        line.product.sku = format!("MX-{number:03}");
        if line.product.name.starts_with("Saucer") {
            line.product.image_urls.clear(); // the picture is a mug
        }
        line.quantity = if number % 50 == 0 { 1_200 } else { number % 7 + 1 };
        line.fulfilled = line.quantity;
        line.total = i64::from(line.quantity) * 250 + i64::from(number % 3);
    }
    Ok(vec![
        (first, "five items, all within the return window of 30 days"),
        (second, "a gift card that is a final sale, and two items that can be returned"),
        (third, "no item that can be returned: too late, or not sent yet"),
        (long, "300 lines, long names, quantities over a thousand"),
    ])
}

/// The sizes that a product can be exchanged for.
fn exchange_options(sku: &str) -> Vec<ExchangeOption> {
    let sizes: &[&str] = match sku {
        "LS-204-M" => &["S", "M", "L", "XL"],
        "WB-908-43" => &["42", "43", "44"],
        _ => &[],
    };
    let kind = sku.rsplit_once('-').map_or(sku, |(kind, _)| kind);
    let option = |size: &&str| ExchangeOption { sku: format!("{kind}-{size}"), name: format!("Size {size}") };
    sizes.iter().map(option).collect()
}

fn long_name(number: u32) -> String {
    match number % 10 {
        0 => {
            format!("Hand-thrown stoneware mug with speckled oatmeal glaze, wide handle and unglazed foot no. {number}")
        }
        5 => format!("Saucer {number}"),
        _ => format!("Stoneware mug, oatmeal glaze, no. {number}"),
    }
}

pub(super) fn order(number: &str, email: &str, sent: Timestamp, lines: &[DemoLine]) -> Result<NewOrder> {
    let line = |(position, &(sku, name, picture, variant, quantity, total)): (u32, &DemoLine)| NewPurchase {
        external_id: format!("demo-{number}/{position}"),
        position,
        product: Product {
            name: name.to_owned(),
            sku: sku.to_owned(),
            barcode: String::new(),
            image_urls: picture.map(|name| format!("/demo/{name}.svg")).into_iter().collect(),
            attributes: variant
                .iter()
                .map(|&(key, value)| (key.to_owned(), value.to_owned()))
                .collect::<BTreeMap<_, _>>(),
            exchange_options: exchange_options(sku),
            ..Product::default()
        },
        quantity,
        fulfilled: quantity,
        shop_refunded: 0,
        total,
        tax: 0,
        duties: 0,
        discount: 0,
        final_sale: false,
        requires_shipping: true,
        removed: 0,
        obstacle: None,
        fulfilled_at: Some(sent),
        delivered_at: None,
    };
    Ok(NewOrder {
        external_id: format!("demo-{number}"),
        number: format!("#{number}"),
        email: email.to_owned(),
        address: Address { country: "GB".to_owned(), ..Address::default() },
        currency: gbp()?,
        ordered_at: sent.plus_days(0).plus_seconds(-86_400),
        shipping_paid: 0,
        sums: domain::order::OrderSums::default(),
        is_partial: false,
        review: None,
        billing_postal_code: String::new(),
        tags: Vec::new(),
        lines: (1..).zip(lines).map(line).collect(),
    })
}
