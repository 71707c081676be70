//! A stand-in for payment providers, from `end2end/peers/payments`.

use crate::{
    bridges::change_account,
    shop::{NOW, Shop},
    stand_in,
    webhooks::{Hooked, http, until},
};
use domain::{ReturnOrderId, Timestamp, payment::PaymentKind, policy::Policy};
use outbound::http::{Bytes, Call, Endpoint, Method};
use returns::{Pays, Retour};
use serde_json::{Value, json};
use store::testing::Database;
use tokio::{sync::oneshot, task::JoinHandle};

/// The secret that signs Stripe's notifications.
pub const NOTICES: &str = "whsec_wRNftLajMZNeslQOP6vEPm4iVx5NlZ6z";

/// A payment provider that moves no money.
pub struct Company {
    pub kind: PaymentKind,
    pub url: String,
}

impl Company {
    pub async fn start(kind: PaymentKind) -> Self {
        let (url, _) = stand_in::open("payments", "");
        let company = Self { kind, url };
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

    /// Sets the provider's clock.
    pub async fn at(&self, now: Timestamp) {
        self.call(Method::POST, "control/now", json!({"seconds": now.seconds()})).await;
    }

    /// Acts on a payment page: `pay`, `arrive`, `bounce` or `expire`.
    pub async fn control(&self, what: &str, page: &str) {
        let (what, how) = what.split_once(' ').unwrap_or((what, "card"));
        let id = page.split('#').next().and_then(|page| page.rsplit('/').next()).unwrap();
        self.call(Method::POST, &format!("control/{what}/{id}?how={how}"), json!({})).await;
    }

    /// Makes the next calls of a kind `lose`, `fail` or `refuse`.
    pub async fn next(&self, call: &str, does: &str, times: u32) {
        self.call(Method::POST, "control/next", json!({"call": call, "does": does, "times": times})).await;
    }

    /// Ends the refunds that are on their way: `refunded` or `failed`.
    pub async fn refunds(&self, status: &str) {
        self.call(Method::POST, &format!("control/refunds/{status}"), json!({})).await;
    }

    /// Clears the failures planned for the next calls.
    pub async fn forgives(&self) {
        self.call(Method::POST, "control/forgive", json!({})).await;
    }

    pub async fn sends_notices_to(&self, url: &str) {
        self.call(Method::POST, "control/notices", json!({"url": url, "secret": NOTICES})).await;
    }

    /// The calls of one kind that the provider received, with their keys and fields.
    pub async fn calls(&self, call: &str) -> Vec<Value> {
        let calls = self.call(Method::GET, "control/calls", json!({})).await;
        calls.as_array().unwrap().iter().filter(|one| one["call"] == call).cloned().collect()
    }

    /// The amounts paid, each with the part that was refunded.
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

    /// The account setting that selects this provider.
    pub fn setting(&self) -> Value {
        let key = if self.kind == PaymentKind::Stripe { "sk_test_retour" } else { "test_retour" };
        json!({"kind": self.kind, "apiKey": key, "url": self.url})
    }

    /// A shop that charges 4.95 for return shipping up front, with this provider.
    pub async fn shop(&self, database: &Database) -> Shop {
        let shop = Shop::open_with(database, self.kind.name(), "EUR", Policy::default()).await;
        let mut shop = crate::payments::charge_shipping_up_front(Hooked::of(database, shop).shop.clone()).await;
        change_account(&shop, json!({"payment": self.setting()})).await.unwrap();
        shop.account = shop.retour.account(self.kind.name()).await.unwrap();
        shop
    }
}

/// The provider's page where the shopper pays, if anything is due.
pub async fn payment_page(shop: &Shop, order: ReturnOrderId) -> Option<String> {
    match shop.retour.pay(shop.account.id, order, false).await.unwrap() {
        Pays::There(url) => Some(url),
        Pays::Nothing => None,
        Pays::Here { .. } => panic!("expected the provider's page"),
    }
}

/// Completes the refunds on their way, and polls the provider for them.
pub async fn complete_refunds(company: &Company, shop: &Shop, database: &Database) {
    poll_payments(shop, database).await;
    company.refunds("refunded").await;
    shop.source.set(shop.source.now().plus_hours(1));
    poll_payments(shop, database).await;
}

/// A worker that polls providers for the results of payments.
pub struct PaymentWorker {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl PaymentWorker {
    pub fn start(retour: &Retour) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let retour = retour.clone();
        let stopped = async {
            let _ = stopped.await;
        };
        Self { stop, task: tokio::spawn(async move { workers::Workers::new(&retour).follow_payments(stopped).await }) }
    }

    /// Stops at once, like a killed process.
    pub fn abort(self) {
        self.task.abort();
    }

    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}

/// Runs the worker until nothing is due.
pub async fn poll_payments(shop: &Shop, database: &Database) {
    let following = PaymentWorker::start(&shop.retour);
    let now = shop.source.now().micros();
    let due = format!("SELECT CAST(COUNT(*) AS TEXT) FROM payment_tasks WHERE due_at <= {now}");
    until("nothing is due", async || database.texts(&due).await == ["0"]).await;
    following.stop().await;
}
