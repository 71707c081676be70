//! docs/bridge.md and its two programs: each is run, and `retour bridge check` finds nothing to mend.

use crate::{
    bridge_check::{Checked, SECRET, check, ended},
    webhook_examples::{folder, free_port, python, root},
};
use serde_json::Value;
use std::{
    fs::{self, File},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// One of the programs, running in a folder; ends when this is dropped.
pub struct Example {
    pub url: String,
    child: Child,
}

impl Example {
    pub async fn start(file: &str, folder: &Path) -> Self {
        let port = free_port();
        let mut program = Command::new(if file == "bridge.py" { python() } else { "node".to_owned() });
        program.arg(folder.join("docs/examples").join(file)).current_dir(folder).stdin(Stdio::null());
        program.env("SECRET", SECRET).env("PORT", port.to_string());
        program.stdout(Stdio::null()).stderr(File::create(folder.join("complained")).unwrap());
        let child = program.spawn().unwrap_or_else(|error| panic!("{file}: {error}"));
        let example = Self { url: format!("http://127.0.0.1:{port}"), child };
        for _ in 0..3_000 {
            if TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port))).is_ok() {
                return example;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{file} does not listen: {}", fs::read_to_string(folder.join("complained")).unwrap());
    }
}

impl Drop for Example {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const ALL: &[&str] = &["--resolve", "--label", "--postal-code", "ec1a1bb"];

fn all_passed(checked: &Checked) {
    let is_perfect = checked.code == Some(0) && checked.said.ends_with("26 of 26 passed\n");
    assert!(is_perfect, "{}{}", checked.said, checked.complained);
}

async fn works(file: &str) {
    let program = fs::read_to_string(root().join("docs/examples").join(file)).unwrap();
    assert!(program.lines().count() < 120, "{file} is to be read at once");
    let folder = folder();
    let example = Example::start(file, folder.path()).await;
    let checked = check(&example.url, ALL).await;
    all_passed(&checked);
    assert!(checked.said.contains("refundedQuantity was 0 and is 1"), "{}", checked.said);
    assert!(checked.said.contains("TEST-1 again"), "{}", checked.said);
    drop(example);

    // What it refunded outlives it, and what labels it made.
    let example = Example::start(file, folder.path()).await;
    let checked = check(&example.url, ALL).await;
    all_passed(&checked);
    assert!(checked.said.contains("refundedQuantity was 1 and is 2"), "{}", checked.said);
    assert!(checked.said.contains("TEST-2 again"), "{}", checked.said);

    // Its other order is in yen, and not sent yet.
    let other = |more: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
        program.args(["bridge", "check", &example.url, "--order", "1002", "--email", "grace@example.com"]);
        program.args(["--secret", SECRET, "--outbound-allow", "127.0.0.0/8"]).args(more);
        ended(program)
    };
    let checked = other(&[]).await;
    assert_eq!((checked.code, checked.with('✗')), (Some(0), Vec::new()), "{}", checked.said);
    let checked = other(&["--resolve"]).await;
    let to_mend = checked.with('✗');
    assert!(to_mend.len() == 1 && to_mend[0].contains("no unit that was sent"), "{}", checked.said);
}

#[tokio::test]
async fn the_bridge_in_python_works() {
    works("bridge.py").await;
}

#[tokio::test]
async fn the_bridge_in_javascript_works() {
    works("bridge.mjs").await;
}

fn page() -> String {
    fs::read_to_string(root().join("docs/bridge.md")).unwrap()
}

/// What the page shows in blocks of a kind.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    page.split(&format!("```{kind}\n")).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// All `sh` blocks of the page in one shell; what the page shows is what is said. `UPDATE_DOCS=1` writes that anew.
#[tokio::test]
async fn the_commands_of_the_page_work_as_they_stand() {
    let page = page();
    let port = free_port().to_string();
    let script =
        format!("set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n{}", blocks(&page, "sh").concat());
    let script = script.replace("127.0.0.1:8000", &format!("127.0.0.1:{port}"));
    // A person is slower than a program that starts.
    let listens = format!("(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && break || sleep 0.1");
    let script = script.replace("bridge.mjs &\n", &format!("bridge.mjs &\nfor _ in {{1..300}}; do {listens}; done\n"));
    let folder = folder();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_retour"), folder.path().join("retour")).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]).env("PATH", path).env("PORT", &port).current_dir(folder.path());
    let checked = ended(shell).await;
    assert_eq!(checked.code, Some(0), "{}{}", checked.said, checked.complained);
    assert!(checked.said.ends_with("\n24 of 24 passed\n"), "{}", checked.said);

    let labels = blocks(&page, "text")[1];
    assert!(checked.said.contains(labels), "{labels}{}", checked.said);
    let first = checked.said.split_inclusive("not tried\n").next().unwrap();
    let first: Vec<&str> = first.lines().collect();
    let shown = blocks(&page, "text")[0];
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join("docs/bridge.md"), page.replace(shown, &format!("{}\n", first.join("\n")))).unwrap();
        return;
    }
    let without_time = |lines: Vec<&str>| {
        lines.into_iter().map(|line| line.split(" it takes:").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(without_time(shown.lines().collect()), without_time(first), "UPDATE_DOCS=1 writes docs/bridge.md anew");
}

/// The page and the contract's document show the same requests and answers, which the contract's own tests read.
#[test]
fn the_page_shows_what_the_contract_has() {
    let page = page();
    let document = fs::read_to_string(root().join("docs/bridge-openapi.json")).unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    let mut shown = 0;
    for part in page.split("<!-- /").skip(1) {
        let (place, rest) = part.split_once(" -->\n```json\n").unwrap();
        let [path, side, name] = place.split(' ').collect::<Vec<_>>()[..] else { panic!("{place}") };
        let operation = &document["paths"][format!("/{path}")]["post"];
        let body = if side == "request" { &operation["requestBody"] } else { &operation["responses"]["200"] };
        let expected = &body["content"]["application/json"]["examples"][name]["value"];
        let found: Value = serde_json::from_str(rest.split("```").next().unwrap()).unwrap();
        assert_eq!(&found, expected, "{place}");
        shown += 1;
    }
    assert_eq!((shown, blocks(&page, "json").len()), (9, 9));
}
