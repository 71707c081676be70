//! The stand-in Shopify shop of `end2end/peers/shopify`, which executes our documents on Shopify's published schema.

use super::{
    at_home,
    bought::{Bought, asked},
    bridge::now,
};
use crate::stand_in;
use domain::{Currency, Money, integration::ShopifyVersion};
use outbound::{
    api_key::ApiKey,
    bridge::{BridgeError, LookUp, Resolved, contract::Proof, contract::ResolveReturn},
    http::{Bytes, Call, Endpoint, Method},
    shops::shopify::{Shopify, ShopifyCredentials, TokenCache},
};
use serde_json::{Value, json};
use std::{sync::OnceLock, time::Duration};
use tokio::time::sleep;

/// A generous timeout, because the machine may be busy with other tests.
const LONG: Duration = Duration::from_mins(1);

const RETURNS: &str = "query ($id: ID!) { order(id: $id) { returns(first: 3) { nodes { id status
    returnLineItems(first: 3) { nodes { ... on ReturnLineItem { id quantity processedQuantity returnReasonNote customerNote } } }
    reverseFulfillmentOrders(first: 2) { nodes { lineItems(first: 3) { nodes { dispositions { type quantity } } }
      reverseDeliveries(first: 3) { nodes { deliverable { ... on ReverseDeliveryShippingDeliverable { tracking { number url } } } } } } }
} } } }";

pub struct Shop {
    url: String,
    secrets: Value,
}

/// Points a second for all tests at once: more than any plan has, so that they do not wait for each other.
const POINTS_OF_SHARED: &str = "100000";

/// The shop that tests share which change nothing but their own orders. The first call starts it.
pub fn shared() -> &'static Shop {
    static SHOP: OnceLock<Shop> = OnceLock::new();
    SHOP.get_or_init(|| Shop::open(POINTS_OF_SHARED))
}

impl Shop {
    /// A shop of a test's own.
    pub fn start() -> Self {
        Self::open("")
    }

    fn open(points_a_second: &str) -> Self {
        let (url, secrets) = stand_in::open("shopify", points_a_second);
        Self { url, secrets: serde_json::from_str(&secrets).unwrap() }
    }

    pub fn endpoint(&self) -> Endpoint {
        Endpoint::parse(&self.url).unwrap()
    }

    fn secret(&self, name: &str) -> ApiKey {
        ApiKey::parse(self.secrets[name].as_str().unwrap()).unwrap()
    }

    /// The credentials of an app of the developer dashboard.
    pub fn app(&self) -> ShopifyCredentials {
        let client_id = self.secret("clientId").as_str().to_owned();
        ShopifyCredentials::App { client_id, client_secret: self.secret("clientSecret") }
    }

    /// The credentials of a custom app.
    pub fn token(&self) -> ShopifyCredentials {
        ShopifyCredentials::Token(self.secret("accessToken"))
    }

    /// A client of the newest version.
    pub fn shopify(&self) -> Shopify {
        self.client(ShopifyVersion::LATEST, self.token())
    }

    pub fn client(&self, version: ShopifyVersion, credentials: ShopifyCredentials) -> Shopify {
        Shopify::new(at_home(), TokenCache::default(), &self.endpoint(), version, credentials)
            .unwrap()
            .with_timeout(LONG)
    }

    /// Controls the shop.
    pub async fn control(&self, what: &str, body: Value) -> Value {
        self.call(Method::POST, what, body.to_string()).await
    }

    /// Reads the shop's state.
    pub async fn read(&self, what: &str) -> Value {
        self.call(Method::GET, what, String::new()).await
    }

    async fn call(&self, method: Method, what: &str, body: String) -> Value {
        let to = Endpoint::parse(&format!("{}/control/{what}", self.url)).unwrap();
        let headers = [("content-type", "application/json".to_owned())];
        let (body, max_response_bytes) = (Bytes::from(body), 64 * 1024 * 1024);
        let call = Call { to: &to, method, headers: &headers, body, max_response_bytes, is_repeatable: true };
        let answer = at_home().with_timeout(LONG).call(call).await.unwrap();
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(answer.status, 200, "{what}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Makes an order, and looks it up.
    pub async fn bought(&self, order: Value) -> Bought {
        let made = self.control("orders", order).await;
        let code = made["name"].as_str().unwrap().to_owned();
        let found = self.shopify().get_purchases(&asked(&code, email()), now()).await;
        let Ok(LookUp::Found(found)) = found else { panic!("expected the order, not {found:?}") };
        Bought { order_id: found.purchases[0].order.id.clone(), code, found }
    }

    /// What left for an order, oldest first.
    pub async fn ledger(&self, order: &str) -> Vec<Value> {
        self.read(&format!("ledger?order={order}")).await.as_array().unwrap().clone()
    }

    /// The amounts that left for an order, with their gateways.
    pub async fn paid_out(&self, order: &str) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        self.ledger(order).await.iter().map(|entry| (text(&entry["gateway"]), text(&entry["amount"]))).collect()
    }

    /// Sends a request as staff do, or another app, and returns the data.
    pub async fn staff(&self, query: &str, variables: Value) -> Value {
        let version = ShopifyVersion::LATEST.name();
        let to = Endpoint::parse(&format!("{}/admin/api/{version}/graphql.json", self.url)).unwrap();
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("x-shopify-access-token", self.secret("accessToken").as_str().to_owned()),
        ];
        let body = Bytes::from(json!({"query": query, "variables": variables}).to_string());
        let (method, max_response_bytes) = (Method::POST, 64 * 1024 * 1024);
        loop {
            let (method, body) = (method.clone(), body.clone());
            let call = Call { to: &to, method, headers: &headers, body, max_response_bytes, is_repeatable: false };
            let answer = at_home().with_timeout(LONG).call(call).await.unwrap();
            let answer: Value = serde_json::from_slice(&answer.body).unwrap();
            if answer["errors"][0]["extensions"]["code"] == "THROTTLED" {
                sleep(Duration::from_secs(1)).await;
                continue;
            }
            assert!(answer["errors"].is_null(), "{answer}");
            return answer["data"].clone();
        }
    }

    /// The returns of an order, with their lines, parcels and dispositions.
    pub async fn returns(&self, order: &str) -> Vec<Value> {
        let data = self.staff(RETURNS, json!({"id": order})).await;
        data["order"]["returns"]["nodes"].as_array().unwrap().clone()
    }

    /// How often the shop received each operation of ours, by name.
    pub async fn count(&self, name: &str) -> usize {
        self.read("calls").await.as_array().unwrap().iter().filter(|call| call["name"] == name).count()
    }

    /// Lets the next call of an operation fail.
    pub async fn fail(&self, operation: &str, how: &str) {
        self.control("fail", json!({"operation": operation, "how": how})).await;
    }
}

/// The e-mail address of the shop's orders.
pub fn email() -> Proof {
    Proof::Email(" Ada@Example.com".to_owned())
}

pub fn money(minor: i64, currency: &str) -> Money {
    Money::new(minor, Currency::from_code(currency).unwrap())
}

/// Settles a return.
pub async fn settle(shopify: &Shopify, what: &ResolveReturn) -> Result<Resolved, BridgeError> {
    shopify.resolve_return(what, now()).await
}
