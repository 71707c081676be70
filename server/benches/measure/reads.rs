//! Reads through the whole stack, compared with a bare axum handler that executes the same statements and answers with
//! the same bytes, and with an empty handler. The three take turns, each in a process of its own, so that other load on
//! the machine affects all of them.

use crate::{
    load::requests_a_second,
    support::process::{Server, Shop},
};
use axum::{Router, body::Bytes, extract::State, http::header, response::IntoResponse, routing::get};
use sqlx::{AssertSqlSafe, postgres::PgPool, sqlite::SqlitePool};
use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
};
use store::testing::{Database, of_many_ids};
use uuid::Uuid;

/// The variable that makes this program the bare server.
const BARE: &str = "RETOUR_BENCH_BARE";
const ROUNDS: usize = 7;

/// Requests per second.
pub struct Reads {
    pub one: f64,
    pub bare_one: f64,
    pub list: f64,
    pub bare_list: f64,
    pub empty: f64,
}

/// What the bare server executes and answers with, as JSON in the variable.
#[derive(serde::Serialize, serde::Deserialize)]
struct Plan {
    database_url: String,
    account: Uuid,
    id: Uuid,
    consumers: Vec<Uuid>,
    requests: Vec<Uuid>,
    one: Vec<String>,
    list: Vec<String>,
    one_body: String,
    list_body: String,
}

pub async fn run(database: &Database, server: &Server, shop: &Shop) -> Reads {
    let list = "/api/v0/return-requests?limit=50&expand=consumer";
    let list_body = text(server, shop, list).await;
    let parsed: serde_json::Value = serde_json::from_str(&list_body).unwrap();
    let requests: Vec<Uuid> = parsed["data"].as_array().unwrap().iter().map(|one| uuid(&one["id"])).collect();
    let mut consumers: Vec<Uuid> =
        parsed["data"].as_array().unwrap().iter().map(|one| uuid(&one["consumerId"]["id"])).collect();
    consumers.sort_unstable();
    consumers.dedup();
    let one = format!("/api/v0/return-requests/{}", requests[0]);
    let account = text(server, shop, "/api/v0/account").await;
    let account = uuid(&serde_json::from_str::<serde_json::Value>(&account).unwrap()["id"]);
    let statement = |name: &str| {
        let found = store::all_statements().find(|(known, _)| *known == format!("store::{name}"));
        found.unwrap_or_else(|| panic!("the store has no statement {name}")).1.to_owned()
    };
    let many = |name: &str, count: usize| of_many_ids(database.store.kind(), &statement(name), count);
    let beside = |count: usize| many("evidence::LIST_OF_RETURN_REQUESTS", count);
    let plan = Plan {
        database_url: database.url.clone(),
        account,
        id: requests[0],
        one: vec![statement("return_requests::FIND"), beside(1)],
        list: vec![
            statement("return_requests::FIND")
                .replace("account_id = $1 AND id = $2", "account_id = $1 ORDER BY seq DESC LIMIT 51"),
            beside(requests.len()),
            many("consumers::LIST_OF_IDS", consumers.len()),
        ],
        consumers,
        requests,
        one_body: text(server, shop, &one).await,
        list_body,
    };
    let bare = BareServer::start(&plan);
    let retour = server.base.trim_start_matches("http://").to_owned();
    let targets = [
        (retour.clone(), one.as_str()),
        (bare.address.clone(), "/one"),
        (retour, list),
        (bare.address.clone(), "/list"),
        (bare.address.clone(), "/empty"),
    ];
    let mut figures = vec![Vec::new(); targets.len()];
    for _ in 0..ROUNDS {
        for (figures, (address, path)) in figures.iter_mut().zip(&targets) {
            figures.push(requests_a_second(address, path, &format!("authorization: Bearer {}", shop.key)).await);
        }
    }
    let median = |at: usize| {
        let mut sorted = figures[at].clone();
        sorted.sort_by(f64::total_cmp);
        sorted[ROUNDS / 2]
    };
    Reads { one: median(0), bare_one: median(1), list: median(2), bare_list: median(3), empty: median(4) }
}

fn uuid(value: &serde_json::Value) -> Uuid {
    value.as_str().unwrap().parse().unwrap()
}

async fn text(server: &Server, shop: &Shop, path: &str) -> String {
    let request = reqwest::Client::new().get(format!("{}{path}", server.base)).bearer_auth(&shop.key);
    request.send().await.unwrap().error_for_status().unwrap().text().await.unwrap()
}

/// The bare server, in a process of its own.
struct BareServer {
    child: Child,
    address: String,
}

impl BareServer {
    fn start(plan: &Plan) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .env(BARE, serde_json::to_string(plan).unwrap())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { child, address: address.trim().to_owned() }
    }
}

impl Drop for BareServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Serves, if this process is the bare server.
pub fn serve_if_bare() -> bool {
    let Ok(plan) = std::env::var(BARE) else { return false };
    let plan: Plan = serde_json::from_str(&plan).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(serve(plan));
    true
}

async fn serve(plan: Plan) {
    // As many connections as the service has.
    let pool = if plan.database_url.starts_with("sqlite") {
        let options = sqlx::sqlite::SqlitePoolOptions::new().max_connections(4);
        Pool::Sqlite(options.connect(&plan.database_url).await.unwrap())
    } else {
        let options = sqlx::postgres::PgPoolOptions::new().max_connections(20);
        Pool::Postgres(options.connect(&plan.database_url).await.unwrap())
    };
    let router = Router::new()
        .route("/one", get(one))
        .route("/list", get(list))
        .route("/empty", get(|| async { "" }))
        .with_state(Arc::new((plan, pool)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    axum::serve(listener, router).await.unwrap();
}

type Context = State<Arc<(Plan, Pool)>>;

macro_rules! fetch {
    ($pool:expr, $sql:expr, $account:expr, $ids:expr) => {
        match $pool {
            Pool::Sqlite(pool) => {
                let query = $ids
                    .iter()
                    .fold(sqlx::query(AssertSqlSafe($sql.as_str())).bind($account), |query, id| query.bind(*id));
                query.fetch_all(pool).await.unwrap().len()
            }
            Pool::Postgres(pool) => {
                let query = sqlx::query(AssertSqlSafe($sql.as_str())).bind($account);
                let query = if $sql.contains("UNNEST") {
                    query.bind($ids.to_vec())
                } else {
                    $ids.iter().fold(query, |query, id| query.bind(*id))
                };
                query.fetch_all(pool).await.unwrap().len()
            }
        }
    };
}

async fn one(State(context): Context) -> impl IntoResponse {
    let (plan, pool) = &*context;
    let found = fetch!(pool, plan.one[0], plan.account, [plan.id]);
    fetch!(pool, plan.one[1], plan.account, [plan.id]);
    assert_eq!(found, 1);
    ([(header::CONTENT_TYPE, "application/json")], Bytes::copy_from_slice(plan.one_body.as_bytes()))
}

async fn list(State(context): Context) -> impl IntoResponse {
    let (plan, pool) = &*context;
    let none: [Uuid; 0] = [];
    let found = fetch!(pool, plan.list[0], plan.account, none);
    fetch!(pool, plan.list[1], plan.account, plan.requests);
    fetch!(pool, plan.list[2], plan.account, plan.consumers);
    assert!(found >= plan.requests.len());
    ([(header::CONTENT_TYPE, "application/json")], Bytes::copy_from_slice(plan.list_body.as_bytes()))
}
