//! Tokens, scopes and limits of a shop by Shopify's schema.

use crate::support::{
    Receiver, at_home,
    bought::asked,
    bridge::{now, ok, refund},
    scripted::{answer, count, scripted},
    shopify::{Shop, email, settle, shared},
};
use domain::integration::ShopifyVersion;
use outbound::{
    api_key::ApiKey,
    bridge::{BridgeError, LookUp, Resolved, Unavailable},
    http::{CallError, Endpoint},
    shops::shopify::{ShopFact, Shopify, ShopifyCredentials, TokenCache},
};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

fn at(receiver: &Receiver, credentials: ShopifyCredentials) -> Shopify {
    let url = Endpoint::parse(&format!("http://{}/", receiver.address)).unwrap();
    Shopify::new(at_home(), TokenCache::default(), &url, ShopifyVersion::LATEST, credentials).unwrap()
}

fn token() -> ShopifyCredentials {
    ShopifyCredentials::Token(ApiKey::parse("shpat_1").unwrap())
}

fn refused(result: Result<(), BridgeError>) -> &'static str {
    match result {
        Err(BridgeError::KeyRefused(sentence)) => sentence,
        other => panic!("expected a refusal, not {other:?}"),
    }
}

async fn health(shopify: &Shopify) -> Result<(), BridgeError> {
    shopify.health(Uuid::nil(), now()).await
}

#[tokio::test]
async fn a_token_is_granted_once_and_renewed_when_it_ends() {
    let shop = Shop::start();
    let shopify = shop.client(ShopifyVersion::LATEST, shop.app());
    let tokens = async || shop.count("access_token").await;
    for _ in 0..3 {
        health(&shopify).await.unwrap();
    }
    let granted = tokens().await;
    // The shop forgets the token: one refusal, one new token, and the request again.
    shop.control("tokens", json!({"forget": true})).await;
    health(&shopify).await.unwrap();
    let bought = shop.bought(json!({"lines": [{"price": "5.00"}]})).await;
    shop.control("tokens", json!({"forget": true})).await;
    let refunded = settle(&shopify, &bought.refund(4_001, 1, 500)).await;
    assert!(matches!(refunded, Ok(Resolved::Completed { .. })), "{refunded:?}");
    assert_eq!(shop.ledger(&bought.order_id).await.len(), 1);
    assert_eq!(tokens().await - granted, if granted == 0 { 0 } else { 2 });
    assert!(!format!("{shopify:?}").contains("shp"), "{shopify:?}");
}

#[tokio::test]
async fn a_token_that_ends_soon_is_renewed_before_it_ends() {
    let grant =
        |token: &str, seconds: u32| ok(&json!({"access_token": token, "scope": "read_orders", "expires_in": seconds}));
    let healthy = || ok(&json!({"data": {"orders": {"nodes": []}}}));
    let (receiver, requests) = scripted(vec![
        ("/admin/oauth/access_token", grant("first", 0)),
        ("/graphql.json", healthy()),
        ("/admin/oauth/access_token", grant("second", 86_399)),
        ("/graphql.json", healthy()),
        ("/graphql.json", healthy()),
    ]);
    let secret = ApiKey::parse("shpss_1").unwrap();
    let app = ShopifyCredentials::App { client_id: "abc&x=1".to_owned(), client_secret: secret };
    let shopify = at(&receiver, app);
    for _ in 0..3 {
        health(&shopify).await.unwrap();
    }
    assert_eq!(count(&requests, "x-shopify-access-token: first\r\n"), 1);
    assert_eq!(count(&requests, "x-shopify-access-token: second\r\n"), 2);
    assert_eq!(count(&requests, "grant_type=client_credentials&client_id=abc%26x%3D1&client_secret=shpss_1"), 2);
}

#[tokio::test]
async fn wrong_credentials_are_named() {
    let shop = shared();
    let wrong = ShopifyCredentials::Token(ApiKey::parse("shpat_wrong").unwrap());
    assert!(refused(health(&shop.client(ShopifyVersion::LATEST, wrong)).await).contains("the access token"));
    let ShopifyCredentials::App { client_id, .. } = shop.app() else { panic!("expected an app") };
    let wrong = ShopifyCredentials::App { client_id, client_secret: ApiKey::parse("wrong").unwrap() };
    assert!(refused(health(&shop.client(ShopifyVersion::LATEST, wrong)).await).contains("client secret"));
}

#[tokio::test]
async fn a_missing_scope_is_named_and_nothing_is_refunded() {
    let shop = Shop::start();
    let bought = shop.bought(json!({"lines": [{"price": "5.00"}]})).await;
    shop.control("scopes", json!({"without": ["write_orders"]})).await;
    let refund = bought.refund(4_011, 1, 500);
    let error = settle(&shop.shopify(), &refund).await.map(drop);
    assert!(refused(error).contains("write_orders"));
    assert!(shop.ledger(&bought.order_id).await.is_empty());
    shop.control("scopes", json!({"scopes": []})).await;
    assert!(refused(health(&shop.shopify()).await).contains("read_orders"));
    let looked_up = shop.shopify().get_purchases(&asked(&bought.code, email()), now()).await.map(drop);
    assert!(refused(looked_up).contains("read_orders"));
}

#[tokio::test]
async fn a_call_waits_for_its_cost_within_its_time() {
    let shop = Shop::start();
    shop.control("bucket", json!({"available": 1, "maximum": 2000, "restore": 100})).await;
    health(&shop.shopify()).await.unwrap(); // 3 points: some hundredths of a second
    shop.control("bucket", json!({"available": 0, "maximum": 2000, "restore": 1})).await;
    let looked_up = async |seconds: u64| {
        let shopify = shop.shopify().with_timeout(Duration::from_secs(seconds));
        shopify.get_purchases(&asked("1001", email()), now()).await
    };
    let Err(BridgeError::Unavailable(Unavailable::Status { status: 429, wait_seconds: Some(wait) })) =
        looked_up(5).await
    else {
        panic!("expected to be throttled: the look-up costs more points than come back in 5 seconds");
    };
    assert!((10..=1_000).contains(&wait), "{wait}");
    shop.control("bucket", json!({"available": 2000, "maximum": 2000, "restore": 100})).await;
    shop.fail("orders", "429").await;
    assert_eq!(looked_up(10).await, Ok(LookUp::NotFound), "Retry-After: 1");
}

#[tokio::test]
async fn the_check_says_what_is_missing() {
    let shop = Shop::start();
    shop.bought(json!({"lines": [{"price": "5.00"}], "payments": [{"gateway": "paypal"}]})).await;
    let report = shop.shopify().check(now()).await.unwrap();
    assert!(report.is_version_supported && report.shop.contains("stand-in.myshopify.com"), "{report:?}");
    assert!(report.scopes.iter().any(|scope| scope == "write_orders"), "{report:?}");
    let ShopFact::Known(Some((_, gateways))) = &report.latest_order else { panic!("{report:?}") };
    assert_eq!(gateways, &["paypal"]);
    assert!(matches!(&report.locations, ShopFact::Known(names) if !names.is_empty()), "{report:?}");
    assert_eq!(report.protected_data, ShopFact::Known(()));
    shop.control("shop", json!({"protectedData": false})).await;
    shop.control("scopes", json!({"scopes": ["read_orders"]})).await;
    let report = shop.shopify().check(now()).await.unwrap();
    assert_eq!((report.protected_data, report.locations), (ShopFact::Withheld, ShopFact::Withheld));
    assert_eq!(report.scopes, ["read_orders"]);
    let changes = shop.read("calls").await.to_string();
    assert!(!changes.contains("mutation") && !changes.contains("Remember"), "{changes}");
}

/// A shop that gives one answer.
fn says(answer: String) -> (Receiver, Shopify) {
    let receiver = Receiver::writing(answer);
    let shopify = at(&receiver, token());
    (receiver, shopify)
}

#[tokio::test]
async fn unusable_answers_are_reported_without_their_content() {
    let error = |fields: Value| ok(&json!({"errors": [fields], "data": null}));
    let internal = error(json!({"message": "ada@example.com", "extensions": {"code": "INTERNAL_SERVER_ERROR"}}));
    let too_long = answer("200 OK", &" ".repeat(2 * 1024 * 1024));
    for bad in [
        internal,
        error(json!({"message": "ada@example.com"})),
        error(json!({"message": "x", "extensions": {"code": "undefinedField"}})),
        ok(&json!({"data": null})),
        ok(&json!({"data": {"orders": "ada@example.com"}})),
        answer("200 OK", "<html>ada@example.com</html>"),
        too_long,
    ] {
        let (_receiver, shopify) = says(bad);
        let error = health(&shopify).await.unwrap_err();
        assert!(matches!(error, BridgeError::BadAnswer(_)) && !format!("{error:?}").contains("ada@"), "{error:?}");
    }
    let (_receiver, shopify) = says(answer("503 Service Unavailable\r\nRetry-After: 7", ""));
    let unavailable = BridgeError::from(Unavailable::Status { status: 503, wait_seconds: Some(7) });
    assert_eq!(health(&shopify).await, Err(unavailable));
    let (receiver, shopify) = says(String::new());
    assert_eq!(health(&shopify).await, Err(CallError::BrokenOff.into()));
    assert!(receiver.connections() >= 2, "a query is sent once more");
}

#[tokio::test]
async fn an_id_of_another_kind_is_never_sent() {
    let (receiver, shopify) = says(String::new());
    for what in [refund()] {
        let failed = settle(&shopify, &what).await;
        assert!(matches!(failed, Ok(Resolved::Failed { .. })), "{failed:?}");
    }
    assert_eq!(receiver.connections(), 0);
}
