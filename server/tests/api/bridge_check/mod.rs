//! `retour bridge check` as a program, against a component that does one thing wrong at a time.

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use standardwebhooks::Webhook;
use std::{
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaSLt5c3XkF3l8mYk=";

/// What the program said, and how it ended.
pub struct Checked {
    pub said: String,
    pub complained: String,
    pub code: Option<i32>,
}

/// Runs the program against a component on this machine.
pub async fn check(url: &str, more: &[&str]) -> Checked {
    let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
    program.args(["bridge", "check", url, "--order", "1001", "--email", "ada@example.com"]).args(more);
    program.env("RETOUR_BRIDGE_SECRET", SECRET).env("RETOUR_OUTBOUND_ALLOW", "127.0.0.0/8");
    ended(program).await
}

pub async fn ended(mut program: Command) -> Checked {
    let output = tokio::task::spawn_blocking(move || program.output()).await.unwrap().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Checked { said: text(output.stdout), complained: text(output.stderr), code: output.status.code() }
}

impl Checked {
    /// The cases with a mark, each with what is told of it.
    pub fn with(&self, mark: char) -> Vec<String> {
        let mut cases: Vec<String> = Vec::new();
        for line in self.said.lines() {
            match (line.strip_prefix("    "), cases.last_mut()) {
                (Some(told), Some(case)) => *case += told,
                _ => cases.push(line.to_owned()),
            }
        }
        cases.iter().filter_map(|case| case.strip_prefix(mark)).map(|case| case.trim().to_owned()).collect()
    }

    /// That these cases, and no others, are told with a mark and these words.
    fn tells(&self, mark: char, expected: &[(&str, &str)]) {
        let found = self.with(mark);
        assert_eq!(found.len(), expected.len(), "{}{}", self.said, self.complained);
        for (found, (case, words)) in found.iter().zip(expected) {
            assert!(found.starts_with(case) && found.contains(words), "{case}, {words}: {}", self.said);
        }
        assert_eq!(self.code, Some(i32::from(!self.with('✗').is_empty())));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    NoHealth,
    NeverVerifies,
    KnowsNoTime,
    ReadsOneSignature,
    RefusesWith(u16),
    AnyEmail,
    PartOfEmail,
    TellsWhich,
    TellsWhichByStatus,
    AnotherBodyEachTime,
    WrongSum,
    LeavesOut,
    ChangingIds,
    AnotherOrder,
    SpellsOneWay,
    Down,
    Slow(Duration),
    AnswersEverything,
    ForgetsResolutions,
    RefundsTwice,
    CountsNothing,
    FailsOnNonsense,
    BelievesEverything,
    RefusesAll,
    Pends,
    KnowsNoLabels,
    LabelsTwice,
    LabelsWithoutNumber,
    LabelsAnew,
    LabelsOnce,
    LabelsNobody,
    LabelsThingsThatAreNone,
    LabelsLater,
    LabelsAreDown,
    LabelsOneAtATime,
    LabelsFailLater,
}

struct Shop {
    fault: Fault,
    /// Transactions that were refunded; their places are the references.
    refunds: Mutex<Vec<String>>,
    /// Transactions that a label was made for, likewise.
    labels: Mutex<Vec<String>>,
    asked: AtomicU32,
}

impl Shop {
    async fn start(fault: Fault) -> String {
        let shop =
            Arc::new(Self { fault, refunds: Mutex::default(), labels: Mutex::default(), asked: AtomicU32::new(0) });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/shop", listener.local_addr().unwrap());
        let router = Router::new().fallback(Self::answer).with_state(shop);
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    async fn answer(
        State(shop): State<Arc<Self>>,
        method: Method,
        uri: Uri,
        headers: HeaderMap,
        body: Bytes,
    ) -> (StatusCode, String) {
        let asked = shop.asked.fetch_add(1, Ordering::SeqCst);
        let (status, body) = match (method, uri.path()) {
            (Method::GET, "/shop/health") if shop.fault == Fault::NoHealth => (404, String::new()),
            (Method::GET, "/shop/health") => (200, String::new()),
            _ if !shop.verifies(&headers, &body) => match shop.fault {
                Fault::RefusesWith(status) => (status, String::new()),
                _ => (401, String::new()),
            },
            (_, "/shop/get-purchases") => {
                if let (Fault::Slow(time), 1) = (shop.fault, asked) {
                    tokio::time::sleep(time).await;
                }
                shop.get_purchases(&serde_json::from_slice(&body).unwrap())
            }
            (_, "/shop/resolve-return") => shop.resolve_return(&serde_json::from_slice(&body).unwrap()),
            (_, "/shop/get-label") => shop.get_label(&serde_json::from_slice(&body).unwrap(), asked),
            _ if shop.fault == Fault::AnswersEverything => (200, String::new()),
            _ => (404, String::new()),
        };
        (StatusCode::from_u16(status).unwrap(), body)
    }

    fn verifies(&self, headers: &HeaderMap, body: &[u8]) -> bool {
        let webhook = Webhook::new(SECRET).unwrap();
        match self.fault {
            Fault::NeverVerifies => true,
            Fault::KnowsNoTime => {
                let header = |name| headers.get(name).map_or("", |value| value.to_str().unwrap());
                let at = header("webhook-timestamp").parse().unwrap_or_default();
                let signatures = header("webhook-signature");
                let ours = webhook.sign(header("webhook-id"), at, body).unwrap();
                signatures.split(' ').any(|signature| signature == ours)
            }
            Fault::ReadsOneSignature => {
                let mut one = headers.clone();
                if let Some(signature) = headers.get("webhook-signature") {
                    let first = signature.to_str().unwrap().split(' ').next().unwrap();
                    one.insert("webhook-signature", first.parse().unwrap());
                }
                webhook.verify(body, &one).is_ok()
            }
            _ => webhook.verify(body, headers).is_ok(),
        }
    }

    fn get_purchases(&self, asked: &Value) -> (u16, String) {
        let [number, email] = ["orderNumber", "email"].map(|name| asked["credentials"][name].as_str().unwrap_or(""));
        let plain = |text: &str| text.replace([' ', '#'], "").to_lowercase();
        let (is_number, is_email) = match self.fault {
            Fault::Down => return (503, String::new()),
            Fault::SpellsOneWay => (number == "1001", email == "ada@example.com"),
            Fault::AnyEmail => (plain(number) == "1001", true),
            Fault::PartOfEmail => (plain(number) == "1001", "ada@example.com".contains(&plain(email))),
            _ => (plain(number) == "1001", plain(email) == "ada@example.com"),
        };
        if is_number && is_email {
            return (200, self.purchases().to_string());
        }
        match self.fault {
            Fault::TellsWhich if is_number => (404, "another e-mail address".to_owned()),
            Fault::TellsWhichByStatus if is_number => (403, String::new()),
            Fault::AnotherBodyEachTime => (404, text(&asked["requestId"])),
            _ => (404, String::new()),
        }
    }

    fn purchases(&self) -> Value {
        let eur = |value: &str| json!({"value": value, "currency": "EUR"});
        let number = if self.fault == Fault::AnotherOrder { "1002" } else { "1001" };
        let id = self.asked.load(Ordering::SeqCst);
        let id = if self.fault == Fault::ChangingIds { format!("line-{id}") } else { "line".to_owned() };
        let refunded = if self.fault == Fault::CountsNothing { 0 } else { self.refunds.lock().unwrap().len() };
        let order = json!({
            "id": "1001", "number": number, "orderedAt": "2026-01-31T12:00:00Z", "currency": "EUR", "shippingPaid": eur("0.00"),
        });
        let tax = eur(if self.fault == Fault::WrongSum { "30.01" } else { "5.21" });
        let mut purchases = json!({
            "consumer": {"email": "ada@example.com"},
            "purchases": [{
                "purchaseId": id, "order": order, "product": {"name": "Mug"}, "quantity": 9, "paid": eur("30.00"), "tax": tax,
                "taxIncluded": true, "fulfilledAt": "2026-02-01T09:00:00Z", "refundedQuantity": refunded,
            }],
        });
        if self.fault == Fault::LeavesOut {
            let line = purchases["purchases"][0].as_object_mut().unwrap();
            line.remove("refundedQuantity").unwrap();
            line["order"].as_object_mut().unwrap().remove("shippingPaid").unwrap();
        }
        purchases
    }

    fn resolve_return(&self, asked: &Value) -> (u16, String) {
        let Some(item) = asked.get("items").map(|items| &items[0]) else { return (400, String::new()) };
        let is_possible = item["purchaseId"] == "line"
            && item["quantity"].as_u64().unwrap() <= 9
            && item["amount"] == json!({"value": "0.01", "currency": "EUR"});
        match self.fault {
            Fault::FailsOnNonsense if !is_possible => return (500, String::new()),
            Fault::BelievesEverything if !is_possible => return (200, json!({"status": "Completed"}).to_string()),
            Fault::RefusesAll => return failed("The till is closed."),
            _ if !is_possible => return failed("No."),
            _ => {}
        }
        let id = text(&asked["transactionId"]);
        let mut refunds = self.refunds.lock().unwrap();
        let known = refunds.iter().position(|known| *known == id).filter(|_| self.fault != Fault::RefundsTwice);
        if known.is_some() && self.fault == Fault::ForgetsResolutions {
            return failed("It was refunded already.");
        }
        let place = known.unwrap_or_else(|| {
            refunds.push(id);
            refunds.len() - 1
        });
        let status = if self.fault == Fault::Pends { "Pending" } else { "Completed" };
        (200, json!({"status": status, "externalReference": format!("refund-{place}")}).to_string())
    }

    fn get_label(&self, asked: &Value, count: u32) -> (u16, String) {
        let mut labels = self.labels.lock().unwrap();
        let id = text(&asked["transactionId"]);
        let known = labels.iter().position(|known| *known == id);
        match self.fault {
            Fault::KnowsNoLabels => return (404, String::new()),
            Fault::LabelsAreDown => return (503, String::new()),
            Fault::LabelsNobody => return failed("The carrier knows no such place."),
            Fault::LabelsOnce if known.is_some() => return failed("It was made already."),
            Fault::LabelsOneAtATime if known.is_none() => {
                labels.push(id);
                return (409, String::new());
            }
            Fault::LabelsFailLater if labels.len() == 2 => return failed("The carrier is closed."),
            Fault::LabelsFailLater => {
                labels.push(id);
                return (200, json!({"status": "Pending"}).to_string());
            }
            Fault::LabelsLater | Fault::Pends => return (200, json!({"status": "Pending"}).to_string()),
            _ => {}
        }
        let place = known.filter(|_| self.fault != Fault::LabelsTwice).unwrap_or_else(|| {
            labels.push(id);
            labels.len() - 1
        });
        let number = if self.fault == Fault::LabelsWithoutNumber { String::new() } else { format!("label-{place}") };
        let drawn = if self.fault == Fault::LabelsAnew { format!("at second {count}") } else { number.clone() };
        let zpl = format!("^XA^FO50,50^A0N,40^FD{} {drawn}^FS^XZ", text(&asked["returnOrderNumber"]));
        let zpl = if self.fault == Fault::LabelsThingsThatAreNone { "Here it is." } else { &zpl };
        let label = json!({"mediaType": "application/zpl", "data": STANDARD.encode(zpl)});
        (200, json!({"status": "Created", "trackingNumber": number, "label": label}).to_string())
    }
}

fn failed(reason: &str) -> (u16, String) {
    (200, json!({"status": "Failed", "reason": reason}).to_string())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The cases of this fault, with a refund and a label, are these and no others.
async fn tells(fault: Fault, mark: char, expected: &[(&str, &str)]) {
    check(&Shop::start(fault).await, &["--resolve", "--label"]).await.tells(mark, expected);
}

#[tokio::test]
async fn what_is_as_it_should_be_passes() {
    let shop = Shop::start(Fault::None).await;
    let checked = check(&shop, &[]).await;
    checked.tells('✗', &[]);
    checked.tells('!', &[]);
    checked.tells('–', &[("resolutions", "only with --resolve"), ("labels", "only with --label")]);
    assert!(checked.said.ends_with("\n\n14 of 16 passed, 2 not tried\n"), "{}", checked.said);
    let checked = check(&shop, &["--resolve", "--label"]).await;
    checked.tells('✗', &[]);
    checked.tells('!', &[]);
    assert!(checked.said.contains("✓ the same refund once more: refund-0 again\n"), "{}", checked.said);
    assert!(checked.said.contains("✓ units refunded: refundedQuantity was 0 and is 1\n"), "{}", checked.said);
    assert!(checked.said.contains("✓ a label, asked for twice at once: application/zpl\n"), "{}", checked.said);
    assert!(checked.said.contains("✓ the same label once more: label-0 again\n"), "{}", checked.said);
    assert!(checked.said.ends_with("\n\n24 of 24 passed\n"), "{}", checked.said);
    assert_eq!(checked.complained, "");
    tells(Fault::NoHealth, '–', &[("health", "leaves it out")]).await;
    let pending = ("the same label once more", "tells nothing while the label is Pending");
    tells(Fault::Pends, '–', &[("units refunded", "tells nothing before a refund is Completed"), pending]).await;
}

#[tokio::test]
async fn strangers_are_to_be_refused() {
    let all = [
        ("an unsigned look-up", "expected 401, got 200: anybody can read orders"),
        ("a wrong signature", "expected 401, got 200: compare the signature"),
        ("a signature of an hour ago", "expected 401, got 200: what was once overheard"),
        ("an unsigned request for a label", "expected 401, got 200: anybody can have labels made"),
        ("a label with a wrong signature", "expected 401, got 200: compare the signature here too"),
    ];
    tells(Fault::NeverVerifies, '✗', &all).await;
    tells(Fault::NeverVerifies, '!', &[("an unsigned resolution", "refused with 400")]).await;
    tells(Fault::KnowsNoTime, '✗', &all[2..3]).await;
    tells(Fault::ReadsOneSignature, '✗', &[("two signatures", "one that is right is enough")]).await;
    tells(
        Fault::RefusesWith(400),
        '!',
        &[
            ("an unsigned look-up", "refused with 400: answer 401"),
            ("an unsigned resolution", "refused with 400"),
            ("a wrong signature", "refused with 400"),
            ("a signature of an hour ago", "refused with 400"),
            ("an unsigned request for a label", "refused with 400"),
            ("a label with a wrong signature", "refused with 400"),
        ],
    )
    .await;
    tells(
        Fault::RefusesWith(500),
        '✗',
        &[
            ("an unsigned look-up", "rather than to fail"),
            ("an unsigned resolution", "rather than to fail"),
            ("a wrong signature", "rather than to fail"),
            ("a signature of an hour ago", "rather than to fail"),
            ("an unsigned request for a label", "rather than to fail"),
            ("a label with a wrong signature", "rather than to fail"),
        ],
    )
    .await;
    tells(Fault::AnswersEverything, '✗', &[("an unknown path", "expected 404, got 200")]).await;
}

#[tokio::test]
async fn nobody_is_shown_what_is_not_theirs() {
    let different = "expected the same status";
    let with_purchases = "expected 404, got 200 with purchases: compare both";
    tells(Fault::AnyEmail, '✗', &[("wrong e-mail addresses", with_purchases), ("wrong answers look alike", different)])
        .await;
    tells(
        Fault::PartOfEmail,
        '✗',
        &[
            ("wrong e-mail addresses", "the e-mail address without its first letter: expected 404, got 200"),
            ("wrong answers look alike", different),
        ],
    )
    .await;
    tells(Fault::TellsWhich, '✗', &[("wrong answers look alike", "expected the same body")]).await;
    tells(
        Fault::TellsWhichByStatus,
        '✗',
        &[
            ("wrong e-mail addresses", "expected 404, got 403, which says that the signature is wrong"),
            ("wrong answers look alike", different),
        ],
    )
    .await;
    tells(Fault::AnotherBodyEachTime, '!', &[("wrong answers look alike", "changes from one time to the next")]).await;
    // Who asks with a wrong postal code is shown nothing, and who asks with the right one is to be answered.
    let checked = check(&Shop::start(Fault::None).await, &["--postal-code", "EC1A 1BB"]).await;
    checked.tells('✗', &[("the right postal code", "expected the order, got 404")]);
}

#[tokio::test]
async fn every_missing_field_is_named_in_one_run() {
    let checked = check(&Shop::start(Fault::LeavesOut).await, &[]).await;
    let failed = checked.with('✗');
    assert_eq!((failed.len(), checked.code), (1, Some(1)), "{}", checked.said);
    for field in ["purchases[0].refundedQuantity", "purchases[0].order.shippingPaid"] {
        assert!(failed[0].contains(&format!("{field}: this field is missing")), "{}", checked.said);
    }
}

#[tokio::test]
async fn answers_are_held_to_the_contract() {
    let sum = "purchases[0].tax: expected at most paid, 30.00, which includes it";
    tells(Fault::WrongSum, '✗', &[("the right order", sum)]).await;
    tells(Fault::AnotherOrder, '✗', &[("the right order", "purchases[0].order.number: expected the order number")])
        .await;
    tells(
        Fault::ChangingIds,
        '✗',
        &[
            ("the same once more", "purchaseId, order.id and amounts must not change"),
            ("a refund, asked for twice at once", "got Failed: No."),
        ],
    )
    .await;
    tells(Fault::SpellsOneWay, '!', &[("other spellings", "not found with the number as \"#1001\"")]).await;
    tells(Fault::Down, '–', &[("the rest", "tells nothing before the right order is found")]).await;
    tells(Fault::Down, '✗', &[("the right order", "The bridge answered with status 503.")]).await;
}

#[tokio::test]
async fn what_is_slow_is_told() {
    let slow = tells(Fault::Slow(Duration::from_millis(2_100)), '!', &[("the time it takes", "stay below 2 s")]);
    let too_slow = tells(Fault::Slow(Duration::from_secs(20)), '✗', &[("the right order", "no answer within 10 s")]);
    tokio::join!(slow, too_slow);
}

#[tokio::test]
async fn nothing_is_refunded_twice() {
    tells(
        Fault::RefundsTwice,
        '✗',
        &[
            ("the same refund once more", "the same transactionId must never refund twice"),
            ("units refunded", "refundedQuantity was 0 and is 3: expected one more"),
        ],
    )
    .await;
    tells(Fault::CountsNothing, '!', &[("units refunded", "refundedQuantity was 0 and is 0: expected one more")]).await;
    tells(
        Fault::ForgetsResolutions,
        '✗',
        &[
            ("a refund, asked for twice at once", "got Failed: It was refunded already."),
            ("the same refund once more", "What is done is Completed"),
        ],
    )
    .await;
    let all = [
        "a resolution of an unknown line",
        "a resolution of more units than were bought",
        "a resolution in another currency",
    ];
    let each = |words| all.map(|case| (case, words));
    tells(Fault::FailsOnNonsense, '✗', &each("The bridge answered with status 500.")).await;
    tells(Fault::BelievesEverything, '✗', &each("expected Failed with a reason, got Completed")).await;
    let refused = ("a refund, asked for twice at once", "got Failed: The till is closed.");
    tells(Fault::RefusesAll, '✗', &[refused]).await;
}

#[tokio::test]
async fn no_label_is_made_twice() {
    let (at_once, again) = ("a label, asked for twice at once", "the same label once more");
    tells(Fault::LabelsTwice, '✗', &[(again, "the same transactionId must never have two made")]).await;
    let made = "got Failed: It was made already.";
    tells(Fault::LabelsOnce, '✗', &[(at_once, made), (again, "What was made is Created")]).await;
    tells(Fault::LabelsAnew, '!', &[(again, "label-0 again, but in another file")]).await;
    tells(Fault::LabelsWithoutNumber, '!', &[(again, "there is no trackingNumber")]).await;
    tells(Fault::LabelsOneAtATime, '!', &[(at_once, "let the second wait for the first")]).await;
    tells(Fault::LabelsLater, '–', &[(again, "tells nothing while the label is Pending")]).await;
    tells(Fault::LabelsLater, '✗', &[]).await;
    tells(Fault::LabelsFailLater, '✗', &[(again, "expected Created or Pending, got Failed: The carrier is closed.")])
        .await;
}

#[tokio::test]
async fn a_component_without_labels_is_told() {
    let unknown = "expected a label, got 404: the component does not know /get-label";
    tells(Fault::KnowsNoLabels, '✗', &[("labels", unknown)]).await;
    let checked = check(&Shop::start(Fault::KnowsNoLabels).await, &[]).await;
    checked.tells('✗', &[]);
    let at_once = "a label, asked for twice at once";
    tells(Fault::LabelsAreDown, '✗', &[(at_once, "The bridge answered with status 503.")]).await;
    tells(Fault::LabelsAreDown, '–', &[("the same label once more", "tells nothing before a label is")]).await;
    tells(Fault::LabelsNobody, '✗', &[(at_once, "got Failed: The carrier knows no such place.")]).await;
    tells(Fault::LabelsThingsThatAreNone, '✗', &[(at_once, "label.data: expected a file of the kind")]).await;
}

#[tokio::test]
async fn who_cannot_be_asked_is_told_at_once() {
    let program = |url: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
        program.args(["bridge", "check", url, "--order", "1001", "--email", "ada@example.com"]);
        program.env("RETOUR_BRIDGE_SECRET", SECRET).env_remove("RETOUR_OUTBOUND_ALLOW");
        program
    };
    let shop = Shop::start(Fault::None).await;
    for (url, told) in [
        (
            shop.as_str(),
            "127.0.0.1 is not on the public internet: add --outbound-allow 127.0.0.0/8 to try a component on this machine",
        ),
        (
            "https://10.0.0.7/",
            "10.0.0.7 is not on the public internet: add --outbound-allow 10.0.0.7 to try a component in your own network",
        ),
        ("http://1.1.1.1/", "Calls over the internet need https."),
    ] {
        let checked = ended(program(url)).await;
        let expected = (String::new(), format!("retour: {told}\n"), Some(1));
        assert_eq!((checked.said, checked.complained, checked.code), expected, "{url}");
    }
    let mut short = program(&shop);
    short.args(["--secret", "whsec_c2hvcnQ="]);
    let checked = ended(short).await;
    let told = "retour: --secret (RETOUR_BRIDGE_SECRET): expected whsec_ and then 24 to 64 bytes in Base64\n";
    assert_eq!((checked.complained.as_str(), checked.code), (told, Some(1)));
}
