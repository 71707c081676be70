//! Duties of an order in a shop by Shopify's schema: with the connection's setting they come back with units, never more than is left.

use crate::support::{
    bought::{Bought, asked},
    bridge::now,
    mirror::Mirror,
    shopify::{Shop, email, shared as shop},
};
use domain::{integration::ShopifyDuties, policy::Resolution};
use outbound::{
    bridge::{LookUp, Resolved, contract::ResolveReturn},
    shops::shopify::{ReturnStatus, Shopify},
};
use serde_json::{Value, json};

const REFUND: &str = "mutation ($input: RefundInput!) { refundCreate(input: $input) @idempotent(key: \"by-hand\") { userErrors { message } } }";
const REFUNDED: &str =
    "query ($id: ID!) { order(id: $id) { refunds { duties { amountSet { presentmentMoney { amount } } } } } }";

/// Four mugs at 20.00, with duties of 10.01.
fn mugs() -> Value {
    json!({"lines": [{"title": "Mug", "quantity": 4, "price": "20.00", "duty": "10.01"}]})
}

fn client(shop: &Shop) -> Shopify {
    shop.shopify().with_duties(ShopifyDuties::Refund)
}

/// What was paid for the first line, in cents.
async fn paid(shop: &Shop, bought: &Bought) -> i64 {
    let found = client(shop).get_purchases(&asked(&bought.code, email()), now()).await;
    let Ok(LookUp::Found(found)) = found else { panic!("{found:?}") };
    found.purchases[0].paid.minor
}

async fn settled(shop: &Shop, what: &ResolveReturn) -> Resolved {
    client(shop).resolve_return(what, now()).await.unwrap()
}

/// The duties that Shopify shows as refunded, one for each refund.
async fn duties(shop: &Shop, bought: &Bought) -> Vec<String> {
    let data = shop.staff(REFUNDED, json!({"id": bought.order_id})).await;
    let refunds = data["order"]["refunds"].as_array().unwrap().clone();
    let amount = |duty: &Value| duty["amountSet"]["presentmentMoney"]["amount"].as_str().unwrap().to_owned();
    refunds.iter().flat_map(|refund| refund["duties"].as_array().unwrap()).map(amount).collect()
}

async fn amounts(shop: &Shop, bought: &Bought) -> Vec<String> {
    shop.paid_out(&bought.order_id).await.into_iter().map(|(_, amount)| amount).collect()
}

/// Staff refund the whole duty, and no units.
async fn refund_duty_by_hand(shop: &Shop, bought: &Bought) {
    let of = "query ($id: ID!) { order(id: $id) { transactions(first: 5) { id } lineItems(first: 1) { nodes { duties { id } } } } }";
    let order = shop.staff(of, json!({"id": bought.order_id})).await["order"].clone();
    let input = json!({
        "orderId": bought.order_id, "currency": "EUR",
        "refundDuties": [{"dutyId": order["lineItems"]["nodes"][0]["duties"][0]["id"], "refundType": "FULL"}],
        "transactions": [{"orderId": bought.order_id, "parentId": order["transactions"][0]["id"], "kind": "REFUND",
            "gateway": "shopify_payments", "amount": "10.01"}],
    });
    let done = shop.staff(REFUND, json!({"input": input})).await;
    assert_eq!(done["refundCreate"]["userErrors"], json!([]));
}

#[tokio::test]
async fn duties_are_a_part_of_what_was_paid_only_with_the_setting() {
    let bought = shop().bought(mugs()).await;
    assert_eq!((bought.line(0).paid.minor, paid(shop(), &bought).await), (8000, 9001));
    assert_eq!(bought.line(0).order.total_paid.unwrap().minor, 9001);
    // A refund without the setting leaves them.
    let done = shop().shopify().resolve_return(&bought.refund(11_001, 1, 2000), now()).await;
    assert!(matches!(done, Ok(Resolved::Completed { .. })), "{done:?}");
    assert_eq!((amounts(shop(), &bought).await, duties(shop(), &bought).await), (vec!["20.00".to_owned()], vec![]));
}

#[tokio::test]
async fn units_give_their_share_of_the_duties_and_all_units_the_whole() {
    let bought = shop().bought(mugs()).await;
    for (transaction, quantity, cents) in [(11_011, 1, 2250), (11_012, 3, 6751)] {
        let what = bought.refund(transaction, quantity, cents);
        for _ in 0..2 {
            assert!(matches!(settled(shop(), &what).await, Resolved::Completed { .. }));
        }
        assert_eq!(paid(shop(), &bought).await, 9001, "refunded with its units");
    }
    assert_eq!(amounts(shop(), &bought).await, ["22.50", "67.51"]);
    assert_eq!(duties(shop(), &bought).await, ["2.5", "7.51"]);

    let generous = shop().bought(mugs()).await;
    let what = generous.refund(11_014, 1, 2750); // with an addition of 5.00
    assert!(matches!(settled(shop(), &what).await, Resolved::Completed { .. }));
    assert_eq!(amounts(shop(), &generous).await, ["27.50"]);

    let whole = shop().bought(mugs()).await;
    assert!(matches!(settled(shop(), &whole.refund(11_013, 4, 9001)).await, Resolved::Completed { .. }));
    assert_eq!(
        (amounts(shop(), &whole).await, duties(shop(), &whole).await),
        (vec!["90.01".to_owned()], vec!["10.01".to_owned()])
    );
}

#[tokio::test]
async fn duties_come_back_by_the_return_in_the_shop_and_not_with_an_exchange() {
    let bought = shop().bought(mugs()).await;
    let mut mirror = Mirror::new(&bought, "R-7K3M9Q2A", 2);
    assert_eq!(mirror.settle(&client(shop())).await, Some(ReturnStatus::Open));
    let id = mirror.asked.external_id.clone().unwrap();
    let what = bought.refund(11_021, 2, 4501);
    for _ in 0..2 {
        let done = client(shop()).resolve_mirrored_return(&what, &id, now()).await;
        assert!(matches!(done, Ok(Resolved::Completed { .. })), "{done:?}");
    }
    assert_eq!(
        (amounts(shop(), &bought).await, duties(shop(), &bought).await),
        (vec!["45.01".to_owned()], vec!["5.01".to_owned()])
    );

    let lines = json!([{"title": "Cap", "sku": "C-1", "quantity": 1, "price": "20.00", "duty": "3.00"}]);
    let cap = shop().bought(json!({"lines": lines})).await;
    let mut mirror = Mirror::new(&cap, "R-7K3M9Q2A", 1);
    mirror.item().exchange_sku = Some("C-1".to_owned());
    mirror.settle(&client(shop())).await;
    let mut what = cap.refund(11_022, 1, 2300);
    what.kind = Resolution::Exchange;
    what.items[0].exchange_sku = Some("C-1".to_owned());
    let done = client(shop()).resolve_mirrored_return(&what, mirror.asked.external_id.as_deref().unwrap(), now()).await;
    assert!(matches!(done, Ok(Resolved::Completed { .. })), "{done:?}");
    assert!(amounts(shop(), &cap).await.is_empty() && duties(shop(), &cap).await.is_empty());
}

#[tokio::test]
async fn duties_that_staff_have_refunded_are_not_refunded_again() {
    let shop = Shop::start();
    let bought = shop.bought(mugs()).await;
    refund_duty_by_hand(&shop, &bought).await;
    assert_eq!(paid(&shop, &bought).await, 8000);
    // This refund was calculated before.
    let Resolved::Failed { reason, .. } = settled(&shop, &bought.refund(11_031, 1, 2250)).await else {
        panic!("more than is left")
    };
    assert!(reason.contains("only 0.00 EUR of the duties"), "{reason}");
    assert!(matches!(settled(&shop, &bought.refund(11_032, 1, 2000)).await, Resolved::Completed { .. }));
    assert_eq!(amounts(&shop, &bought).await, ["10.01", "20.00"]);
    assert_eq!(duties(&shop, &bought).await, ["10.01"]);
}
