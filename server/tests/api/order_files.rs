//! Files of orders, sent as the body of an import.

use crate::{
    contract::DOCUMENT,
    harness::{Answer, Service, on_both_databases, send},
};
use flate2::{Compression, write::GzEncoder};
use reqwest::Method;
use serde_json::{Value, json};
use std::io::Write;

on_both_databases! {
    large_files_are_imported_plain_and_gzipped
    an_incomplete_file_reports_what_was_imported
    a_key_is_stored_with_the_last_batch
    a_dry_run_writes_nothing
    a_file_without_usable_rows_is_reported
    other_files_are_refused
}

const HEADER: &str = "order_number,order_id,ordered_at,email,currency,product,quantity,total";

fn history(orders: u32) -> String {
    let mut file = format!("{HEADER}\n");
    for number in 10_000..10_000 + orders {
        let row = format!(
            "N-{number},id-{number},2026-11-10,customer{number}@example.com,GBP,A mug with a rather long name and a variant,1,5.00\n"
        );
        file.push_str(&row);
    }
    file
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Imports a file with these headers.
async fn import(service: &Service, query: &str, headers: &[(&str, &str)], file: impl Into<Vec<u8>>) -> Answer {
    let path = format!("/api/v0/purchases/import{query}");
    let mut request = service.request(Method::POST, &path, &service.demo.key);
    if !headers.iter().any(|(name, _)| *name == "content-type") {
        request = request.header("content-type", "text/csv");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(request.body(file.into())).await
}

fn figures(answer: &Answer) -> (u16, Value, Value, Value) {
    let body = answer.json();
    (answer.status, body["orders"].clone(), body["changed"].clone(), body["skippedCount"].clone())
}

async fn large_files_are_imported_plain_and_gzipped(service: Service) {
    // Larger than any other body may be, and more than one batch.
    let file = history(12_000);
    assert!(file.len() > 1024 * 1024);
    let before = service.database.rows("purchases").await;
    assert_eq!(figures(&import(&service, "", &[], file.clone()).await), (200, json!(12_000), json!(12_000), json!(0)));
    assert_eq!(service.database.rows("purchases").await, before + 12_000);
    let small = history(50);
    let utf_16: Vec<u8> =
        format!("\u{feff}{}", small.replace(',', ";")).encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (headers, bytes) in [
        (vec![("content-encoding", "gzip")], gzip(small.as_bytes())),
        (vec![("content-encoding", "identity")], gzip(small.as_bytes())),
        (vec![("content-encoding", "gzip")], gzip(&gzip(small.as_bytes()))),
        (vec![("content-type", "application/gzip")], gzip(small.as_bytes())),
        (vec![("content-type", "text/tab-separated-values")], small.replace(',', "\t").into_bytes()),
        (vec![("content-type", "text/csv; charset=utf-16")], utf_16),
    ] {
        assert_eq!(
            figures(&import(&service, "", &headers, bytes).await),
            (200, json!(50), json!(0), json!(0)),
            "{headers:?}"
        );
    }
}

async fn an_incomplete_file_reports_what_was_imported(service: Service) {
    let before = service.database.rows("purchases").await;
    // Spaces pad each row to 8 kB, so that a batch has a thousand orders.
    let wide = history(2_500).replace("variant,", &format!("variant{},", " ".repeat(8_000)));
    let whole = gzip(wide.as_bytes());
    let answer = import(&service, "", &[], &whole[..whole.len() - 2_000]).await;
    assert_eq!((answer.status, answer.fields()), (422, vec!["body".to_owned()]), "{}", answer.text());
    let taken = service.database.rows("purchases").await - before;
    assert!((2_000..2_500).contains(&taken), "two batches: {taken}");
    assert!(
        answer.text().contains(&format!("{taken} orders with {taken} lines were imported before")),
        "{}",
        answer.text()
    );
    // Sending the file again completes the import.
    let again = figures(&import(&service, "", &[], whole).await);
    assert_eq!(again, (200, json!(2_500), json!(2_500 - taken), json!(0)));
    // An incomplete small file imports nothing.
    let small = gzip(history(2_000).replace("N-", "M-").replace("id-", "m-").as_bytes());
    let rows = service.database.rows("purchases").await;
    let answer = import(&service, "", &[], &small[..5_000]).await;
    assert_eq!((answer.status, service.database.rows("purchases").await), (422, rows));
}

async fn a_key_is_stored_with_the_last_batch(service: Service) {
    let file = history(11_000);
    let key = [("idempotency-key", "monday")];
    let first = import(&service, "", &key, file.clone()).await;
    assert_eq!(figures(&first), (200, json!(11_000), json!(11_000), json!(0)));
    let second = import(&service, "", &key, file.clone()).await;
    assert_eq!((&second.body, second.header("idempotent-replayed")), (&first.body, Some("true")));
    let rows = service.database.rows("purchases").await;
    let other = file.replace("id-", "other-").replace("N-", "O-");
    let answer = import(&service, "", &key, other).await;
    assert_eq!((answer.status, answer.error_code().as_str()), (422, "IdempotencyKeyReused"));
    assert_eq!(service.database.rows("purchases").await, rows, "the other file has no effect");
    // An incomplete file does not use its key up.
    let whole = gzip(history(20).replace("id-", "x-").replace("N-", "X-").as_bytes());
    let key = [("idempotency-key", "tuesday")];
    assert_eq!(import(&service, "", &key, &whole[..whole.len() - 9]).await.status, 422);
    assert_eq!(figures(&import(&service, "", &key, whole).await), (200, json!(20), json!(20), json!(0)));
}

async fn a_dry_run_writes_nothing(service: Service) {
    let before = service.contents().await;
    let file = history(20) + "N-1,,yesterday,x@example.com,GBP,Mug,1,5\n";
    let key = [("idempotency-key", "monday")];
    let dry = import(&service, "?dryRun=true&format=retour", &key, file.clone()).await;
    assert_eq!(figures(&dry), (200, json!(20), json!(20), json!(1)));
    assert_eq!(dry.json()["dryRun"], json!(true));
    assert_eq!(service.contents().await, before);
    let real = import(&service, "?dryRun=false", &key, file).await;
    let mut told = dry.json();
    told["dryRun"] = json!(false);
    assert_eq!((real.json(), real.header("idempotent-replayed")), (told, None));
    let order =
        json!({"number": "J-1", "email": "e@example.com", "currency": "GBP", "orderedAt": "2026-11-10T09:00:00Z"});
    let line = json!({"externalId": "j", "product": {"name": "Mug"}, "quantity": 1, "unitPrice": {"value": "1.00", "currency": "GBP"}});
    let body = json!({"orders": [{"order": order, "purchases": [line]}]});
    let rows = service.database.rows("purchases").await;
    let dry = service.post("/api/v0/purchases/import?dryRun=true", &service.demo.key, body).await;
    assert_eq!((dry.json()["changed"].clone(), service.database.rows("purchases").await), (json!(1), rows));
    for query in ["?dryRun=yes", "?dryRun=true&dryRun=true", "?dryrun=true"] {
        assert_eq!(import(&service, query, &[], "").await.error_code(), "BadRequest", "{query}");
    }
}

/// A generated client can only send what the document describes.
#[test]
fn the_document_has_a_flag_for_a_dry_run() {
    let parameters = &DOCUMENT["paths"]["/api/v0/purchases/import"]["post"]["parameters"];
    let dry_run = parameters.as_array().unwrap().iter().find(|parameter| parameter["name"] == "dryRun");
    assert_eq!(dry_run.unwrap()["schema"]["type"], "boolean");
}

async fn a_file_without_usable_rows_is_reported(service: Service) {
    let answer = import(&service, "", &[], format!("{HEADER}\n1,,yesterday,x@example.com,GBP,Mug,1,5\n")).await;
    assert_eq!(
        (figures(&answer), answer.json()["tookNothing"].clone()),
        ((200, json!(0), json!(0), json!(1)), json!(true))
    );
    let answer = import(&service, "", &[], format!("{HEADER}\n")).await;
    assert_eq!(
        (figures(&answer), answer.json()["tookNothing"].clone()),
        ((200, json!(0), json!(0), json!(0)), json!(false))
    );
}

async fn other_files_are_refused(service: Service) {
    let rows = service.database.rows("purchases").await;
    for (query, headers, file, status) in [
        ("", vec![("content-encoding", "br")], b"x".to_vec(), 415),
        ("", vec![("content-encoding", "gzip, gzip"), ("content-type", "application/json")], b"{}".to_vec(), 415),
        ("", vec![("content-type", "application/vnd.ms-excel")], history(1).into_bytes(), 415),
        ("?format=shopify", vec![], history(1).into_bytes(), 422),
        ("", vec![], b"{\"orders\": []}".to_vec(), 422),
        ("", vec![], b"PK\x03\x04\x14\0".to_vec(), 422),
        ("", vec![], gzip(&b"x".repeat(3 * 1024 * 1024)), 422),
        ("", vec![("content-encoding", "gzip")], b"\x1f\x8b".to_vec(), 422),
    ] {
        let answer = import(&service, query, &headers, file).await;
        assert_eq!(answer.status, status, "{query} {headers:?}: {}", answer.text());
    }
    assert_eq!(service.database.rows("purchases").await, rows);
}
