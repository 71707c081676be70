//! Webhooks: how many are delivered per second, with a signature and a stored attempt each, compared with a bare client
//! that signs the same requests and posts them over kept-alive connections to the same receiver. Also the time from the
//! commit of an event to its POST.

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, http::StatusCode, routing::post};
use domain::{Currency, EventId, ReturnOrderId, Timestamp, branding::Branding, policy::Policy, webhook::EventType};
use http_body_util::{BodyExt as _, Full};
use hyper::{Request, client::conn::http1};
use hyper_util::rt::TokioIo;
use returns::{Http, Listing, NewAccount, NewWebhookSubscription, Page, Retour, Scope, Source, Staff};
use serde_json::json;
use standardwebhooks::Webhook;
use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use store::{DatabaseKind, events::Event, testing::Database};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinSet,
};
use uuid::Uuid;

const SUBSCRIPTIONS: usize = 4;
/// The secret of the bare client.
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const EVENTS: usize = 5_000;
/// As many connections as the sender uses for all of its subscriptions.
const CONNECTIONS: usize = SUBSCRIPTIONS * 16;
const PER_SECOND: u64 = 500;
const SECONDS: u64 = 10;

/// The result.
pub struct Deliveries {
    pub per_second: f64,
    pub bare_per_second: f64,
    pub p50: Duration,
    pub p99: Duration,
}

/// One request with its time.
type ReceivedRequest = (Instant, HeaderMap, Bytes);

#[derive(Clone)]
struct Receiver {
    address: SocketAddr,
    came: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Receiver {
    async fn listen() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Self { address: listener.local_addr().unwrap(), came: Arc::default() };
        let app = Router::new().route("/hook", post(receive)).with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        receiver
    }

    fn count(&self) -> usize {
        self.came.lock().unwrap().len()
    }

    fn take(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.came.lock().unwrap())
    }
}

async fn receive(State(receiver): State<Receiver>, headers: HeaderMap, body: Bytes) -> StatusCode {
    receiver.came.lock().unwrap().push((Instant::now(), headers, body));
    StatusCode::NO_CONTENT
}

/// Measures on a migrated database.
pub async fn run(database: &Database) -> Deliveries {
    let receiver = Receiver::listen().await;
    let (retour, staff) = shop(database, &receiver).await;

    for chunk in (0..EVENTS).collect::<Vec<_>>().chunks(1_000) {
        let mut writing = database.store.write().await.unwrap();
        for _ in chunk {
            writing.publish(event(&retour, &staff));
        }
        writing.commit().await.unwrap();
    }
    // Autovacuum of Postgres runs once a minute, and has last seen empty tables.
    if database.store.kind() == DatabaseKind::Postgres {
        database.run("ANALYZE").await;
    }
    let began = Instant::now();
    let (stop, stopped) = oneshot::channel::<()>();
    let sending = retour.clone();
    let sender = tokio::spawn(async move {
        workers::Workers::new(&sending).deliver_webhooks(async move { drop(stopped.await) }).await;
    });
    while receiver.count() < EVENTS * SUBSCRIPTIONS || retour.operator().backlog().await.unwrap().webhooks.count > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let took = began.elapsed();
    let came = receiver.take();
    assert_eq!(came.len(), EVENTS * SUBSCRIPTIONS);
    let bare_per_second = bare(&receiver, &came).await;
    receiver.take();

    leave_one(&retour, &staff).await;
    let mut waits = steadily(&retour, &staff, database, &receiver).await;
    waits.sort_unstable();
    stop.send(()).unwrap();
    sender.await.unwrap();
    Deliveries {
        per_second: super::per_second(came.len(), took),
        bare_per_second,
        p50: waits[waits.len() / 2],
        p99: waits[waits.len() * 99 / 100],
    }
}

async fn shop(database: &Database, receiver: &Receiver) -> (Retour, Staff) {
    let retour = Retour::new(database.store.clone(), Source::system())
        .configured(|config| config.secret_keys = "0123456789abcdef0123456789abcdef".parse().unwrap())
        .configured(|config| config.http = Some(Http::new("127.0.0.1".parse().unwrap()).unwrap()));
    let new = NewAccount {
        slug: "webhooks".to_owned(),
        name: "Webhooks".to_owned(),
        currency: Currency::from_code("GBP").unwrap(),
        time_zone: domain::TimeZone::UTC,
        policy: Policy::default(),
        branding: Branding::default(),
        api_origins: Vec::new(),
    };
    let account = retour.operator().create_account(new).await.unwrap();
    let key = retour.operator().create_service_user(account.id, "all", &[Scope::Admin]).await.unwrap();
    let staff = retour.caller(&key).await.unwrap().as_staff(Scope::Admin).unwrap();
    for _ in 0..SUBSCRIPTIONS {
        let new: NewWebhookSubscription =
            serde_json::from_value(json!({"url": format!("http://{}/hook", receiver.address)})).unwrap();
        retour.merchant(&staff).create_webhook_subscription(new, None).await.unwrap();
    }
    (retour, staff)
}

/// An event of a realistic size: a return request entered a stage.
fn event(retour: &Retour, staff: &Staff) -> Event {
    let id = || retour.request_id().parse::<Uuid>().unwrap();
    let data =
        json!({"id": id(), "stage": "Resolution: Approved", "words": "a mug that holds the tea of a day ".repeat(30)});
    Event {
        id: EventId(id()),
        account_id: staff.account(),
        kind: EventType::StageChanged,
        stage: None,
        return_order_id: ReturnOrderId(id()),
        data: data.to_string(),
        created_at: Timestamp::from_micros(retour.now().micros()),
    }
}

/// A bare client that sends the same requests, signed again.
async fn bare(receiver: &Receiver, came: &[ReceivedRequest]) -> f64 {
    let began = Instant::now();
    let mut clients = JoinSet::new();
    for part in came.chunks(came.len().div_ceil(CONNECTIONS)) {
        let (part, address) = (part.to_vec(), receiver.address);
        clients.spawn(async move {
            let stream = TcpStream::connect(address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            let (mut line, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
            tokio::spawn(connection);
            let signer = Webhook::new(SECRET).unwrap();
            for (_, mut headers, body) in part {
                let [id, at] = ["webhook-id", "webhook-timestamp"].map(|name| headers[name].to_str().unwrap());
                let signature = signer.sign(id, at.parse().unwrap(), &body).unwrap();
                headers.insert("webhook-signature", signature.parse().unwrap());
                let mut request = Request::post("/hook").body(Full::new(body)).unwrap();
                *request.headers_mut() = headers;
                line.ready().await.unwrap();
                let answer = line.send_request(request).await.unwrap();
                assert!(answer.status().is_success());
                answer.into_body().collect().await.unwrap();
            }
        });
    }
    clients.join_all().await;
    super::per_second(came.len(), began.elapsed())
}

/// Deletes all subscriptions except one.
async fn leave_one(retour: &Retour, staff: &Staff) {
    let all = retour.merchant(staff).webhook_subscriptions(&Listing::newest(Page::first(100))).await.unwrap();
    for subscription in &all.data[1..] {
        retour.merchant(staff).delete_webhook_subscription(subscription.id).await.unwrap();
    }
}

/// Writes events at a steady pace for one subscription. Returns the time from each commit to its POST.
async fn steadily(retour: &Retour, staff: &Staff, database: &Database, receiver: &Receiver) -> Vec<Duration> {
    let mut pace = tokio::time::interval(Duration::from_micros(1_000_000 / PER_SECOND));
    let mut writing = JoinSet::new();
    for _ in 0..PER_SECOND * SECONDS {
        pace.tick().await;
        let (event, store) = (event(retour, staff), database.store.clone());
        writing.spawn(async move {
            let id = event.id.to_string();
            let mut transaction = store.write().await.unwrap();
            transaction.publish(event);
            transaction.commit().await.unwrap();
            (id, Instant::now())
        });
    }
    let committed: HashMap<String, Instant> = writing.join_all().await.into_iter().collect();
    while retour.operator().backlog().await.unwrap().webhooks.count > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let came = receiver.take();
    assert_eq!(came.len(), committed.len());
    let wait = |(at, headers, _): &ReceivedRequest| {
        at.saturating_duration_since(committed[headers["webhook-id"].to_str().unwrap()])
    };
    came.iter().map(wait).collect()
}
