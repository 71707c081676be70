//! The load: shoppers with forms and with the API, a warehouse, and a back office. Each repeats a request until it is answered, as the
//! documentation recommends. A journal records the answers.

use super::attempts::Attempts;
use crate::crash::SHOP;
use reqwest::{Method, RequestBuilder, StatusCode, header, redirect};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{task::JoinSet, time::sleep};

/// The shop whose own system pays refunds.
pub const PAID: &str = "paid";
/// A client that has no answer after this time sends the request again.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A return, as it was acknowledged to its clients.
#[derive(Debug, Clone)]
pub struct AcknowledgedReturn {
    pub shop: &'static str,
    pub return_order: String,
    /// Empty if only a shopper knows the return.
    pub request: String,
    pub stage: &'static str,
}

/// A request with an idempotency key, and its answer.
#[derive(Debug, Clone)]
pub struct KeyedRequest {
    pub path: String,
    pub credential: String,
    pub key: String,
    pub body: Value,
    pub answer: Vec<u8>,
}

/// Everything that was acknowledged.
#[derive(Debug, Default)]
pub struct Journal {
    pub returns: Vec<AcknowledgedReturn>,
    pub keyed: Vec<KeyedRequest>,
}

/// All clients.
#[derive(Debug)]
pub struct Load {
    working: JoinSet<()>,
    enough: Arc<AtomicBool>,
    journal: Arc<Mutex<Journal>>,
}

/// What all clients share.
#[derive(Debug, Clone)]
struct Client {
    http: reqwest::Client,
    base: String,
    keys: [String; 2],
    tries: Attempts,
    next: Arc<AtomicUsize>,
    enough: Arc<AtomicBool>,
    journal: Arc<Mutex<Journal>>,
}

/// A final answer.
struct FinalAnswer {
    status: StatusCode,
    location: String,
    body: Vec<u8>,
}

impl FinalAnswer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Load {
    /// Starts all clients. `keys`: the keys of the two shops.
    pub fn begin(base: &str, keys: [String; 2], tries: &Attempts) -> Self {
        let (enough, journal) = (Arc::new(AtomicBool::new(false)), Arc::default());
        let mut working = JoinSet::new();
        let client = Client {
            http: browser(),
            base: base.to_owned(),
            keys,
            tries: tries.clone(),
            next: Arc::default(),
            enough: Arc::clone(&enough),
            journal: Arc::clone(&journal),
        };
        for _ in 0..5 {
            working.spawn(client.clone().returns(SHOP));
        }
        for _ in 0..3 {
            working.spawn(client.clone().returns(PAID));
        }
        for _ in 0..3 {
            working.spawn(client.clone().use_forms());
        }
        working.spawn(client.read_lists());
        Self { working, enough, journal }
    }

    /// Lets every client finish what it has begun. Returns the journal.
    pub async fn end(self) -> Journal {
        self.enough.store(true, Ordering::Relaxed);
        self.working.join_all().await;
        std::mem::take(&mut self.journal.lock().unwrap())
    }
}

/// A client that does not follow redirects.
fn browser() -> reqwest::Client {
    reqwest::Client::builder().redirect(redirect::Policy::none()).timeout(TIMEOUT).build().unwrap()
}

impl Client {
    fn is_enough(&self) -> bool {
        self.enough.load(Ordering::Relaxed)
    }

    fn number(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    fn key_of(&self, shop: &str) -> &str {
        &self.keys[usize::from(shop == PAID)]
    }

    /// Repeats a request until it is answered. A lost connection, 503 and 500 are no answers.
    async fn ask(&self, kind: &'static str, request: impl Fn() -> RequestBuilder) -> FinalAnswer {
        let (began, mut tries) = (Instant::now(), 0);
        loop {
            tries += 1;
            let answer = self.try_once(&request).await;
            self.tries.record_attempt(kind, answer.is_some());
            if let Some(answer) = answer {
                self.tries.record_operation(kind, tries, began.elapsed());
                return answer;
            }
            sleep(Duration::from_millis(50 << tries.min(4))).await;
        }
    }

    async fn try_once(&self, request: &impl Fn() -> RequestBuilder) -> Option<FinalAnswer> {
        let response = request().send().await.ok()?;
        let status = response.status();
        let is_broken = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
        let location = response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok()).unwrap_or_default();
        let location = location.to_owned();
        let body = response.bytes().await.ok()?.to_vec();
        (!is_broken).then_some(FinalAnswer { status, location, body })
    }

    /// Calls the API. The answer must be a success.
    async fn call(&self, kind: &'static str, method: Method, path: &str, credential: &str, body: &Value) -> Value {
        self.call_with(kind, method, path, credential, None, body).await
    }

    async fn call_with(
        &self,
        kind: &'static str,
        method: Method,
        path: &str,
        credential: &str,
        key: Option<&str>,
        body: &Value,
    ) -> Value {
        let request = || {
            let mut request = self.http.request(method.clone(), format!("{}{path}", self.base)).bearer_auth(credential);
            if let Some(key) = key {
                request = request.header("idempotency-key", key);
            }
            if body.is_null() { request } else { request.json(body) }
        };
        let answer = self.ask(kind, request).await;
        assert!(answer.status.is_success(), "{kind}: {method} {path}: {} {}", answer.status, answer.text());
        if let (Some(key), Method::POST) = (key, method) {
            let (path, credential, key) = (path.to_owned(), credential.to_owned(), key.to_owned());
            let keyed = KeyedRequest { path, credential, key, body: body.clone(), answer: answer.body.clone() };
            self.journal.lock().unwrap().keyed.push(keyed);
        }
        answer.json()
    }

    /// A shopper's program submits returns, the warehouse receives them, and staff approve them.
    async fn returns(self, shop: &'static str) {
        while !self.is_enough() {
            let number = self.number();
            let return_order = self.submit(shop, number).await;
            let key = |what: &str| format!("{what} {number}");
            let credential = self.key_of(shop);
            let path = format!("/api/v0/return-requests?filter=returnOrderId:{return_order}");
            let found = self.call("list", Method::GET, &path, credential, &Value::Null).await;
            let request = found["data"][0]["id"].as_str().unwrap().to_owned();
            let path = format!("/api/v0/return-requests/{request}");
            let body = json!({"quantity": 1, "externalReference": format!("dock {number}")});
            let receipts = format!("{path}/receipts");
            self.call_with("receipt", Method::POST, &receipts, credential, Some(&key("receive")), &body).await;
            let (body, stage) = if shop == PAID {
                (json!({"stage": "Resolution: Approved", "fromStage": "Resolution: Pending"}), "Resolution: Approved")
            } else {
                let paid = format!("refund {number}");
                let body = json!({"stage": "Resolution: Completed", "fromStage": "Resolution: Approved", "externalReference": paid});
                (body, "Resolution: Completed")
            };
            let moved = self.call_with("approval", Method::PATCH, &path, credential, Some(&key("move")), &body).await;
            assert!(moved["stage"].as_str().unwrap().starts_with("Resolution: "), "{moved}");
            self.journal.lock().unwrap().returns.push(AcknowledgedReturn { shop, return_order, request, stage });
        }
    }

    async fn submit(&self, shop: &'static str, number: usize) -> String {
        let key = |what: &str| format!("{what} {number}");
        let credentials =
            json!({"account": shop, "orderNumber": format!("C{number}"), "email": format!("c{number}@example.com")});
        let identity = self.call("look-up", Method::POST, "/auth/consumer", "", &credentials).await;
        let consumer = format!("/consumer/{}", identity["consumer"]["id"].as_str().unwrap());
        let token = identity["accessToken"].as_str().unwrap();
        let path = format!("{consumer}/purchases");
        let purchases = self.call("purchases", Method::GET, &path, token, &Value::Null).await;
        let purchase = &purchases["data"][0];
        let selected = json!({"purchaseId": purchase["id"], "returnReasonId": purchase["returnReasons"][0]["id"]});
        let body = json!({"selectedPurchases": [selected], "shippingOptionId": purchase["shippingOptions"][0]["id"]});
        let path = format!("{consumer}/draft-return-order");
        let draft = self.call_with("draft", Method::POST, &path, token, Some(&key("draft")), &body).await;
        let body = json!({"draftReturnOrderId": draft["id"]});
        let path = format!("{consumer}/return-order");
        let order = self.call_with("submit", Method::POST, &path, token, Some(&key("submit")), &body).await;
        order["id"].as_str().unwrap().to_owned()
    }

    /// The back office reads lists.
    async fn read_lists(self) {
        while !self.is_enough() {
            for path in ["/api/v0/return-requests?limit=50&expand=consumer", "/api/v0/return-orders?filter=status:Open"]
            {
                self.call("list", Method::GET, path, &self.keys[0], &Value::Null).await;
                sleep(Duration::from_millis(50)).await;
            }
        }
    }

    /// Shoppers with a browser without scripting.
    async fn use_forms(self) {
        while !self.is_enough() {
            let number = self.number();
            let return_order = loop {
                // A shopper who is redirected to the look-up starts again.
                if let Some(return_order) = self.use_forms_once(number).await {
                    break return_order;
                }
            };
            let told = AcknowledgedReturn { shop: SHOP, return_order, request: String::new(), stage: "" };
            self.journal.lock().unwrap().returns.push(told);
        }
    }

    async fn use_forms_once(&self, number: usize) -> Option<String> {
        let http = reqwest::Client::builder().redirect(redirect::Policy::none()).timeout(TIMEOUT).cookie_store(true);
        let http = http.build().unwrap();
        let url = |path: &str| format!("{}{path}", self.base);
        let page = async |path: String| {
            let page = self.ask("portal: page", || http.get(url(&path))).await;
            assert!(
                page.status.is_success() || page.status.is_redirection(),
                "{path}: {} {}",
                page.status,
                page.text()
            );
            page
        };
        let send = async |kind, path: &str, fields: &[(&str, &str)]| {
            self.ask(kind, || http.post(url(path)).form(fields)).await.location
        };
        page(format!("/{SHOP}")).await;
        let (order, email) = (format!("C{number}"), format!("c{number}@example.com"));
        let door = format!("/{SHOP}");
        let to =
            send("portal: look-up", &format!("{door}/call/look-up"), &[("orderNumber", &order), ("email", &email)])
                .await;
        let to = to.strip_prefix(&self.base).unwrap_or(&to).to_owned();
        if to != format!("/{SHOP}/purchases") {
            return None;
        }
        let list = page(to.clone()).await.text();
        let Some(id) = value_of(&list, "p1.id") else {
            // All units are in returns: the answer was lost, together with the session.
            return found_in(&list);
        };
        let reason = value_of(&list, "p1.reason")?;
        let fields =
            [("p1.id", id.as_str()), ("p1.take", "1"), ("p1.quantity", "1"), ("p1.reason", &reason), ("go", "on")];
        let to = send("portal: choose", &format!("/{SHOP}/call/choose"), &fields).await;
        if !to.starts_with(&format!("/{SHOP}/review")) {
            return None;
        }
        let review = page(to).await;
        let (draft, option) = (value_of(&review.text(), "draft")?, value_of(&review.text(), "shippingOption")?);
        let fields = [("draft", draft.as_str()), ("shippingOption", option.as_str())];
        let to = send("portal: submit", &format!("/{SHOP}/call/submit"), &fields).await;
        let id = to.strip_prefix(&format!("/{SHOP}/returns/"))?.to_owned();
        page(to).await;
        Some(id)
    }
}

/// The value of the first field with this name.
fn value_of(page: &str, name: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("name=\"{name}\""))?;
    let (tag, _) = rest.split_once('>')?;
    let (_, value) = tag.split_once("value=\"")?;
    Some(value.split_once('"')?.0.to_owned())
}

/// The return that a page links to.
fn found_in(page: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("/{SHOP}/returns/"))?;
    rest.get(..36).map(str::to_owned)
}
