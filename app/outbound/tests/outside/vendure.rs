//! A real Vendure shop: look-ups are exact to the cent, and each return is refunded once.

use crate::support::{
    Loses, Receiver, at_home,
    bought::{asked, completed, email, eur},
    bridge::now,
    vendure::{settle, shop},
};
use domain::stage::Disposition;
use outbound::{
    api_key::ApiKey,
    bridge::{
        BridgeError, LookUp, Resolved,
        contract::{Proof, Purchase, ResolveReturn},
    },
    http::Endpoint,
    shops::vendure::Vendure,
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;
use uuid::Uuid;

/// 3 bags at 24.95 and 2 mugs at 13.33, 10 % off, 4.99 for shipping: 96.35. Two bags are delivered.
fn bags_and_mugs() -> Value {
    json!({"items": {"BAG-SAND": 3, "MUG-L": 2}, "coupon": "WELCOME10", "fulfil": {"BAG-SAND": 2}})
}

/// One bag at 24.95, 4.99 for shipping: 29.94. `pay` controls the payment provider.
fn a_bag(pay: &Value) -> Value {
    json!({"items": {"BAG-SAND": 1}, "pay": pay})
}

#[tokio::test]
async fn a_look_up_is_exact_to_the_cent() {
    let bought = shop().bought(&bags_and_mugs()).await;
    let (bag, mug) = (bought.line(0), bought.line(1));
    let figures = |line: &Purchase| {
        let amounts = [line.paid, line.tax, line.discount.unwrap()].map(domain::Money::decimal);
        (amounts.join(" "), line.quantity, line.fulfilled(), line.refunded_quantity)
    };
    assert_eq!(figures(bag), ("67.37 11.23 7.48".to_owned(), 3, 2, 0));
    assert_eq!(figures(mug), ("23.99 4.00 2.67".to_owned(), 2, 0, 0));
    let total = bag.total().minor + mug.total().minor + bag.order.shipping_paid.minor;
    assert_eq!(json!(total), shop().order_as_it_is(&bought.order_id).await["totalWithTax"]);
    assert!(bag.fulfilled_at.is_some() && bag.fulfilled_at >= Some(bag.order.ordered_at));
    assert_eq!((bag.delivered_at, mug.fulfilled_at), (None, None), "one bag is not delivered, and no mug was sent");

    assert_eq!((bag.order.number.as_str(), bag.order.currency.code()), (bought.code.as_str(), "EUR"));
    assert_eq!((bag.product.name.as_str(), bag.product.sku.as_deref()), ("Canvas bag", Some("BAG-SAND")));
    assert_eq!(json!(bag.product.attributes), json!({"Colour": "Sand"}));
    let images = bag.product.image_urls.as_ref().unwrap();
    assert!(images.len() == 1 && images[0].ends_with("canvas-bag__preview.png"), "{images:?}");
    let consumer = &bought.found.consumer;
    assert_eq!((consumer.email.as_deref(), consumer.first_name.as_deref()), (Some("guest@example.com"), Some("Grace")));
    let address = &consumer.addresses.as_ref().unwrap()[0];
    assert_eq!((address.postal_code.as_deref(), address.country.as_deref()), (Some("10115"), Some("DE")));
}

#[tokio::test]
async fn wrong_credentials_find_nothing() {
    let code = shop().order(&a_bag(&json!([{}])));
    let unpaid = shop().order(&a_bag(&json!([])));
    let look_up = async |code: &str, proof: Proof| shop().vendure().get_purchases(&asked(code, proof), now()).await;
    let typed = format!("# {} {}", &code[..4].to_lowercase(), &code[4..]);
    for proof in [email(), Proof::PostalCode("101 15".to_owned())] {
        assert!(matches!(look_up(&typed, proof).await, Ok(LookUp::Found(_))));
    }
    let proof = |text: &str| [Proof::Email(text.to_owned()), Proof::PostalCode(text.to_owned())];
    for proof in ["ada@example.com", "", " ", "%", "null"].into_iter().flat_map(proof) {
        assert_eq!(look_up(&code, proof).await, Ok(LookUp::NotFound));
    }
    for code in [unpaid.as_str(), &code[1..], "%", "#", "", "\0"] {
        assert_eq!(look_up(code, email()).await, Ok(LookUp::NotFound), "{code:?}");
    }
}

#[tokio::test]
async fn the_health_check_tests_the_key() {
    shop().vendure().health(Uuid::nil(), now()).await.unwrap();
    let key = ApiKey::parse(&"0".repeat(24)).unwrap();
    let stranger = Vendure::new(at_home(), &shop().endpoint().below("admin-api").unwrap(), key).unwrap();
    let refused = stranger.health(Uuid::nil(), now()).await;
    assert!(matches!(refused, Err(BridgeError::KeyRefused(_))), "{refused:?}");
    let looked_up = stranger.get_purchases(&asked("1", email()), now()).await;
    assert!(matches!(looked_up, Err(BridgeError::KeyRefused(_))), "{looked_up:?}");
}

#[tokio::test]
async fn a_part_is_refunded_and_restocked_once() {
    let bought = shop().bought(&bags_and_mugs()).await;
    let mut first = bought.refund(11, 1, 2246);
    first.items[0].disposition = Some(Disposition::Restock);
    (first.shipping_refund, first.fees) = (eur(300), eur(46));
    let vendure = shop().vendure();
    let resolved = settle(&vendure, &first).await;
    for _ in 0..2 {
        let refunds = shop().refunds(&bought.order_id).await;
        assert_eq!(refunds.len(), 1);
        let mark = first.transaction_id.to_string();
        let expected = json!({
            "id": refunds[0]["id"], "state": "Settled", "total": 2500, "transactionId": mark,
            "reason": format!("Return R-7K3M9Q2A ({mark})"),
            "lines": [{"orderLineId": bought.line(0).purchase_id, "quantity": 1}],
        });
        assert_eq!((&refunds[0], &resolved), (&expected, &Ok(completed(&refunds))));
        let order = shop().order_as_it_is(&bought.order_id).await;
        let quantities: Vec<&Value> = order["lines"].as_array().unwrap().iter().map(|line| &line["quantity"]).collect();
        assert_eq!(quantities, [2, 2]);
        let history = order["history"]["items"].as_array().unwrap();
        assert_eq!(history.len(), 3, "one cancellation, two notes");
        for text in ["begins refund 1: 25.00 EUR", "refunded 25.00 EUR, units back in stock: 1"] {
            let text = json!(format!("Return R-7K3M9Q2A ({mark}): {text}"));
            let note = history.iter().find(|entry| entry["data"]["note"] == text).unwrap();
            assert_eq!(note["isPublic"], false);
        }
        // Repeating it with the same id changes nothing.
        assert_eq!(settle(&vendure, &first).await, resolved);
    }

    // Returned units change neither prices nor quantities, and cannot be returned again.
    let look_up = vendure.get_purchases(&asked(&bought.code, email()), now()).await;
    let Ok(LookUp::Found(found)) = look_up else { panic!("expected the order, not {look_up:?}") };
    let figures = |line: &Purchase| (line.paid, line.tax, line.discount, line.quantity, line.fulfilled());
    let lines = |found: &[Purchase]| found.iter().map(figures).collect::<Vec<_>>();
    assert_eq!(lines(&found.purchases), lines(&bought.found.purchases));

    // Another request, without sellable units.
    let second = bought.refund(12, 1, 2246);
    let resolved = settle(&vendure, &second).await;
    let refunds = shop().refunds(&bought.order_id).await;
    assert_eq!((refunds.len(), resolved), (2, Ok(completed(&refunds[1..]))));
    assert_eq!(shop().order_as_it_is(&bought.order_id).await["lines"][0]["quantity"], 2);
}

#[tokio::test]
async fn no_more_is_refunded_than_was_paid() {
    let bought = shop().bought(&a_bag(&json!([{}]))).await;
    let vendure = shop().vendure();
    let failed = async |what: &ResolveReturn| match settle(&vendure, what).await {
        Ok(Resolved::Failed { reason, external_reference: None }) => reason,
        other => panic!("expected a failure, not {other:?}"),
    };
    let reason = failed(&bought.refund(21, 1, 2995)).await;
    assert_eq!(reason, "The refund is 29.95 EUR, but only 29.94 EUR of the payments can still be refunded.");
    assert_eq!(failed(&bought.refund(22, 2, 2495)).await, "The refund covers more units than were ordered.");
    let mut other = bought.refund(23, 1, 2495);
    other.items[0].purchase_id = "999999".to_owned();
    assert_eq!(failed(&other).await, "The order no longer has this line.");
    let other = ResolveReturn { order_id: "999999".to_owned(), ..bought.refund(24, 1, 2495) };
    assert_eq!(failed(&other).await, "The shop no longer has this order.");
    let fees = ResolveReturn { fees: eur(2496), ..bought.refund(25, 1, 2495) };
    assert_eq!(failed(&fees).await, "The sum of the refund is below 0, or too large.");
    assert!(shop().refunds(&bought.order_id).await.is_empty());

    // If fees use up the whole amount, nothing is refunded, and the resolution is complete.
    let nothing = ResolveReturn { fees: eur(2495), ..bought.refund(26, 1, 2495) };
    assert_eq!(settle(&vendure, &nothing).await, Ok(Resolved::Completed { external_reference: None }));
    assert!(shop().refunds(&bought.order_id).await.is_empty());
    let all = ResolveReturn { shipping_refund: eur(499), ..bought.refund(27, 1, 2495) };
    let resolved = settle(&vendure, &all).await;
    assert_eq!(resolved, Ok(completed(&shop().refunds(&bought.order_id).await)));
    let reason = failed(&bought.refund(28, 1, 1)).await;
    assert_eq!(reason, "The refund is 0.01 EUR, but only 0.00 EUR of the payments can still be refunded.");
}

#[tokio::test]
async fn a_refund_is_distributed_over_several_payments() {
    let bought = shop().bought(&a_bag(&json!([{"amount": 2000}, {"refund": "auto"}]))).await;
    let vendure = shop().vendure();
    let what = bought.refund(31, 1, 2495);
    let resolved = settle(&vendure, &what).await;
    let refunds = shop().refunds(&bought.order_id).await;
    let totals: Vec<_> = refunds.iter().map(|refund| (&refund["total"], &refund["state"])).collect();
    assert_eq!(json!(totals), json!([[2000, "Settled"], [495, "Settled"]]));
    assert_eq!(resolved, Ok(completed(&refunds)));
    assert_eq!(settle(&vendure, &what).await, resolved);
    assert_eq!(shop().refunds(&bought.order_id).await, refunds);

    // The first refund succeeds and the second fails: the outcome is unclear.
    let bought = shop().bought(&a_bag(&json!([{"amount": 2000}, {"refund": "fail"}]))).await;
    let resolved = settle(&vendure, &bought.refund(32, 1, 2495)).await;
    let refunds = shop().refunds(&bought.order_id).await;
    let Ok(Resolved::Unclear { external_reference, reason }) = resolved else { panic!("it is unclear: {resolved:?}") };
    assert_eq!(external_reference.as_deref(), refunds[0]["id"].as_str());
    assert!(reason.starts_with("Only 20.00 EUR of 24.95 EUR were refunded."), "{reason}");
}

#[tokio::test]
async fn a_refused_refund_fails_and_a_crashed_one_is_unclear() {
    let vendure = shop().vendure();
    let bought = shop().bought(&a_bag(&json!([{"refund": "fail"}]))).await;
    let resolved = settle(&vendure, &bought.refund(41, 1, 2495)).await;
    assert!(matches!(resolved, Ok(Resolved::Failed { external_reference: Some(_), .. })), "{resolved:?}");
    assert_eq!(shop().refunds(&bought.order_id).await[0]["state"], "Failed");

    let bought = shop().bought(&a_bag(&json!([{"refund": "throw"}]))).await;
    let resolved = settle(&vendure, &bought.refund(42, 1, 2495)).await;
    let Ok(Resolved::Unclear { external_reference: None, reason }) = resolved else { panic!("{resolved:?}") };
    assert!(reason.starts_with("The shop failed while it refunded 24.95 EUR"), "{reason}");
    let order = shop().order_as_it_is(&bought.order_id).await;
    let history = order["history"]["items"].as_array().unwrap();
    assert!(history.iter().all(|entry| entry["type"] == "ORDER_NOTE"), "nothing else was done");
}

/// A started refund that the shop does not show is first pending, then unclear. It is not requested again.
async fn becomes_unclear(vendure: &Vendure, what: &ResolveReturn) {
    assert_eq!(settle(vendure, what).await, Ok(Resolved::Pending { external_reference: None }));
    let later = vendure.resolve_return(what, now().plus_seconds(180)).await;
    let Ok(Resolved::Unclear { external_reference: None, reason }) = later else { panic!("{later:?}") };
    assert!(reason.starts_with("A refund of 24.95 EUR was started, but the shop shows no such refund"), "{reason}");
}

#[tokio::test]
async fn a_lost_refund_without_a_record_becomes_unclear() {
    // The payment provider may have paid before it failed, and the shop keeps no record.
    let bought = shop().bought(&a_bag(&json!([{"refundDelay": 8000, "refund": "throw"}]))).await;
    let (vendure, what) = (shop().vendure(), bought.refund(45, 1, 2495));
    let impatient = vendure.clone().with_timeout(Duration::from_secs(6));
    assert_eq!(settle(&impatient, &what).await, Ok(Resolved::Pending { external_reference: None }));
    sleep(Duration::from_secs(8)).await;
    assert!(shop().refunds(&bought.order_id).await.is_empty());
    becomes_unclear(&vendure, &what).await;
    // Now a person asks: the refund is requested again, and fails again.
    let Ok(Resolved::Unclear { reason, .. }) = settle(&vendure, &what).await else { panic!("it should fail again") };
    assert!(reason.starts_with("The shop failed while it refunded 24.95 EUR"), "{reason}");
}

#[tokio::test]
async fn a_lost_answer_leads_to_one_refund() {
    for (number, (word, loses, done)) in [
        ("refundOrder", Loses::Answer, 1),
        ("refundOrder", Loses::Request, 0),
        ("addNoteToOrder", Loses::Answer, 0),
        ("addNoteToOrder", Loses::Request, 0),
        ("settleRefund", Loses::Answer, 1),
        ("cancelOrder", Loses::Answer, 1),
        ("cancelOrder", Loses::Request, 1),
    ]
    .into_iter()
    .enumerate()
    {
        let bought = shop().bought(&a_bag(&json!([{}]))).await;
        let mut what = bought.refund(51 + number as u128, 1, 2495);
        what.items[0].disposition = Some(Disposition::Restock);
        let way = Receiver::before(&shop().endpoint(), word, loses);
        let vendure = shop().vendure_at(&Endpoint::parse(&format!("http://{}/", way.address)).unwrap());
        let resolved = settle(&vendure, &what).await;
        assert!(matches!(resolved, Ok(Resolved::Pending { .. })), "{word}: {resolved:?}");
        assert_eq!(shop().refunds(&bought.order_id).await.len(), done, "{word}");
        if word == "refundOrder" && matches!(loses, Loses::Request) {
            becomes_unclear(&vendure, &what).await; // it looks the same as a refund that was paid
        }
        let resolved = settle(&vendure, &what).await;
        let refunds = shop().refunds(&bought.order_id).await;
        assert_eq!((refunds.len(), resolved), (1, Ok(completed(&refunds))), "{word}");
        assert_eq!((&refunds[0]["state"], &refunds[0]["total"]), (&json!("Settled"), &json!(2495)));
        let order = shop().order_as_it_is(&bought.order_id).await;
        assert_eq!(order["lines"][0]["quantity"], 0);
        let history = order["history"]["items"].as_array().unwrap();
        let is_end = |entry: &&Value| entry["data"]["note"].as_str().is_none_or(|note| note.contains(": refunded "));
        assert_eq!(history.iter().filter(is_end).count(), 2, "one cancellation, one last note: {word}: {order}");
    }
}

#[tokio::test]
async fn a_slow_refund_is_pending_and_not_repeated() {
    let bought = shop().bought(&a_bag(&json!([{"refundDelay": 8000, "refund": "auto"}]))).await;
    let what = bought.refund(61, 1, 2495);
    let vendure = shop().vendure();
    let impatient = vendure.clone().with_timeout(Duration::from_secs(6));
    assert_eq!(settle(&impatient, &what).await, Ok(Resolved::Pending { external_reference: None }));
    assert!(shop().refunds(&bought.order_id).await.is_empty(), "the shop shows it only after it has gone through");
    while shop().refunds(&bought.order_id).await.is_empty() {
        sleep(Duration::from_secs(1)).await;
    }
    let resolved = settle(&vendure, &what).await;
    let refunds = shop().refunds(&bought.order_id).await;
    assert_eq!((refunds.len(), resolved), (1, Ok(completed(&refunds))));
}
