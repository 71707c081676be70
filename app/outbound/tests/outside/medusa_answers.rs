//! Whatever a shop answers, the outcome says whether money may have moved.

use crate::support::{
    PATIENCE, Receiver,
    bridge::{now, ok, refund},
    medusa::{says, thrown},
    scripted::{Requests, answer, bodies, body, count, scripted as shop, slow},
};
use domain::{Timestamp, policy};
use outbound::bridge::{BridgeError, Resolved, contract::ResolveReturn};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;
use uuid::Uuid;

/// The words by which requests are recognized.
const ORDER: &str = "GET /shop/admin/orders/820982911946154508?";
const CHANGES: &str = "GET /shop/admin/orders/820982911946154508/changes?";
const RETURNS: &str = "GET /shop/admin/returns?";
const NOTE: &str = "POST /shop/admin/orders/820982911946154508 ";
const REFUND: &str = "POST /shop/admin/payments/pay_1/refund ";

/// An order with one line, paid with 49.95; `refunded` is what the provider refunded, `refunds` are the shop's records.
fn order(refunds: &Value, refunded: f64, fulfilled: u32) -> String {
    let payment = json!({
        "id": "pay_1", "created_at": "2026-11-22T02:00:00Z", "captures": [{"amount": 49.95}], "refunds": refunds,
    });
    let detail = json!({
        "fulfilled_quantity": fulfilled, "return_requested_quantity": 0, "return_received_quantity": 0,
        "return_dismissed_quantity": 0, "written_off_quantity": 0,
    });
    let fulfillment = json!({
        "location_id": "sloc_1", "shipped_at": null, "delivered_at": null, "canceled_at": null,
        "items": [{"line_item_id": "466157049", "quantity": fulfilled}],
    });
    ok(&json!({"order": {
        "id": "820982911946154508", "currency_code": "eur", "fulfillments": [fulfillment], "credit_lines": [],
        "items": [{"id": "466157049", "quantity": 2, "total": 39.96, "detail": detail}],
        "payment_collections": [{"refunded_amount": refunded, "payments": [payment]}],
        "summary": {"pending_difference": 0},
    }}))
}

/// An order that was not sent, so that no units can be taken back, without refunds.
fn untouched() -> String {
    order(&json!([]), 0.0, 0)
}

/// A refund of the example, started some minutes ago.
fn ours(minutes: i64) -> Value {
    let at = now().plus_seconds(-60 * minutes);
    json!([{
        "id": "ref_1", "amount": 15.03, "created_at": at,
        "note": format!("Return R-7K3M9Q2A ({})", refund().transaction_id),
    }])
}

fn no_returns() -> (&'static str, String) {
    (RETURNS, ok(&json!({"returns": [], "count": 0})))
}

async fn resolve(receiver: &Receiver) -> Result<Resolved, BridgeError> {
    resolve_at(now(), receiver).await
}

async fn resolve_at(now: Timestamp, receiver: &Receiver) -> Result<Resolved, BridgeError> {
    timeout(PATIENCE, says(receiver).resolve_return(&refund(), now)).await.expect("the call should have ended")
}

/// The outcome of a refund with this answer, after which the order looks like `after`; and how often it was requested.
async fn refunded(answer: Option<String>, after: Option<String>) -> (Result<Resolved, BridgeError>, usize) {
    let answers = [
        Some((ORDER, untouched())),
        Some(no_returns()),
        Some((ORDER, untouched())),
        Some((NOTE, ok(&json!({})))),
        answer.map(|answer| (REFUND, answer)),
        after.map(|after| (ORDER, after)),
    ];
    let (receiver, requests) = shop(answers.into_iter().flatten().collect());
    (resolve(&receiver).await, count(&requests, REFUND))
}

#[tokio::test]
async fn the_order_counts_more_than_the_response() {
    let reference = Some("ref_1".to_owned());
    let completed = (Ok(Resolved::Completed { external_reference: reference.clone() }), 1);
    let said = || {
        [
            Some(ok(&json!({}))),
            Some(thrown("400 Bad Request", "invalid_data")),
            Some(thrown("500 Oops", "unknown_error")),
            Some(answer("502 Bad Gateway", "")),
            Some(answer("200 OK", "<html>")),
            None,
        ]
    };
    for said in said() {
        assert_eq!(refunded(said, Some(order(&ours(0), 15.03, 0))).await, completed);
    }
    // The refund is there, and the payment provider is still processing it.
    let pending = (Ok(Resolved::Pending { external_reference: reference.clone() }), 1);
    for said in said() {
        assert_eq!(refunded(said, Some(order(&ours(0), 0.0, 0))).await, pending);
    }
    // The order cannot be read.
    let pending = (Ok(Resolved::Pending { external_reference: None }), 1);
    for said in said() {
        assert_eq!(refunded(said, Some(answer("503 Busy", ""))).await, pending);
    }
}

#[tokio::test]
async fn a_refund_that_is_not_there_was_refused_or_is_unclear() {
    let after = || Some(untouched());
    let pending = (Ok(Resolved::Pending { external_reference: None }), 1);
    for said in [None, Some(ok(&json!({}))), Some(answer("504 Gateway Timeout", "")), Some(answer("500 Oops", ""))] {
        assert_eq!(refunded(said, after()).await, pending);
    }
    let (resolved, times) = refunded(Some(thrown("400 Bad Request", "invalid_data")), after()).await;
    let reason = "The shop refused the refund: invalid_data.".to_owned();
    assert_eq!((resolved, times), (Ok(Resolved::Failed { external_reference: None, reason }), 1));
    let (resolved, _) = refunded(Some(thrown("400 Bad Request", "ada@example.com")), after()).await;
    assert!(matches!(&resolved, Ok(Resolved::Failed { reason, .. }) if reason.ends_with(": an unknown error.")));
    let (resolved, _) = refunded(Some(thrown("500 Oops", "unknown_error")), after()).await;
    assert!(matches!(&resolved, Ok(Resolved::Unclear { reason, .. }) if reason.contains("Ask the payment provider")));
    // The request was not executed, and may be repeated.
    for (answer, name) in [
        (answer("401 Unauthorized", ""), "KeyRefused"),
        (thrown("404 Not Found", "not_found"), "Rejected"),
        (answer("302 Found", ""), "Rejected"),
        (answer("429 Too Many", ""), "Unavailable"),
    ] {
        let (resolved, times) = refunded(Some(answer), None).await;
        assert_eq!((resolved.unwrap_err().name(), times), (name, 1));
    }
}

/// The order's metadata after our last note; empty without a note.
fn noted_metadata(requests: &Requests) -> Value {
    let mut metadata = json!({"theirs": "stays"});
    for body in bodies(requests, NOTE) {
        for (key, value) in body["metadata"].as_object().unwrap() {
            metadata[key] = value.clone();
        }
    }
    metadata.as_object_mut().unwrap().retain(|_, value| value != ""); // as Medusa does
    metadata
}

/// An order with metadata.
fn with(metadata: &Value, order: &str) -> String {
    let mut order = body(order);
    order["order"]["metadata"] = metadata.clone();
    ok(&order)
}

#[tokio::test]
async fn a_lost_refund_is_not_repeated_automatically() {
    let noting = || (NOTE, ok(&json!({})));
    let before = || vec![(ORDER, untouched()), no_returns(), (ORDER, untouched()), noting()];
    let (pending, minutes) =
        (Ok(Resolved::Pending { external_reference: None }), |count: i64| now().plus_seconds(60 * count));
    // There is no answer, or one without meaning, and the order cannot be read.
    let after = || vec![(ORDER, untouched())];
    let said = |said: String, after: Vec<(&'static str, String)>| [vec![(REFUND, said)], after].concat();
    for lost in [
        after(),
        said(answer("504 Gateway Timeout", ""), after()),
        said(ok(&json!({})), after()),
        said(answer("504 Gateway Timeout", ""), Vec::new()),
    ] {
        let (receiver, requests) = shop([before(), lost].concat());
        assert_eq!(resolve(&receiver).await, pending);
        assert_eq!(count(&requests, REFUND), 1);
        let kept = noted_metadata(&requests);
        let note = &kept[format!("retour:{}", refund().transaction_id)]["note"];
        assert!(note.as_str().is_some_and(|note| note.ends_with(": a refund of 15.03 EUR is begun")), "{kept}");

        // It is pending, and then it never appears.
        let (receiver, requests) = shop(vec![(ORDER, with(&kept, &untouched()))]);
        assert_eq!(resolve_at(minutes(1), &receiver).await, pending);
        assert_eq!(requests.lock().unwrap().len(), 1);
        let (receiver, requests) = shop(vec![(ORDER, with(&kept, &untouched())), noting()]);
        let resolved = resolve_at(minutes(3), &receiver).await;
        let Ok(Resolved::Unclear { external_reference: None, reason }) = resolved else { panic!("{resolved:?}") };
        assert!(reason.starts_with("A refund of 15.03 EUR was started") && reason.contains("Ask the payment provider"));
        assert_eq!((count(&requests, REFUND), noted_metadata(&requests)), (0, json!({"theirs": "stays"})));

        // Or it appears.
        let seen = || (ORDER, with(&kept, &order(&ours(3), 15.03, 0)));
        let (receiver, requests) = shop(vec![seen(), seen()]);
        let completed = Ok(Resolved::Completed { external_reference: Some("ref_1".to_owned()) });
        assert_eq!((resolve_at(minutes(3), &receiver).await, count(&requests, NOTE)), (completed, 0));
    }
    // A note that somebody edited is unclear.
    let changed = json!({format!("retour:{}", refund().transaction_id): "?"});
    let (receiver, requests) = shop(vec![(ORDER, with(&changed, &untouched())), noting()]);
    assert!(matches!(resolve(&receiver).await, Ok(Resolved::Unclear { .. })));
    assert_eq!(count(&requests, REFUND), 0);
}

#[tokio::test]
async fn no_refund_starts_when_little_time_is_left() {
    let before = vec![(ORDER, untouched()), no_returns(), (ORDER, untouched())];
    let (receiver, requests) = slow(Duration::from_millis(1_400), before);
    let resolved = says(&receiver).with_timeout(Duration::from_secs(6)).resolve_return(&refund(), now()).await;
    assert_eq!(resolved, Ok(Resolved::Pending { external_reference: None }));
    assert!(requests.lock().unwrap().iter().all(|request| request.starts_with("GET ")));
}

#[tokio::test]
async fn no_refund_starts_without_its_note() {
    let before = || vec![(ORDER, untouched()), no_returns(), (ORDER, untouched())];
    let resolve = async |noting: Option<String>| {
        let noting = noting.map(|answer| (NOTE, answer));
        let (receiver, requests) = shop([before(), noting.into_iter().collect()].concat());
        let resolved = resolve(&receiver).await;
        assert_eq!(count(&requests, REFUND), 0);
        (resolved, count(&requests, NOTE), noted_metadata(&requests))
    };
    let nothing = json!({"theirs": "stays"});
    // The note may exist: it is withdrawn, so that the next call can continue.
    let pending = Ok(Resolved::Pending { external_reference: None });
    for said in [None, Some(answer("504 Gateway Timeout", "")), Some(thrown("500 Oops", "unknown_error"))] {
        assert_eq!(resolve(said).await, (pending.clone(), 2, nothing.clone()));
    }
    let (resolved, times, _) = resolve(Some(thrown("400 Bad Request", "invalid_data"))).await;
    assert!(matches!(resolved, Ok(Resolved::Failed { .. })) && times == 1, "{resolved:?}");
    let (resolved, times, _) = resolve(Some(answer("401 Unauthorized", ""))).await;
    assert_eq!((resolved.unwrap_err().name(), times), ("KeyRefused", 1));

    // A refused or unexecuted refund was not paid, so its note is withdrawn.
    for said in [
        answer("429 Too Many", ""),
        answer("401 Unauthorized", ""),
        thrown("400 Bad Request", "invalid_data"),
        thrown("500 Oops", "unknown_error"),
    ] {
        let noting = || (NOTE, ok(&json!({})));
        let rest = vec![noting(), (REFUND, said), (ORDER, untouched()), noting()];
        let (receiver, requests) = shop([before(), rest].concat());
        assert_ne!(self::resolve(&receiver).await, pending);
        assert_eq!((count(&requests, NOTE), noted_metadata(&requests)), (2, nothing.clone()));
    }
}

#[tokio::test]
async fn an_earlier_refund_is_not_repeated() {
    let seen = async |refunds: Value, refunded: f64| {
        let state = || (ORDER, order(&refunds, refunded, 2));
        let (receiver, requests) = shop(vec![state(), state(), no_returns()]);
        let resolved = resolve(&receiver).await;
        (resolved, requests.lock().unwrap().iter().filter(|request| !request.starts_with("GET ")).count())
    };
    let reference = Some("ref_1".to_owned());
    let completed = Resolved::Completed { external_reference: reference.clone() };
    assert_eq!(seen(ours(0), 15.03).await, (Ok(completed), 0), "once it is refunded, there is no return either");
    let pending = Resolved::Pending { external_reference: reference.clone() };
    assert_eq!(seen(ours(14), 0.0).await, (Ok(pending), 0));
    let (resolved, changes) = seen(ours(16), 0.0).await;
    assert!(matches!(resolved, Ok(Resolved::Unclear { external_reference, .. }) if external_reference == reference));
    assert_eq!(changes, 0);
    let twice = json!([ours(0)[0], ours(0)[0]]);
    let (resolved, changes) = seen(twice, 30.06).await;
    assert!(matches!(resolved, Ok(Resolved::Unclear { reason, .. }) if reason.starts_with("30.06 EUR were refunded")));
    assert_eq!(changes, 0);
}

#[tokio::test]
async fn after_a_partial_refund_only_the_rest_is_refunded() {
    let mut part = ours(0);
    part[0]["amount"] = json!(10);
    let rest = json!([part[0], {"id": "ref_2", "amount": 5.03, "created_at": now(), "note": part[0]["note"]}]);
    let answers = vec![
        (ORDER, order(&part, 10.0, 0)),
        (ORDER, order(&part, 10.0, 0)),
        (NOTE, ok(&json!({}))),
        (REFUND, ok(&json!({}))),
        (ORDER, order(&rest, 15.03, 0)),
    ];
    let (receiver, requests) = shop(answers);
    let completed = Resolved::Completed { external_reference: Some("ref_1, ref_2".to_owned()) };
    assert_eq!(resolve(&receiver).await, Ok(completed));
    // The second refund is lost: the order shows only the first one.
    let kept = noted_metadata(&requests);
    let seen = |refunds: &Value, given| (ORDER, with(&kept, &order(refunds, given, 0)));
    let (again, asked) = shop(vec![seen(&part, 10.0), (NOTE, ok(&json!({})))]);
    let resolved = resolve_at(now().plus_seconds(180), &again).await;
    let Ok(Resolved::Unclear { external_reference, reason }) = resolved else { panic!("{resolved:?}") };
    assert!(external_reference.as_deref() == Some("ref_1") && reason.starts_with("A refund of 5.03 EUR"), "{reason}");
    assert_eq!(count(&asked, REFUND), 0);

    assert_eq!(bodies(&requests, REFUND), [json!({"amount": 5.03, "note": part[0]["note"]})]);
}

#[tokio::test]
async fn no_refund_starts_while_another_is_in_flight() {
    let other = json!([{"id": "ref_3", "amount": 1, "created_at": now(), "note": "Return R-7K3M9Q2A"}]);
    let answers = vec![(ORDER, order(&other, 0.0, 0)), no_returns(), (ORDER, order(&other, 0.0, 0))];
    let (receiver, requests) = shop(answers);
    assert_eq!(resolve(&receiver).await, Ok(Resolved::Pending { external_reference: None }));
    assert!(requests.lock().unwrap().iter().all(|request| request.starts_with("GET ")));
}

#[tokio::test]
async fn units_are_taken_back_before_the_refund() {
    let mark = refund().transaction_id.to_string();
    let found = |id: &str, order_id: &str, status: &str| {
        let items = json!([{"item_id": "466157049", "quantity": 1}]);
        json!({"id": id, "order_id": order_id, "status": status, "metadata": {"retour": mark}, "items": items})
    };
    let list = |returns: Value| {
        let count = returns.as_array().unwrap().len();
        (RETURNS, ok(&json!({"returns": returns, "count": count})))
    };
    let state = || (ORDER, order(&json!([]), 0.0, 2));
    let pending = Ok(Resolved::Pending { external_reference: None });
    let resolve = async |answers: Vec<(&'static str, String)>| {
        let (receiver, requests) = shop(answers);
        let resolved = resolve(&receiver).await;
        assert_eq!(count(&requests, REFUND), 0, "no refund before the return");
        resolved
    };
    let no_change = || (CHANGES, ok(&json!({"order_changes": []})));
    let begin = "POST /shop/admin/returns HTTP";
    // The answer is lost, the shop crashed, or the return is confirmed but not shown.
    for said in [answer("504 Gateway Timeout", ""), thrown("500 Oops", "unknown_error")] {
        assert_eq!(resolve(vec![state(), no_returns(), no_change(), (begin, said)]).await, pending);
    }
    let nothing = vec![state(), no_returns(), no_change(), (begin, ok(&json!({}))), no_returns()];
    assert_eq!(resolve(nothing).await, pending);
    // A return of another order is not ours, and a cancelled one does not count.
    let others = list(json!([found("return_1", "order_1", "received")]));
    let called_off = list(json!([found("return_1", "820982911946154508", "canceled")]));
    for others in [others, called_off] {
        let refused = thrown("400 Bad Request", "invalid_data");
        let resolved = resolve(vec![state(), others, no_change(), (begin, refused)]).await;
        let Ok(Resolved::Failed { reason, .. }) = resolved else { panic!("{resolved:?}") };
        assert!(reason.starts_with("The shop did not take the units back (invalid_data)"), "{reason}");
    }
    // Somebody is changing the order.
    let change = json!({"order_changes": [{"status": "pending", "created_at": now()}]});
    assert_eq!(resolve(vec![state(), no_returns(), (CHANGES, ok(&change))]).await, pending);

    // The return is received: the refund follows, and then the credit, whatever its response.
    let received = list(json!([found("return_1", "820982911946154508", "received")]));
    let mut after = body(&order(&ours(0), 15.03, 2));
    after["order"]["summary"]["pending_difference"] = json!(-4.95);
    let answers =
        vec![state(), received, state(), (NOTE, ok(&json!({}))), (REFUND, ok(&json!({}))), (ORDER, ok(&after))];
    let (receiver, requests) = shop(answers);
    let completed = Resolved::Completed { external_reference: Some("ref_1".to_owned()) };
    let resolved = timeout(PATIENCE, says(&receiver).resolve_return(&refund(), now())).await.unwrap();
    assert_eq!(resolved, Ok(completed));
    let balanced = body(requests.lock().unwrap().last().unwrap());
    let expected = json!({"amount": -4.95, "reference": "retour", "reference_id": mark});
    assert_eq!(balanced, expected);
}

#[tokio::test]
async fn unsupported_resolutions_are_settled_by_hand() {
    let (receiver, requests) = shop(Vec::new());
    for kind in [policy::Resolution::StoreCredit, policy::Resolution::Exchange] {
        let what = ResolveReturn { kind, ..refund() };
        let resolved = says(&receiver).resolve_return(&what, now()).await;
        let Ok(Resolved::Failed { reason, .. }) = resolved else { panic!("{resolved:?}") };
        assert!(reason.contains("carry out the resolution by hand"), "{reason}");
    }
    // An id cannot change the rest of a URL.
    for order_id in ["..", "", "a/b", "a?b", "a%2Fb"] {
        let what = ResolveReturn { order_id: order_id.to_owned(), ..refund() };
        let resolved = says(&receiver).resolve_return(&what, now()).await;
        assert!(matches!(resolved, Err(BridgeError::BadAnswer(_))), "{resolved:?}");
    }
    assert!(requests.lock().unwrap().is_empty());
    assert!(says(&receiver).health(Uuid::nil(), now()).await.is_err());
}
