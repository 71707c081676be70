//! The fields of a label answer are checked one by one. An empty field counts as missing.

use crate::support::{
    Receiver,
    bridge::{bridge, example, get_label, label_request, now, ok},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::shipping::{LabelFormat, ShippingMethod};
use outbound::bridge::{BridgeError, CarrierLabel, Labelled, MAX_ANSWER_BYTES, Rejected, Unavailable};
use serde_json::{Value, json};

const PDF: &[u8] = b"%PDF-1.7\nwith what follows";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nwith what follows";
const ZPL: &[u8] = "^XA^FDfür R-7K3M9Q2A^FS^XZ".as_bytes();

/// The outcome of an answer, for a shipping method.
async fn sent_by(method: ShippingMethod, answer: &Value) -> Result<Labelled, BridgeError> {
    bridge(&Receiver::writing(ok(answer))).get_label(&label_request(method), now()).await
}

async fn asked(answer: &Value) -> Result<Labelled, BridgeError> {
    get_label(&bridge(&Receiver::writing(ok(answer)))).await
}

async fn made(answer: &Value) -> CarrierLabel {
    match asked(answer).await {
        Ok(Labelled::Created(made)) => *made,
        other => panic!("expected a label, not {other:?}: {answer}"),
    }
}

fn file(media_type: &str, bytes: &[u8]) -> Value {
    json!({"mediaType": media_type, "data": STANDARD.encode(bytes)})
}

/// A valid answer with one field changed.
fn with(field: &str, value: Value) -> Value {
    let mut answer = example("get-label", "Created");
    answer[field] = value;
    answer
}

/// The invalid fields, each with what is allowed.
fn problems_of(outcome: Result<Labelled, BridgeError>) -> Vec<(String, String)> {
    match outcome {
        Err(BridgeError::BadAnswer(problems)) => {
            problems.0.into_iter().map(|(path, refusal)| (path, refusal.message)).collect()
        }
        other => panic!("expected a bad answer, not {other:?}"),
    }
}

async fn refused(answer: &Value, path: &str, allowed: &str) {
    assert_eq!(problems_of(asked(answer).await), [(path.to_owned(), allowed.to_owned())], "{answer}");
}

#[tokio::test]
async fn a_label_has_one_of_three_formats() {
    for (media_type, bytes, format) in [
        ("application/pdf", PDF, LabelFormat::Pdf),
        ("image/png", PNG, LabelFormat::Png),
        ("application/zpl", ZPL, LabelFormat::Zpl),
        ("application/zpl", b"\r\n ^XA^XZ\n", LabelFormat::Zpl), // some programs start with a new line
    ] {
        let made = made(&with("label", file(media_type, bytes))).await;
        assert_eq!(made.file, Some((format, bytes.to_vec())), "{media_type}");
    }
}

#[tokio::test]
async fn a_label_must_have_the_stated_format() {
    let kind = "expected a file in the format that mediaType names";
    for (media_type, bytes) in [
        ("application/pdf", PNG),
        ("application/pdf", b" %PDF-1.7"),
        ("application/pdf", b""),
        ("image/png", PDF),
        ("image/png", b"\x89PNG"),
        ("application/zpl", PDF),
        ("application/zpl", b"N\nA50,50,0,1,1,1,N,\"R-7K3M9Q2A\""), // another printer language
        ("application/zpl", b"^XA^FD\xfc^FS^XZ"),                   // not UTF-8
    ] {
        refused(&with("label", file(media_type, bytes)), "label.data", kind).await;
    }
    let base64 = "expected Base64 with the alphabet of RFC 4648, section 4";
    for data in ["JVBERi0xLjcK!", "JVBERi0xLjc", "JVBERi0 xLjcK", "iVBORw0KGgo-_w==", "%PDF-1.7"] {
        refused(&with("label", json!({"mediaType": "application/pdf", "data": data})), "label.data", base64).await;
    }
    let known = "expected one of `application/pdf`, `image/png`, `application/zpl`";
    for media_type in ["image/jpeg", "application/PDF", "text/html", ""] {
        refused(&with("label", file(media_type, PDF)), "label.mediaType", known).await;
    }
    refused(&with("label", json!({"mediaType": "application/pdf"})), "label.data", "this field is missing").await;
    refused(&with("label", json!("JVBERi0xLjcK")), "label", "expected an object").await;
    let most = MAX_ANSWER_BYTES;
    refused(&with("label", file("application/pdf", &vec![b'x'; most])), "", &format!("expected at most {most} bytes"))
        .await;
}

#[tokio::test]
async fn a_qr_code_can_replace_a_label() {
    let shown = json!({"status": "Created", "qrCode": " POST:1 "});
    let none = String::new;
    let expected = CarrierLabel {
        file: None,
        qr_code: Some("POST:1".to_owned()),
        barcode: none(),
        carrier: none(),
        tracking_number: none(),
        tracking_url: none(),
        reference: None,
    };
    assert_eq!(made(&shown).await, expected);
    assert_eq!(sent_by(ShippingMethod::Paperless, &shown).await, Ok(Labelled::Created(Box::new(expected))));

    refused(&json!({"status": "Created"}), "label", "expected a label or a qrCode, because status is Created").await;
    let blank = json!({"status": "Created", "qrCode": " ", "label": null});
    refused(&blank, "label", "expected a label or a qrCode, because status is Created").await;
    // A shopper who shows a code may have no printer.
    let code = "expected the content of the code, because the consumer prints nothing with this method";
    for answer in [example("get-label", "Created"), with("qrCode", json!("")), json!({"status": "Created"})] {
        for method in [ShippingMethod::Paperless, ShippingMethod::DropOff] {
            let outcome = sent_by(method, &answer).await;
            assert_eq!(problems_of(outcome), [("qrCode".to_owned(), code.to_owned())], "{answer}");
        }
    }
    // Without a shipping option, a label is expected.
    let receiver = Receiver::writing(ok(&example("get-label", "Created")));
    let mut gone = label_request(ShippingMethod::Paperless);
    gone.shipping_option = None;
    assert!(matches!(bridge(&receiver).get_label(&gone, now()).await, Ok(Labelled::Created(_))));
}

#[tokio::test]
async fn texts_have_their_maximum_length() {
    for (field, most) in [
        ("qrCode", 500),
        ("barcode", 100),
        ("carrier", 100),
        ("trackingNumber", 100),
        ("trackingUrl", 2_000),
        ("errorCode", 100),
    ] {
        let start = if field == "trackingUrl" { "https://" } else { "" };
        let text = |chars: usize| json!(start.to_owned() + &"é".repeat(chars - start.len()));
        made(&with(field, text(most))).await;
        refused(&with(field, text(most + 1)), field, &format!("expected at most {most} characters")).await;
        let lines = problems_of(asked(&with(field, json!("https://a\nb"))).await);
        assert_eq!(lines[0], (field.to_owned(), "expected one line without control characters".to_owned()));
        refused(&with(field, json!(7)), field, "expected a string").await;
    }
}

#[tokio::test]
async fn a_tracking_url_must_be_a_web_address() {
    for url in [
        "javascript:alert(1)",
        "JavaScript:alert(1)//https://",
        "data:text/html,<script>",
        "//post.example",
        "post.example/1",
        "https://",
        "https:post.example",
        "https://post.example/track me",
    ] {
        refused(&with("trackingUrl", json!(url)), "trackingUrl", "expected an address that begins with https://").await;
    }
    let made = made(&with("trackingUrl", json!(" https://post.example/1?a=b#c "))).await;
    assert_eq!(made.tracking_url, "https://post.example/1?a=b#c");
}

#[tokio::test]
async fn an_empty_field_counts_as_missing() {
    let empty = json!({
        "status": "Created", "label": file("application/pdf", PDF), "qrCode": "", "barcode": " ", "carrier": "",
        "trackingNumber": "  ", "trackingUrl": "", "errorCode": "", "reason": "", "madeBy": "a field that nobody knows",
    });
    let left_out = json!({"status": "Created", "label": file("application/pdf", PDF)});
    let mut null = empty.clone();
    for field in ["qrCode", "barcode", "carrier", "trackingNumber", "trackingUrl", "errorCode", "reason"] {
        null[field] = json!(null);
    }
    let expected = made(&left_out).await;
    assert_eq!((expected.qr_code.as_deref(), expected.barcode.as_str(), expected.carrier.as_str()), (None, "", ""));
    assert_eq!((expected.tracking_number.as_str(), expected.tracking_url.as_str()), ("", ""));
    assert_eq!(made(&empty).await, expected);
    assert_eq!(made(&null).await, expected);
}

#[tokio::test]
async fn the_barcode_defaults_to_the_tracking_number() {
    for (barcode, read) in [(json!(null), "3SABC1"), (json!(" "), "3SABC1"), (json!(" 00340 "), "00340")] {
        let mut answer = with("barcode", barcode);
        answer["trackingNumber"] = json!(" 3SABC1");
        let made = made(&answer).await;
        assert_eq!((made.barcode.as_str(), made.tracking_number.as_str()), (read, "3SABC1"));
    }
}

#[tokio::test]
async fn a_failed_label_needs_a_reason() {
    let message = "expected the cause in a sentence, because status is Failed";
    for answer in [
        json!({"status": "Failed"}),
        json!({"status": "Failed", "reason": null}),
        json!({"status": "Failed", "reason": " \n\t"}),
        json!({"status": "Failed", "reason": "\u{0}", "errorCode": "address"}),
    ] {
        refused(&answer, "reason", message).await;
    }
    for (answer, code, reason) in [
        (json!({"status": "Failed", "reason": "Closed:\n\ttill May"}), "", "Closed: till May".to_owned()),
        (json!({"status": "Failed", "reason": "No.", "errorCode": " "}), "", "No.".to_owned()),
        (json!({"status": "Failed", "reason": "é".repeat(501), "errorCode": " x "}), "x", "é".repeat(500)),
    ] {
        assert_eq!(asked(&answer).await, Ok(Labelled::Failed { code: code.to_owned(), reason }));
    }
    // A label that was not made needs no other fields.
    for answer in [json!({"status": "Pending"}), json!({"status": "Pending", "reason": "It takes a while."})] {
        assert_eq!(asked(&answer).await, Ok(Labelled::Pending));
        assert_eq!(sent_by(ShippingMethod::Paperless, &answer).await, Ok(Labelled::Pending));
    }
    refused(&json!({"status": "Done"}), "status", "expected one of `Created`, `Pending`, `Failed`").await;
    refused(&json!({}), "status", "this field is missing").await;
}

#[tokio::test]
async fn the_status_decides_before_the_body_is_read() {
    let of = async |head: &str| {
        let answer = ok(&example("get-label", "Created")).replace("200 OK", head);
        get_label(&bridge(&Receiver::writing(answer))).await
    };
    for (head, status) in [("404 Not Found", 404), ("401 Unauthorized", 401), ("400 Bad Request", 400)] {
        assert_eq!(of(head).await, Err(Rejected { status }.into()));
    }
    let unavailable = |status, wait_seconds| Err(Unavailable::Status { status, wait_seconds }.into());
    assert_eq!(of("503 Service Unavailable").await, unavailable(503, None));
    assert_eq!(of("429 Too Many\r\nRetry-After: 17").await, unavailable(429, Some(17)));
    assert!(matches!(of("201 Created").await, Ok(Labelled::Created(_))));
}

/// Addresses and numbers of people must not appear in logs.
#[tokio::test]
async fn debug_does_not_show_what_is_printed() {
    let answer = example("get-label", "Created");
    let debug = format!("{:?}", asked(&answer).await);
    assert!(!debug.contains("3SABC") && debug.contains("Pdf"), "{debug}");
}
