//! A real Vendure shop that all tests of a file share, and their orders.

use super::{
    at_home,
    bought::{Bought, asked, email},
    bridge::now,
    peer::{Peer, node},
};
use outbound::{
    api_key::ApiKey,
    bridge::{BridgeError, LookUp, Resolved, contract::ResolveReturn},
    http::Endpoint,
    shops::vendure::Vendure,
};
use serde_json::{Value, json};
use std::{sync::OnceLock, time::Duration};

/// A generous timeout, because checking a key is slow and the machine may be busy with other tests.
const LONG: Duration = Duration::from_mins(2);

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
        let mut server = node("vendure", "server.mjs");
        let peer = Peer::start("vendure", server.arg("--own-database").env("VENDURE_LOG", "Error").env("PORT", "0"));
        let key = peer.script(&["seed"])["apiKey"].as_str().unwrap().to_owned();
        Self { peer, key }
    }

    pub fn endpoint(&self) -> Endpoint {
        Endpoint::parse(&self.peer.url).unwrap()
    }

    pub fn key(&self) -> ApiKey {
        ApiKey::parse(&self.key).unwrap()
    }

    pub fn vendure(&self) -> Vendure {
        self.vendure_at(&self.endpoint())
    }

    /// The same shop at another URL, such as that of a proxy.
    pub fn vendure_at(&self, url: &Endpoint) -> Vendure {
        Vendure::new(at_home(), url, self.key()).unwrap().with_timeout(LONG)
    }

    /// Places an order, and looks it up.
    pub async fn bought(&self, what: &Value) -> Bought {
        let code = self.order(what);
        let found = self.vendure().get_purchases(&asked(&code, email()), now()).await;
        let Ok(LookUp::Found(found)) = found else { panic!("expected the order, not {found:?}") };
        Bought { order_id: found.purchases[0].order.id.clone(), code, found }
    }

    /// Places an order. Returns its code.
    pub fn order(&self, what: &Value) -> String {
        self.peer.script(&["order", &what.to_string()])["code"].as_str().unwrap().to_owned()
    }

    /// The order as the shop stores it.
    pub async fn order_as_it_is(&self, id: &str) -> Value {
        let query = "query Test($id: ID!) { order(id: $id) {
            totalWithTax lines { id quantity }
            payments { amount refunds { id state total reason transactionId lines { orderLineId quantity } } }
            history(options: { filter: { type: { in: [\"ORDER_CANCELLATION\", \"ORDER_NOTE\"] } } }) {
              items { type isPublic data }
            }
          } }";
        let url = self.endpoint().below("admin-api").unwrap();
        let headers = [("content-type", "application/json".to_owned()), ("vendure-api-key", self.key.clone())];
        let body = json!({"query": query, "variables": {"id": id}}).to_string();
        let answer = at_home().with_timeout(LONG).post(&url, &headers, body).await.unwrap();
        serde_json::from_slice::<Value>(&answer.body).unwrap()["data"]["order"].take()
    }

    /// The refunds of an order.
    pub async fn refunds(&self, id: &str) -> Vec<Value> {
        let order = self.order_as_it_is(id).await;
        let payments = order["payments"].as_array().unwrap().iter();
        let mut refunds: Vec<Value> =
            payments.flat_map(|payment| payment["refunds"].as_array().unwrap().clone()).collect();
        refunds.sort_by_key(|refund| refund["id"].as_str().unwrap().parse::<u32>().unwrap());
        refunds
    }
}

/// Settles a return.
pub async fn settle(vendure: &Vendure, what: &ResolveReturn) -> Result<Resolved, BridgeError> {
    vendure.resolve_return(what, now()).await
}
