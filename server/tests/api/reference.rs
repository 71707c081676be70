//! The pages of the reference: their content, their size, and that clients do not download them twice.

use crate::{
    contract::DOCUMENT,
    harness::{Service, on_both_databases, send},
};
use flate2::{Compression, write::GzEncoder};
use reqwest::Method;
use server::api::operations;
use std::{collections::BTreeSet, io::Write as _};

on_both_databases! {
    the_pages_load_nothing
    every_operation_has_its_page_with_samples
    old_links_lead_to_every_operation_and_type
    the_overview_shows_the_first_calls
    known_documents_are_not_sent_again
}

/// The maximum size of a compressed page in bytes.
const MAX_BYTES: usize = 100 * 1000;

/// The path of every page.
fn pages() -> Vec<String> {
    let tags: BTreeSet<&str> = operations().iter().map(|operation| operation.resource.tag).collect();
    let tags = tags.into_iter().map(page_of);
    tags.chain(["/api/docs".to_owned(), "/api/docs/types".to_owned()]).collect()
}

fn page_of(tag: &str) -> String {
    format!("/api/docs/{}", tag.to_lowercase().replace(' ', "-"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

async fn the_pages_load_nothing(service: Service) {
    for path in pages() {
        let page = service.get(&path, "").await;
        assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")), "{path}");
        assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"), "{path}");
        let text = page.text();
        let elsewhere = ["<script", "src=", "=\"http", "url("];
        assert!(elsewhere.iter().all(|way| !text.contains(way)), "{path}: loads nothing from other hosts");
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(text.as_bytes()).unwrap();
        let size = gzip.finish().unwrap().len();
        assert!(size < MAX_BYTES, "{path}: {size} bytes");
        for operation in operations() {
            let link = format!("href=\"{}#{}\"", page_of(operation.resource.tag), operation.id);
            assert!(text.contains(&link), "{path}: the sidebar has no link to {}", operation.id);
        }
    }
    for path in ["/api/docs/", "/api/docs/nothing", "/api/docs/types/more", "/api/docs/%00", "/api/docs/%ff"] {
        assert_eq!(service.get(path, "").await.error_code(), "NotFound", "{path}");
    }
}

/// `{account_id}` becomes `$ACCOUNT_ID`.
fn with_variables(path: &str) -> String {
    let part = |part: &str| match part.strip_prefix('{') {
        Some(name) => format!("${}", name.trim_end_matches('}').to_uppercase()),
        None => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

async fn every_operation_has_its_page_with_samples(service: Service) {
    for operation in operations() {
        let id = operation.id;
        let page = service.get(&page_of(operation.resource.tag), "").await.text();
        let start = page.find(&format!("<h2 id=\"{id}\">")).unwrap_or_else(|| panic!("{id} is not on its page"));
        let article = page[start..].split("</article>").next().unwrap();
        assert!(article.contains(&format!("href=\"#{id}\"")), "{id} has no visible anchor");
        let method = match operation.method {
            Method::GET => String::new(),
            ref method => format!("--request {method} "),
        };
        let command = format!("curl {method}\"$BASE{}", with_variables(&operation.path()));
        assert!(article.contains(&escaped(&command)), "{id}: {command}");
        let described = &DOCUMENT["paths"][operation.path()][operation.method.as_str().to_lowercase()];
        let body = &described["requestBody"]["content"]["application/json"]["example"];
        assert!(body.is_null() || article.contains("--data '"), "{id}: the sample has no body");
        let answers = described["responses"].as_object().unwrap();
        let (_, answer) = answers.iter().find(|(status, _)| status.starts_with('2')).unwrap();
        let example = &answer["content"]["application/json"]["example"];
        assert!(
            example.is_null() || article.contains(&escaped(&format!("{example:#}"))),
            "{id}: there is no example answer"
        );
        assert_eq!(example.is_null(), answer["content"].get("application/json").is_none(), "{id}");
        assert!(article.contains("href=\"/api/docs#errors\""), "{id}");
        for code in operation.conflicts {
            assert!(article.contains(&format!("<code>{code}</code>")), "{id}: {code}");
        }
    }
}

async fn old_links_lead_to_every_operation_and_type(service: Service) {
    let overview = service.get("/api/docs", "").await.text();
    let types = service.get("/api/docs/types", "").await.text();
    for operation in operations() {
        assert!(overview.contains(&format!("id=\"{}\"", operation.id)), "{}", operation.id);
        let tag = operation.resource.tag.to_lowercase().replace(' ', "-");
        assert!(overview.contains(&format!("id=\"{tag}\"")), "{tag}");
    }
    for (name, schema) in DOCUMENT["components"]["schemas"].as_object().unwrap() {
        if schema["properties"].is_object() {
            let id = format!("id=\"type-{name}\"");
            assert!(overview.contains(&id) && types.contains(&id), "{name}");
        }
    }
}

async fn the_overview_shows_the_first_calls(service: Service) {
    let page = service.get("/api/docs", "").await.text();
    let sections = [
        "base-address",
        "authentication",
        "first-call",
        "idempotency",
        "pagination",
        "rate-limit",
        "receiving-webhooks",
        "events",
        "errors",
        "codes",
        "operations",
        "types",
    ];
    for section in sections {
        assert_eq!(page.matches(&format!(" id=\"{section}\"")).count(), 1, "{section}");
    }
    assert!(page.contains("href=\"/api/v0/openapi.json\">Download OpenAPI 3.1</a>"));
    let words = |name: &str| DOCUMENT["components"]["schemas"][name]["enum"].as_array().cloned().unwrap();
    for word in words("EventType").iter().chain(&words("RefusalCode")) {
        let word = word.as_str().unwrap();
        assert!(page.contains(&format!("<code>{word}</code>")), "{word}");
    }
    let responses = DOCUMENT["components"]["responses"].as_object().unwrap().iter();
    // The 409 answers of an operation are on its page, and all codes are in the table.
    for (_, response) in responses.filter(|(name, _)| !name.ends_with(|digit: char| digit.is_ascii_digit())) {
        let code = response["content"]["application/json"]["example"]["error"]["code"].as_str().unwrap();
        assert!(page.contains(&format!("<code>{code}</code>")), "{code}");
    }
    // The calls of the introduction work.
    let answer = service.get("/api/v0/account", &service.demo.key).await;
    assert_eq!((answer.status, answer.json()["id"].is_string()), (200, true));
}

async fn known_documents_are_not_sent_again(service: Service) {
    for path in ["/api/v0/openapi.json", "/api/docs", "/api/docs/return-orders", "/api/docs/types"] {
        let page = service.get(path, "").await;
        let tag = page.header("etag").unwrap().to_owned();
        let opaque = tag.strip_prefix("W/").unwrap();
        assert!(opaque.starts_with('"') && opaque.ends_with('"') && opaque.len() > 10, "{tag}");
        assert_eq!(page.header("cache-control"), Some("no-cache"), "{path}");
        let asked =
            async |known: &str| send(service.request(Method::GET, path, "").header("if-none-match", known)).await;
        let known =
            ["*".to_owned(), tag.clone(), opaque.to_owned(), format!("\"other\", {tag}"), format!("\"a\",{opaque}")];
        for known in known {
            let answer = asked(&known).await;
            assert_eq!((answer.status, answer.body.len()), (304, 0), "{path} {known}");
            assert_eq!(answer.header("etag"), Some(tag.as_str()), "{path}");
            assert_eq!(answer.header("cache-control"), Some("no-cache"), "{path}");
            assert_eq!(answer.header("content-security-policy"), page.header("content-security-policy"), "{path}");
        }
        for other in ["\"other\"", "W/\"other\"", "\"\""] {
            let answer = asked(other).await;
            assert_eq!((answer.status, answer.body == page.body), (200, true), "{path} {other}");
        }
    }
    // Answers with personal data are never cached.
    assert_eq!(service.get("/api/v0/account", &service.demo.key).await.header("cache-control"), Some("no-store"));
    assert_eq!(service.get("/api/docs/nothing", "").await.header("cache-control"), Some("no-store"));
}
