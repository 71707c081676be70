//! docs/bridge.md and its two example bridges: each one runs, and passes `retour bridge check`.

use crate::{
    bridge_check::{CheckResult, SECRET, check, run},
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

/// A running example bridge in a folder of its own. It ends when this is dropped.
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

fn all_passed(checked: &CheckResult) {
    let is_perfect = checked.code == Some(0) && checked.stdout.ends_with("26 of 26 passed\n");
    assert!(is_perfect, "{}{}", checked.stdout, checked.stderr);
}

async fn works(file: &str) {
    let program = fs::read_to_string(root().join("docs/examples").join(file)).unwrap();
    assert!(program.lines().count() < 120, "{file} must stay short enough to read");
    let folder = folder();
    let example = Example::start(file, folder.path()).await;
    let checked = check(&example.url, ALL).await;
    all_passed(&checked);
    assert!(checked.stdout.contains("refundedQuantity was 0 and is 1"), "{}", checked.stdout);
    assert!(checked.stdout.contains("TEST-1 again"), "{}", checked.stdout);
    drop(example);

    // Its refunds and labels outlive the process.
    let example = Example::start(file, folder.path()).await;
    let checked = check(&example.url, ALL).await;
    all_passed(&checked);
    assert!(checked.stdout.contains("refundedQuantity was 1 and is 2"), "{}", checked.stdout);
    assert!(checked.stdout.contains("TEST-2 again"), "{}", checked.stdout);

    // Its other order is in yen, and has not been sent.
    let other = |more: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
        program.args(["bridge", "check", &example.url, "--order", "1002", "--email", "grace@example.com"]);
        program.args(["--secret", SECRET, "--outbound-allow", "127.0.0.0/8"]).args(more);
        run(program)
    };
    let checked = other(&[]).await;
    assert_eq!((checked.code, checked.with('✗')), (Some(0), Vec::new()), "{}", checked.stdout);
    let checked = other(&["--resolve"]).await;
    let to_mend = checked.with('✗');
    assert!(
        to_mend.len() == 1 && to_mend[0].contains("expected an order with a unit that was sent"),
        "{}",
        checked.stdout
    );
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

/// The contents of the code blocks of a kind.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    page.split(&format!("```{kind}\n")).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// Runs all `sh` blocks of the page in one shell, and compares the output with the page. `UPDATE_DOCS=1` rewrites the page.
#[tokio::test]
async fn the_commands_of_the_page_work() {
    let page = page();
    let port = free_port().to_string();
    let script =
        format!("set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n{}", blocks(&page, "sh").concat());
    let script = script.replace("127.0.0.1:8000", &format!("127.0.0.1:{port}"));
    // The program has to be ready before the next command, which a person types later.
    let listens = format!("(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && break || sleep 0.1");
    let script = script.replace("bridge.mjs &\n", &format!("bridge.mjs &\nfor _ in {{1..300}}; do {listens}; done\n"));
    let folder = folder();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_retour"), folder.path().join("retour")).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]).env("PATH", path).env("PORT", &port).current_dir(folder.path());
    let checked = run(shell).await;
    assert_eq!(checked.code, Some(0), "{}{}", checked.stdout, checked.stderr);
    assert!(checked.stdout.ends_with("\n24 of 24 passed\n"), "{}", checked.stdout);

    let labels = blocks(&page, "text")[1];
    assert!(checked.stdout.contains(labels), "{labels}{}", checked.stdout);
    let first = checked.stdout.split_inclusive("not tried\n").next().unwrap();
    let first: Vec<&str> = first.lines().collect();
    let shown = blocks(&page, "text")[0];
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join("docs/bridge.md"), page.replace(shown, &format!("{}\n", first.join("\n")))).unwrap();
        return;
    }
    let without_time = |lines: Vec<&str>| {
        lines.into_iter().map(|line| line.split(" response time:").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        without_time(shown.lines().collect()),
        without_time(first),
        "run with UPDATE_DOCS=1 to rewrite docs/bridge.md"
    );
}

/// The page and the contract's document show the same requests and answers. The tests of the contract read them.
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
