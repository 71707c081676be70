//! The OpenAPI document that the service serves.

use crate::harness::{Service, on_both_databases, open};
use serde_json::Value;
use server::api::document_text;

on_both_databases! {
    the_document_names_its_service
}

/// The maximum size of the document in bytes.
const MAX_BYTES: usize = 1000 * 1000;

async fn the_document_names_its_service(service: Service) {
    let served = async |public_url: Option<&str>| {
        let base = open(service.instance(0).at(public_url));
        let answer = reqwest::get(format!("{base}/api/v0/openapi.json")).await.unwrap();
        assert_eq!(answer.headers()["content-type"], "application/json");
        let bytes = answer.bytes().await.unwrap();
        assert!(bytes.len() < MAX_BYTES, "{}", bytes.len());
        serde_json::from_slice::<Value>(&bytes).unwrap()
    };
    let mut document = served(Some("https://returns.example.com/")).await;
    assert_eq!(document["servers"][0]["url"], "https://returns.example.com");
    document["servers"][0]["url"] = "/".into();
    assert_eq!(document, served(None).await, "only the URL differs");
    assert_eq!(
        document,
        serde_json::from_str::<Value>(document_text()).unwrap(),
        "the command line prints the same document"
    );
}
