//! A SQLite file on a disk that fails, and a program that ends at a write of our choosing. `strace` stands between the
//! program and the system: the n-th call of a kind kills it, or is refused as a full or broken disk would refuse it.
//! The test itself has the file closed meanwhile, so that who starts afterwards finds only what is on disk.

use crate::{
    crash::{Client, Done, check_once, make_shop},
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

const LONG_ENOUGH: Duration = Duration::from_mins(10);

/// A shop in a file that nobody has open, and clients that send things back until they are told that it is enough.
struct Shop {
    url: String,
    address: SocketAddr,
    client: Client,
    enough: Arc<AtomicBool>,
    done: Arc<AtomicUsize>,
    working: JoinSet<Vec<Done>>,
}

impl Shop {
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
                    done.push(client.send_back(next.fetch_add(1, Ordering::Relaxed)).await);
                    count.fetch_add(1, Ordering::Relaxed);
                }
                done
            });
        }
        Self { url, address, client, enough, done, working }
    }

    /// The program under `strace`, which is its child and no other way round (`-D`), so that whoever ends it ends both.
    fn start(&self, call: &str, does: &str, log: &str) -> Server {
        let (trace, inject) = (format!("trace={call}"), format!("inject={call}:{does}"));
        let words = ["strace", "-D", "-f", "-qqq", "-o", log, "-e", &trace, "-e", &inject];
        Server::spawn_under(&words, &self.url, self.address)
    }

    /// On a sound disk: what is under way is done, and all of it is there, once. How many returns.
    async fn check(self) -> usize {
        let server = Server::start_at(&self.url, self.address).await;
        self.enough.store(true, Ordering::Relaxed);
        let done: Vec<Done> = self.working.join_all().await.concat();
        self.client.check_what_was_acknowledged(&done).await;
        let database = Database { store: Store::open(&self.url).await.unwrap(), url: self.url };
        check_once(&database, &done).await;
        assert_eq!(database.texts("PRAGMA integrity_check").await, ["ok"]);
        drop(server);
        done.len()
    }
}

#[test]
fn nothing_is_lost_whichever_write_it_is_killed_at() {
    on_sqlite(async |database| {
        let (points, step) = if is_long() { (1_000, 1) } else { (10, 61) };
        let folder = tempfile::tempdir().unwrap();
        let shop = Shop::open(database, folder.path(), 1).await;
        for point in 0..points {
            // Pages on their way into the file, or when they are to be on disk: each thread counts its own, and one writes.
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
            timeout(LONG_ENOUGH, ended).await.unwrap_or_else(|_| panic!("{call} {at} never came"));
        }
        let returns = shop.check().await;
        println!("Sqlite: killed at {points} chosen writes; {returns} returns acknowledged, all there, once");
    });
}

#[test]
fn on_a_full_or_broken_disk_nobody_is_told_that_something_lasts_which_does_not() {
    on_sqlite(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let shop = Shop::open(database, folder.path(), 8).await;
        let returns = if is_long() { 100 } else { 12 };
        // After each failure the program goes on by a new connection, whose thread counts anew: a commit that all clients
        // share, some 600 writes, has to fit between two failures, or none of them ever lasts.
        for (call, does) in [("pwrite64", "error=ENOSPC:when=1000+1000"), ("fsync,fdatasync", "error=EIO:when=4+3")] {
            let log = folder.path().join(call);
            let before = shop.done.load(Ordering::Relaxed);
            let mut server = shop.start(call, does, log.to_str().unwrap());
            let failures = || std::fs::read_to_string(&log).unwrap_or_default().matches("(INJECTED)").count();
            let made = || shop.done.load(Ordering::Relaxed) - before;
            let working = async {
                while made() < returns || failures() < returns / 3 {
                    assert!(!server.has_ended(), "it goes on while the disk fails");
                    sleep(Duration::from_millis(20)).await;
                }
            };
            timeout(LONG_ENOUGH, working)
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
fn readers_do_not_wait_while_somebody_writes() {
    on_sqlite(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let key = make_shop(&database.url, folder.path());
        let server = Server::start_at(&database.url, Server::free_address()).await;
        let client = Client { http: reqwest::Client::new(), base: server.base.clone(), key };
        let (order, request) = client.submit_one(0).await;

        let mut writing = database.store.write().await.unwrap();
        let store::Db::Sqlite(connection) = writing.db() else { panic!("a file") };
        sqlx::query("UPDATE return_requests SET version = version + 1").execute(connection).await.unwrap();
        // As long as the file is held like that, whoever has to wait is refused in the end. Many at once, so that readers
        // begin that were not there yet.
        let paths =
            ["/return-requests".to_owned(), format!("/return-orders/{order}"), format!("/return-requests/{request}")];
        let mut reading = JoinSet::new();
        for path in std::iter::repeat_n(paths, 20).flatten() {
            let client = client.clone();
            reading.spawn(async move { client.staff(Method::GET, &path, None, &Value::Null).await });
        }
        let read = timeout(LONG_ENOUGH, reading.join_all()).await.unwrap();
        assert!(read.iter().all(Value::is_object));
        let found = client.staff(Method::GET, &format!("/return-requests/{request}"), None, &Value::Null).await;
        let page = client.http.get(format!("{}/chaos", server.base)).send().await.unwrap();
        assert!(page.status().is_success());
        drop(writing);
        let again = client.staff(Method::GET, &format!("/return-requests/{request}"), None, &Value::Null).await;
        assert_eq!(found, again, "they read what was there before");
    });
}

/// Asks until the program is ready, or no longer is; what it says then, and its metrics.
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
    timeout(LONG_ENOUGH, asking).await.unwrap_or_else(|_| panic!("it never was: ready {ready}"))
}

#[test]
fn a_full_disk_makes_it_unready_until_there_is_room_again() {
    on_sqlite(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let key = make_shop(&database.url, folder.path());
        let server = Server::start_at(&database.url, Server::free_address()).await;
        let client = Client { http: reqwest::Client::new(), base: server.base.clone(), key };
        client.submit_one(0).await;
        let (said, metrics) = until_ready(&client, true).await;
        assert_eq!(said["writable"], true);
        assert!(metrics.lines().any(|line| line == "retour_database_writable 1"), "{metrics}");
        // From here on no write succeeds, as long as `strace` stands in between.
        let words = ["-f", "-qqq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC"];
        let full = std::process::Command::new("strace").args(words).args(["-p", &server.id().to_string()]).spawn();
        let mut full = full.unwrap();
        let (said, metrics) = until_ready(&client, false).await;
        assert_eq!((&said["ready"], &said["writable"]), (&Value::Bool(false), &Value::Bool(false)));
        assert!(metrics.lines().any(|line| line == "retour_database_writable 0"), "{metrics}");
        assert!(metrics.lines().any(|line| line == "retour_database_up 1"), "it can be read: {metrics}");
        let page = client.http.get(format!("{}/chaos", client.base)).send().await.unwrap();
        assert!(page.status().is_success(), "who only reads is answered");
        assert!(std::process::Command::new("kill").arg(full.id().to_string()).status().unwrap().success());
        full.wait().unwrap();
        let (said, _) = until_ready(&client, true).await;
        assert_eq!(said["writable"], true);
        client.submit_one(1).await;
    });
}
