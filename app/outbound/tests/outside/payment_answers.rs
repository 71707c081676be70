//! Whatever a payment provider answers, the outcome says whether money was paid, may be paid or is refunded.

use crate::support::{
    Receiver, at_home,
    bridge::{now, ok},
    scripted::{answer, scripted},
};
use domain::{
    Currency, Money, Timestamp,
    payment::{CheckoutReport, RefundOutcome},
};
use outbound::{
    api_key::ApiKey,
    http::Endpoint,
    payments::{
        Mollie, NewPaymentPage, NoticeError, PaymentError, Processor, RefundRequest, SignatureSecret, Stripe, notice_of,
    },
};
use serde_json::{Value, json};
use std::process::Command;

fn euros(minor: i64) -> Money {
    Money::new(minor, Currency::from_code("EUR").unwrap())
}

fn of(receiver: &Receiver) -> [Processor; 2] {
    let url = Endpoint::parse(&format!("http://{}/", receiver.address)).unwrap();
    let key = ApiKey::parse("sk_test_secret").unwrap();
    let stripe = Stripe::new(at_home(), url.clone(), key.clone());
    [Processor::Stripe(stripe), Processor::Mollie(Mollie::new(at_home(), url, key))]
}

/// The state of a page by a provider's answer.
async fn looked(which: usize, answer: String, amount: Money) -> Result<CheckoutReport, PaymentError> {
    let (receiver, _) = scripted(vec![("GET ", answer)]);
    of(&receiver)[which].look("x_1", amount, now()).await
}

fn session(changes: &Value) -> String {
    let mut session = json!({"id": "cs_1", "status": "complete", "payment_status": "paid", "amount_total": 495, "currency": "eur",
        "payment_intent": {"id": "pi_1", "status": "succeeded", "latest_charge": "ch_1"}});
    session.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    ok(&session)
}

#[tokio::test]
async fn stripes_sessions_are_read() {
    let paid = |reference: &str| Ok(CheckoutReport::Paid { reference: reference.to_owned() });
    let unpaid = |status: &str| json!({"payment_status": "unpaid", "payment_intent": {"id": "pi_1", "status": status}});
    let not_understood = |what| Err(PaymentError::NotUnderstood(what));
    let other_amount = "another amount than the requested one";
    for (changes, expected) in [
        (json!({}), paid("ch_1")),
        (json!({"payment_intent": "pi_1"}), not_understood("its answer")),
        (json!({"payment_intent": null}), not_understood("payment_intent.latest_charge")),
        (json!({"amount_total": 494}), not_understood(other_amount)),
        (json!({"currency": "usd"}), not_understood(other_amount)),
        (json!({"status": "open", "payment_status": "unpaid", "payment_intent": null}), Ok(CheckoutReport::Open)),
        (json!({"status": "expired", "payment_status": "unpaid"}), Ok(CheckoutReport::Closed)),
        (unpaid("processing"), Ok(CheckoutReport::Processing)),
        (unpaid("requires_payment_method"), Ok(CheckoutReport::Closed)),
        (unpaid("canceled"), Ok(CheckoutReport::Closed)),
        (json!({"status": "new"}), not_understood("status")),
        (json!({"payment_status": null}), not_understood("status")),
    ] {
        assert_eq!(looked(0, session(&changes), euros(495)).await, expected, "{changes}");
    }
    // Krónur have no decimals, but Stripe uses hundredths.
    let crowns = Money::new(700, Currency::from_code("ISK").unwrap());
    let in_hundredths = session(&json!({"amount_total": 70_000, "currency": "isk"}));
    assert_eq!(looked(0, in_hundredths, crowns).await, paid("ch_1"));
}

#[tokio::test]
async fn mollies_payments_are_read() {
    let payment = |status: &str, value: &str| {
        ok(&json!({"id": "tr_1", "status": status, "amount": {"currency": "EUR", "value": value}}))
    };
    let transfer = ok(
        &json!({"id": "tr_1", "status": "open", "method": "banktransfer", "amount": {"currency": "EUR", "value": "4.95"}}),
    );
    assert_eq!(
        looked(1, transfer, euros(495)).await,
        Ok(CheckoutReport::Processing),
        "the shopper makes the transfer later"
    );
    for (status, value, expected) in [
        ("paid", "4.95", Ok(CheckoutReport::Paid { reference: "tr_1".to_owned() })),
        ("paid", "4.94", Err(PaymentError::NotUnderstood("another amount than the requested one"))),
        ("open", "4.95", Ok(CheckoutReport::Open)),
        ("pending", "4.95", Ok(CheckoutReport::Processing)),
        ("authorized", "4.95", Ok(CheckoutReport::Processing)),
        ("canceled", "4.95", Ok(CheckoutReport::Closed)),
        ("expired", "4.95", Ok(CheckoutReport::Closed)),
        ("failed", "4.95", Ok(CheckoutReport::Closed)),
        ("new", "4.95", Err(PaymentError::NotUnderstood("status"))),
    ] {
        assert_eq!(looked(1, payment(status, value), euros(495)).await, expected, "{status} {value}");
    }
}

#[tokio::test]
async fn errors_are_distinguished() {
    let long = "x".repeat(300 * 1024);
    for which in [0, 1] {
        for (status, body, name, is_refusal) in [
            ("401 Unauthorized", "{}", "KeyRefused", true),
            ("403 Forbidden", "{}", "KeyRefused", true),
            ("404 Not Found", "{\"error\": {\"code\": \"resource_missing\"}, \"field\": \"id\"}", "Unknown", true),
            ("422 Unprocessable Content", "not even JSON", "Refused", true),
            ("302 Found", "", "Refused", true),
            ("409 Conflict", "{}", "Unavailable", false),
            ("429 Too Many Requests", "{}", "Unavailable", false),
            ("500 Internal Server Error", "{}", "Unavailable", false),
            ("200 OK", "{}", "NotUnderstood", false),
            ("200 OK", "<html>", "NotUnderstood", false),
            ("200 OK", &long, "NotUnderstood", false),
        ] {
            let error = looked(which, answer(status, body), euros(495)).await.unwrap_err();
            assert_eq!((error.name(), error.is_refusal()), (name, is_refusal), "{which} {status} {error}");
            assert!(!error.to_string().contains("sk_test"));
        }
    }
    let hostile = answer("400 Bad Request", "{\"error\": {\"code\": \"<script>ada@example.com\"}}");
    let error = looked(0, hostile, euros(495)).await.unwrap_err().to_string();
    assert_eq!(error, "The payment provider refuses this with status 400.", "only error codes are repeated");
}

fn new_page() -> NewPaymentPage {
    NewPaymentPage {
        key: "key-1".into(),
        amount: euros(495),
        description: "Fjord & Fern R-1".into(),
        return_order: "0190a5b1".into(),
        ends_at: now().plus_hours(1),
        done_url: "https://returns.example/done?a=b&c".into(),
        back_url: "https://returns.example/back".into(),
        notice_url: None,
    }
}

#[tokio::test]
async fn a_page_needs_an_id_and_a_web_url() {
    let page = |id: &str, url: Value| {
        ok(&json!({"id": id, "url": url, "status": "open", "amount": {"currency": "EUR", "value": "4.95"},
            "_links": {"checkout": {"href": url}}}))
    };
    for which in [0, 1] {
        for (id, url, is_page) in [
            ("cs_1", json!("https://checkout.example/c/pay/cs_1#fid"), true),
            ("cs_1", json!("javascript:alert(1)"), false),
            ("cs_1", json!("/relative"), false),
            ("cs_1", json!(format!("https://x.example/{}", "x".repeat(5_000))), false),
            ("cs_1", json!("https://x.example/\r\nSet-Cookie: a=b"), true), // such characters are left out, as browsers do
            ("../refunds", json!("https://checkout.example/"), false),
            ("", json!("https://checkout.example/"), false),
        ] {
            let (receiver, asked) = scripted(vec![("POST ", page(id, url.clone()))]);
            let opened = of(&receiver)[which].open(&new_page(), now()).await;
            assert_eq!(opened.is_ok(), is_page, "{id} {url} {opened:?}");
            assert!(opened.is_err() || !opened.unwrap().url.contains(['\r', '\n']));
            let sent = asked.lock().unwrap()[0].to_lowercase();
            assert!(
                sent.contains("idempotency-key: key-1") && sent.contains("authorization: bearer sk_test_secret"),
                "{sent}"
            );
        }
    }
}

/// A refund of `minor`, after `before` was refunded earlier.
fn back(minor: i64, before: i64, was_seen: bool) -> RefundRequest {
    let (id, reference) = ("tr_1".to_owned(), "ch_1".to_owned());
    RefundRequest { key: "key-2".to_owned(), id, reference, amount: euros(minor), before, was_seen }
}

/// A provider's list of refunds: amounts and statuses.
fn given(which: usize, all: &[(i64, &str)]) -> String {
    let stripe = |(minor, status): &(i64, &str)| json!({"amount": minor, "status": status});
    let mollie = |(minor, status): &(i64, &str)| json!({"amount": {"currency": "EUR", "value": euros(*minor).decimal()}, "status": status});
    ok(&if which == 0 {
        json!({"data": all.iter().map(stripe).collect::<Vec<_>>()})
    } else {
        json!({"_embedded": {"refunds": all.iter().map(mollie).collect::<Vec<_>>()}})
    })
}

fn made(which: usize, status: &str) -> String {
    let amount = if which == 0 { json!(95) } else { json!({"currency": "EUR", "value": "0.95"}) };
    ok(&json!({"amount": amount, "status": status}))
}

/// The outcome of a refund, and the amount that was requested.
async fn gave_back(
    which: usize,
    back: &RefundRequest,
    list: String,
    then: String,
) -> (Result<RefundOutcome, PaymentError>, Option<i64>) {
    let (receiver, asked) = scripted(vec![("GET ", list), ("POST ", then)]);
    let outcome = of(&receiver)[which].give_back(back, now()).await;
    let asked = asked.lock().unwrap();
    let post = asked.iter().find(|request| request.starts_with("POST "));
    let amount = post.map(|post| {
        let body = post.split_once("\r\n\r\n").unwrap().1;
        let digits: String = body.rsplit("amount").next().unwrap().chars().filter(char::is_ascii_digit).collect();
        assert!(
            post.to_lowercase().contains(&format!("idempotency-key: key-2-{}", digits.trim_start_matches('0'))),
            "{post}"
        );
        digits.parse().unwrap()
    });
    (outcome, amount)
}

#[tokio::test]
async fn only_the_missing_amount_is_refunded() {
    use RefundOutcome::{OnItsWay, WentBack};
    let done = ["succeeded", "refunded"];
    for which in [0, 1] {
        let done = done[which];
        for (minor, before, was_seen, list, status, outcome, asked) in [
            (95, 0, false, vec![], done, WentBack, Some(95)),
            (95, 0, false, vec![], "pending", OnItsWay, Some(95)),
            // The refund was made, and its answer was lost.
            (95, 0, false, vec![(95, done)], done, WentBack, None),
            (95, 0, false, vec![(95, "pending")], done, OnItsWay, None),
            (95, 0, true, vec![(95, done)], done, WentBack, None),
            // Earlier refunds do not count again.
            (95, 400, false, vec![(400, done)], done, WentBack, Some(95)),
            (95, 400, false, vec![(400, done), (95, done)], done, WentBack, None),
            // A person refunded in the provider's dashboard.
            (495, 0, false, vec![(400, done)], done, WentBack, Some(95)),
            (95, 0, false, vec![(495, done)], done, WentBack, None),
            // A failed refund does not count.
            (95, 0, false, vec![(95, "failed"), (95, "canceled")], done, WentBack, Some(95)),
        ] {
            let back = back(minor, before, was_seen);
            let got = gave_back(which, &back, given(which, &list), made(which, status)).await;
            assert_eq!(got, (Ok(outcome), asked), "{which} {back:?} {list:?}");
        }
        let was_seen = back(95, 0, true);
        let (lost, asked) = gave_back(which, &was_seen, given(which, &[(95, "failed")]), made(which, done)).await;
        assert!(
            lost.unwrap_err().is_refusal() && asked.is_none(),
            "a failed refund is reported before it is requested again"
        );
        let (refused, _) = gave_back(which, &back(95, 0, false), given(which, &[]), made(which, "failed")).await;
        assert!(refused.unwrap_err().is_refusal());
    }
}

#[tokio::test]
async fn nothing_is_refunded_if_earlier_refunds_cannot_be_read() {
    for which in [0, 1] {
        for status in ["401 Unauthorized", "404 Not Found", "400 Bad Request", "500 Internal Server Error"] {
            let (outcome, asked) =
                gave_back(which, &back(95, 0, false), answer(status, "{}"), made(which, "succeeded")).await;
            assert!(!outcome.unwrap_err().is_refusal() && asked.is_none(), "{which} {status}");
        }
    }
}

/// Signatures of Stripe's own library.
fn signed(secret: &str, bodies: &[&str], at: Timestamp) -> Vec<String> {
    let script = "import Stripe from 'stripe'; const [secret, timestamp, ...bodies] = process.argv.slice(1); \
        for (const payload of bodies) console.log(Stripe.webhooks.generateTestHeaderString({payload, secret, timestamp: Number(timestamp)}))";
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/peers/payments");
    let mut node = Command::new("node");
    node.args(["--input-type=module", "-e", script, "--", secret, &at.seconds().to_string()]).args(bodies);
    let output = node.current_dir(folder).output().unwrap();
    assert!(
        output.status.success(),
        "`.ci/tools test` installs the library: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn only_genuine_stripe_webhooks_are_accepted() {
    let text = "whsec_wRNftLajMZNeslQOP6vEPm4iVx5NlZ6z";
    let secret = SignatureSecret::parse(&format!(" {text}\n")).unwrap();
    let other = SignatureSecret::parse("whsec_another_secret_than_that_one").unwrap();
    let at = Timestamp::from_seconds(1_800_000_000);
    let bodies = ["{}", "{\"name\": \"Zoë Ångström ✓\"}", "a\nb", " "];
    for (body, signature) in bodies.iter().zip(signed(text, &bodies, at)) {
        let body = body.as_bytes();
        assert_eq!(secret.verify(&signature, body, at), Ok(()));
        for seconds in [-300, 300] {
            assert_eq!(secret.verify(&signature, body, at.plus_seconds(seconds)), Ok(()));
        }
        for seconds in [-301, 301] {
            assert_eq!(secret.verify(&signature, body, at.plus_seconds(seconds)), Err(NoticeError::TooOld));
        }
        assert_eq!(other.verify(&signature, body, at), Err(NoticeError::OtherSignature));
        assert_eq!(secret.verify(&signature, b"other", at), Err(NoticeError::OtherSignature));
        // During a rotation there are two signatures.
        let (t, v1) = signature.split_once(',').unwrap();
        assert_eq!(secret.verify(&format!("{t},v1=00,v0=1,{v1}"), body, at), Ok(()));
        assert_eq!(secret.verify(&signature.replace("v1", "v0"), body, at), Err(NoticeError::OtherSignature));
        let moved = signature.replace("t=1800000000", "t=1800000001");
        assert_eq!(secret.verify(&moved, body, at), Err(NoticeError::OtherSignature), "the signature covers the time");
        for none in ["", "v1=00", "t=,v1=", "t=1e9,v1=00", "\u{0}"] {
            assert_eq!(secret.verify(none, body, at), Err(NoticeError::NoSignature), "{none:?}");
        }
    }
    for text in ["", "whsec_", "whsec_short", "wRNftLajMZNeslQOP6vEPm4iVx5NlZ6z", "whsec_with a space in it"] {
        assert!(SignatureSecret::parse(text).is_none(), "{text}");
    }
    assert_eq!(format!("{secret:?}"), "SignatureSecret");
}

#[test]
fn a_webhook_names_its_return_order() {
    let notice = |object: Value| notice_of(json!({"type": "x", "data": {"object": object}}).to_string().as_bytes());
    assert_eq!(notice(json!({"object": "checkout.session", "client_reference_id": "id"})), Some("id".to_owned()));
    assert_eq!(notice(json!({"object": "checkout.session", "client_reference_id": null})), None);
    assert_eq!(notice(json!({"object": "charge", "client_reference_id": "id"})), None);
    assert_eq!((notice_of(b""), notice_of(b"[]"), notice_of(b"\xff")), (None, None, None));
}
