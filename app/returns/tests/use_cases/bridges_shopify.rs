//! The settings of a Shopify shop.

use crate::{
    bridges::{SECRET, change_account},
    shop::{Shop, fields},
    webhooks::Hooked,
};
use serde_json::{Value, json};
use store::testing::Database;

const URL: &str = "https://fjord-fern.myshopify.com/";

async fn set(shop: &Shop, bridge: Value) -> Value {
    let mut shown =
        serde_json::to_value(change_account(shop, json!({"bridge": bridge})).await.unwrap()).unwrap()["bridge"].take();
    // The address for webhooks is the same in each test.
    let address = shown.as_object_mut().unwrap().remove("noticesUrl");
    assert_eq!(address, Some(json!(format!("/api/v0/shop-notices/shopify/{}", shop.account.id))));
    shown
}

async fn wrong(shop: &Shop, bridge: Value) -> Vec<String> {
    fields(change_account(shop, json!({"bridge": bridge})).await)
}

store::on_each_database! {
    async fn an_app_is_connected_by_its_client_id(database: Database) {
        let shop = Hooked::open(&database).await.shop;
        let app = json!({"kind": "shopify", "url": "Fjord-Fern.myshopify.com", "clientId": "abc", "secret": "shpss_hidden"});
        let shown = json!({"kind": "shopify", "url": URL, "version": "2026-10", "clientId": "abc", "returns": "refunds", "duties": "keep"});
        assert_eq!(set(&shop, app).await, shown);
        let kept = &database.texts("SELECT bridge FROM accounts").await[0];
        assert!(kept.contains("abc") && !kept.contains("hidden"), "{kept}");
        // The secret stays while the shop and the client id stay, and so does the version.
        let older = json!({"kind": "shopify", "url": URL, "version": "2026-07"});
        let shown = json!({"kind": "shopify", "url": URL, "version": "2026-07", "clientId": "abc", "returns": "refunds", "duties": "keep"});
        assert_eq!(set(&shop, older).await, shown);
        assert_eq!(set(&shop, json!({"kind": "shopify", "url": URL, "clientId": "abc"})).await, shown);
        for bridge in [json!({"kind": "shopify", "url": URL, "duties": "refund"}), json!({"kind": "shopify", "url": URL})] {
            assert_eq!(set(&shop, bridge).await["duties"], "refund", "it stays");
        }
        assert_eq!(wrong(&shop, json!({"kind": "shopify", "url": URL, "clientId": "other"})).await, ["bridge.secret"]);
        let elsewhere = json!({"kind": "shopify", "url": "evil.myshopify.com"});
        assert_eq!(wrong(&shop, elsewhere).await, ["bridge.clientId", "bridge.secret"]);
    }

    async fn a_custom_app_is_connected_by_its_token(database: Database) {
        let shop = Hooked::open(&database).await.shop;
        let token = |token: &str| json!({"kind": "shopify", "url": URL, "accessToken": token});
        assert_eq!(wrong(&shop, token("shpat_hidden")).await, ["bridge.secret"]);
        let mut first = token("shpat_hidden");
        first["secret"] = json!("shpss_hidden");
        let shown = json!({"kind": "shopify", "url": URL, "version": "2026-10", "returns": "refunds", "duties": "keep"});
        assert_eq!(set(&shop, first).await, shown);
        let kept = database.texts("SELECT bridge FROM accounts").await.remove(0);
        assert!(kept.contains("accessToken") && !kept.contains("hidden"), "{kept}");
        // Another token of the same app needs no other secret; an app of the dashboard does.
        assert_eq!(set(&shop, token("shpat_other")).await, shown);
        assert_ne!(database.texts("SELECT bridge FROM accounts").await[0], kept);
        assert_eq!(wrong(&shop, json!({"kind": "shopify", "url": URL, "clientId": "abc"})).await, ["bridge.secret"]);
        // The operator learns that a lost key makes the token unreadable.
        let under_another = shop.retour.clone().configured(|config| {
            config.secret_keys = "fedcba9876543210fedcba9876543210".parse().unwrap();
        });
        assert!(shop.retour.operator().can_open_secrets().await.unwrap());
        assert!(!under_another.operator().can_open_secrets().await.unwrap());
    }

    async fn a_version_that_ends_soon_has_a_warning(database: Database) {
        let shop = Hooked::open(&database).await.shop;
        let old = json!({"kind": "shopify", "url": URL, "clientId": "abc", "secret": "shpss_1", "version": "2026-07"});
        set(&shop, old).await;
        let warning = async || {
            let known = shop.retour.merchant(&shop.staff).integrations().await.unwrap().data;
            (known.len(), known[0].warning.clone())
        };
        assert_eq!(warning().await, (1, None));
        shop.source.set(domain::Timestamp::parse("2027-04-02T00:00:00Z").unwrap());
        let (_, said) = warning().await;
        assert!(said.unwrap().contains("2026-07 of its API on 2027-07-01"));
        set(&shop, json!({"kind": "shopify", "url": URL, "version": "2026-10"})).await;
        assert_eq!(warning().await, (1, None));
    }

    async fn each_wrong_field_is_named(database: Database) {
        let shop = Hooked::open(&database).await.shop;
        let with = |more: Value| {
            let mut bridge = json!({"kind": "shopify", "url": URL, "clientId": "abc", "secret": "shpss_1"});
            bridge.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            bridge
        };
        for (bridge, expected) in [
            (json!({"kind": "shopify"}), vec!["bridge.url", "bridge.clientId", "bridge.secret"]),
            (with(json!({"url": "https://fjord-fern.example"})), vec!["bridge.url"]),
            (with(json!({"url": "http://10.0.0.1/"})), vec!["bridge.url"]),
            (with(json!({"accessToken": "shpat_1"})), vec!["bridge.accessToken"]),
            (with(json!({"clientId": "a b"})), vec!["bridge.clientId"]),
            (with(json!({"secret": ""})), vec!["bridge.secret"]),
        ] {
            assert_eq!(wrong(&shop, bridge.clone()).await, expected, "{bridge}");
        }
        for kind in ["vendure", "medusa"] {
            let other = json!({"kind": kind, "url": "http://127.0.0.1:9/", "secret": SECRET, "returns": "mirror"});
            assert_eq!(wrong(&shop, other).await, ["bridge.returns"], "{kind}");
        }
        let http = json!({"kind": "http", "url": "http://127.0.0.1:9/", "secret": SECRET, "clientId": "abc", "version": "2026-10", "returns": "refunds", "duties": "keep"});
        assert_eq!(wrong(&shop, http).await, ["bridge.clientId", "bridge.version", "bridge.returns", "bridge.duties"]);
    }
}
