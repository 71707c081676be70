//! Look-ups in a shop by Shopify's schema: exact to the cent, whatever was discounted, taxed, edited and refunded.

use crate::support::{
    bought::{Bought, asked},
    bridge::now,
    shopify::{Shop, email, shared as shop},
};
use domain::{integration::ShopifyVersion, order::IneligibleCode};
use outbound::bridge::{
    LookUp,
    contract::{Proof, Purchase},
};
use serde_json::{Value, json};

/// Quantity, paid, tax and discount.
fn figures(line: &Purchase) -> (u32, String, String, String) {
    (line.quantity, line.paid.decimal(), line.tax.decimal(), line.discount.unwrap().decimal())
}

fn counts(line: &Purchase) -> (u32, u32, u32) {
    (line.quantity, line.fulfilled(), line.refunded_quantity)
}

/// The sum of all lines and shipping.
fn total(bought: &Bought) -> i64 {
    let lines: i64 = bought.found.purchases.iter().map(|line| line.total().minor).sum();
    lines + bought.line(0).order.shipping_paid.minor
}

async fn found_again(shop: &Shop, bought: &Bought) -> Vec<Purchase> {
    let found = shop.shopify().get_purchases(&asked(&bought.code, email()), now()).await;
    let Ok(LookUp::Found(found)) = found else { panic!("expected the order, not {found:?}") };
    found.purchases
}

/// 3 shirts at 20.00 and a cap at 9.99, 10 % off by code and 5.00 off the order, tax inside, shipping 4.90.
fn shirts() -> Value {
    json!({
        "email": "ada@example.com", "locale": "de-CH", "taxesIncluded": true, "tags": ["vip", "winter"],
        "lines": [
            {"title": "Shirt", "sku": "S-1", "variantTitle": "M", "quantity": 3, "price": "20.00", "taxRate": "0.19",
             "image": "https://cdn.example/s.png", "grams": 250, "barcode": "4006381333931",
             "hsCode": "6109100010", "origin": "PT"},
            {"title": "Cap", "sku": "C-1", "quantity": 1, "price": "9.99", "taxRate": "0.07", "tags": ["Final Sale"]},
        ],
        "discounts": [{"code": "TEN", "percent": "10"}, {"automatic": "Summer", "amount": "5.00"}],
        "shipping": {"title": "Standard", "price": "4.90", "taxRate": "0.19"},
    })
}

#[tokio::test]
async fn amounts_are_exact_after_all_discounts() {
    let bought = shop().bought(shirts()).await;
    let (shirt, cap) = (bought.line(0), bought.line(1));
    assert_eq!(total(&bought), shirt.order.total_paid.unwrap().minor, "the parts sum to what was paid");
    assert_eq!(shirt.order.shipping_paid.decimal(), "4.90");
    assert_eq!(shirt.paid.minor + shirt.discount.unwrap().minor, 6000);
    assert_eq!(cap.paid.minor + cap.discount.unwrap().minor, 999);
    // 10 % off leaves 62.99, of which 5.00 are shared by value.
    assert_eq!(shirt.paid.minor + cap.paid.minor, 6999 - 700 - 500, "{:?} {:?}", figures(shirt), figures(cap));
    assert!(shirt.tax_included && shirt.tax.minor > 0 && shirt.tax.minor < shirt.paid.minor);
    assert_eq!((shirt.order.currency.code(), shirt.order.number.as_str()), ("EUR", bought.code.as_str()));
    assert_eq!(json!(shirt.order.tags), json!(["vip", "winter"]));
    let product = &shirt.product;
    assert_eq!((product.name.as_str(), product.sku.as_deref(), product.weight), ("Shirt", Some("S-1"), Some(250)));
    assert_eq!(product.image_urls.as_deref().unwrap(), ["https://cdn.example/s.png"]);
    assert_eq!(product.barcode.as_deref(), Some("4006381333931"));
    assert_eq!((product.hs_code.as_deref(), product.origin_country.as_deref()), (Some("6109100010"), Some("PT")));
    assert_eq!((&cap.product.hs_code, &cap.product.origin_country), (&None, &None));
    assert_eq!((product.final_sale, cap.product.final_sale), (Some(false), Some(true)), "final by the product's tag");
    let consumer = &bought.found.consumer;
    assert_eq!((consumer.first_name.as_deref(), consumer.locale.as_deref()), (Some("Ada"), Some("de-CH")));
    let address = &consumer.addresses.as_ref().unwrap()[0];
    assert_eq!((address.postal_code.as_deref(), address.country.as_deref()), (Some("10115"), Some("DE")));
    assert_eq!(counts(shirt), (3, 3, 0));
}

#[tokio::test]
async fn a_product_is_final_by_its_metafield() {
    let metafield = |namespace: &str, key: &str, value: &str| json!({"namespace": namespace, "key": key, "type": "boolean", "value": value});
    let lines = [
        ("custom", "final_sale", "true"),
        ("custom", "final_sale", "false"),
        ("custom", "clearance", "true"),
        ("other", "final_sale", "true"),
    ]
    .map(|(namespace, key, value)| json!({"price": "5.00", "metafields": [metafield(namespace, key, value)]}));
    let bought = shop().bought(json!({"lines": lines})).await;
    let finals: Vec<Option<bool>> = bought.found.purchases.iter().map(|line| line.product.final_sale).collect();
    assert_eq!(finals, [Some(true), Some(false), Some(false), Some(false)]);
}

#[tokio::test]
async fn tax_on_top_is_apart_from_the_price() {
    let order = json!({
        "taxesIncluded": false,
        "lines": [{"title": "Lamp", "quantity": 3, "price": "33.33", "taxRate": "0.0825"}],
        "discounts": [{"code": "SEVEN", "amount": "7.00"}],
        "shipping": {"price": "10.00", "taxRate": "0.0825"},
    });
    let bought = shop().bought(order).await;
    let lamp = bought.line(0);
    assert_eq!((lamp.paid.decimal(), lamp.tax_included), ("92.99".to_owned(), false));
    assert_eq!(lamp.tax.minor, 767, "8.25 % of 92.99");
    assert_eq!(lamp.order.shipping_paid.minor, 1083, "shipping with its tax");
    assert_eq!(total(&bought), lamp.order.total_paid.unwrap().minor);
}

#[tokio::test]
async fn an_order_is_found_by_each_spelling_of_its_name_and_by_two_proofs() {
    let shop = Shop::start();
    shop.control("shop", json!({"prefix": "EN-", "suffix": "/A"})).await;
    let made = shop.control("orders", json!({"name": "EN-2001/A", "lines": [{"price": "5.00"}]})).await;
    shop.control("orders", json!({"name": "#3001", "lines": [{"price": "5.00"}]})).await;
    shop.control("orders", json!({"name": "#30011", "lines": [{"price": "5.00"}]})).await;
    assert_eq!(made["name"], "EN-2001/A");
    let shopify = shop.shopify();
    let look_up = async |number: &str, proof: Proof| shopify.get_purchases(&asked(number, proof), now()).await;
    for number in ["EN-2001/A", "en-2001/a", "#EN-2001/A", " Order EN-2001/A ", "3001", "#3001", "# 3001", "30011"] {
        for proof in [email(), Proof::PostalCode("101 15".to_owned())] {
            let found = look_up(number, proof).await;
            assert!(matches!(found, Ok(LookUp::Found(_))), "{number}: {found:?}");
        }
    }
    for number in ["2001", "EN-2001", "300", "3001 OR name:EN-2001/A", "*", "\"", "\\", "#", "", "-"] {
        assert_eq!(look_up(number, email()).await, Ok(LookUp::NotFound), "{number:?}");
    }
    let wrong = |text: &str| [Proof::Email(text.to_owned()), Proof::PostalCode(text.to_owned())];
    for proof in ["eve@example.com", "", "*", "10116"].into_iter().flat_map(wrong) {
        assert_eq!(look_up("#3001", proof.clone()).await, Ok(LookUp::NotFound), "{proof:?}");
    }
}

#[tokio::test]
async fn an_order_that_was_cancelled_before_it_was_sent_is_not_found() {
    let shop = Shop::start();
    let look_up = async |code: &str| shop.shopify().get_purchases(&asked(code, email()), now()).await;
    let unsent = shop.control("orders", json!({"lines": [{"price": "5.00", "fulfilled": 0}]})).await;
    let code = unsent["name"].as_str().unwrap();
    let Ok(LookUp::Found(found)) = look_up(code).await else { panic!("the order waits to be sent") };
    assert_eq!((counts(&found.purchases[0]), found.purchases[0].fulfilled_at), ((1, 0, 0), None));
    shop.control("cancel", json!({"order": unsent["id"]})).await;
    assert_eq!(look_up(code).await, Ok(LookUp::NotFound));
}

#[tokio::test]
async fn edits_and_refunds_change_quantities_and_no_amount() {
    let order = json!({
        "lines": [{"title": "Mug", "quantity": 4, "price": "10.00"}, {"title": "Plate", "quantity": 1, "price": "8.00"}],
        "fulfillments": [
            {"lines": [{"line": 0, "quantity": 2}], "createdAt": "2026-11-20T10:00:00Z", "deliveredAt": "2026-11-22T10:00:00Z"},
            {"lines": [{"line": 0, "quantity": 1}], "createdAt": "2026-11-21T10:00:00Z"},
        ],
    });
    let bought = shop().bought(order).await;
    let (mug, plate) = (bought.line(0), bought.line(1));
    assert_eq!((counts(mug), counts(plate)), ((4, 3, 0), (1, 0, 0)));
    assert_eq!(mug.fulfilled_at, domain::Timestamp::parse("2026-11-21T10:00:00Z"));
    assert_eq!((mug.delivered_at, plate.fulfilled_at), (None, None), "one mug was not sent, one has not arrived");
    // An edit removes the mug that was not sent: it is none of the mugs that can come back.
    shop().control("edit", json!({"order": bought.order_id, "line": 0, "current": 3})).await;
    let edited = found_again(shop(), &bought).await;
    assert_eq!((counts(&edited[0]), edited[0].paid), ((4, 3, 0), mug.paid));
    // Staff refund one of the mugs that were sent.
    let by_hand = json!({"order": bought.order_id, "amount": "10.00", "lines": [{"line": 0, "quantity": 1}]});
    shop().control("refund", by_hand).await;
    let refunded = found_again(shop(), &bought).await;
    assert_eq!((counts(&refunded[0]), refunded[0].paid), ((4, 3, 1), mug.paid));
    assert_eq!(refunded[0].order.total_refunded.unwrap().decimal(), "10.00");
}

#[tokio::test]
async fn gift_cards_and_tips_cannot_be_returned() {
    let order = json!({"lines": [
        {"title": "Book", "price": "20.00"},
        {"title": "Gift card", "price": "50.00", "giftCard": true},
        {"title": "Tip", "price": "3.00", "tip": true},
    ]});
    let bought = shop().bought(order).await;
    let obstacles: Vec<_> = bought.found.purchases.iter().map(Purchase::obstacle).collect();
    assert_eq!(obstacles, [None, Some(IneligibleCode::NotShippable), Some(IneligibleCode::NotShippable)]);
    assert_eq!(bought.line(1).product.requires_shipping, Some(false));
    assert_eq!(bought.line(0).order.total_paid.unwrap().decimal(), "73.00");
}

#[tokio::test]
async fn amounts_are_in_the_currency_that_the_shopper_paid_in() {
    let order = json!({
        "currency": "EUR", "presentmentCurrency": "JPY", "rate": "160",
        "lines": [{"title": "Fan", "quantity": 2, "price": "1500"}], "shipping": {"price": "800"},
    });
    let bought = shop().bought(order).await;
    let fan = bought.line(0);
    assert_eq!((fan.order.currency.code(), fan.paid.minor, fan.paid.decimal()), ("JPY", 3000, "3000".to_owned()));
    assert_eq!((fan.order.shipping_paid.minor, fan.order.total_paid.unwrap().minor), (800, 3800));
}

#[tokio::test]
async fn all_pages_of_lines_are_read_and_a_usual_order_takes_one_request() {
    let shop = Shop::start();
    let line = |number: usize| json!({"title": format!("Line {number}"), "price": format!("{}.00", number + 1)});
    let usual = shop.bought(json!({"lines": (0..80).map(line).collect::<Vec<_>>()})).await;
    assert_eq!(usual.found.purchases.len(), 80);
    assert_eq!(shop.read("calls").await.as_array().unwrap().len(), 1);
    let large = shop.bought(json!({"lines": (0..230).map(line).collect::<Vec<_>>()})).await;
    let names: Vec<&str> = large.found.purchases.iter().map(|line| line.product.name.as_str()).collect();
    assert_eq!((names.len(), names[0], names[229]), (230, "Line 0", "Line 229"));
    assert_eq!(total(&large), large.line(0).order.total_paid.unwrap().minor);
    assert_eq!((shop.count("LookUp").await, shop.count("MoreLines").await), (2, 2));
}

#[tokio::test]
async fn each_version_gives_the_same_answer() {
    let bought = shop().bought(shirts()).await;
    for version in ShopifyVersion::ALL {
        let shopify = shop().client(version, shop().token());
        let found = shopify.get_purchases(&asked(&bought.code, email()), now()).await;
        assert_eq!(found, Ok(LookUp::Found(bought.found.clone())), "{}", version.name());
    }
}
