//! Rendering the heaviest page, where a shopper chooses among 300 items, compared with answering with a string of the
//! same bytes: the same program, in two processes that take turns. Both read their session and the order, and fill the
//! struct of the page; only one renders HTML.

use crate::load::requests_a_second;
use returns::{Retour, Source};
use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};
use store::testing::Database;

/// The variable that makes this program one of the two processes: the URL of the database.
const DATABASE: &str = "RETOUR_BENCH_PAGES";
/// The variable with the file that the other process answers with.
const WRITTEN: &str = "RETOUR_BENCH_WRITTEN";
const ROUNDS: usize = 7;

/// Pages per second.
pub struct Pages {
    pub rendered: f64,
    pub written: f64,
    /// The size of the page.
    pub kilobytes: f64,
}

#[expect(clippy::cast_precision_loss, reason = "figures of a table")]
pub async fn run(database: &Database) -> Pages {
    let retour = Retour::new(database.store.clone(), Source::system());
    retour.operator().demo(None).await.unwrap();
    let rendering = Process::start(&database.url, None);
    let (cookie, path) = (find_order(&rendering).await, "/fjord-fern/purchases");
    let page = reqwest::Client::new().get(format!("http://{}{path}", rendering.address)).header("cookie", &cookie);
    let page = page.send().await.unwrap().error_for_status().unwrap().text().await.unwrap();
    assert!(page.matches("<li").count() >= 300, "the page lists at least 300 items");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, &page).unwrap();
    let writing = Process::start(&database.url, Some(&file));
    let header = format!("cookie: {cookie}");
    let mut figures = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (figures, process) in figures.iter_mut().zip([&rendering, &writing]) {
            figures.push(requests_a_second(&process.address, path, &header).await);
        }
    }
    let [rendered, written] = figures.map(|mut figures| {
        figures.sort_by(f64::total_cmp);
        figures[ROUNDS / 2]
    });
    Pages { rendered, written, kilobytes: page.len() as f64 / 1_000.0 }
}

/// Looks up the demo's largest order. Returns the cookie of the session.
async fn find_order(process: &Process) -> String {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let form = [("orderNumber", "1004"), ("email", "dora@example.com")];
    let answer = client.post(format!("http://{}/fjord-fern", process.address)).form(&form).send().await.unwrap();
    let cookie = answer.headers()["set-cookie"].to_str().unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

/// One of the two processes.
struct Process {
    child: Child,
    address: String,
}

impl Process {
    fn start(database: &str, written: Option<&Path>) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(DATABASE, database).stdout(Stdio::piped());
        if let Some(file) = written {
            command.env(WRITTEN, file);
        }
        let mut child = command.spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { child, address: address.trim().to_owned() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves, if this process is one of the two.
pub fn serve_if_asked() -> bool {
    let Ok(database) = std::env::var(DATABASE) else { return false };
    if let Some(file) = std::env::var_os(WRITTEN) {
        portal::answer_with(std::fs::read_to_string(file).unwrap());
    }
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
        let retour = Retour::open(&database, Source::system()).await.unwrap();
        let options = leptos::config::LeptosOptions::builder().output_name("retour").build();
        let listener = server::listen("127.0.0.1:0".parse().unwrap()).unwrap();
        println!("{}", listener.local_addr().unwrap());
        let app = server::router(server::App::new(retour, 0, "127.0.0.1".parse().unwrap()), options, false);
        server::serve(listener, app, std::future::pending()).await;
    });
    true
}
