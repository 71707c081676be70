//! A drill: a service under load is backed up and killed, and the backup is served elsewhere.

use crate::{
    crash::{Client, FinishedReturn, make_shop},
    support::process::{Server, run, try_run},
};
use reqwest::Method;
use serde_json::Value;
use std::{
    fs,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use store::{
    DatabaseKind, Store,
    testing::{Database, on_sqlite},
};
use tokio::{task::JoinSet, time::sleep};

const CLIENTS: usize = 4;

#[test]
fn acknowledged_returns_are_in_a_later_backup() {
    on_sqlite(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let key = make_shop(&database.url, folder.path());
        let server = Server::start(&database.url).await;
        let client = Client { http: reqwest::Client::new(), base: server.base.clone(), key };
        let (done, next) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let mut working = JoinSet::new();
        for _ in 0..CLIENTS {
            let (client, done, next) = (client.clone(), done.clone(), next.clone());
            working.spawn(async move {
                loop {
                    let one = client.complete_return(next.fetch_add(1, Ordering::Relaxed)).await;
                    done.lock().unwrap().push(one);
                }
            });
        }
        let file = folder.path().join("backup.db");
        wait_for(&done, 20).await;
        let before = done.lock().unwrap().clone();
        back_up(&database.url, &file, &[]).await;
        wait_for(&done, before.len() + 1).await; // the other clients continue
        server.kill();
        working.shutdown().await;
        database.store.close().await;

        let restored = folder.path().join("elsewhere.db");
        fs::copy(&file, &restored).unwrap();
        let url = format!("sqlite://{}", restored.display());
        let server = Server::start(&url).await;
        let client = Client { base: server.base.clone(), ..client };
        client.check_what_was_acknowledged(&before).await;
        check_money(&client, &url).await;
        let again = client.complete_return(19_999).await;
        client.check_what_was_acknowledged(&[again]).await;
    });
}

async fn wait_for(done: &Mutex<Vec<FinishedReturn>>, many: usize) {
    while done.lock().unwrap().len() < many {
        sleep(Duration::from_millis(5)).await;
    }
}

async fn back_up(url: &str, file: &Path, more: &[&str]) {
    let (url, file, more) = (url.to_owned(), file.to_owned(), more.iter().map(ToString::to_string).collect::<Vec<_>>());
    let run = move || {
        let words: Vec<&str> =
            ["backup", file.to_str().unwrap()].into_iter().chain(more.iter().map(String::as_str)).collect();
        println!("{}", run(&url, &words));
    };
    tokio::task::spawn_blocking(run).await.unwrap();
}

/// Each returned unit cost ten pounds, and the same amount is due for it.
async fn check_money(client: &Client, url: &str) {
    let database = Database { store: Store::open(url).await.unwrap(), url: url.to_owned() };
    let settled = database.number("SELECT CAST(SUM(settled) AS BIGINT) FROM purchases").await;
    let (mut sum, mut page) = (0, 1);
    loop {
        let path = format!("/return-requests?limit=100&page={page}");
        let list = client.staff(Method::GET, &path, None, &Value::Null).await;
        for request in list["data"].as_array().unwrap() {
            if request["stage"] == "Resolution: Completed" {
                sum += pence(&request["resolution"]["value"]["value"]);
            }
        }
        match list["nextPage"].as_i64() {
            Some(next) => page = next,
            None => break,
        }
    }
    assert!(settled >= 20);
    assert_eq!(sum, settled * 1_000);
}

fn pence(value: &Value) -> i64 {
    value.as_str().unwrap().replace('.', "").parse().unwrap()
}

#[test]
fn a_backup_is_private_and_replaces_files_only_with_force() {
    on_sqlite(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("backup.db");
        let name = file.to_str().unwrap();
        back_up(&database.url, &file, &[]).await;
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file).unwrap().permissions()) & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "there is nothing beside it");

        let refused = |words: &[&str]| try_run(&database.url, words).unwrap_err();
        assert!(refused(&["backup", name]).contains("--force"));
        back_up(&database.url, &file, &["--force"]).await;
        // --force replaces only files, and touches nothing beside the new one, even if it looks like an unfinished backup.
        fs::create_dir(folder.path().join("folder")).unwrap();
        assert!(refused(&["backup", "--force", folder.path().join("folder").to_str().unwrap()]).contains("no file"));
        let link = folder.path().join("link.db");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        assert!(refused(&["backup", "--force", link.to_str().unwrap()]).contains("no file"));
        for name in ["next.db.unfinished", "next.db.lock", ".next.db.unfinished"] {
            fs::write(folder.path().join(name), "precious").unwrap();
        }
        back_up(&database.url, &folder.path().join("next.db"), &[]).await;
        for name in ["next.db.unfinished", "next.db.lock", ".next.db.unfinished"] {
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "precious");
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        fs::remove_file(&link).unwrap();
        fs::remove_dir(folder.path().join("folder")).unwrap();
        fs::remove_file(folder.path().join("next.db")).unwrap();
        let itself = database.url.trim_start_matches("sqlite://");
        assert!(refused(&["backup", "--force", itself]).contains("in use"));
        assert!(refused(&["backup", "/no/such/folder/backup.db"]).contains("/no/such/folder"));
        let nowhere = format!("sqlite://{}", folder.path().join("none.db").display());
        assert!(try_run(&nowhere, &["backup", "--force", name]).unwrap_err().contains("no database"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no database was created");
    });
}

#[test]
fn a_backup_contains_no_erased_data() {
    on_sqlite(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("backup.db");
        database.run("CREATE TABLE notes (text TEXT)").await;
        database.run("INSERT INTO notes VALUES ('a name that is to be forgotten'), ('a name that stays')").await;
        database.run("DELETE FROM notes WHERE text LIKE '%forgotten'").await;
        back_up(&database.url, &file, &[]).await;
        let bytes = fs::read(&file).unwrap();
        let holds = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
        assert!(holds(b"a name that stays") && !holds(b"to be forgotten"));
    });
}

#[test]
fn backups_of_postgres_are_refused() {
    store::testing::on_postgres(async |database| {
        assert_eq!(database.store.kind(), DatabaseKind::Postgres);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("backup.db");
        let said = try_run(&database.url, &["backup", file.to_str().unwrap()]).unwrap_err();
        assert!(said.contains("pg_dump"), "{said}");
        assert!(!file.exists());
    });
}
