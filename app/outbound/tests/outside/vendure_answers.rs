//! Whatever a shop answers, the outcome says whether money may have moved.

use crate::support::{
    PATIENCE, Receiver, at_home,
    bridge::{asked, now, ok, refund},
    read_request,
    scripted::{Requests, answer, bodies, body, count, scripted as shop},
};
use domain::policy;
use outbound::{
    api_key::ApiKey,
    bridge::{BridgeError, LookUp, Rejected, Resolved, Unavailable, contract::ResolveReturn},
    http::{CallError, Endpoint},
    shops::vendure::Vendure,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::time::timeout;
use uuid::Uuid;

const KEY: &str = "f690f660:45dce1be";

fn vendure(receiver: &Receiver) -> Vendure {
    let url = Endpoint::parse(&format!("http://{}/shop/", receiver.address)).unwrap();
    Vendure::new(at_home(), &url, ApiKey::parse(KEY).unwrap()).unwrap()
}

/// An error of the shop, with status 200.
fn thrown(code: Option<&str>) -> String {
    let extensions = code.map(|code| json!({"code": code}));
    ok(&json!({"errors": [{"message": "ada@example.com", "extensions": extensions}], "data": null}))
}

fn done(fields: &Value) -> String {
    ok(&json!({"data": {"done": fields}}))
}

/// An order with one line, paid with 49.95, with refunds.
fn state(refunds: &Value) -> String {
    noted_state(refunds, &[])
}

/// The same, with notes and their age in minutes.
fn noted_state(refunds: &Value, notes: &[(&str, i64)]) -> String {
    let note = |(note, minutes): &(&str, i64)| {
        let at = now().plus_seconds(-60 * minutes);
        json!({"type": "ORDER_NOTE", "data": {"note": note}, "createdAt": at})
    };
    let history: Vec<Value> = notes.iter().map(note).collect();
    let payment = json!({
        "id": "5", "createdAt": "2026-11-22T02:00:00Z", "state": "Settled", "amount": 4995, "refunds": refunds,
    });
    ok(&json!({"data": {
        "globalSettings": {"serverConfig": {"moneyStrategyPrecision": 2}},
        "order": {
            "id": "2", "currencyCode": "EUR", "lines": [{"id": "466157049", "quantity": 2, "orderPlacedQuantity": 2}],
            "payments": [payment], "history": {"items": history},
        },
    }}))
}

fn noting() -> (&'static str, String) {
    ("mutation Note", done(&json!({"id": "2", "state": "Delivered"})))
}

/// The notes that were written on the order.
fn notes(requests: &Requests) -> Vec<String> {
    let inputs = bodies(requests, "mutation Note").into_iter().map(|mut body| body["variables"]["input"].take());
    inputs.map(|input| input["note"].as_str().unwrap().to_owned()).collect()
}

async fn look_up(receiver: &Receiver) -> Result<LookUp, BridgeError> {
    timeout(PATIENCE, vendure(receiver).get_purchases(&asked(), now())).await.expect("the call should have ended")
}

async fn resolve(receiver: &Receiver) -> Result<Resolved, BridgeError> {
    timeout(PATIENCE, vendure(receiver).resolve_return(&refund(), now())).await.expect("the call should have ended")
}

#[tokio::test]
async fn a_look_up_sends_the_key_and_changes_nothing() {
    let empty = ok(&json!({"data": {
        "globalSettings": {"serverConfig": {"moneyStrategyPrecision": 2}}, "orders": {"items": []},
    }}));
    let (receiver, requests) = shop(vec![("LookUp", empty)]);
    assert_eq!(look_up(&receiver).await, Ok(LookUp::NotFound));
    let request = requests.lock().unwrap()[0].clone();
    assert!(request.starts_with("POST /shop/admin-api?languageCode=en HTTP/1.1\r\n"), "{request}");
    assert!(request.contains(&format!("\r\nvendure-api-key: {KEY}\r\n")));
    assert_eq!(body(&request)["variables"], json!({"codes": ["#1001", "1001", "1001"]}));
    assert!(!format!("{:?}", vendure(&receiver)).contains(KEY));
    for key in ["", " ", "a b", "a\nb", "ü", &"x".repeat(501)] {
        assert!(ApiKey::parse(key).is_err(), "{key}");
    }
    assert_eq!(ApiKey::parse(" key\n").unwrap().as_str(), "key");
}

#[tokio::test]
async fn errors_of_a_shop_are_reported() {
    let error_of = async |answer: String| look_up(&Receiver::writing(answer)).await.unwrap_err();
    let unavailable = |status, wait_seconds| BridgeError::from(Unavailable::Status { status, wait_seconds });
    assert_eq!(error_of(answer("502 Bad Gateway", "")).await, unavailable(502, None));
    assert_eq!(error_of(answer("429 Too Many\r\nRetry-After: 7", "")).await, unavailable(429, Some(7)));
    assert_eq!(error_of(answer("404 Not Found", "{}")).await, Rejected { status: 404 }.into());
    for refusing in [thrown(Some("FORBIDDEN")), answer("401 Unauthorized", ""), answer("403 Forbidden", "")] {
        assert!(matches!(error_of(refusing).await, BridgeError::KeyRefused(_)));
    }
    let too_long = answer("200 OK", &" ".repeat(2 * 1024 * 1024));
    let bad = [
        thrown(None),
        thrown(Some("INTERNAL_SERVER_ERROR")),
        answer("400 Bad Request", ""),
        answer("200 OK", "<html>ada@example.com</html>"),
        ok(&json!({"data": null})),
        ok(&json!({"data": {"orders": {"items": [{"customer": "ada@example.com"}]}}})),
        too_long,
    ];
    for answer in bad {
        let error = error_of(answer).await;
        assert!(matches!(error, BridgeError::BadAnswer(_)) && !format!("{error:?}").contains("ada@"), "{error:?}");
    }
    let hanging = Receiver::start(async |mut stream| {
        read_request(&mut stream).await;
        std::future::pending::<()>().await;
    });
    let (short, started) = (Duration::from_millis(300), Instant::now());
    let looked_up = vendure(&hanging).with_timeout(short).get_purchases(&asked(), now()).await;
    assert!(looked_up.is_err_and(|error| error.is_timeout()) && started.elapsed() < 20 * short);
    let (losing, requests) = shop(Vec::new());
    assert_eq!(look_up(&losing).await.unwrap_err(), CallError::BrokenOff.into());
    assert_eq!(requests.lock().unwrap().len(), 2, "a look-up is repeated once");
}

/// The outcome of a refund with this answer, and how often it was requested.
async fn refunded(answer: Option<String>) -> (Result<Resolved, BridgeError>, usize) {
    let found = ("query State", state(&json!([])));
    let answers = [Some(found), Some(noting()), answer.map(|answer| ("mutation Refund", answer))].into_iter().flatten();
    let (receiver, requests) = shop(answers.collect());
    let resolved = resolve(&receiver).await;
    (resolved, count(&requests, "mutation Refund"))
}

#[tokio::test]
async fn every_answer_to_a_refund_has_an_outcome() {
    let pending = (Ok(Resolved::Pending { external_reference: None }), 1);
    // The result is unknown: the next call looks for it.
    assert_eq!(refunded(None).await, pending);
    for status in ["500 Oops", "502 Bad Gateway", "504 Gateway Timeout", "408 Request Timeout"] {
        assert_eq!(refunded(Some(answer(status, ""))).await, pending, "{status}");
    }
    for body in ["", "<html>", "{}", "{\"data\": {\"done\": {}}}", &" ".repeat(2 * 1024 * 1024)] {
        assert_eq!(refunded(Some(answer("200 OK", body))).await, pending);
    }
    // The request was not executed, and may be repeated.
    for (answer, name) in [
        (thrown(Some("FORBIDDEN")), "KeyRefused"),
        (answer("403 Forbidden", ""), "KeyRefused"),
        (answer("404 Not Found", ""), "Rejected"),
        (answer("302 Found", ""), "Rejected"),
        (answer("400 Bad Request", ""), "BadAnswer"),
        (thrown(Some("ENTITY_NOT_FOUND")), "BadAnswer"),
        (answer("429 Too Many", ""), "Unavailable"),
    ] {
        let (resolved, times) = refunded(Some(answer)).await;
        assert_eq!((resolved.unwrap_err().name(), times), (name, 1));
    }
    // A person has to look.
    for answer in [thrown(None), thrown(Some("ILLEGAL_OPERATION")), thrown(Some("INTERNAL_SERVER_ERROR"))] {
        let (resolved, times) = refunded(Some(answer)).await;
        assert!(matches!(resolved, Ok(Resolved::Unclear { external_reference: None, .. })), "{resolved:?}");
        assert_eq!(times, 1);
    }
    // The shop or its payment provider refuses.
    for (code, name) in [("ORDER_STATE_ERROR", "ORDER_STATE_ERROR"), ("ada@example.com", "an unknown error")] {
        let reason = format!("The shop refused the refund: {name}.");
        let failed = Ok(Resolved::Failed { external_reference: None, reason });
        assert_eq!(refunded(Some(done(&json!({"errorCode": code})))).await, (failed, 1));
    }
    let (resolved, _) = refunded(Some(done(&json!({"id": "7", "state": "Failed"})))).await;
    let Ok(Resolved::Failed { external_reference, .. }) = resolved else { panic!("{resolved:?}") };
    assert_eq!(external_reference.as_deref(), Some("7"));
}

#[tokio::test]
async fn a_lost_refund_is_not_repeated_automatically() {
    let pending = Ok(Resolved::Pending { external_reference: None });
    let (receiver, requests) = shop(vec![("query State", state(&json!([]))), noting()]);
    assert_eq!(resolve(&receiver).await, pending);
    assert_eq!(count(&requests, "mutation Refund"), 1);
    let [begun] = notes(&requests).try_into().unwrap();
    assert!(begun.starts_with("Return R-7K3M9Q2A (") && begun.ends_with("): begins refund 1: 15.03 EUR"), "{begun}");

    let again = async |refunds: Value, notes: &[(&str, i64)]| {
        let answers = vec![("query State", noted_state(&refunds, notes)), noting(), noting()];
        let (receiver, requests) = shop(answers);
        (resolve(&receiver).await, count(&requests, "mutation Refund"), self::notes(&requests))
    };
    // It is pending, and then it never appears: the outcome is unclear…
    assert_eq!(again(json!([]), &[(&begun, 1)]).await, (pending.clone(), 0, vec![]));
    let (resolved, refunds, written) = again(json!([]), &[(&begun, 3)]).await;
    let Ok(Resolved::Unclear { external_reference: None, reason }) = resolved else { panic!("{resolved:?}") };
    assert!(reason.starts_with("A refund of 15.03 EUR was started") && reason.contains("Ask the payment provider"));
    assert_eq!((refunds, written.len()), (0, 1));
    // … and the next request is a person's. It may be lost again.
    let (resolved, refunds, noted) = again(json!([]), &[(&written[0], 5), (&begun, 9)]).await;
    assert_eq!((resolved, refunds, noted), (pending.clone(), 1, vec![begun.clone()]));
    let (resolved, refunds, _) = again(json!([]), &[(&begun, 3), (&written[0], 5), (&begun, 9)]).await;
    assert!(matches!(resolved, Ok(Resolved::Unclear { .. })) && refunds == 0, "{resolved:?}");
    // A note of another resolution is not ours.
    let other = begun.replace(&refund().transaction_id.to_string(), &Uuid::nil().to_string());
    assert_eq!(again(json!([]), &[(&other, 3)]).await.1, 1);

    // It appeared: it failed or refunded a part, and the next refund starts.
    let came = |state: &str| json!([{"id": "7", "state": state, "total": 1000, "reason": begun}]);
    for (state, given, rest) in [("Failed", None, "15.03"), ("Settled", Some("7".to_owned()), "5.03")] {
        let (resolved, refunds, noted) = again(came(state), &[(&begun, 3)]).await;
        let pending = Ok(Resolved::Pending { external_reference: given });
        let second = begun.replace("begins refund 1: 15.03", &format!("begins refund 2: {rest}"));
        assert_eq!((resolved, refunds, &noted), (pending, 1, &vec![second.clone()]));
        let (resolved, refunds, _) = again(came(state), &[(&second, 3), (&begun, 9)]).await;
        assert!(matches!(resolved, Ok(Resolved::Unclear { .. })) && refunds == 0, "{resolved:?}");
    }
    // The shop confirms the refund but does not show it.
    let unchanged = || ("query State", state(&json!([])));
    let moved = done(&json!({"errorCode": "REFUND_STATE_TRANSITION_ERROR"}));
    let seen = ("query State", noted_state(&json!([]), &[(&begun, 0)]));
    let (receiver, requests) = shop(vec![unchanged(), noting(), ("mutation Refund", moved), seen]);
    assert_eq!((resolve(&receiver).await, count(&requests, "mutation Refund")), (pending, 1));
}

#[tokio::test]
async fn no_refund_starts_without_its_note() {
    let before = || ("query State", state(&json!([])));
    let resolve = async |said: Option<String>| {
        let (receiver, requests) =
            shop(std::iter::once(before()).chain(said.map(|said| ("mutation Note", said))).collect());
        let resolved = resolve(&receiver).await;
        assert_eq!(count(&requests, "mutation Refund"), 0);
        (resolved, notes(&requests).len())
    };
    // The note may exist: it is withdrawn, so that the next call can continue.
    let pending = Ok(Resolved::Pending { external_reference: None });
    for said in [None, Some(answer("504 Gateway Timeout", "")), Some(ok(&json!({})))] {
        assert_eq!(resolve(said).await, (pending.clone(), 2));
    }
    let (resolved, times) = resolve(Some(thrown(None))).await;
    assert!(matches!(resolved, Ok(Resolved::Failed { .. })) && times == 1, "{resolved:?}");
    let (resolved, times) = resolve(Some(thrown(Some("FORBIDDEN")))).await;
    assert_eq!((resolved.unwrap_err().name(), times), ("KeyRefused", 1));

    // A refused or unexecuted refund was not paid, so its note is withdrawn.
    let refused = done(&json!({"errorCode": "REFUND_AMOUNT_ERROR"}));
    for said in [answer("429 Too Many", ""), thrown(Some("FORBIDDEN")), refused, thrown(None)] {
        let answers = vec![before(), noting(), ("mutation Refund", said), noting()];
        let (receiver, requests) = shop(answers);
        assert_ne!(self::resolve(&receiver).await, pending);
        let noted = notes(&requests);
        assert!(noted.len() == 2 && noted[1].contains("shows no refund 1"), "{noted:?}");
    }
}

#[tokio::test]
async fn an_existing_refund_is_found_whatever_its_answer_was() {
    let ours = |refund_state: &str| {
        let reason = format!("Return R-7K3M9Q2A ({})", refund().transaction_id);
        state(&json!([{"id": "7", "state": refund_state, "total": 1503, "reason": reason}]))
    };
    let settled = done(&json!({"id": "7", "state": "Settled"}));
    let ok = done(&json!({"id": "2", "state": "Delivered"}));
    let completed = Ok(Resolved::Completed { external_reference: Some("7".to_owned()) });

    // The shop made the refund but reports an error.
    let (receiver, requests) = shop(vec![
        ("query State", state(&json!([]))),
        noting(),
        ("mutation Refund", done(&json!({"errorCode": "REFUND_STATE_TRANSITION_ERROR"}))),
        ("query State", ours("Pending")),
        ("mutation Settle", settled),
        ("mutation Cancel", ok.clone()),
        ("mutation Note", ok.clone()),
    ]);
    assert_eq!(resolve(&receiver).await, completed);
    assert_eq!(count(&requests, "mutation Refund"), 1);

    // A refused restock or note does not stop the resolution; a lost answer does.
    let (receiver, _) = shop(vec![("query State", ours("Settled")), ("mutation Cancel", thrown(None))]);
    assert_eq!(resolve(&receiver).await, completed);
    let refused = done(&json!({"errorCode": "QUANTITY_TOO_GREAT_ERROR"}));
    let (receiver, requests) = shop(vec![("query State", ours("Settled")), ("mutation Cancel", refused)]);
    assert_eq!(resolve(&receiver).await, completed);
    assert_eq!(count(&requests, "could not be put back into stock: 1"), 1);
    let pending = Ok(Resolved::Pending { external_reference: Some("7".to_owned()) });
    for state in ["Settled", "Pending"] {
        let (receiver, _) = shop(vec![("query State", ours(state))]);
        assert_eq!(resolve(&receiver).await, pending);
    }
    // A refund of another resolution is not ours, and a failed one does not count.
    let failed = json!([{"id": "7", "state": "Failed", "total": 1503, "reason": refund().transaction_id.to_string()}]);
    let other = json!([{"id": "8", "state": "Settled", "total": 1503, "reason": "Return R-7K3M9Q2A"}]);
    for refunds in [failed, other] {
        let made = done(&json!({"id": "9", "state": "Settled"}));
        let (receiver, requests) = shop(vec![
            ("query State", state(&refunds)),
            noting(),
            ("mutation Refund", made),
            ("mutation Cancel", ok.clone()),
        ]);
        assert_eq!(resolve(&receiver).await, Ok(Resolved::Completed { external_reference: Some("9".to_owned()) }));
        assert_eq!((count(&requests, "mutation Refund"), count(&requests, "mutation Settle")), (1, 0));
    }
}

#[tokio::test]
async fn unsupported_resolutions_are_settled_by_hand() {
    let (receiver, requests) = shop(Vec::new());
    for kind in [policy::Resolution::StoreCredit, policy::Resolution::Exchange] {
        let what = ResolveReturn { kind, ..refund() };
        let resolved = vendure(&receiver).resolve_return(&what, now()).await;
        let Ok(Resolved::Failed { reason, .. }) = resolved else { panic!("{resolved:?}") };
        assert!(reason.contains("carry out the resolution by hand"), "{reason}");
    }
    assert!(requests.lock().unwrap().is_empty());
    assert!(vendure(&receiver).health(Uuid::nil(), now()).await.is_err());
}
