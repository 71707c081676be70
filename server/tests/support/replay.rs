//! The real returns, sent through the public API as a custom returns UI would send them: prove the order, read its purchases, draft, submit, read the
//! confirmation.

use super::{
    process::Server,
    real_data::{Order, Return},
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// How many clients work at the same time.
pub const CLIENTS: usize = 8;

/// The result of a replay.
#[derive(Debug, Default)]
pub struct Replay {
    pub took: Duration,
    /// The answers with the draft and the return order, byte for byte, by reference and order.
    pub answers: BTreeMap<(String, String), [Vec<u8>; 2]>,
    /// The duration of each request, by kind.
    pub times: BTreeMap<&'static str, Vec<Duration>>,
}

/// Sends every return. The returns of one order are sent in their order; those of different orders are mixed.
pub async fn run(server: &Server, account: &'static str, orders: &[Order]) -> Replay {
    let waiting: Vec<Order> = orders.to_vec();
    let waiting = Arc::new(Mutex::new(waiting.into_iter()));
    let started = Instant::now();
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let (waiting, base) = (waiting.clone(), server.base.clone());
        clients.spawn(async move {
            let mut client = Client { http: reqwest::Client::new(), base, account, replay: Replay::default() };
            loop {
                let next = waiting.lock().unwrap().next();
                let Some(order) = next else { return client.replay };
                for one in &order.returns {
                    client.send(&order, one).await;
                }
            }
        });
    }
    let mut whole = Replay::default();
    while let Some(part) = clients.join_next().await {
        let part = part.unwrap();
        whole.answers.extend(part.answers);
        for (kind, times) in part.times {
            whole.times.entry(kind).or_default().extend(times);
        }
    }
    whole.took = started.elapsed();
    whole
}

impl Replay {
    /// Returns per second.
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    pub fn returns_per_second(&self) -> f64 {
        self.answers.len() as f64 / self.took.as_secs_f64()
    }

    /// Answered requests per second.
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    pub fn requests_per_second(&self) -> f64 {
        self.times.values().map(Vec::len).sum::<usize>() as f64 / self.took.as_secs_f64()
    }

    /// The time that this percentage of requests of a kind did not exceed; `None` means all kinds.
    pub fn percentile(&self, percent: usize, kind: Option<&str>) -> Duration {
        let of_kind = self.times.iter().filter(|(name, _)| kind.is_none_or(|kind| kind == **name));
        let mut times: Vec<Duration> = of_kind.flat_map(|(_, times)| times.iter().copied()).collect();
        times.sort_unstable();
        times.get((times.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
    }
}

struct Client {
    http: reqwest::Client,
    base: String,
    account: &'static str,
    replay: Replay,
}

impl Client {
    /// One return, from the look-up to the confirmation.
    async fn send(&mut self, order: &Order, one: &Return) {
        let what = format!("{} {}", one.reference, order.number);
        let credentials = json!({"account": self.account, "orderNumber": order.number, "email": order.email});
        let (_, identity) = self.ask("look-up", Method::POST, "/auth/consumer", "", None, credentials).await;
        let identity: Value = serde_json::from_slice(&identity).unwrap();
        let consumer = format!("/consumer/{}", identity["consumer"]["id"].as_str().unwrap());
        let token = identity["accessToken"].as_str().unwrap();

        let purchases = self.purchases(&consumer, token).await;
        let selected: Vec<Value> = one.items.iter().map(|item| {
            let purchase = &purchases[&item.external_id];
            assert_eq!(minor(&purchase["unitPrice"]), item.unit_price_minor, "{what}");
            json!({"purchaseId": purchase["id"], "quantity": item.quantity, "returnReasonId": purchase["returnReasons"][0]["id"]})
        }).collect();
        let first = &purchases[&one.items[0].external_id];
        let body = json!({"selectedPurchases": selected, "shippingOptionId": first["shippingOptions"][0]["id"]});
        let path = format!("{consumer}/draft-return-order");
        let (status, draft) = self.ask("draft", Method::POST, &path, token, Some(format!("draft {what}")), body).await;
        assert_eq!(status, StatusCode::CREATED, "{what}: {}", String::from_utf8_lossy(&draft));
        let answer: Value = serde_json::from_slice(&draft).unwrap();
        check_costs(&what, &answer["costBreakdown"], one, &purchases);

        let body = json!({"draftReturnOrderId": answer["id"]});
        let path = format!("{consumer}/return-order");
        let (status, created) =
            self.ask("submit", Method::POST, &path, token, Some(format!("submit {what}")), body).await;
        assert_eq!(status, StatusCode::CREATED, "{what}: {}", String::from_utf8_lossy(&created));
        let id: Value = serde_json::from_slice(&created).unwrap();
        let path = format!("{consumer}/return-order/{}?expand=returnRequests", id["id"].as_str().unwrap());
        let (_, confirmed) = self.ask("confirmation", Method::GET, &path, token, None, Value::Null).await;
        check_requests(&what, &serde_json::from_slice(&confirmed).unwrap(), one);
        let known = self.replay.answers.insert((one.reference.clone(), order.number.clone()), [draft, created]);
        assert!(known.is_none(), "{what} was sent twice");
    }

    /// All purchases by the shop's id of the line, page by page.
    async fn purchases(&mut self, consumer: &str, token: &str) -> BTreeMap<String, Value> {
        let mut purchases = BTreeMap::new();
        let mut page = 1;
        loop {
            let path = format!("{consumer}/purchases?limit=100&page={page}");
            let (_, list) = self.ask("purchases", Method::GET, &path, token, None, Value::Null).await;
            let mut list: Value = serde_json::from_slice(&list).unwrap();
            for purchase in list["data"].as_array_mut().unwrap().drain(..) {
                purchases.insert(purchase["externalId"].as_str().unwrap().to_owned(), purchase);
            }
            match list["nextPage"].as_i64() {
                Some(next) => page = next,
                None => return purchases,
            }
        }
    }

    async fn ask(
        &mut self,
        kind: &'static str,
        method: Method,
        path: &str,
        token: &str,
        key: Option<String>,
        body: Value,
    ) -> (StatusCode, Vec<u8>) {
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        if !body.is_null() {
            request = request.json(&body);
        }
        let started = Instant::now();
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let bytes = answer.bytes().await.unwrap().to_vec();
        self.replay.times.entry(kind).or_default().push(started.elapsed());
        assert!(status.is_success(), "{kind}: {status} {}", String::from_utf8_lossy(&bytes));
        (status, bytes)
    }
}

/// `{"value": "12.50", …}` is 1250.
pub fn minor(money: &Value) -> i64 {
    assert_eq!(money["currency"], "GBP");
    money["value"].as_str().unwrap().replace('.', "").parse().unwrap()
}

fn check_costs(what: &str, costs: &Value, one: &Return, purchases: &BTreeMap<String, Value>) {
    let lines = costs["lines"].as_array().unwrap();
    for item in &one.items {
        let mut refunds = lines
            .iter()
            .filter(|line| line["kind"] == "ItemRefund" && line["purchaseId"] == purchases[&item.external_id]["id"]);
        let refund = refunds.next().unwrap_or_else(|| panic!("{what}: no refund of {}", item.external_id));
        assert_eq!(
            (minor(&refund["amount"]), refund["quantity"].as_u64()),
            (item.amount(), Some(item.quantity.into())),
            "{what}"
        );
        assert!(refunds.next().is_none(), "{what}");
    }
    let total: i64 = one.items.iter().map(super::real_data::Item::amount).sum();
    assert_eq!((minor(&costs["refundTotal"]), minor(&costs["estimatedRefund"])), (total, total), "{what}");
}

fn check_requests(what: &str, order: &Value, one: &Return) {
    let requests = order["returnRequests"].as_array().unwrap();
    assert_eq!(requests.len(), one.items.len(), "{what}");
    for item in &one.items {
        let request = requests.iter().find(|request| request["purchaseExternalId"] == item.external_id).unwrap();
        let found = (minor(&request["purchasePrice"]), request["quantity"].as_u64());
        assert_eq!(found, (item.amount(), Some(item.quantity.into())), "{what}");
    }
}
