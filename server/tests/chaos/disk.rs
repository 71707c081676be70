//! A SQLite file on a failing disk, and a program that is killed at a chosen write. `strace` intercepts the system calls: the n-th call of a kind
//! kills the program, or fails as on a full or broken disk. The test keeps the file closed, so that the next program finds only what is on
//! disk.

use crate::{
    crash::{Client, FinishedReturn, check_once, make_shop},
    is_long,
    support::process::Server,
};
use reqwest::Method;
use serde_json::Value;
use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use store::{
    Store,
    testing::{Database, on_sqlite},
};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

const TIMEOUT: Duration = Duration::from_mins(10);

/// A shop in a file that no other program has open, and clients that create returns until they are stopped.
struct DiskShop {
    url: String,
    address: SocketAddr,
    client: Client,
    enough: Arc<AtomicBool>,
    done: Arc<AtomicUsize>,
    working: JoinSet<Vec<FinishedReturn>>,
}

impl DiskShop {
    async fn open(database: Database, folder: &Path, clients: usize) -> Self {
        database.store.close().await;
        let url = database.url;
        let key = make_shop(&url, folder);
        let address = Server::free_address();
        let client = Client { http: reqwest::Client::new(), base: format!("http://{address}"), key };
        let (enough, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let mut working = JoinSet::new();
        let next = Arc::new(AtomicUsize::new(0));
        for _ in 0..clients {
            let (client, next, enough, count) = (client.clone(), next.clone(), enough.clone(), done.clone());
            working.spawn(async move {
                let mut done = Vec::new();
                while !enough.load(Ordering::Relaxed) {
                    done.push(client.complete_return(next.fetch_add(1, Ordering::Relaxed)).await);
                    count.fetch_add(1, Ordering::Relaxed);
                }
                done
            });
        }
        Self { url, address, client, enough, done, working }
    }

    /// The program under `strace`, which is its child and not its parent (`-D`), so that ending the program ends both.
    fn start(&self, call: &str, does: &str, log: &str) -> Server {
        let (trace, inject) = (format!("trace={call}"), format!("inject={call}:{does}"));
        let words = ["strace", "-D", "-f", "-qqq", "-o", log, "-e", &trace, "-e", &inject];
        Server::spawn_under(&words, &self.url, self.address)
    }

    /// Checks everything on a healthy disk, after work in progress is finished. Returns the number of returns.
    async fn check(self) -> usize {
        let server = Server::start_at(&self.url, self.address).await;
        self.enough.store(true, Ordering::Relaxed);
        let done: Vec<FinishedReturn> = self.working.join_all().await.concat();
        self.client.check_what_was_acknowledged(&done).await;
        let database = Database { store: Store::open(&self.url).await.unwrap(), url: self.url };
        check_once(&database, &done).await;
        assert_eq!(database.texts("PRAGMA integrity_check").await, ["ok"]);
        drop(server);
        done.len()
    }
}

#[test]
fn a_kill_at_any_write_loses_nothing() {
    on_sqlite(async |database| {
        let (points, step) = if is_long() { (1_000, 1) } else { (10, 61) };
        let folder = tempfile::tempdir().unwrap();
        let shop = DiskShop::open(database, folder.path(), 1).await;
        for point in 0..points {
            // Writes of pages into the file, and flushes. Each thread counts its own calls, and only one thread writes.
            let (call, at) = match point % 4 {
                3 => ("fsync,fdatasync", point / 4 % 50 + 1),
                _ => ("pwrite64", (point / 4 * 3 + point % 4) * step % 750 + 1),
            };
            let mut server = shop.start(call, &format!("signal=KILL:when={at}"), "/dev/null");
            let ended = async {
                while !server.has_ended() {
                    sleep(Duration::from_millis(2)).await;
                }
            };
            timeout(TIMEOUT, ended).await.unwrap_or_else(|_| panic!("{call} {at} never occurred"));
        }
        let returns = shop.check().await;
        println!("Sqlite: killed at {points} chosen writes; {returns} returns acknowledged, all there, once");
    });
}

#[test]
fn a_failing_disk_acknowledges_nothing_that_is_lost() {
    on_sqlite(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let shop = DiskShop::open(database, folder.path(), 8).await;
        let returns = if is_long() { 100 } else { 12 };
        // After each failure the program uses a new connection, whose thread counts from zero. A commit that all clients share, with about 600 writes,
        // has to fit between two failures, or none would ever succeed.
        for (call, does) in [("pwrite64", "error=ENOSPC:when=1000+1000"), ("fsync,fdatasync", "error=EIO:when=4+3")] {
            let log = folder.path().join(call);
            let before = shop.done.load(Ordering::Relaxed);
            let mut server = shop.start(call, does, log.to_str().unwrap());
            let failures = || std::fs::read_to_string(&log).unwrap_or_default().matches("(INJECTED)").count();
            let made = || shop.done.load(Ordering::Relaxed) - before;
            let working = async {
                while made() < returns || failures() < returns / 3 {
                    assert!(!server.has_ended(), "the program keeps running while the disk fails");
                    sleep(Duration::from_millis(20)).await;
                }
            };
            timeout(TIMEOUT, working)
                .await
                .unwrap_or_else(|_| panic!("{} returns, {call} failed {} times", made(), failures()));
            server.kill();
            let (returns, failures) = (made(), failures());
            println!("Sqlite: {call} failed {failures} times while {returns} returns were made");
        }
        shop.check().await;
    });
}

#[test]
fn readers_do_not_wait_for_a_writer() {
    on_sqlite(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let key = make_shop(&database.url, folder.path());
        let server = Server::start_at(&database.url, Server::free_address()).await;
        let client = Client { http: reqwest::Client::new(), base: server.base.clone(), key };
        let (order, request) = client.submit_one(0).await;

        let mut writing = database.store.write().await.unwrap();
        let store::Db::Sqlite(connection) = writing.db() else { panic!("a file") };
        sqlx::query("UPDATE return_requests SET version = version + 1").execute(connection).await.unwrap();
        // While the file is locked like this, a reader that waits for the lock is refused in the end. Many readers start at once, so that new
        // connections are opened.
        let paths =
            ["/return-requests".to_owned(), format!("/return-orders/{order}"), format!("/return-requests/{request}")];
        let mut reading = JoinSet::new();
        for path in std::iter::repeat_n(paths, 20).flatten() {
            let client = client.clone();
            reading.spawn(async move { client.staff(Method::GET, &path, None, &Value::Null).await });
        }
        let read = timeout(TIMEOUT, reading.join_all()).await.unwrap();
        assert!(read.iter().all(Value::is_object));
        let found = client.staff(Method::GET, &format!("/return-requests/{request}"), None, &Value::Null).await;
        let page = client.http.get(format!("{}/chaos", server.base)).send().await.unwrap();
        assert!(page.status().is_success());
        drop(writing);
        let again = client.staff(Method::GET, &format!("/return-requests/{request}"), None, &Value::Null).await;
        assert_eq!(found, again, "readers see the state before the write");
    });
}

/// Waits until the program is ready, or not ready. Returns its answer and its metrics.
async fn until_ready(client: &Client, ready: bool) -> (Value, String) {
    let http = &client.http;
    let asking = async {
        loop {
            let answer = http.get(format!("{}/health/ready", client.base)).send().await.unwrap();
            if answer.status().is_success() == ready {
                let metrics = http.get(format!("{}/metrics", client.base)).send().await.unwrap().text().await.unwrap();
                return (answer.json().await.unwrap(), metrics);
            }
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(TIMEOUT, asking).await.unwrap_or_else(|_| panic!("readiness never became {ready}"))
}

#[test]
fn a_full_disk_makes_it_unready_until_there_is_space() {
    on_sqlite(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let key = make_shop(&database.url, folder.path());
        let server = Server::start_at(&database.url, Server::free_address()).await;
        let client = Client { http: reqwest::Client::new(), base: server.base.clone(), key };
        client.submit_one(0).await;
        let (said, metrics) = until_ready(&client, true).await;
        assert_eq!(said["writable"], true);
        assert!(metrics.lines().any(|line| line == "retour_database_writable 1"), "{metrics}");
        // From now on every write fails, while `strace` runs.
        let words = ["-f", "-qqq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC"];
        let full = std::process::Command::new("strace").args(words).args(["-p", &server.id().to_string()]).spawn();
        let mut full = full.unwrap();
        let (said, metrics) = until_ready(&client, false).await;
        assert_eq!((&said["ready"], &said["writable"]), (&Value::Bool(false), &Value::Bool(false)));
        assert!(metrics.lines().any(|line| line == "retour_database_writable 0"), "{metrics}");
        assert!(metrics.lines().any(|line| line == "retour_database_up 1"), "the database can be read: {metrics}");
        let page = client.http.get(format!("{}/chaos", client.base)).send().await.unwrap();
        assert!(page.status().is_success(), "reads are answered");
        assert!(std::process::Command::new("kill").arg(full.id().to_string()).status().unwrap().success());
        full.wait().unwrap();
        let (said, _) = until_ready(&client, true).await;
        assert_eq!(said["writable"], true);
        client.submit_one(1).await;
    });
}
