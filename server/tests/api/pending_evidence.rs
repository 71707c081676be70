//! Pending evidence through the API: photos and documents that are uploaded before the return is submitted.

use crate::harness::{Answer, Consumer, Service, on_both_databases, send, text};
use reqwest::{Method, header};
use serde_json::{Value, json};

on_both_databases! {
    pending_evidence_becomes_evidence_of_the_return
    a_consumer_lists_and_deletes_pending_evidence
    unsupported_files_are_refused_and_not_stored
    a_repeated_upload_is_answered_as_before
    pending_evidence_is_private
    pending_evidence_is_exported_and_erased_with_personal_data
}

const PAPER: &[u8] = b"%PDF-1.7 a receipt";
/// A photo of one pixel, with a comment.
const PHOTO: &[u8] = b"\xFF\xD8\xFF\xFE\x00\x09GPS 52N\xFF\xC0\x00\x0B\x08\x00\x01\x00\x01\x01\x01\x11\x00\xFF\xDA\x00\x08\x01\x01\x00\x00\x3F\x00\x01\xFF\xD9";

/// Ada and her purchases.
struct PendingUploads {
    ada: Consumer,
    purchases: Vec<Value>,
}

impl PendingUploads {
    async fn begin(service: &Service) -> Self {
        let ada = service.ada().await;
        let purchases = service.purchases(&ada).await;
        Self { ada, purchases }
    }

    /// The path of the pending evidence of a purchase.
    fn path_of(&self, place: usize) -> String {
        format!("/consumer/{}/purchase/{}/evidence", self.ada.id, text(&self.purchases[place]["id"]))
    }

    async fn list(&self, service: &Service, place: usize) -> Value {
        service.get(&self.path_of(place), &self.ada.token).await.json()["data"].clone()
    }
}

async fn upload(service: &Service, path: &str, credential: &str, media_type: &str, bytes: &[u8]) -> Answer {
    let request = service.request(Method::POST, path, credential).header(header::CONTENT_TYPE, media_type);
    send(request.header(header::CONTENT_DISPOSITION, "attachment; filename=\"torn sleeve.jpg\"").body(bytes.to_vec()))
        .await
}

async fn pending_evidence_becomes_evidence_of_the_return(service: Service) {
    let choosing = PendingUploads::begin(&service).await;
    let (ada, key) = (&choosing.ada, &service.demo.key);
    let uploaded = upload(&service, &choosing.path_of(0), &ada.token, "image/jpeg", PHOTO).await;
    uploaded.matches_snapshot("own-pending-evidence-201");
    let reason = json!({"description": {"en": "Torn"}, "evidence": "required"});
    let reason = service.post("/api/v0/return-reasons", key, reason).await.json()["id"].clone();
    let purchase = &choosing.purchases[0];
    let body = json!({"selectedPurchases": [{"purchaseId": purchase["id"], "returnReasonId": reason}],
        "shippingOptionId": purchase["shippingOptions"][0]["id"]});
    let draft = service.post(&format!("/consumer/{}/draft-return-order", ada.id), &ada.token, body).await.json();
    let (path, body) = (format!("/consumer/{}/return-order", ada.id), json!({"draftReturnOrderId": draft["id"]}));
    let order = service.post(&path, &ada.token, body.clone()).await;
    assert_eq!(order.status, 201, "{}", order.text());
    assert_eq!(
        service.post(&path, &ada.token, body).await.status,
        200,
        "submitting the draft again gives the same return"
    );

    let own = format!("{path}/{}", text(&order.json()["id"]));
    let request = service.get(&format!("{own}?expand=returnRequests"), &ada.token).await.json();
    let request = &request["returnRequests"][0];
    assert_eq!(
        (&request["stage"], &request["evidence"][0]["id"]),
        (&json!("Requested: Review"), &uploaded.json()["id"])
    );
    assert_eq!(request["evidence"].as_array().unwrap().len(), 1);
    let file = service.get(&text(&request["evidence"][0]["url"]), &ada.token).await;
    assert_eq!((file.status, file.header("content-type")), (200, Some("image/jpeg")));
    assert_eq!(service.get(&text(&uploaded.json()["url"]), &ada.token).await.status, 404, "it is no longer pending");
    assert_eq!(choosing.list(&service, 0).await, json!([]));
    let theirs = format!("/api/v0/return-requests/{}/evidence", text(&request["id"]));
    assert_eq!(service.get(&theirs, key).await.json()["data"][0]["addedBy"], "Consumer");
}

async fn a_consumer_lists_and_deletes_pending_evidence(service: Service) {
    let choosing = PendingUploads::begin(&service).await;
    let token = &choosing.ada.token;
    let uploaded = upload(&service, &choosing.path_of(0), token, "image/jpeg", PHOTO).await;
    let again = upload(&service, &choosing.path_of(0), token, "image/jpeg", PHOTO).await;
    assert_eq!((again.status, again.json()), (200, uploaded.json()));
    upload(&service, &choosing.path_of(1), token, "application/pdf", PAPER).await;
    service.get(&choosing.path_of(0), token).await.matches_snapshot("own-pending-evidence");
    let url = text(&uploaded.json()["url"]);
    let file = service.get(&url, token).await;
    assert_eq!((file.status, file.header("content-type")), (200, Some("image/jpeg")));
    assert_eq!(file.header("content-security-policy"), Some("sandbox; default-src 'none'"));
    assert_eq!(file.header("cache-control"), Some("no-store"));
    assert!(!file.body.windows(3).any(|window| window == b"GPS"), "the place of the photo is removed");
    // The shop's own server can do the same for its consumer.
    assert_eq!(service.get(&format!("/api/v0{url}"), &service.demo.key).await.body, file.body);
    let deleted = service.delete(&url, token).await;
    assert_eq!((deleted.status, deleted.body.len()), (204, 0));
    assert_eq!((service.delete(&url, token).await.status, service.get(&url, token).await.status), (404, 404));
    assert_eq!((choosing.list(&service, 0).await, service.database.rows("pending_evidence").await), (json!([]), 1));
}

async fn unsupported_files_are_refused_and_not_stored(service: Service) {
    let choosing = PendingUploads::begin(&service).await;
    let (path, token) = (choosing.path_of(0), &choosing.ada.token);
    let mut large = PAPER.to_vec();
    large.resize(10 * 1024 * 1024 + 1, b' ');
    let wrong: [(&str, &[u8], u16); 4] = [
        ("image/tiff", b"\0\0\0\x18ftypheic", 415),
        ("image/png", PHOTO, 422),
        ("application/pdf", &large, 413),
        ("multipart/form-data; boundary=xyz", b"--xyz--\r\n", 422),
    ];
    for (media_type, bytes, status) in wrong {
        let answer = upload(&service, &path, token, media_type, bytes).await;
        assert_eq!(answer.status, status, "{media_type}: {}", answer.text());
        answer.error_code();
    }
    assert_eq!(service.database.rows("pending_evidence").await, 0);
    assert_eq!(service.database.rows("unclaimed_files").await, 0);
    for number in 0..10 {
        let paper = format!("%PDF-1.7 {number}");
        assert_eq!(upload(&service, &path, token, "application/pdf", paper.as_bytes()).await.status, 201);
    }
    upload(&service, &path, token, "application/pdf", PAPER).await.matches_snapshot("own-pending-evidence-409");
    assert_eq!(upload(&service, &choosing.path_of(1), token, "application/pdf", PAPER).await.status, 201);
}

async fn a_repeated_upload_is_answered_as_before(service: Service) {
    let choosing = PendingUploads::begin(&service).await;
    let lay = async |bytes: &'static [u8]| {
        let request = service.request(Method::POST, &choosing.path_of(0), &choosing.ada.token);
        let request = request.header("Idempotency-Key", "e-1").header(header::CONTENT_TYPE, "application/pdf");
        send(request.body(bytes)).await
    };
    let first = lay(PAPER).await;
    let again = lay(PAPER).await;
    assert_eq!((first.status, again.status, &again.body), (201, 201, &first.body));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(lay(b"%PDF-1.7 another").await.status, 422);
    assert_eq!(service.database.rows("pending_evidence").await, 1);
}

async fn pending_evidence_is_private(service: Service) {
    let choosing = PendingUploads::begin(&service).await;
    let ben = service.prove("1002", "ben@example.com").await;
    let uploaded = upload(&service, &choosing.path_of(0), &choosing.ada.token, "application/pdf", PAPER).await;
    let url = text(&uploaded.json()["url"]);
    for (credential, status) in [("", 401), (ben.token.as_str(), 404), (service.other_key.as_str(), 404)] {
        for path in [&choosing.path_of(0), &url] {
            assert_eq!(service.get(path, credential).await.status, status, "{path}");
        }
        assert_eq!(upload(&service, &choosing.path_of(0), credential, "application/pdf", PAPER).await.status, status);
        assert_eq!(service.delete(&url, credential).await.status, status);
    }
    // Evidence of others looks like evidence that does not exist.
    let nothing = "01999999-0000-7000-8000-000000000000";
    let (adas, bens) = (text(&choosing.purchases[0]["id"]), text(&service.purchases(&ben).await[0]["id"]));
    let under = |purchase: &str, file: &str| format!("/consumer/{}/purchase/{purchase}/evidence{file}", ben.id);
    let file = format!("/{}", text(&uploaded.json()["id"]));
    for (theirs, absent) in [
        (under(&adas, ""), under(nothing, "")),
        (under(&adas, &file), under(nothing, &file)),
        (under(&bens, &file), under(&bens, &format!("/{nothing}"))),
    ] {
        for method in [Method::GET, Method::POST, Method::DELETE] {
            if (method == Method::DELETE) != theirs.ends_with(&file) && method != Method::GET {
                continue; // a method that this path does not have
            }
            let ask = async |path: &str| {
                let request = service.request(method.clone(), path, &ben.token);
                let is_upload = method == Method::POST;
                let request = request.header(header::CONTENT_TYPE, "application/pdf");
                send(if is_upload { request.body(PAPER) } else { request }).await
            };
            let (foreign, unknown) = (ask(&theirs).await, ask(&absent).await);
            assert_eq!((foreign.status, foreign.text()), (404, unknown.text()), "{method} {theirs}");
        }
    }
    assert_eq!(choosing.list(&service, 0).await[0]["id"], uploaded.json()["id"]);
    assert_eq!(service.database.rows("pending_evidence").await, 1);
}

async fn pending_evidence_is_exported_and_erased_with_personal_data(service: Service) {
    let choosing = PendingUploads::begin(&service).await;
    let key = &service.demo.key;
    let uploaded = upload(&service, &choosing.path_of(0), &choosing.ada.token, "image/jpeg", PHOTO).await.json();
    let data = service.get(&format!("/api/v0/consumers/{}/data", choosing.ada.id), key).await.json();
    assert_eq!(data["pendingEvidence"], json!([uploaded]));
    assert_eq!(service.get(&text(&uploaded["url"]), key).await.status, 200, "the shop can download it");
    assert_eq!(service.delete(&format!("/api/v0/consumers/{}", choosing.ada.id), key).await.status, 204);
    assert_eq!(service.database.rows("pending_evidence").await, 0);
    let kept = std::fs::read_dir(service.files.path()).unwrap();
    let files: usize = kept.map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count()).sum();
    assert_eq!(files, 0);
}
