//! Photos and documents through the API: as the body and as a form, by the merchant and by the consumer.

use crate::harness::{Answer, Consumer, Service, on_both_databases, send, text};
use reqwest::{Method, header};
use serde_json::{Value, json};

on_both_databases! {
    a_consumer_adds_required_evidence
    a_shop_adds_sees_and_deletes_evidence
    a_form_uploads_evidence
    unsupported_files_are_refused_and_not_stored
    a_repeated_upload_is_answered_as_before
    evidence_is_private
}

const PAPER: &[u8] = b"%PDF-1.7 a receipt";
/// A photo of one pixel, with a comment.
const PHOTO: &[u8] = b"\xFF\xD8\xFF\xFE\x00\x09GPS 52N\xFF\xC0\x00\x0B\x08\x00\x01\x00\x01\x01\x01\x11\x00\xFF\xDA\x00\x08\x01\x01\x00\x00\x3F\x00\x01\xFF\xD9";

struct Returned {
    ada: Consumer,
    order: String,
    request: String,
    /// The path of the request, for the merchant.
    theirs: String,
    /// The path of the return order, for the consumer.
    own: String,
}

impl Returned {
    fn upload(&self) -> String {
        format!("{}/evidence?returnRequestId={}", self.own, self.request)
    }
}

/// A return of Ada's shirt, with a reason that requires evidence, or one that does not.
async fn returned(service: &Service, evidence: &str) -> Returned {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let reason = json!({"description": {"en": "Torn"}, "evidence": evidence});
    let id = service.post("/api/v0/return-reasons", &service.demo.key, reason).await.json()["id"].clone();
    let body = json!({"selectedPurchases": [{"purchaseId": purchases[0]["id"], "returnReasonId": id}],
        "shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
    let draft = service.post(&format!("/consumer/{}/draft-return-order", ada.id), &ada.token, body).await.json();
    let body = json!({"draftReturnOrderId": draft["id"]});
    let order = text(&service.post(&format!("/consumer/{}/return-order", ada.id), &ada.token, body).await.json()["id"]);
    let own = format!("/consumer/{}/return-order/{order}", ada.id);
    let shown = service.get(&format!("{own}?expand=returnRequests"), &ada.token).await.json();
    let request = text(&shown["returnRequests"][0]["id"]);
    let theirs = format!("/api/v0/account/{}/return-requests/{request}", service.demo.account.id);
    Returned { ada, order, request, theirs, own }
}

async fn upload(service: &Service, path: &str, credential: &str, media_type: &str, bytes: &[u8]) -> Answer {
    let request = service.request(Method::POST, path, credential).header(header::CONTENT_TYPE, media_type);
    send(request.header(header::CONTENT_DISPOSITION, "attachment; filename=\"torn sleeve.jpg\"").body(bytes.to_vec()))
        .await
}

fn form(name: &str, file_name: &str, media_type: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!(
        "--xyz\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file_name}\"\r\nContent-Type: {media_type}\r\n\r\n"
    );
    [head.as_bytes(), bytes, b"\r\n--xyz--\r\n"].concat()
}

async fn a_consumer_adds_required_evidence(service: Service) {
    let returned = returned(&service, "required").await;
    let token = &returned.ada.token;
    assert_eq!(service.get(&returned.theirs, &service.demo.key).await.json()["stage"], "Requested: Evidence Pending");
    let added = upload(&service, &returned.upload(), token, "image/jpeg", PHOTO).await;
    added.matches_snapshot("own-evidence-201");
    let again = upload(&service, &returned.upload(), token, "image/jpeg", PHOTO).await;
    assert_eq!((again.status, again.json()), (200, added.json()));

    service.get(&returned.theirs, &service.demo.key).await.matches_snapshot("return-request-with-evidence");
    service
        .get(&format!("{}?expand=returnRequests", returned.own), token)
        .await
        .matches_snapshot("own-return-order-with-evidence");
    let list = service.get(&format!("{}/evidence", returned.own), token).await;
    list.matches_snapshot("own-evidence");
    let url = text(&added.json()["url"]);
    let file = service.get(&url, token).await;
    assert_eq!((file.status, file.header("content-type")), (200, Some("image/jpeg")));
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"torn sleeve.jpg\"; filename*=UTF-8''torn%20sleeve.jpg")
    );
    assert_eq!(file.header("content-security-policy"), Some("sandbox; default-src 'none'"));
    assert_eq!(
        (file.header("x-content-type-options"), file.header("cache-control")),
        (Some("nosniff"), Some("no-store"))
    );
    assert!(!file.body.windows(3).any(|window| window == b"GPS"), "the place of the photo is removed");
    assert_eq!(i64::try_from(file.body.len()).unwrap(), added.json()["bytes"].as_i64().unwrap());
    // The shop's own server can do the same for its consumer.
    assert_eq!(service.get(&format!("/api/v0{url}"), &service.demo.key).await.body, file.body);
    let paper = upload(&service, &returned.upload(), &service.demo.key, "application/pdf", PAPER).await;
    assert_eq!((paper.status, paper.json()["addedBy"].clone()), (201, json!("Consumer")));
}

async fn a_shop_adds_sees_and_deletes_evidence(service: Service) {
    let returned = returned(&service, "optional").await;
    let key = &service.demo.key;
    let path = format!("{}/evidence", returned.theirs);
    let added = upload(&service, &path, key, "application/pdf", PAPER).await;
    added.matches_snapshot("evidence-201");
    service.get(&path, key).await.matches_snapshot("evidence");
    let one = format!("{path}/{}", text(&added.json()["id"]));
    assert_eq!(service.get(&one, key).await.body, PAPER);
    assert_eq!(service.get(&text(&added.json()["url"]), key).await.body, PAPER);
    let version = service.get(&returned.theirs, key).await.json()["version"].as_i64().unwrap();
    let deleted = send(service.request(Method::DELETE, &one, key)).await;
    assert_eq!((deleted.status, deleted.body.len()), (204, 0));
    assert_eq!(send(service.request(Method::DELETE, &one, key)).await.status, 404);
    assert_eq!(service.get(&one, key).await.status, 404);
    let after = service.get(&returned.theirs, key).await.json();
    assert_eq!((&after["evidence"], after["version"].as_i64()), (&json!([]), Some(version + 1)));
}

async fn a_form_uploads_evidence(service: Service) {
    let returned = returned(&service, "optional").await;
    let (path, token) = (returned.upload(), &returned.ada.token);
    let multipart = "multipart/form-data; boundary=xyz";
    let added =
        upload(&service, &path, token, multipart, &form("file", "../Ärmel.pdf", "application/pdf", PAPER)).await;
    assert_eq!((added.status, text(&added.json()["name"]).as_str()), (201, "Ärmel.pdf"), "{}", added.text());
    assert_eq!(upload(&service, &path, token, "application/pdf", PAPER).await.json()["id"], added.json()["id"]);
    // If the sender names no type, the bytes decide.
    let untyped = String::from_utf8(form("file", "a.pdf", "application/pdf", PAPER)).unwrap();
    let untyped = untyped.replace("Content-Type: application/pdf\r\n", "").into_bytes();
    for (media_type, body) in [
        (multipart, untyped),
        (multipart, form("file", "a.pdf", "application/octet-stream", PAPER)),
        ("application/octet-stream", PAPER.to_vec()),
    ] {
        let same = upload(&service, &path, token, media_type, &body).await;
        assert_eq!((same.status, same.json()["id"].clone()), (200, added.json()["id"].clone()), "{}", same.text());
    }
    let wrong: [(&str, Vec<u8>, u16); 7] = [
        (multipart, form("file", "a.gif", "application/octet-stream", b"GIF89a"), 415),
        ("application/octet-stream", b"GIF89a".to_vec(), 415),
        (multipart, form("photo", "a.pdf", "application/pdf", PAPER), 422),
        (multipart, b"--xyz--\r\n".to_vec(), 422),
        (multipart, form("file", "a.gif", "image/gif", b"GIF89a"), 415),
        (multipart, b"--abc\r\n".to_vec(), 400),
        ("multipart/form-data", form("file", "a.pdf", "application/pdf", PAPER), 400),
    ];
    for (media_type, body, status) in wrong {
        let answer = upload(&service, &path, token, media_type, &body).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        answer.error_code();
    }
}

async fn unsupported_files_are_refused_and_not_stored(service: Service) {
    let returned = returned(&service, "optional").await;
    let (path, token) = (returned.upload(), &returned.ada.token);
    let before = service.contents().await;
    upload(&service, &path, token, "image/tiff", b"\0\0\0\x18ftypheic").await.matches_snapshot("evidence-415");
    upload(&service, &path, token, "image/png", PHOTO).await.matches_snapshot("evidence-422");
    let mut large = PAPER.to_vec();
    large.resize(10 * 1024 * 1024 + 1, b' ');
    upload(&service, &path, token, "application/pdf", &large).await.matches_snapshot("evidence-413");
    let wrapped = form("file", "a.pdf", "application/pdf", &large);
    assert_eq!(upload(&service, &path, token, "multipart/form-data; boundary=xyz", &wrapped).await.status, 413);
    let asked = [
        (returned.own.clone() + "/evidence", 400),
        (returned.own.clone() + "/evidence?returnRequestId=x", 400),
        (format!("{path}&returnRequestId={}", returned.request), 400),
        (format!("{path}&name=x"), 400),
        (format!("{}/evidence?returnRequestId={}", returned.own, returned.order), 404),
    ];
    for (path, status) in asked {
        let answer = upload(&service, &path, token, "application/pdf", PAPER).await;
        assert_eq!(answer.status, status, "{path} {}", answer.text());
        answer.error_code();
    }
    assert_eq!(service.contents().await, before);
    large.pop();
    assert_eq!(upload(&service, &path, token, "application/pdf", &large).await.status, 201, "10 MiB are allowed");
    for number in 0..9 {
        let paper = format!("%PDF-1.7 {number}");
        assert_eq!(upload(&service, &path, token, "application/pdf", paper.as_bytes()).await.status, 201);
    }
    upload(&service, &path, token, "application/pdf", PAPER).await.matches_snapshot("evidence-409");
}

async fn a_repeated_upload_is_answered_as_before(service: Service) {
    let returned = returned(&service, "optional").await;
    let path = format!("{}/evidence", returned.theirs);
    let add = async |bytes: &'static [u8], boundary: Option<&str>| {
        let request = service.request(Method::POST, &path, &service.demo.key).header("Idempotency-Key", "e-1");
        let request = match boundary {
            None => request
                .header(header::CONTENT_TYPE, "application/pdf")
                .header(header::CONTENT_DISPOSITION, "attachment; filename=a.pdf")
                .body(bytes),
            Some(boundary) => {
                let body = String::from_utf8(form("file", "a.pdf", "application/pdf", bytes)).unwrap();
                let media_type = format!("multipart/form-data; boundary={boundary}");
                request.header(header::CONTENT_TYPE, media_type).body(body.replace("--xyz", &format!("--{boundary}")))
            }
        };
        send(request).await
    };
    let first = add(PAPER, None).await;
    for boundary in [None, Some("one"), Some("two")] {
        let again = add(PAPER, boundary).await;
        assert_eq!((again.status, &again.body), (201, &first.body), "{boundary:?}");
    }
    assert_eq!(add(b"%PDF-1.7 another", None).await.status, 422);
}

async fn evidence_is_private(service: Service) {
    let returned = returned(&service, "optional").await;
    let ben = service.prove("1002", "ben@example.com").await;
    let added = upload(&service, &returned.upload(), &returned.ada.token, "application/pdf", PAPER).await;
    let id = text(&added.json()["id"]);
    let bens = service.purchases(&ben).await;
    let bens_order = text(&service.create_return(&ben, &bens[..1]).await["id"]);
    let bens_own = format!("/consumer/{}/return-order/{bens_order}", ben.id);
    let rest = |base: &str| [format!("{base}/evidence"), format!("{base}/evidence/{id}")];
    for path in rest(&returned.own) {
        for (credential, status) in [("", 401), (ben.token.as_str(), 404), (service.other_key.as_str(), 404)] {
            assert_eq!(service.get(&path, credential).await.status, status, "{path}");
        }
    }
    for path in rest(&returned.theirs) {
        for (credential, status) in [("", 401), (returned.ada.token.as_str(), 403), (service.other_key.as_str(), 404)] {
            assert_eq!(service.get(&path, credential).await.status, status, "{path}");
            assert_eq!(
                send(service.request(Method::DELETE, &rest(&returned.theirs)[1], credential)).await.status,
                status
            );
        }
    }
    for credential in [&ben.token, &service.demo.key] {
        assert_eq!(
            service.get(&format!("{bens_own}/evidence/{id}"), credential).await.status,
            404,
            "the path of Ben's return does not show it"
        );
        let list = service.get(&format!("{bens_own}/evidence"), credential).await.json();
        assert_eq!(list["data"], Value::Array(Vec::new()));
        let mine = format!("{bens_own}/evidence?returnRequestId={}", returned.request);
        assert_eq!(upload(&service, &mine, credential, "application/pdf", PAPER).await.status, 404);
    }
    assert_eq!(upload(&service, &returned.upload(), &ben.token, "application/pdf", PAPER).await.status, 404);
    for odd in ["..%2f..%2fetc%2fpasswd", "%00", "x"] {
        let path = format!("{}/evidence/{odd}", returned.own);
        assert_eq!(service.get(&path, &returned.ada.token).await.error_code(), "NotFound", "{odd}");
    }
}
