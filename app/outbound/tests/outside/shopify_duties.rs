//! Duties of an order in a shop by Shopify's schema: with the connection's setting they come back with units, never more than is left.

use crate::support::{
    bought::{Bought, asked, eur},
    bridge::now,
    mirror::Mirror,
    shopify::{Shop, email, shared as shop},
};
use domain::{integration::ShopifyDuties, policy::Resolution};
use outbound::{
    bridge::{LookUp, Resolved, contract::ResolveReturn},
    shops::shopify::{IN_FLIGHT_LIMIT, ReturnStatus, Shopify},
};
use serde_json::{Value, json};

const REFUNDED: &str =
    "query ($id: ID!) { order(id: $id) { refunds { duties { amountSet { presentmentMoney { amount } } } } } }";

/// Four mugs at 20.00, with duties of 10.01.
fn mugs() -> Value {
    json!({"lines": [{"title": "Mug", "quantity": 4, "price": "20.00", "duty": "10.01"}]})
}

fn client(shop: &Shop) -> Shopify {
    shop.shopify().with_duties(ShopifyDuties::Refund)
}

/// What was paid for the first line, and the duties within that, in cents.
async fn paid(shop: &Shop, bought: &Bought) -> (i64, i64) {
    let found = client(shop).get_purchases(&asked(&bought.code, email()), now()).await;
    let Ok(LookUp::Found(found)) = found else { panic!("{found:?}") };
    (found.purchases[0].paid.minor, found.purchases[0].duties.unwrap().minor)
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

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

async fn amounts(shop: &Shop, bought: &Bought) -> Vec<String> {
    shop.paid_out(&bought.order_id).await.into_iter().map(|(_, amount)| amount).collect()
}

/// Staff refund an amount of the first line's duty, and no units.
async fn refund_duty_by_hand(shop: &Shop, bought: &Bought, amount: &str) {
    shop.control("refund", json!({"order": bought.order_id, "duties": [{"line": 0, "amount": amount}]})).await;
}

/// A refund of units of the first line, with duties in it, in cents.
fn refund(bought: &Bought, transaction: u128, quantity: u32, cents: i64, duties: i64) -> ResolveReturn {
    let mut what = bought.refund(transaction, quantity, cents);
    what.items[0].duties = eur(duties);
    what
}

async fn completed(shop: &Shop, what: &ResolveReturn) {
    let done = settled(shop, what).await;
    assert!(matches!(done, Resolved::Completed { .. }), "{done:?}");
}

/// Why a person has to carry it out.
async fn failed(shop: &Shop, what: &ResolveReturn) -> String {
    match settled(shop, what).await {
        Resolved::Failed { reason, .. } => reason,
        other => panic!("expected a failure, not {other:?}"),
    }
}

#[tokio::test]
async fn duties_are_a_part_of_what_was_paid_only_with_the_setting() {
    let bought = shop().bought(mugs()).await;
    let in_price = |bought: &Bought| bought.line(0).duties.map(|duties| duties.minor);
    assert_eq!((bought.line(0).paid.minor, in_price(&bought)), (8000, Some(0)));
    assert_eq!(paid(shop(), &bought).await, (9001, 1001));
    assert_eq!(bought.line(0).order.total_paid.unwrap().minor, 9001);
}

/// What a refund contains was calculated before, so the setting at the refund does not matter.
#[tokio::test]
async fn a_refund_names_the_duties_that_were_calculated_whatever_the_setting_is() {
    for (number, setting) in [ShopifyDuties::Keep, ShopifyDuties::Refund].into_iter().enumerate() {
        let shopify = shop().shopify().with_duties(setting);
        let number = 11_001 + 10 * number as u128;
        let with = shop().bought(mugs()).await;
        let done = shopify.resolve_return(&refund(&with, number, 1, 2250, 250), now()).await;
        assert!(matches!(done, Ok(Resolved::Completed { .. })), "{done:?}");
        assert_eq!((amounts(shop(), &with).await, duties(shop(), &with).await), (texts(["22.50"]), texts(["2.5"])));
        let without = shop().bought(mugs()).await;
        let done = shopify.resolve_return(&refund(&without, number + 1, 1, 2000, 0), now()).await;
        assert!(matches!(done, Ok(Resolved::Completed { .. })), "{done:?}");
        assert_eq!((amounts(shop(), &without).await, duties(shop(), &without).await), (texts(["20.00"]), Vec::new()));
        // A return in Shopify is refunded the same way.
        let mirrored = shop().bought(mugs()).await;
        let mut mirror = Mirror::new(&mirrored, "R-7K3M9Q2A", 2);
        assert_eq!(mirror.settle(&shopify).await, Some(ReturnStatus::Open));
        let what = refund(&mirrored, number + 2, 2, 4501, 500);
        for _ in 0..2 {
            let id = mirror.asked.external_id.as_deref().unwrap();
            let done = shopify.resolve_mirrored_return(&what, id, now()).await;
            assert!(matches!(done, Ok(Resolved::Completed { .. })), "{done:?}");
        }
        assert_eq!(
            (amounts(shop(), &mirrored).await, duties(shop(), &mirrored).await),
            (texts(["45.01"]), texts(["5.01"]))
        );
        assert_eq!(paid(shop(), &mirrored).await, (9001, 1001), "the others give their share");
    }
}

#[tokio::test]
async fn units_give_their_share_of_the_duties_and_all_units_the_whole() {
    let bought = shop().bought(mugs()).await;
    for (transaction, quantity, cents, of_it) in [(11_101, 1, 2251, 250), (11_102, 3, 6750, 750)] {
        let what = refund(&bought, transaction, quantity, cents, of_it);
        for _ in 0..2 {
            completed(shop(), &what).await;
        }
        assert_eq!(paid(shop(), &bought).await, (9001, 1001), "refunded with its units");
    }
    assert_eq!(amounts(shop(), &bought).await, ["22.51", "67.50"]);
    assert_eq!(duties(shop(), &bought).await, ["2.5", "7.51"]);

    let generous = shop().bought(mugs()).await;
    completed(shop(), &refund(&generous, 11_103, 1, 2750, 250)).await; // with an addition of 5.00
    assert_eq!(amounts(shop(), &generous).await, ["27.50"]);

    let whole = shop().bought(mugs()).await;
    completed(shop(), &refund(&whole, 11_104, 4, 9001, 1001)).await;
    assert_eq!((amounts(shop(), &whole).await, duties(shop(), &whole).await), (texts(["90.01"]), texts(["10.01"])));
}

#[tokio::test]
async fn duties_do_not_come_back_with_an_exchange() {
    let lines = json!([{"title": "Cap", "sku": "C-1", "quantity": 1, "price": "20.00", "duty": "3.00"}]);
    let cap = shop().bought(json!({"lines": lines})).await;
    let mut mirror = Mirror::new(&cap, "R-7K3M9Q2A", 1);
    mirror.item().exchange_sku = Some("C-1".to_owned());
    mirror.settle(&client(shop())).await;
    let mut what = refund(&cap, 11_201, 1, 2300, 300);
    what.kind = Resolution::Exchange;
    what.items[0].exchange_sku = Some("C-1".to_owned());
    let done = client(shop()).resolve_mirrored_return(&what, mirror.asked.external_id.as_deref().unwrap(), now()).await;
    assert!(matches!(done, Ok(Resolved::Completed { .. })), "{done:?}");
    assert!(amounts(shop(), &cap).await.is_empty() && duties(shop(), &cap).await.is_empty());
}

#[tokio::test]
async fn duties_that_staff_refund_before_the_calculation_are_left_out() {
    let bought = shop().bought(mugs()).await;
    refund_duty_by_hand(shop(), &bought, "10.01").await;
    assert_eq!(paid(shop(), &bought).await, (8000, 0));
    completed(shop(), &refund(&bought, 11_301, 4, 8000, 0)).await;
    assert_eq!(
        (amounts(shop(), &bought).await, duties(shop(), &bought).await),
        (texts(["10.01", "80.00"]), texts(["10.01"]))
    );
}

/// However much the refund was reduced, such as by fees: it contains duties that are no longer there.
#[tokio::test]
async fn duties_that_staff_refund_after_the_calculation_are_not_refunded_again() {
    for (number, (cents, fees)) in [(2250, 0), (2000, 0), (600, 0), (2250, 1500)].into_iter().enumerate() {
        let bought = shop().bought(mugs()).await;
        let mut what = refund(&bought, 11_401 + number as u128, 1, cents, 250);
        what.fees = eur(fees);
        refund_duty_by_hand(shop(), &bought, "10.01").await;
        let reason = failed(shop(), &what).await;
        assert!(reason.contains("duties of 2.50 EUR, but only 0.00 EUR"), "{reason}");
        assert_eq!(amounts(shop(), &bought).await, ["10.01"]);
        // The same through a return in Shopify, if enough of the duty is left.
        let mut mirror = Mirror::new(&bought, "R-7K3M9Q2A", 1);
        mirror.settle(&client(shop())).await;
        let id = mirror.asked.external_id.as_deref().unwrap();
        let done = client(shop()).resolve_mirrored_return(&what, id, now()).await;
        assert!(matches!(done, Ok(Resolved::Failed { .. })), "{done:?}");
        assert_eq!(amounts(shop(), &bought).await, ["10.01"]);
    }
    let bought = shop().bought(mugs()).await;
    refund_duty_by_hand(shop(), &bought, "7.51").await;
    completed(shop(), &refund(&bought, 11_411, 1, 2250, 250)).await;
    assert_eq!(duties(shop(), &bought).await, ["7.51", "2.5"]);
}

/// Shopify books the share of the price for each unit, more than the unit gives here. The other units lose nothing by that.
#[tokio::test]
async fn what_staff_left_of_a_duty_comes_back_with_separate_returns() {
    let bought = shop().bought(mugs()).await;
    refund_duty_by_hand(shop(), &bought, "6.00").await;
    for (transaction, of_all, of_it) in [(11_501, 401, 100), (11_502, 402, 100), (11_503, 402, 100), (11_504, 404, 101)]
    {
        assert_eq!(
            paid(shop(), &bought).await,
            (8000 + of_all, of_all),
            "rounded up, so that the last unit gets the rest"
        );
        completed(shop(), &refund(&bought, transaction, 1, 2000 + of_it, of_it)).await;
    }
    assert_eq!(amounts(shop(), &bought).await, ["6.00", "21.00", "21.00", "21.00", "21.01"]);
    assert_eq!(
        duties(shop(), &bought).await,
        ["6.0", "2.5", "1.51"],
        "as Shopify books them: nothing for the last two"
    );
}

#[tokio::test]
async fn a_refund_of_a_part_by_hand_between_separate_returns_counts_once() {
    let bought = shop().bought(mugs()).await;
    completed(shop(), &refund(&bought, 11_601, 1, 2250, 250)).await;
    refund_duty_by_hand(shop(), &bought, "6.00").await;
    let reason = failed(shop(), &refund(&bought, 11_602, 1, 2250, 250)).await; // calculated before
    assert!(reason.contains("only 1.51 EUR"), "{reason}");
    assert_eq!(paid(shop(), &bought).await, (8202, 202), "1.51 for three units");
    for (number, of_it) in [(0, 50), (1, 50), (2, 51)] {
        completed(shop(), &refund(&bought, 11_603 + number, 1, 2000 + of_it, of_it)).await;
    }
    let reason = failed(shop(), &refund(&bought, 11_606, 1, 2001, 1)).await;
    assert!(reason.contains("can still be refunded"), "{reason}");
    assert_eq!(amounts(shop(), &bought).await, ["22.50", "6.00", "20.50", "20.50", "20.51"], "all that was paid");
}

/// The request was lost, and staff refund the duty before it is repeated.
#[tokio::test]
async fn a_repeated_refund_does_not_give_duties_that_staff_refunded_meanwhile() {
    let bought = shop().bought(mugs()).await;
    let what = refund(&bought, 11_701, 1, 2250, 250);
    shop().control("fail", json!({"operation": "refundCreate", "how": "before-close", "order": bought.order_id})).await;
    assert!(matches!(settled(shop(), &what).await, Resolved::Pending { .. }));
    refund_duty_by_hand(shop(), &bought, "10.01").await;
    assert!(matches!(settled(shop(), &what).await, Resolved::Pending { .. }), "the request may be running");
    let later = now().plus_seconds(IN_FLIGHT_LIMIT.as_secs().try_into().unwrap());
    let done = client(shop()).resolve_return(&what, later).await;
    assert!(matches!(done, Ok(Resolved::Unclear { .. })), "{done:?}");
    assert_eq!(amounts(shop(), &bought).await, ["10.01"]);
    // An answer that was lost is found, whatever staff refund later.
    let paid = shop().bought(mugs()).await;
    let what = refund(&paid, 11_702, 1, 2250, 250);
    shop().control("fail", json!({"operation": "refundCreate", "how": "after-close", "order": paid.order_id})).await;
    assert!(matches!(settled(shop(), &what).await, Resolved::Pending { .. }));
    refund_duty_by_hand(shop(), &paid, "7.51").await;
    completed(shop(), &what).await;
    assert_eq!(amounts(shop(), &paid).await, ["22.50", "7.51"]);
}
