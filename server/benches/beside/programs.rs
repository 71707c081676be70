//! The two programs and their databases.

use crate::support::process::{Shop, command_of};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::Instant,
};
use tempfile::TempDir;

/// The shop with the real orders.
pub const SLUG: &str = "real-orders";

/// One of the two programs.
pub struct Program(PathBuf);

/// An empty database for one of the programs.
pub struct BenchDatabase {
    pub url: String,
    /// A key with the scope `read`.
    pub key: String,
    folder: TempDir,
    /// The name of a Postgres database.
    name: Option<String>,
}

impl BenchDatabase {
    pub async fn new(kind: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::tempdir().unwrap();
        if kind == "SQLite" {
            let url = format!("sqlite://{}", folder.path().join("retour.db").display());
            return Self { url, key: String::new(), folder, name: None };
        }
        let name = format!("beside_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        run(&format!("CREATE DATABASE {name}")).await;
        let server = postgres();
        let url = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
        Self { url, key: String::new(), folder, name: Some(name) }
    }

    /// Removes the database.
    pub async fn remove(self) {
        if let Some(name) = self.name {
            run(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
        }
    }
}

fn postgres() -> String {
    std::env::var("RETOUR_TEST_POSTGRES").unwrap()
}

async fn run(sql: &str) {
    let mut connection = PgConnection::connect(&postgres()).await.unwrap();
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
}

impl Program {
    pub fn new(binary: PathBuf) -> Self {
        assert!(binary.is_file(), "There is no program at {}.", binary.display());
        Self(binary)
    }

    pub fn binary(&self) -> &Path {
        &self.0
    }

    /// A shop that accepts returns of any age.
    pub fn make_shop(&self, place: &mut BenchDatabase) {
        let policy = place.folder.path().join("policy.json");
        std::fs::write(&policy, r#"{"returnWindowDays": null}"#).unwrap();
        let policy = policy.to_str().unwrap();
        self.run(&place.url, &["migrate"]);
        let named = ["account", "create", "--slug", SLUG, "--name", "Real orders", "--currency", "GBP"];
        self.run(&place.url, &[&named[..], &["--policy", policy]].concat());
        let reader = ["service-user", "create", "--account", SLUG, "--name", "reader", "--scopes", "read"];
        place.key = self.run(&place.url, &reader);
    }

    /// Imports the orders. Returns lines per second.
    pub fn import(&self, place: &BenchDatabase, orders: &Path) -> f64 {
        let started = Instant::now();
        let said = self.run(&place.url, &Shop::import(orders));
        let took = started.elapsed();
        // "4706 orders with 94497 lines, …"
        let lines = said.split_whitespace().nth(3).and_then(|lines| lines.parse::<u32>().ok());
        f64::from(lines.unwrap_or_else(|| panic!("the import says: {said}"))) / took.as_secs_f64()
    }

    fn run(&self, url: &str, arguments: &[&str]) -> String {
        let output = command_of(&self.0, url).args(arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{} {}: {error}", self.0.display(), arguments.join(" "));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}
