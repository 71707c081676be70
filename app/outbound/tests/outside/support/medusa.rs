//! A real Medusa shop that all tests of a file share, and their orders.

use super::{
    Receiver, at_home,
    bought::{Bought, asked, email},
    bridge::now,
    peer::{Peer, node},
    scripted::answer,
};
use outbound::{
    api_key::ApiKey,
    bridge::{
        BridgeError, LookUp, Resolved,
        contract::{Purchases, ResolveReturn},
    },
    http::{Bytes, Call, Endpoint, Method},
    shops::medusa::Medusa,
};
use serde_json::{Value, json};
use std::{sync::OnceLock, time::Duration};

/// A generous timeout, because the machine may be busy with other tests.
const LONG: Duration = Duration::from_mins(3);

pub struct Shop {
    peer: Peer,
    key: String,
}

/// The shop. The first call starts it.
pub fn shop() -> &'static Shop {
    static SHOP: OnceLock<Shop> = OnceLock::new();
    SHOP.get_or_init(Shop::start)
}

impl Shop {
    fn start() -> Self {
        let peer = Peer::start("medusa", &mut node("medusa", "server.mjs"));
        let key = peer.script(&["seed"])["apiKey"].as_str().unwrap().to_owned();
        // The first order creates the customer, which concurrent orders cannot.
        peer.script(&["order", "{\"items\": {\"MUG-S\": 1}}"]);
        Self { peer, key }
    }

    pub fn endpoint(&self) -> Endpoint {
        Endpoint::parse(&self.peer.url).unwrap()
    }

    pub fn medusa(&self) -> Medusa {
        self.medusa_at(&self.endpoint())
    }

    /// The same shop at another URL, such as that of a proxy.
    pub fn medusa_at(&self, url: &Endpoint) -> Medusa {
        Medusa::new(at_home(), url, ApiKey::parse(&self.key).unwrap()).unwrap().with_timeout(LONG)
    }

    /// Places an order. Returns its number and the shop's id.
    pub fn order(&self, what: &Value) -> (String, String) {
        let placed = self.peer.script(&["order", &what.to_string()]);
        (placed["displayId"].to_string(), placed["id"].as_str().unwrap().to_owned())
    }

    /// An order's lines, sorted by article: lines of the same time have no fixed order.
    pub async fn look_up(&self, number: &str) -> Purchases {
        let found = self.medusa().get_purchases(&asked(number, email()), now()).await;
        let Ok(LookUp::Found(mut found)) = found else { panic!("expected the order, not {found:?}") };
        found.purchases.sort_by(|one, other| one.product.sku.cmp(&other.product.sku));
        found
    }

    /// Places an order, and looks it up.
    pub async fn bought(&self, what: &Value) -> Bought {
        let (code, order_id) = self.order(what);
        let found = self.look_up(&code).await;
        assert_eq!(found.purchases[0].order.id, order_id);
        Bought { code, order_id, found }
    }

    /// A request of the shop's staff.
    pub async fn admin(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        use base64::Engine as _;
        let to = Endpoint::parse(&format!("{}/admin/{path}", self.peer.url)).unwrap();
        let key = base64::prelude::BASE64_STANDARD.encode(format!("{}:", self.key));
        let headers = [("content-type", "application/json".to_owned()), ("authorization", format!("Basic {key}"))];
        let body = Bytes::from(body.map(|body| body.to_string()).unwrap_or_default());
        let call = Call { to: &to, method, headers: &headers, body, max_response_bytes: 1 << 22, is_repeatable: false };
        let answer = at_home().with_timeout(LONG).call(call).await.unwrap();
        assert!(answer.status < 300, "{path}: {} {}", answer.status, String::from_utf8_lossy(&answer.body));
        serde_json::from_slice(&answer.body).unwrap()
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        self.admin(Method::POST, path, Some(body)).await
    }

    /// The order as the shop stores it.
    pub async fn order_as_it_is(&self, id: &str) -> Value {
        let fields = "id,total,*items,*items.detail,*fulfillments,*payment_collections.payments,\
            *payment_collections.payments.refunds,*credit_lines,*summary";
        self.admin(Method::GET, &format!("orders/{id}?fields={fields}"), None).await["order"].take()
    }

    /// The refunds of an order, oldest first.
    pub async fn refunds(&self, id: &str) -> Vec<Value> {
        let order = self.order_as_it_is(id).await;
        let collections = order["payment_collections"].as_array().unwrap().iter();
        let payments = collections.flat_map(|one| one["payments"].as_array().unwrap());
        let mut refunds: Vec<Value> =
            payments.flat_map(|payment| payment["refunds"].as_array().unwrap().clone()).collect();
        refunds.sort_by_key(|refund| refund["id"].as_str().unwrap().to_owned());
        refunds
    }

    /// The metadata of an order.
    pub async fn metadata(&self, id: &str) -> Value {
        self.admin(Method::GET, &format!("orders/{id}?fields=id,metadata"), None).await["order"]["metadata"].take()
    }

    /// The returns of an order.
    pub async fn returns(&self, id: &str) -> Vec<Value> {
        let path = format!("returns?order_id={id}&fields=id,status,metadata,internal_note,*items");
        self.admin(Method::GET, &path, None).await["returns"].as_array().unwrap().clone()
    }

    /// How many units of an article are in stock.
    pub async fn stock(&self, sku: &str) -> i64 {
        let path = format!("inventory-items?sku={sku}&fields=id,sku,*location_levels");
        let found = self.admin(Method::GET, &path, None).await;
        let level = &found["inventory_items"][0]["location_levels"][0];
        level["stocked_quantity"].as_i64().unwrap()
    }

    /// Starts a return of a unit of the first line, as staff would. Returns its id.
    pub async fn begin_return(&self, bought: &Bought, metadata: Value) -> String {
        let order = self.order_as_it_is(&bought.order_id).await;
        let body = json!({
            "order_id": bought.order_id, "location_id": order["fulfillments"][0]["location_id"], "metadata": metadata,
        });
        self.post("returns", body).await["return"]["id"].as_str().unwrap().to_owned()
    }

    /// Continues a return by some steps.
    pub async fn go_on(&self, id: &str, bought: &Bought, steps: &[&str]) {
        for step in steps {
            let items = json!({"items": [{"id": bought.line(0).purchase_id, "quantity": 1}]});
            let body = if step.ends_with("-items") { items } else { json!({}) };
            self.post(&format!("returns/{id}/{step}"), body).await;
        }
    }
}

/// Settles a return.
pub async fn settle(medusa: &Medusa, what: &ResolveReturn) -> Result<Resolved, BridgeError> {
    medusa.resolve_return(what, now()).await
}

/// The key of imitated shops.
pub const KEY: &str = "sk_1f7a";

/// A Medusa client for a receiver.
pub fn says(receiver: &Receiver) -> Medusa {
    let url = Endpoint::parse(&format!("http://{}/shop/", receiver.address)).unwrap();
    Medusa::new(at_home(), &url, ApiKey::parse(KEY).unwrap()).unwrap()
}

/// An error response of Medusa.
pub fn thrown(status: &str, kind: &str) -> String {
    answer(status, &json!({"type": kind, "message": "ada@example.com"}).to_string())
}
