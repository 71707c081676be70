//! Every `curl` command in the documentation works, one after the other.

use crate::harness::{Service, on_both_databases, text};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path};

on_both_databases! {
    the_examples_of_the_api_work
    the_guide_works_from_its_first_command_to_its_last
}

/// The values that a reader has learnt from earlier answers, by their names in the examples.
type Known = BTreeMap<&'static str, String>;

async fn the_examples_of_the_api_work(service: Service) {
    let mut known = Known::from([("BASE", service.base().to_owned()), ("KEY", service.demo.key.clone())]);
    let commands: Vec<String> =
        ["README.md", "docs/api.md", "docs/staff-api.md"].iter().flat_map(|file| commands(file)).collect();
    assert!(commands.len() >= 10, "{commands:#?}");
    for command in &commands {
        let answer = run(&service, command, &known).await;
        learn(&mut known, command, &answer);
        if !known.contains_key("REQUEST") && known.contains_key("ORDER") {
            let path = format!("/api/v0/return-orders/{}?expand=returnRequests", known["ORDER"]);
            let order = service.get(&path, &service.demo.key).await.json();
            known.insert("REQUEST", text(&order["returnRequests"][0]["id"]));
        }
    }
}

/// Runs all `sh` blocks of the guide in one shell, as a reader would type them.
async fn the_guide_works_from_its_first_command_to_its_last(service: Service) {
    service.clock.set(returns::Source::system().now()); // the guide's orders are dated by the real clock
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide.md");
    let text = fs::read_to_string(path).unwrap();
    let blocks: Vec<&str> = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() > 10, "{}", blocks.len());
    // An error ends the guide and prints its answer. curl refuses `--fail` together with `--fail-with-body`.
    let strict = "set -euo pipefail\n\
                  curl() { case \" $* \" in *' --fail '*) command curl \"$@\" ;; *) command curl --fail-with-body \"$@\" ;; esac; }\n";
    let script = format!("{strict}{}", blocks.concat()).replace("http://127.0.0.1:3000", service.base());
    let folder = tempfile::tempdir().unwrap();
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &script]).env("KEY", &service.demo.key).current_dir(folder.path());
    let output = tokio::task::spawn_blocking(move || shell.output()).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read(folder.path().join("label.pdf")).unwrap().starts_with(b"%PDF"));
    assert!(fs::read(folder.path().join("label.zpl")).unwrap().starts_with(b"^XA"));
    for expected in ["Resolution: Approved", "Resolution: Completed", "\"pay\"", "re_77"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

/// The commands in the `sh` blocks of a file that begin with curl, each on one line.
fn commands(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let text = fs::read_to_string(path).unwrap();
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.map(|block| block.replace("\\\n", " "));
    let lines: Vec<String> = lines.flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    lines.into_iter().filter(|line| line.starts_with("curl ")).collect()
}

async fn run(service: &Service, command: &str, known: &Known) -> Value {
    let command = command.replace("http://127.0.0.1:3000", service.base());
    // A new shell for each command. With these options, curl fails if the answer is an error.
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &command.replacen("curl ", "curl --silent --show-error --fail-with-body ", 1)]).envs(known);
    let output = tokio::task::spawn_blocking(move || shell.output()).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command}\n{said}{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&said).unwrap_or_else(|_| panic!("{command}\nis not answered with JSON: {said}"))
}

fn learn(known: &mut Known, command: &str, answer: &Value) {
    if command.contains("/auth/consumer") {
        known.insert("CONSUMER", text(&answer["consumer"]["id"]));
        known.insert("TOKEN", text(&answer["accessToken"]));
    } else if command.contains("/purchases") {
        let purchase = &answer["data"][0];
        known.insert("PURCHASE", text(&purchase["id"]));
        known.insert("REASON", text(&purchase["returnReasons"][0]["id"]));
        known.insert("OPTION", text(&purchase["shippingOptions"][0]["id"]));
    } else if command.contains("/draft-return-order") {
        known.insert("DRAFT", text(&answer["id"]));
    } else if command.contains("POST") && command.contains("/return-order ") {
        known.insert("ORDER", text(&answer["id"]));
    }
}
