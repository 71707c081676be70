//! A real Vendure shop: one for all tests of a file, and what they buy there.

use super::{at_home, bridge::now};
use domain::{Currency, Locale, Money, policy, stage::Disposition};
use outbound::{
    bridge::{
        BridgeError, LookUp, Resolved,
        contract::{Credentials, GetPurchases, Item, Proof, Purchase, Purchases, ResolveReturn},
    },
    http::Endpoint,
    vendure::{ApiKey, Vendure},
};
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::Duration,
};
use uuid::Uuid;

/// A machine that is busy with other tests takes its time over each key.
const LONG: Duration = Duration::from_mins(2);

pub struct Shop {
    url: String,
    key: String,
    /// It ends with its standard input, which is to say with us.
    _server: Child,
}

/// The shop; the first to ask starts it.
pub fn shop() -> &'static Shop {
    static SHOP: OnceLock<Shop> = OnceLock::new();
    SHOP.get_or_init(Shop::start)
}

fn node(script: &str) -> Command {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/peers/vendure"));
    assert!(folder.join("node_modules/.installed-lock").exists(), "Vendure is missing: `.ci/tools test` installs it.");
    let mut node = Command::new("node");
    node.arg(script).current_dir(folder);
    node
}

impl Shop {
    fn start() -> Self {
        assert!(
            std::env::var_os("RETOUR_TEST_POSTGRES").is_some(),
            "This test needs Postgres: run it through `make test` or `.ci/with-postgres cargo test …`."
        );
        let mut server = node("server.mjs");
        let server = server.arg("--own-database").env("VENDURE_LOG", "Error").env("PORT", "0");
        let mut server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node should be there");
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let ready = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let url = line.strip_prefix("vendure ready on ")?.split(' ').next()?;
            Some(url.to_owned())
        });
        let url = ready.expect("Vendure should have started");
        std::thread::spawn(move || lines.for_each(drop)); // or it would wait for somebody to read on
        let key = script(&url, &["seed"])["apiKey"].as_str().unwrap().to_owned();
        Self { url, key, _server: server }
    }

    pub fn endpoint(&self) -> Endpoint {
        Endpoint::parse(&self.url).unwrap()
    }

    pub fn key(&self) -> ApiKey {
        ApiKey::parse(&self.key).unwrap()
    }

    pub fn vendure(&self) -> Vendure {
        self.vendure_at(&self.endpoint())
    }

    /// The same shop by another way.
    pub fn vendure_at(&self, url: &Endpoint) -> Vendure {
        Vendure::new(at_home(), url, self.key()).unwrap().with_timeout(LONG)
    }

    /// Buys something, and looks it up.
    pub async fn bought(&self, what: &Value) -> Bought {
        let code = self.order(what);
        let found = self.vendure().get_purchases(&asked(&code, email()), now()).await;
        let Ok(LookUp::Found(found)) = found else { panic!("expected the order, not {found:?}") };
        Bought { order_id: found.purchases[0].order.id.clone(), code, found }
    }

    /// Buys something: its code.
    pub fn order(&self, what: &Value) -> String {
        script(&self.url, &["order", &what.to_string()])["code"].as_str().unwrap().to_owned()
    }

    /// What the shop itself says of an order.
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

fn script(url: &str, arguments: &[&str]) -> Value {
    let output = node("shop.mjs").args(arguments).env("VENDURE_URL", url).stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "shop.mjs {arguments:?} should work");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// An order that was placed.
pub struct Bought {
    pub code: String,
    pub order_id: String,
    pub found: Purchases,
}

impl Bought {
    pub fn line(&self, index: usize) -> &Purchase {
        &self.found.purchases[index]
    }

    /// A refund of units of its first line, for so many cents.
    pub fn refund(&self, transaction: u128, quantity: u32, cents: i64) -> ResolveReturn {
        let item = Item {
            return_request_id: "0190a5b1-9e4f-7a30-b1c2-7f3d5e8a6b90".parse().unwrap(),
            purchase_id: self.line(0).purchase_id.clone(),
            quantity,
            amount: eur(cents),
            exchange_sku: None,
            disposition: Some(Disposition::Dispose),
        };
        ResolveReturn {
            transaction_id: Uuid::from_u128(transaction),
            kind: policy::Resolution::Refund,
            order_id: self.order_id.clone(),
            return_order_number: "R-7K3M9Q2A".to_owned(),
            items: vec![item],
            shipping_refund: eur(0),
            fees: eur(0),
        }
    }
}

pub fn eur(cents: i64) -> Money {
    Money::new(cents, Currency::from_code("EUR").unwrap())
}

pub fn email() -> Proof {
    Proof::Email(" Guest@Example.com".to_owned())
}

pub fn asked(code: &str, proof: Proof) -> GetPurchases {
    GetPurchases {
        request_id: Uuid::nil(),
        account: "fjord-fern".to_owned(),
        locale: Locale("pt-BR".to_owned()),
        credentials: Credentials { order_number: code.to_owned(), proof },
        max_age_days: None,
    }
}

/// Settles something.
pub async fn settle(vendure: &Vendure, what: &ResolveReturn) -> Result<Resolved, BridgeError> {
    vendure.resolve_return(what, now()).await
}

/// The answer that it is done, with the ids of refunds.
pub fn completed(refunds: &[Value]) -> Resolved {
    let ids: Vec<&str> = refunds.iter().map(|refund| refund["id"].as_str().unwrap()).collect();
    Resolved::Completed { external_reference: Some(ids.join(", ")) }
}
