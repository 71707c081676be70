//! The stand-in for companies that take payments: end2end/peers/payments.

use crate::{
    bridges::change_account,
    shop::{NOW, Shop},
    webhooks::{Hooked, http, until},
};
use domain::{ReturnOrderId, Timestamp, payment::PaymentKind, policy::Policy};
use outbound::http::{Bytes, Call, Endpoint, Method};
use returns::{Pays, Retour};
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};
use store::testing::Database;
use tokio::{sync::oneshot, task::JoinHandle};

/// What signs Stripe's notices.
pub const NOTICES: &str = "whsec_wRNftLajMZNeslQOP6vEPm4iVx5NlZ6z";

/// A company that takes payments, and nobody's money.
pub struct Company {
    pub kind: PaymentKind,
    pub url: String,
    /// It ends with its standard input, which is to say with us.
    _server: Child,
}

impl Company {
    pub async fn start(kind: PaymentKind) -> Self {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/peers/payments"));
        let is_there = folder.join("node_modules/.installed-lock").exists();
        assert!(is_there, "the stand-in for payment providers is missing: `.ci/tools test` installs it.");
        let mut node = Command::new("node");
        node.arg("server.mjs").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = node.spawn().unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let ready = lines.next().unwrap().unwrap();
        let url = ready.strip_prefix("payments ready on ").unwrap().to_owned();
        let company = Self { kind, url, _server: server };
        company.at(NOW).await;
        company
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> Value {
        let to = Endpoint::parse(&format!("{}/{path}", self.url)).unwrap();
        let body = if method == Method::GET { Bytes::new() } else { Bytes::from(body.to_string()) };
        let call = Call { to: &to, method, headers: &[], body, max_response_bytes: 1 << 20, is_repeatable: true };
        let answer = http().call(call).await.unwrap();
        assert_eq!(answer.status, 200, "{path}");
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Tells it what time it is.
    pub async fn at(&self, now: Timestamp) {
        self.call(Method::POST, "control/now", json!({"seconds": now.seconds()})).await;
    }

    /// Does something with one of its pages: `pay`, `arrive`, `bounce`, `expire`.
    pub async fn control(&self, what: &str, page: &str) {
        let (what, how) = what.split_once(' ').unwrap_or((what, "card"));
        let id = page.split('#').next().and_then(|page| page.rsplit('/').next()).unwrap();
        self.call(Method::POST, &format!("control/{what}/{id}?how={how}"), json!({})).await;
    }

    /// What becomes of the next calls of a kind: `lose`, `fail` or `refuse`.
    pub async fn next(&self, call: &str, does: &str, times: u32) {
        self.call(Method::POST, "control/next", json!({"call": call, "does": does, "times": times})).await;
    }

    /// What becomes of refunds that are under way: `refunded`, `failed`.
    pub async fn refunds(&self, status: &str) {
        self.call(Method::POST, &format!("control/refunds/{status}"), json!({})).await;
    }

    /// All that it had in mind for next calls is forgotten.
    pub async fn forgives(&self) {
        self.call(Method::POST, "control/forgive", json!({})).await;
    }

    pub async fn sends_notices_to(&self, url: &str) {
        self.call(Method::POST, "control/notices", json!({"url": url, "secret": NOTICES})).await;
    }

    /// What it was asked of a kind: key and fields.
    pub async fn asked(&self, call: &str) -> Vec<Value> {
        let calls = self.call(Method::GET, "control/calls", json!({})).await;
        calls.as_array().unwrap().iter().filter(|one| one["call"] == call).cloned().collect()
    }

    /// What was paid, and what of it went back.
    pub async fn money(&self) -> Vec<(i64, i64)> {
        self.money_at("control/money").await
    }

    pub async fn money_of(&self, order: ReturnOrderId) -> Vec<(i64, i64)> {
        self.money_at(&format!("control/money/{order}")).await
    }

    async fn money_at(&self, path: &str) -> Vec<(i64, i64)> {
        let money = self.call(Method::GET, path, json!({})).await;
        let of = |one: &Value| (one["amount"].as_i64().unwrap(), one["refunded"].as_i64().unwrap());
        money.as_array().unwrap().iter().map(of).collect()
    }

    /// The setting that has it take payments.
    pub fn setting(&self) -> Value {
        let key = if self.kind == PaymentKind::Stripe { "sk_test_retour" } else { "test_retour" };
        json!({"kind": self.kind, "apiKey": key, "url": self.url})
    }

    /// A shop that has sending paid up front, for 4.95, with this company.
    pub async fn shop(&self, database: &Database) -> Shop {
        let shop = Shop::open_with(database, self.kind.name(), "EUR", Policy::default()).await;
        let mut shop = crate::payments::prepaying(Hooked::of(database, shop).shop.clone()).await;
        change_account(&shop, json!({"payment": self.setting()})).await.unwrap();
        shop.account = shop.retour.account(self.kind.name()).await.unwrap();
        shop
    }
}

/// Where somebody is led who wants to pay.
pub async fn led(shop: &Shop, order: ReturnOrderId) -> Option<String> {
    match shop.retour.pay(shop.account.id, order, false).await.unwrap() {
        Pays::There(url) => Some(url),
        Pays::Nothing => None,
        Pays::Here { .. } => panic!("not a page of ours"),
    }
}

/// Refunds that are under way arrive, and it is asked about them.
pub async fn goes_back(company: &Company, shop: &Shop, database: &Database) {
    follow(shop, database).await;
    company.refunds("refunded").await;
    shop.source.set(shop.source.now().plus_hours(1));
    follow(shop, database).await;
}

/// A worker that asks companies what became of payments.
pub struct Following {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Following {
    pub fn start(retour: &Retour) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let retour = retour.clone();
        let stopped = async {
            let _ = stopped.await;
        };
        Self { stop, task: tokio::spawn(async move { returns::Workers::new(&retour).follow_payments(stopped).await }) }
    }

    /// As a program that is killed.
    pub fn abort(self) {
        self.task.abort();
    }

    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}

/// Has a worker do all that is due by now.
pub async fn follow(shop: &Shop, database: &Database) {
    let following = Following::start(&shop.retour);
    let now = shop.source.now().micros();
    let due = format!("SELECT CAST(COUNT(*) AS TEXT) FROM payment_tasks WHERE due_at <= {now}");
    until("all is asked", async || database.texts(&due).await == ["0"]).await;
    following.stop().await;
}
