//! A real Medusa shop: look-ups are exact to the cent, and each return is refunded once.
//!
//! The shop takes 700 MB and almost a minute to start, so these tests run only in `make test-peers`.

use crate::support::{
    Loses, Receiver, at_home,
    bought::{asked, completed, email, eur},
    bridge::now,
    medusa::{settle, shop},
};
use domain::stage::Disposition;
use outbound::{
    api_key::ApiKey,
    bridge::{
        BridgeError, LookUp, Resolved,
        contract::{Proof, Purchase, ResolveReturn},
    },
    http::{Endpoint, Method},
    shops::medusa::Medusa,
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;
use uuid::Uuid;

/// 3 bags at 24.95 and 2 mugs at 13.33, 10 % off, 4.99 for shipping: 96.349. Two bags are delivered.
fn bags_and_mugs() -> Value {
    json!({"items": {"BAG-SAND": 3, "MUG-L": 2}, "coupon": "WELCOME10", "fulfil": {"BAG-SAND": 2}})
}

/// One bag at 24.95, 4.99 for shipping: 29.94. It is delivered. `pay` controls the payment provider.
fn a_bag(pay: &Value) -> Value {
    json!({"items": {"BAG-NAVY": 1}, "pay": pay, "fulfil": {"BAG-NAVY": 1}})
}

fn amounts(refunds: &[Value]) -> Vec<&Value> {
    refunds.iter().map(|refund| &refund["amount"]).collect()
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn a_look_up_is_exact_to_the_cent() {
    let bought = shop().bought(&bags_and_mugs()).await;
    let (bag, mug) = (bought.line(0), bought.line(1));
    let figures = |line: &Purchase| {
        let amounts = [line.paid, line.tax, line.discount.unwrap()].map(domain::Money::decimal);
        (amounts.join(" "), line.quantity, line.fulfilled(), line.refunded_quantity)
    };
    assert_eq!(figures(bag), ("67.37 11.23 7.49".to_owned(), 3, 2, 0));
    assert_eq!(figures(mug), ("23.99 4.00 2.67".to_owned(), 2, 0, 0));
    assert_eq!(bag.total().minor + mug.total().minor + bag.order.shipping_paid.minor, 9635);
    assert_eq!(shop().order_as_it_is(&bought.order_id).await["total"], 96.349);
    assert!(bag.fulfilled_at.is_some() && bag.fulfilled_at >= Some(bag.order.ordered_at));
    assert_eq!((bag.delivered_at, mug.fulfilled_at), (None, None), "one bag is not delivered, and no mug was sent");

    assert_eq!((bag.order.number.as_str(), bag.order.currency.code()), (bought.code.as_str(), "EUR"));
    assert_eq!((bag.product.name.as_str(), bag.product.sku.as_deref()), ("Canvas bag", Some("BAG-SAND")));
    assert_eq!(json!(bag.product.attributes), json!({"Colour": "Sand"}));
    assert_eq!(bag.product.image_urls.as_deref().unwrap(), ["https://shop.example/bag.png"]);
    let consumer = &bought.found.consumer;
    assert_eq!((consumer.email.as_deref(), consumer.first_name.as_deref()), (Some("guest@example.com"), Some("Grace")));
    let address = &consumer.addresses.as_ref().unwrap()[0];
    assert_eq!((address.name.as_deref(), address.country.as_deref()), (Some("Grace Guest"), Some("DE")));
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn wrong_credentials_find_nothing() {
    let (number, id) = shop().order(&a_bag(&json!({})));
    let look_up = async |number: &str, proof: Proof| shop().medusa().get_purchases(&asked(number, proof), now()).await;
    for proof in [email(), Proof::PostalCode("101 15".to_owned())] {
        for typed in [number.clone(), format!(" # {number}")] {
            assert!(matches!(look_up(&typed, proof.clone()).await, Ok(LookUp::Found(_))), "{typed} {proof:?}");
        }
    }
    let proof = |text: &str| [Proof::Email(text.to_owned()), Proof::PostalCode(text.to_owned())];
    for proof in ["ada@example.com", "guest", "", " ", "%", "10116", "101", "null"].into_iter().flat_map(proof) {
        assert_eq!(look_up(&number, proof).await, Ok(LookUp::NotFound));
    }
    let other = Proof::PostalCode("guest@example.com".to_owned());
    assert_eq!(look_up(&number, other).await, Ok(LookUp::NotFound));
    // The telephone number is +49301234567, and Medusa's search includes it.
    for number in ["99999", "0", "%", "_", "#", "", "\0", "4930", id.as_str()] {
        assert_eq!(look_up(number, email()).await, Ok(LookUp::NotFound), "{number:?}");
    }

    // An order is found by its second number; a cancelled order is not found.
    let (number, id) = shop().order(&json!({"items": {"MUG-S": 1}, "email": "Other@Example.com", "capture": false}));
    let other = Proof::Email("other@example.com".to_owned());
    assert!(matches!(look_up(&number, other.clone()).await, Ok(LookUp::Found(_))));
    shop().post(&format!("orders/{id}/cancel"), json!({})).await;
    assert_eq!(look_up(&number, other).await, Ok(LookUp::NotFound));
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn the_health_check_tests_the_key() {
    shop().medusa().health(Uuid::nil(), now()).await.unwrap();
    let key = ApiKey::parse("sk_0000").unwrap();
    let stranger = Medusa::new(at_home(), &shop().endpoint().below("admin").unwrap(), key.clone()).unwrap();
    let refused = stranger.health(Uuid::nil(), now()).await;
    assert!(matches!(refused, Err(BridgeError::KeyRefused(_))), "{refused:?}");
    let looked_up = stranger.get_purchases(&asked("1", email()), now()).await;
    assert!(matches!(looked_up, Err(BridgeError::KeyRefused(_))), "{looked_up:?}");
    let elsewhere = Medusa::new(at_home(), &shop().endpoint().below("app").unwrap(), key).unwrap();
    let rejected = elsewhere.health(Uuid::nil(), now()).await;
    assert!(matches!(rejected, Err(BridgeError::Rejected(_))), "{rejected:?}");
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn a_part_is_refunded_and_restocked_once() {
    let what = json!({"items": {"JUMPER-L": 3, "MUG-L": 2}, "coupon": "WELCOME10", "fulfil": {"JUMPER-L": 2}});
    let bought = shop().bought(&what).await;
    let stock = shop().stock("JUMPER-L").await;
    // A jumper cost 58.491. 3.00 of the shipping are refunded too, and 4.95 are kept as a fee.
    let mut first = bought.refund(11, 1, 5849);
    first.items[0].disposition = Some(Disposition::Restock);
    (first.shipping_refund, first.fees) = (eur(300), eur(495));
    let (medusa, mark) = (shop().medusa(), first.transaction_id.to_string());
    let resolved = settle(&medusa, &first).await;
    for _ in 0..2 {
        let refunds = shop().refunds(&bought.order_id).await;
        assert_eq!((amounts(&refunds), &resolved), (vec![&json!(56.54)], &Ok(completed(&refunds))));
        assert_eq!(refunds[0]["note"], format!("Return R-7K3M9Q2A ({mark})"));
        let returns = shop().returns(&bought.order_id).await;
        assert_eq!((returns.len(), &returns[0]["status"]), (1, &json!("received")));
        let item = &returns[0]["items"][0];
        let counts = json!([item["quantity"], item["received_quantity"], item["damaged_quantity"]]);
        assert_eq!((counts, &item["item_id"]), (json!([1, 1, 0]), &json!(bought.line(0).purchase_id)));
        assert_eq!(shop().stock("JUMPER-L").await, stock + 1);
        let order = shop().order_as_it_is(&bought.order_id).await;
        assert_eq!(order["summary"]["pending_difference"], 0, "the shop does not owe the rest");
        assert_eq!(order["credit_lines"].as_array().unwrap().len(), 1);
        // Repeating it with the same id changes nothing.
        assert_eq!(settle(&medusa, &first).await, resolved);
    }

    // Returned units change neither prices nor quantities.
    let found = shop().look_up(&bought.code).await;
    let figures = |line: &Purchase| (line.paid, line.tax, line.discount, line.quantity, line.order.shipping_paid);
    let lines = |found: &[Purchase]| found.iter().map(figures).collect::<Vec<_>>();
    assert_eq!(lines(&found.purchases), lines(&bought.found.purchases));
    assert_eq!(found.purchases[0].refunded_quantity, 1);

    // Another request, without sellable units.
    let second = bought.refund(12, 1, 5849);
    let resolved = settle(&medusa, &second).await;
    let refunds = shop().refunds(&bought.order_id).await;
    assert_eq!((refunds.len(), resolved), (2, Ok(completed(&refunds[1..]))));
    let returns = shop().returns(&bought.order_id).await;
    assert!(returns.iter().any(|one| one["items"][0]["damaged_quantity"] == 1), "{returns:?}");
    assert_eq!(shop().stock("JUMPER-L").await, stock + 1);
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn no_more_is_refunded_than_was_paid() {
    let bought = shop().bought(&a_bag(&json!({}))).await;
    let medusa = shop().medusa();
    let failed = async |what: &ResolveReturn| match settle(&medusa, what).await {
        Ok(Resolved::Failed { reason, external_reference: None }) => reason,
        other => panic!("expected a failure, not {other:?}"),
    };
    let reason = failed(&bought.refund(21, 1, 2995)).await;
    assert_eq!(reason, "The refund is 29.95 EUR, but only 29.94 EUR of the payments can still be refunded.");
    assert_eq!(failed(&bought.refund(22, 2, 2495)).await, "The refund covers more units than were ordered.");
    let mut other = bought.refund(23, 1, 2495);
    other.items[0].purchase_id = "ordli_1".to_owned();
    assert_eq!(failed(&other).await, "The order no longer has this line.");
    let other = ResolveReturn { order_id: "order_1".to_owned(), ..bought.refund(24, 1, 2495) };
    assert_eq!(failed(&other).await, "The shop no longer has this order.");
    let fees = ResolveReturn { fees: eur(2496), ..bought.refund(25, 1, 2495) };
    assert_eq!(failed(&fees).await, "The sum of the refund is below 0, or too large.");
    assert!(shop().refunds(&bought.order_id).await.is_empty() && shop().returns(&bought.order_id).await.is_empty());

    let all = ResolveReturn { shipping_refund: eur(499), ..bought.refund(26, 1, 2495) };
    let resolved = settle(&medusa, &all).await;
    assert_eq!(resolved, Ok(completed(&shop().refunds(&bought.order_id).await)));
    let reason = failed(&bought.refund(27, 1, 1)).await;
    assert_eq!(reason, "The refund is 0.01 EUR, but only 0.00 EUR of the payments can still be refunded.");

    let unpaid = json!({"items": {"MUG-S": 1}, "capture": false, "fulfil": {"MUG-S": 1}});
    let bought = shop().bought(&unpaid).await;
    let reason = failed(&bought.refund(28, 1, 999)).await;
    assert!(reason.starts_with("No payment of this order is captured"), "{reason}");
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn an_order_with_fractions_is_refunded_to_the_last_cent() {
    let what =
        json!({"items": {"BAG-SAND": 3, "MUG-L": 2}, "coupon": "WELCOME10", "fulfil": {"BAG-SAND": 3, "MUG-L": 2}});
    let bought = shop().bought(&what).await;
    let medusa = shop().medusa();
    let bags = bought.refund(71, 3, 6737);
    let mut mugs = ResolveReturn { shipping_refund: eur(499), ..bought.refund(72, 2, 2399) };
    mugs.items[0].purchase_id.clone_from(&bought.line(1).purchase_id);
    for what in [bags, mugs] {
        let resolved = settle(&medusa, &what).await;
        assert!(matches!(resolved, Ok(Resolved::Completed { .. })), "{resolved:?}");
    }
    assert_eq!(amounts(&shop().refunds(&bought.order_id).await), [67.37, 28.98]);
    let found = shop().look_up(&bought.code).await;
    let figures = |line: &Purchase| (line.paid, line.tax, line.discount);
    let lines = |found: &[Purchase]| found.iter().map(figures).collect::<Vec<_>>();
    assert_eq!(lines(&found.purchases), lines(&bought.found.purchases));
    assert_eq!(found.purchases.iter().map(|line| line.refunded_quantity).collect::<Vec<_>>(), [3, 2]);
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn a_crashed_refund_is_unclear() {
    let bought = shop().bought(&a_bag(&json!({"refund": "throw"}))).await;
    let resolved = settle(&shop().medusa(), &bought.refund(41, 1, 2495)).await;
    let Ok(Resolved::Unclear { external_reference: None, reason }) = resolved else { panic!("{resolved:?}") };
    assert!(reason.starts_with("The shop failed while it refunded 24.95 EUR"), "{reason}");
    assert!(shop().refunds(&bought.order_id).await.is_empty());
    // The next attempt does not take the units back again.
    assert!(matches!(settle(&shop().medusa(), &bought.refund(41, 1, 2495)).await, Ok(Resolved::Unclear { .. })));
    assert_eq!(shop().returns(&bought.order_id).await.len(), 1);
}

/// A started refund that the shop does not show is first pending, then unclear. It is not requested again.
async fn becomes_unclear(medusa: &Medusa, what: &ResolveReturn) {
    assert_eq!(settle(medusa, what).await, Ok(Resolved::Pending { external_reference: None }));
    let later = medusa.resolve_return(what, now().plus_seconds(180)).await;
    let Ok(Resolved::Unclear { external_reference: None, reason }) = later else { panic!("{later:?}") };
    assert!(reason.starts_with("A refund of 24.95 EUR was started, but the shop shows no such refund"), "{reason}");
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn a_lost_refund_without_a_record_becomes_unclear() {
    // The payment provider may have paid before it failed, and the shop deletes its record of the refund.
    let bought = shop().bought(&a_bag(&json!({"refundDelay": 45_000, "refund": "throw"}))).await;
    let mut what = bought.refund(45, 1, 2495);
    what.items[0].disposition = Some(Disposition::ReturnToConsumer); // skips taking the units back
    shop().post(&format!("orders/{}", bought.order_id), json!({"metadata": {"theirs": "stays"}})).await;
    let medusa = shop().medusa();
    let impatient = medusa.clone().with_timeout(Duration::from_secs(30));
    assert!(matches!(settle(&impatient, &what).await, Ok(Resolved::Pending { .. })));
    assert_eq!(shop().refunds(&bought.order_id).await.len(), 1);
    while !shop().refunds(&bought.order_id).await.is_empty() {
        sleep(Duration::from_secs(1)).await;
    }
    becomes_unclear(&medusa, &what).await;
    assert_eq!(shop().metadata(&bought.order_id).await, json!({"theirs": "stays"}));
    // Now a person asks: the refund is requested again, and fails again.
    let Ok(Resolved::Unclear { reason, .. }) = settle(&medusa, &what).await else { panic!("it should fail again") };
    assert!(reason.starts_with("The shop failed while it refunded 24.95 EUR"), "{reason}");
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn a_lost_answer_leads_to_one_refund() {
    for (number, (word, loses)) in [
        ("/refund HTTP", Loses::Answer),
        ("/refund HTTP", Loses::Request),
        ("POST /admin/orders/", Loses::Answer),
        ("POST /admin/orders/", Loses::Request),
        ("POST /admin/returns HTTP", Loses::Answer),
        ("/request-items HTTP", Loses::Answer),
        ("/request HTTP", Loses::Request),
        ("/receive HTTP", Loses::Answer),
        ("/receive-items HTTP", Loses::Answer),
        ("/confirm HTTP", Loses::Request),
        ("/confirm HTTP", Loses::Answer),
    ]
    .into_iter()
    .enumerate()
    {
        let bought = shop().bought(&a_bag(&json!({}))).await;
        let mut what = bought.refund(51 + number as u128, 1, 2495);
        what.items[0].disposition = Some(Disposition::Restock);
        let way = Receiver::before(&shop().endpoint(), word, loses);
        let medusa = shop().medusa_at(&Endpoint::parse(&format!("http://{}/", way.address)).unwrap());
        let resolved = settle(&medusa, &what).await;
        if word.starts_with("/refund") && matches!(loses, Loses::Answer) {
            assert!(matches!(resolved, Ok(Resolved::Completed { .. })), "the shop shows the refund: {resolved:?}");
        } else {
            assert!(matches!(resolved, Ok(Resolved::Pending { .. })), "{word}: {resolved:?}");
            assert!(shop().refunds(&bought.order_id).await.is_empty());
        }
        if word.starts_with("/refund") && matches!(loses, Loses::Request) {
            becomes_unclear(&medusa, &what).await; // it looks the same as a refund that was paid
        }
        let resolved = settle(&medusa, &what).await;
        let refunds = shop().refunds(&bought.order_id).await;
        assert_eq!((amounts(&refunds), resolved), (vec![&json!(24.95)], Ok(completed(&refunds))), "{word}");
        let returns = shop().returns(&bought.order_id).await;
        let ours = (returns.len(), &returns[0]["status"], &returns[0]["items"][0]["received_quantity"]);
        assert_eq!(ours, (1, &json!("received"), &json!(1)), "{word}");
        assert_eq!(shop().order_as_it_is(&bought.order_id).await["summary"]["pending_difference"], 0, "{word}");
    }
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn a_slow_refund_is_pending_and_not_repeated() {
    let bought = shop().bought(&a_bag(&json!({"refundDelay": 60_000}))).await;
    let mut what = bought.refund(61, 1, 2495);
    what.items[0].disposition = Some(Disposition::ReturnToConsumer); // skips taking the units back
    let medusa = shop().medusa();
    let impatient = medusa.clone().with_timeout(Duration::from_secs(30));
    assert!(matches!(settle(&impatient, &what).await, Ok(Resolved::Pending { .. })));
    let refunds = shop().refunds(&bought.order_id).await;
    assert_eq!(refunds.len(), 1, "the shop shows it before it has gone through");
    let external_reference = refunds[0]["id"].as_str().map(str::to_owned);
    assert_eq!(settle(&medusa, &what).await, Ok(Resolved::Pending { external_reference }));
    while settle(&medusa, &what).await != Ok(completed(&refunds)) {
        sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(shop().refunds(&bought.order_id).await.len(), 1);
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn an_open_change_in_the_shop_comes_first() {
    let bought = shop().bought(&json!({"items": {"BAG-NAVY": 2}, "fulfil": {"BAG-NAVY": 2}})).await;
    let (medusa, what) = (shop().medusa(), bought.refund(81, 2, 4990));
    let theirs = shop().begin_return(&bought, json!({})).await;
    assert_eq!(settle(&medusa, &what).await, Ok(Resolved::Pending { external_reference: None }));
    let later = medusa.resolve_return(&what, now().plus_seconds(7_200)).await;
    let Ok(Resolved::Failed { reason, .. }) = later else { panic!("{later:?}") };
    assert!(reason.starts_with("The order has an unfinished return or change"), "{reason}");
    assert!(shop().refunds(&bought.order_id).await.is_empty());

    // Staff finish their return of one unit. Then the other unit is taken back, and the money is refunded.
    let steps = ["request-items", "request", "receive", "receive-items", "receive/confirm"];
    shop().go_on(&theirs, &bought, &steps).await;
    let resolved = settle(&medusa, &what).await;
    let refunds = shop().refunds(&bought.order_id).await;
    assert_eq!((amounts(&refunds), resolved), (vec![&json!(49.9)], Ok(completed(&refunds))));
    assert!(refunds[0]["note"].as_str().unwrap().ends_with("or has back already: 1"), "{refunds:?}");
    let returns = shop().returns(&bought.order_id).await;
    assert_eq!(returns.iter().map(|one| &one["items"][0]["quantity"]).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(shop().order_as_it_is(&bought.order_id).await["summary"]["pending_difference"], 0);
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn a_refusal_that_paid_is_not_repeated() {
    let bought = shop().bought(&a_bag(&json!({}))).await;
    let mut what = bought.refund(91, 1, 2495);
    // No units are taken back, so that only the refund conflicts with the open change.
    what.items[0].disposition = Some(Disposition::ReturnToConsumer);
    let theirs = shop().begin_return(&bought, json!({})).await;
    for _ in 0..2 {
        let resolved = settle(&shop().medusa(), &what).await;
        let refunds = shop().refunds(&bought.order_id).await;
        assert_eq!((amounts(&refunds), resolved), (vec![&json!(24.95)], Ok(completed(&refunds))));
    }
    shop().admin(Method::DELETE, &format!("returns/{theirs}/request"), None).await;
}

#[tokio::test]
#[ignore = "make test-peers runs it: it needs Medusa"]
async fn sellable_and_damaged_units_are_received_separately() {
    let what = json!({"items": {"JUMPER-M": 3}, "fulfil": {"JUMPER-M": 3}});
    let bought = shop().bought(&what).await;
    let stock = shop().stock("JUMPER-M").await;
    let mut what = bought.refund(95, 1, 5999);
    let dispositions = [Disposition::Restock, Disposition::Donate, Disposition::ReturnToConsumer];
    what.items = dispositions
        .map(|disposition| {
            let mut item = what.items[0].clone();
            item.disposition = Some(disposition);
            item
        })
        .to_vec();
    let resolved = settle(&shop().medusa(), &what).await;
    let refunds = shop().refunds(&bought.order_id).await;
    assert_eq!((amounts(&refunds), resolved), (vec![&json!(179.97)], Ok(completed(&refunds))));
    let order = shop().order_as_it_is(&bought.order_id).await;
    let detail = &order["items"][0]["detail"];
    assert_eq!((&detail["return_received_quantity"], &detail["return_dismissed_quantity"]), (&json!(1), &json!(1)));
    assert_eq!(shop().stock("JUMPER-M").await, stock + 1);
    assert_eq!(order["summary"]["pending_difference"], 0);
}
