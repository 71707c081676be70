//! The real service on a real socket, on both databases, with a clock that stands still, and a client for it.

use domain::{
    Currency, Timestamp,
    address::Address,
    branding::Branding,
    order::{NewOrder, NewPurchase, Product},
    policy::Policy,
};
use reqwest::{Method, header::HeaderMap};
use returns::{
    Demo, Files, Http, NewAccount, Retour, S3Settings, Scope, SecretKeys, Source,
    bodies::BodyBudget,
    import::{ImportError, Parsed},
};
use serde_json::{Value, json};
use std::sync::LazyLock;
use store::testing::{Database, Prepared};

/// The key that encrypts secrets.
pub const SECRET_KEY: &str = "a key for tests that is long enough";

/// The time at which every test begins.
pub const NOW: Timestamp = Timestamp::from_seconds(1_795_255_200);

/// Makes a test of each function on each database.
macro_rules! on_both_databases {
    ($($name:ident)+) => {
        mod sqlite {
            $(#[test]
            fn $name() {
                $crate::harness::SHOPS.on_sqlite(async |database, shops| super::$name($crate::harness::Service::of(database, shops)).await);
            })+
        }
        mod postgres {
            $(#[test]
            fn $name() {
                $crate::harness::SHOPS.on_postgres(async |database, shops| super::$name($crate::harness::Service::of(database, shops)).await);
            })+
        }
    };
}
pub(crate) use on_both_databases;

/// The two shops of each test. Creating them takes longer than many tests, so it is done once.
pub static SHOPS: Prepared<Shops> = Prepared::new(|database| {
    Box::pin(async move { Shops::create(&configured(&database, Source::held_at(NOW)).0).await })
});

/// The demo shop, and another one.
#[derive(Debug, Clone)]
pub struct Shops {
    demo: Demo,
    other_account: String,
    other_key: String,
}

impl Shops {
    async fn create(retour: &Retour) -> Self {
        let demo = retour.operator().demo(None).await.unwrap();
        let (other_account, other_key) = other_shop(retour).await;
        Self { demo, other_account, other_key }
    }
}

/// The use cases of each test, and the storage of uploaded files.
fn configured(database: &Database, clock: Source) -> (Retour, tempfile::TempDir) {
    let files = tempfile::tempdir().unwrap();
    let kept = Files::open(&format!("file://{}", files.path().display()), &S3Settings::default()).unwrap();
    let calling = Http::new("127.0.0.0/8".parse().unwrap()).unwrap();
    let retour = Retour::new(database.store.clone(), clock)
        .configured(|config| config.files = Some(kept))
        .configured(|config| config.secret_keys = SECRET_KEY.parse().unwrap())
        .configured(|config| config.http = Some(calling))
        .configured(|config| config.simulates_payments = true)
        .configured(|config| config.wording_check = Some(portal::check_wording));
    (retour, files)
}

/// A running service with two shops.
pub struct Service {
    pub database: Database,
    pub retour: Retour,
    pub clock: Source,
    /// The storage of uploaded files.
    pub files: tempfile::TempDir,
    /// The demo shop: orders 1001 to 1004, and three shipping options.
    pub demo: Demo,
    /// A key of another shop, which also has an order 1001 of Ada's.
    pub other_key: String,
    pub other_account: String,
    base: String,
    client: reqwest::Client,
}

impl Service {
    /// Starts the service without a rate limit. It can store secrets and call this machine. Webhooks are delivered only after
    /// [`Self::deliver_webhooks`].
    pub async fn start(database: Database) -> Self {
        Self::start_at(database, Source::held_at(NOW)).await
    }

    /// Starts the service with another clock. A receiver that verifies signatures needs the real time.
    pub async fn start_at(database: Database, clock: Source) -> Self {
        let (retour, files) = configured(&database, clock.clone());
        let shops = Shops::create(&retour).await;
        Self::serving(database, retour, clock, files, shops)
    }

    /// Starts the service on a database with these shops.
    pub fn of(database: Database, shops: Shops) -> Self {
        let clock = Source::held_at(NOW);
        let (retour, files) = configured(&database, clock.clone());
        Self::serving(database, retour, clock, files, shops)
    }

    fn serving(database: Database, retour: Retour, clock: Source, files: tempfile::TempDir, shops: Shops) -> Self {
        let Shops { demo, other_account, other_key } = shops;
        let base = listen(&retour, 0);
        Self { database, retour, clock, files, demo, other_key, other_account, base, client: reqwest::Client::new() }
    }

    /// Serves the same shops at a new address, with this rate limit.
    pub fn with_limit(mut self, limit: u32) -> Self {
        self.base = listen(&self.retour, limit);
        self
    }

    /// Serves the same shops at a new address, with this budget for bodies.
    pub fn with_bodies(mut self, bodies: BodyBudget) -> Self {
        self.base = open(self.instance(0).with_bodies(bodies));
        self
    }

    /// The application with this rate limit, as one of several instances.
    pub fn instance(&self, limit: u32) -> server::App {
        server::App::new(self.retour.clone(), limit, "127.0.0.1".parse().unwrap())
    }

    /// Delivers webhooks from now on, until the test ends.
    pub fn deliver_webhooks(&self) {
        let retour = self.retour.clone();
        tokio::spawn(async move { workers::Workers::new(&retour).deliver_webhooks(std::future::pending()).await });
    }

    /// Serves the same shops at a new address, with another configuration.
    pub fn serve(&mut self, retour: Retour) {
        self.retour = retour;
        self.base = listen(&self.retour, 0);
    }

    /// Serves the same shops with a host of its own for the desk.
    pub fn serve_desk_at(&mut self, host: &str) {
        self.base = open(self.instance(0).with_desk_at(host));
    }

    /// Serves the same shops without a secret key.
    pub fn without_secret_key(mut self) -> Self {
        self.retour = self.retour.configured(|config| config.secret_keys = SecretKeys::default());
        self.base = listen(&self.retour, 0);
        self
    }

    /// The address of the service.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// A request with a bearer credential, or without one if it is empty.
    pub fn request(&self, method: Method, path: &str, credential: &str) -> reqwest::RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        if credential.is_empty() { request } else { request.bearer_auth(credential) }
    }

    pub async fn get(&self, path: &str, credential: &str) -> Answer {
        send(self.request(Method::GET, path, credential)).await
    }

    pub async fn post(&self, path: &str, credential: &str, body: Value) -> Answer {
        send(self.request(Method::POST, path, credential).json(&body)).await
    }

    pub async fn patch(&self, path: &str, credential: &str, body: Value) -> Answer {
        send(self.request(Method::PATCH, path, credential).json(&body)).await
    }

    pub async fn put(&self, path: &str, credential: &str, body: Value) -> Answer {
        send(self.request(Method::PUT, path, credential).json(&body)).await
    }

    pub async fn delete(&self, path: &str, credential: &str) -> Answer {
        send(self.request(Method::DELETE, path, credential)).await
    }

    /// Proves an order of the demo shop.
    pub async fn prove(&self, order: &str, email: &str) -> Consumer {
        let body = json!({"account": self.demo.account.slug, "orderNumber": order, "email": email});
        Consumer::of(self.post("/auth/consumer", "", body).await)
    }

    pub async fn ada(&self) -> Consumer {
        self.prove("1001", "ada@example.com").await
    }

    /// Everything that a consumer has bought.
    pub async fn purchases(&self, consumer: &Consumer) -> Vec<Value> {
        let answer = self.get(&format!("/consumer/{}/purchases?limit=100", consumer.id), &consumer.token).await;
        answer.json()["data"].as_array().unwrap().clone()
    }

    /// A draft of one unit of each of these purchases, with the first shipping option.
    pub async fn draft(&self, consumer: &Consumer, purchases: &[Value]) -> Value {
        let selected: Vec<Value> = purchases.iter().map(|purchase| choose(purchase, 1)).collect();
        let body = json!({"selectedPurchases": selected, "shippingOptionId": purchases[0]["shippingOptions"][0]["id"]});
        let answer = self.post(&format!("/consumer/{}/draft-return-order", consumer.id), &consumer.token, body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }

    /// A return of one unit of each of these purchases.
    pub async fn create_return(&self, consumer: &Consumer, purchases: &[Value]) -> Value {
        let draft = self.draft(consumer, purchases).await;
        let body = json!({"draftReturnOrderId": draft["id"]});
        let answer = self.post(&format!("/consumer/{}/return-order", consumer.id), &consumer.token, body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }

    /// A summary of every table, which shows any change: rows, units, versions and statuses.
    pub async fn contents(&self) -> Vec<String> {
        const CONTENTS: &str = "SELECT 'orders ' || COUNT(*) FROM orders
            UNION ALL SELECT 'purchases ' || COUNT(*) || ', ' || SUM(taken + taken_dear + settled) FROM purchases
            UNION ALL SELECT 'draft ' || status || ' ' || updated_at FROM draft_return_orders
            UNION ALL SELECT 'return order ' || status || ' ' || version FROM return_orders
            UNION ALL SELECT 'return request ' || stage || ' ' || version FROM return_requests
            UNION ALL SELECT 'shipment ' || status FROM shipments
            UNION ALL SELECT 'timeline ' || COUNT(*) FROM timeline_entries
            UNION ALL SELECT 'events ' || COUNT(*) FROM events
            UNION ALL SELECT 'subscription ' || version || ' ' || secret FROM webhook_subscriptions
            UNION ALL SELECT 'delivery ' || status || ' ' || attempts || ' ' || due_at FROM webhook_deliveries
            UNION ALL SELECT 'withdrawal ' || status || ' ' || version FROM withdrawals
            UNION ALL SELECT 'consumers ' || COUNT(*) FROM consumers
            UNION ALL SELECT 'tokens ' || COUNT(*) FROM consumer_tokens
            UNION ALL SELECT 'keys ' || COUNT(*) FROM idempotency_keys";
        let mut contents = self.database.texts(CONTENTS).await;
        contents.sort_unstable();
        contents
    }
}

/// A consumer who has proved an order.
pub struct Consumer {
    pub id: String,
    pub token: String,
}

impl Consumer {
    pub fn of(answer: Answer) -> Self {
        assert!(answer.status == 200 || answer.status == 201, "{}", answer.text());
        let identity = answer.json();
        Self { id: text(&identity["consumer"]["id"]), token: text(&identity["accessToken"]) }
    }
}

/// A selection of this many units of a purchase, with the first reason.
pub fn choose(purchase: &Value, quantity: u32) -> Value {
    json!({"purchaseId": purchase["id"], "quantity": quantity, "returnReasonId": purchase["returnReasons"][0]["id"]})
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("expected a text, not {value}")).to_owned()
}

/// The answer to a request.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {} {}", self.status, self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The code of the error. Also checks the envelope.
    pub fn error_code(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/json"), "{}", self.text());
        let body = self.json();
        let error = body["error"].as_object().unwrap_or_else(|| panic!("no error: {body}"));
        assert_eq!(body.as_object().unwrap().len(), 1, "{body}");
        assert!(error.keys().all(|key| ["code", "message", "details"].contains(&key.as_str())), "{body}");
        assert!(!text(&error["message"]).is_empty());
        for detail in error.get("details").and_then(Value::as_array).into_iter().flatten() {
            let keys: Vec<&str> = detail.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys, ["code", "field", "message"]);
        }
        text(&error["code"])
    }

    /// The fields that the error names.
    pub fn fields(&self) -> Vec<String> {
        let details = self.json()["error"]["details"].as_array().cloned().unwrap_or_default();
        details.iter().map(|detail| text(&detail["field"])).collect()
    }

    /// Compares status and body with the snapshot of this name. Ids, times and secrets are replaced with placeholders.
    pub fn matches_snapshot(&self, name: &str) {
        let mut shape =
            json!({"status": self.status, "body": if self.body.is_empty() { Value::Null } else { self.json() }});
        redact(&mut shape);
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_json_snapshot!(name, shape));
    }
}

pub async fn send(request: reqwest::RequestBuilder) -> Answer {
    let (client, request) = request.build_split();
    let request = request.unwrap();
    let (method, path) = (request.method().clone(), request.url().path().to_owned());
    let response = client.execute(request).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let answer = Answer { status, headers, body: response.bytes().await.unwrap().to_vec() };
    crate::contract::check(&method, &path, status, &answer.headers, &answer.body);
    answer
}

/// Replaces values that differ in each run with placeholders.
pub fn redact(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Object(fields) => {
            for (name, value) in fields {
                match name.as_str() {
                    "keyLastFour" => *value = "[last four]".into(),
                    "durationMs" => *value = "[milliseconds]".into(),
                    "lastUsedAt" => *value = "[time] or null".into(), // it is set a little later
                    _ => redact(value),
                }
            }
        }
        Value::String(text) => match placeholder(text) {
            Some(placeholder) => placeholder.clone_into(text),
            None if text.starts_with('/') => *text = without_ids(text),
            None => {}
        },
        _ => {}
    }
}

/// A path with placeholders for its ids.
fn without_ids(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').map(|part| placeholder(part).unwrap_or(part)).collect();
    parts.join("/")
}

fn placeholder(text: &str) -> Option<&'static str> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match text {
        _ if text.len() == 36 && text.parse::<domain::PurchaseId>().is_ok() => Some("[id]"),
        _ if text.len() >= 20 && Timestamp::parse(text).is_some() => Some("[time]"),
        _ if ["rtc_", "rti_", "rtk_", "rtl_", "rtu_", "whsec_"].iter().any(|kind| text.starts_with(kind)) => {
            Some("[secret]")
        }
        _ if text.starts_with("http://127.0.0.1:") => Some("[receiver]"),
        _ if text.len() == 10 && text.starts_with("R-") => Some("[return number]"),
        _ if text.len() == 10 && text.starts_with("W-") => Some("[withdrawal number]"),
        _ if text.len() == 18 && digits(text) => Some("[sscc]"),
        _ => None,
    }
}

fn listen(retour: &Retour, limit: u32) -> String {
    open(server::App::new(retour.clone(), limit, "127.0.0.1".parse().unwrap()))
}

/// Serves at a free port until the test's runtime ends.
pub fn open(app: server::App) -> String {
    let site = LazyLock::force(&SITE).path().to_string_lossy().into_owned();
    let options = leptos::config::LeptosOptions::builder().output_name("retour").site_root(site).build();
    let listener = server::listen("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.local_addr().unwrap();
    let app = server::router(app, options, false);
    tokio::spawn(server::serve(listener, app, std::future::pending()));
    format!("http://{address}")
}

/// An empty site: the API needs no scripts or styles.
static SITE: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

async fn other_shop(retour: &Retour) -> (String, String) {
    let currency = Currency::from_code("EUR").unwrap();
    let new = NewAccount {
        slug: "other".to_owned(),
        name: "Other".to_owned(),
        currency,
        time_zone: domain::TimeZone::UTC,
        policy: Policy::default(),
        branding: Branding::default(),
        api_origins: Vec::new(),
    };
    let account = retour.operator().create_account(new).await.unwrap();
    let line = NewPurchase {
        external_id: "line-1".to_owned(),
        position: 1,
        product: Product { name: "Chair".to_owned(), ..Product::default() },
        quantity: 3,
        fulfilled: 3,
        shop_refunded: 0,
        total: 10_000,
        tax: 0,
        duties: 0,
        discount: 0,
        final_sale: false,
        requires_shipping: true,
        removed: 0,
        obstacle: None,
        fulfilled_at: Some(NOW.plus_seconds(-86_400)),
        delivered_at: None,
    };
    let order = NewOrder {
        external_id: "order-1".to_owned(),
        number: "1001".to_owned(),
        email: "ada@example.com".to_owned(),
        address: Address::default(),
        currency,
        ordered_at: NOW.plus_seconds(-2 * 86_400),
        shipping_paid: 0,
        sums: domain::order::OrderSums::default(),
        is_partial: false,
        review: None,
        billing_postal_code: String::new(),
        tags: Vec::new(),
        lines: vec![line],
    };
    retour.operator().import(account.id, std::iter::once(Ok::<_, ImportError>(Parsed::from(order)))).await.unwrap();
    let key = retour.operator().create_service_user(account.id, "other", &[Scope::Admin]).await.unwrap();
    (account.id.to_string(), key)
}
