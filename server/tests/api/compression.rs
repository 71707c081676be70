//! Answers are compressed as the client prefers, unless compression could leak a secret.

use crate::{
    browser::Browser,
    harness::{Answer, Service, on_both_databases, send},
};
use reqwest::Method;
use std::io::Read as _;

on_both_databases! {
    a_large_answer_uses_the_preferred_coding
    small_answers_files_and_strong_tags_are_not_compressed
    pages_that_could_leak_a_secret_are_not_compressed
    a_client_that_refuses_uncompressed_answers_gets_them
}

async fn get(service: &Service, path: &str, credential: &str, coding: &str) -> Answer {
    let request = service.request(Method::GET, path, credential).header("accept-encoding", coding);
    // Not the harness's `send`, which reads bodies as uncompressed JSON.
    let answer = request.send().await.unwrap();
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    Answer { status, headers, body: answer.bytes().await.unwrap().to_vec() }
}

fn decoded(answer: &Answer) -> Vec<u8> {
    let (mut whole, bytes) = (Vec::new(), answer.body.as_slice());
    match answer.header("content-encoding") {
        Some("gzip") => flate2::read::GzDecoder::new(bytes).read_to_end(&mut whole),
        Some("br") => brotli::Decompressor::new(bytes, 4096).read_to_end(&mut whole),
        Some("zstd") => zstd::Decoder::new(bytes).unwrap().read_to_end(&mut whole),
        _ => panic!("the answer is not compressed"),
    }
    .unwrap();
    whole
}

async fn a_large_answer_uses_the_preferred_coding(service: Service) {
    let whole = get(&service, "/api/v0/openapi.json", "", "identity").await;
    assert_eq!((whole.header("content-encoding"), whole.header("vary")), (None, Some("accept-encoding")));
    let asked = [
        ("gzip", "gzip"),
        ("br", "br"),
        ("zstd", "zstd"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("br;q=0.9, gzip", "gzip"),
        ("*", "zstd"),
    ];
    for (accepted, expected) in asked {
        let answer = get(&service, "/api/v0/openapi.json", "", accepted).await;
        assert_eq!(answer.header("content-encoding"), Some(expected), "{accepted}");
        assert_eq!(answer.header("content-length"), None, "{accepted}: the answer is compressed as it is sent");
        assert_eq!(decoded(&answer), whole.body, "{accepted}");
        assert!(answer.body.len() * 4 < whole.body.len(), "{accepted}: {} bytes", answer.body.len());
    }
    let key = service.demo.key.clone();
    for (path, key) in [("/api/v0/purchases?limit=50", &*key), ("/fjord-fern", ""), ("/api/docs", "")] {
        let answer = get(&service, path, key, "gzip").await;
        assert_eq!((answer.status, answer.header("content-encoding")), (200, Some("gzip")), "{path}");
        assert!(!decoded(&answer).is_empty(), "{path}");
    }
    let head = send(service.request(Method::HEAD, "/fjord-fern", "").header("accept-encoding", "gzip")).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
}

async fn small_answers_files_and_strong_tags_are_not_compressed(service: Service) {
    let key = service.demo.key.clone();
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = service.create_return(&ada, &purchases[..1]).await;
    let label = format!("/consumer/{}/return-order/{}/label", ada.id, order["id"].as_str().unwrap());
    let label = get(&service, &label, &ada.token, "gzip").await;
    assert_eq!((label.status, label.header("content-encoding")), (200, None));
    assert!(label.body.starts_with(b"%PDF") && label.body.len() > 1024);
    let small = get(&service, "/api/v0/nowhere", &key, "gzip").await;
    assert!(small.body.len() <= 1024 && small.header("content-encoding").is_none());
    let account = get(&service, "/api/v0/account", &key, "gzip").await;
    assert!(account.body.len() > 1024 && account.header("etag").is_some_and(|tag| tag.starts_with('"')));
    assert_eq!(account.header("content-encoding"), None);
}

async fn pages_that_could_leak_a_secret_are_not_compressed(service: Service) {
    let browser = Browser::with(&service, &[("accept-encoding", "gzip")]);
    let coding = async |path: &str| browser.get(path).await.header("content-encoding").map(str::to_owned);
    assert_eq!(coding("/fjord-fern?lang=de").await.as_deref(), Some("gzip"), "the page has no session");
    let proof = [("orderNumber", "1001"), ("proof", "ada@example.com")];
    assert_eq!(browser.send(Method::POST, "/fjord-fern/call/look-up", &proof).await.status, 303);
    assert_eq!(
        coding("/fjord-fern/purchases").await.as_deref(),
        Some("gzip"),
        "a stranger cannot choose any part of it"
    );
    assert_eq!(coding("/fjord-fern/purchases?find=mug").await, None);
    let page = browser.send(Method::POST, "/fjord-fern/details", &[("note", "x")]).await;
    assert_eq!(page.header("content-encoding"), None, "{}", page.status);
    // Anybody can make a link that fills the form in, beside the number of the proved order.
    assert_eq!(coding("/fjord-fern").await.as_deref(), Some("gzip"));
    assert_eq!(browser.get("/fjord-fern?orderNumber=1002").await.status, 303);
    let page = browser.get("/fjord-fern").await;
    assert!(page.header("content-encoding").is_none() && page.text().contains("1002") && page.text().contains("1001"));
}

async fn a_client_that_refuses_uncompressed_answers_gets_them(service: Service) {
    let key = service.demo.key.clone();
    for accepted in ["identity;q=0", "*;q=0", "identity; q=0.0, *;q=0", "br;q=0, identity;q=0"] {
        let small = get(&service, "/api/v0/nowhere", &key, accepted).await;
        assert_eq!((small.status, small.header("content-encoding")), (404, None), "{accepted}");
        let large = get(&service, "/api/v0/openapi.json", "", accepted).await;
        assert_eq!((large.status, large.header("content-encoding")), (200, None), "{accepted}");
    }
    let coded = get(&service, "/api/v0/openapi.json", "", "gzip, identity;q=0").await;
    assert_eq!((coded.status, coded.header("content-encoding")), (200, Some("gzip")));
}
