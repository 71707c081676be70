//! The command line for programs: documents, exit codes, test accounts and triggered events.

use crate::{
    program::{Program, command, demo},
    receiver::Receiver,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Output, Stdio},
};

/// A shell with a database in a folder of its own.
struct Shell {
    folder: tempfile::TempDir,
    database: String,
}

impl Shell {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite://{}", folder.path().join("retour.db").display());
        let shell = Self { folder, database };
        assert_eq!(shell.json(&["migrate"]), json!({"upToDate": true}));
        shell
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let (first, rest) = arguments.split_first().unwrap();
        let mut command = command(&self.database, self.folder.path(), first);
        command.args(rest).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The document of a command that succeeds.
    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The error code and the message of a command that fails.
    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(document["error"]["message"].as_str().unwrap()), "{message}");
        (document["error"]["code"].as_str().unwrap().to_owned(), message)
    }

    fn test_account(&self) {
        let named = ["--slug", "my-test", "--name", "My Test", "--currency", "EUR"];
        let made = self.json(&[&["account", "create", "--test"][..], &named].concat());
        assert_eq!((&made["test"], &made["carrier"]["kind"]), (&json!(true), &json!("simulated")));
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[test]
fn accounts_are_created_listed_shown_and_marked_as_a_test() {
    let shell = Shell::open();
    let named = ["--slug", "my-shop", "--name", "My Shop", "--currency", "EUR"];
    let made = shell.json(&[&["account", "create"][..], &named].concat());
    assert_eq!((&made["slug"], &made["test"], &made["version"]), (&json!("my-shop"), &json!(false), &json!(1)));
    assert_eq!(shell.json(&["account", "show", "--slug", "my-shop"]), made);
    let marked = shell.json(&["account", "update", "--slug", "my-shop", "--test"]);
    assert_eq!((&marked["test"], &marked["carrier"]["kind"]), (&json!(true), &json!("simulated")));
    let unmarked = shell.json(&["account", "update", "--slug", "my-shop", "--test=false"]);
    assert_eq!((&unmarked["test"], &unmarked["carrier"]["kind"]), (&json!(false), &json!("own")));
    shell.test_account();
    let listed = shell.json(&["account", "list"]);
    let slugs: Vec<&Value> = listed["data"].as_array().unwrap().iter().map(|account| &account["slug"]).collect();
    assert_eq!(slugs, ["my-shop", "my-test"]);
    let people = String::from_utf8(shell.run(&["account", "list"]).stdout).unwrap();
    assert!(people.starts_with("slug") && people.lines().count() == 3, "{people}");
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    let shell = Shell::open();
    for arguments in [&["account", "list"][..], &["account", "list", "--json"], &["openapi"], &["man"], &["migrate"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = shell.command(arguments).stdout(full).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains("retour: standard output: No space left on device"), "{arguments:?}: {message}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = shell.command(&["account", "list"]).stdout(writer).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn keys_and_users_are_created_listed_shown_and_removed() {
    let shell = Shell::open();
    shell.test_account();
    let of = ["--account", "my-test"];
    let on = |command: &[&'static str], rest: &[&str]| shell.json(&[command, &of, rest].concat());
    let made = on(&["service-user", "create"], &["--name", "ERP", "--scopes", "read,write"]);
    let (id, key) = (text(&made["id"]), text(&made["apiKey"]));
    on(&["service-user", "create"], &["--name", "setup", "--scopes", "admin"]);
    let listed = on(&["service-user", "list"], &[]);
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
    let shown = on(&["service-user", "show"], &[&id]);
    assert_eq!((&shown["name"], &shown["revokedAt"]), (&json!("ERP"), &Value::Null));
    let revoked = on(&["service-user", "revoke"], &[&id]);
    assert!(revoked["revokedAt"].is_string(), "{revoked}");
    for document in [listed, shown, revoked] {
        assert!(!document.to_string().contains(&key), "a key is printed only once");
    }

    let arguments =
        ["user", "create", "--account", "my-test", "--email", "ada@example.com", "--role", "agent", "--json"];
    let mut child = shell.command(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"correct horse battery staple\n").unwrap();
    let user: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(on(&["user", "show"], &[&text(&user["id"])]), user);
    assert_eq!(on(&["user", "list"], &[])["data"], json!([user]));
    assert_eq!(on(&["user", "delete"], &[&text(&user["id"])]), json!({"deleted": user["id"]}));
    assert_eq!(on(&["user", "list"], &[])["data"], json!([]));
}

#[test]
fn failures_have_a_code_a_message_and_an_exit_code() {
    let shell = Shell::open();
    shell.test_account();
    assert_eq!(shell.refused(&["account", "show", "--slug", "nobody"]).0, "NotFound");
    let taken = ["account", "create", "--slug", "my-test", "--name", "x", "--currency", "EUR"];
    assert_eq!(shell.refused(&taken).0, "ValidationFailed");
    let nobody = uuid::Uuid::nil().to_string();
    assert_eq!(shell.refused(&["service-user", "show", "--account", "my-test", &nobody]).0, "NotFound");
    let scopes = ["service-user", "create", "--account", "my-test", "--name", "x", "--scopes", "all"];
    let wrong: [(&[&str], &str); 4] = [
        (&["account", "show"], "--slug"),
        (&["serve"], "--json: this command prints no document"),
        (&scopes, "--scopes: expected some of"),
        (&["account", "list", "--log", "server=loud"], "--log (LOG): expected error, warn"),
    ];
    for (arguments, message) in wrong {
        let output = shell.run(&[arguments, &["--json"]].concat());
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{arguments:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
    let file = shell.folder.path().join("orders.csv");
    fs::write(&file, "nothing of this\nis an order\n").unwrap();
    let import = ["import", "orders", "--account", "my-test", "--format", "retour", file.to_str().unwrap()];
    assert_eq!(shell.run(&[&import[..], &["--json"]].concat()).status.code(), Some(1));
}

#[test]
fn the_other_commands_print_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let (database, key) = demo(folder.path());
    let shell = Shell { folder, database };
    let file = shell.folder.path().join("demo.key");
    let made = shell.json(&["demo", "--empty", "--key-file", file.to_str().unwrap()]);
    assert_eq!((text(&made["account"]), text(&made["apiKey"])), ("fjord-fern".to_owned(), key));
    assert_eq!(made["orders"].as_array().unwrap().len(), 4);
    let backup = shell.folder.path().join("backup.db");
    let written = shell.json(&["backup", backup.to_str().unwrap()]);
    assert_eq!((&written["returnOrders"], written["bytes"].as_u64().unwrap() > 0), (&json!(0), true));
    let to = format!("sqlite://{}", shell.folder.path().join("copy.db").display());
    let copied = shell.json(&["copy", "--from", &shell.database, "--to", &to]);
    assert_eq!((&copied["same"], &copied["files"]), (&json!(true), &Value::Null));
    assert!(shell.json(&["openapi"])["openapi"].is_string());
    let (code, message) = shell.refused(&["trigger", "return_order.created", "--account", "fjord-fern"]);
    assert!(code == "ValidationFailed" && message.contains("is not a test"), "{code}: {message}");
}

#[tokio::test]
async fn a_triggered_event_reaches_a_subscription_that_is_listed_and_deleted() {
    let shell = Shell::open();
    shell.test_account();
    let key = text(
        &shell.json(&["service-user", "create", "--account", "my-test", "--name", "x", "--scopes", "admin"])["apiKey"],
    );
    let program = Program::start(&shell.database, shell.folder.path(), &[]).await;
    let receiver = Receiver::start().await;
    let new = json!({"url": receiver.url, "eventTypes": ["return_order.completed", "test.ping"]});
    let url = format!("{}/api/v0/webhook-subscriptions", program.base);
    let made = reqwest::Client::new().post(url).bearer_auth(&key).json(&new).send().await.unwrap();
    let id = text(&made.json::<Value>().await.unwrap()["id"]);

    let triggered = shell.json(&["trigger", "return_order.completed", "--account", "my-test"]);
    let event = triggered["events"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&event["type"], &triggered["returnOrder"]["status"]),
        (&json!("return_order.completed"), &json!("Completed"))
    );
    let got = receiver.wait_for(1).await.remove(0);
    assert_eq!(
        (got.header("webhook-id"), &got.json()["data"]["id"]),
        (event["id"].as_str().unwrap(), &triggered["returnOrder"]["id"])
    );
    let pinged = shell.json(&["trigger", "test.ping", "--account", "my-test"]);
    assert_eq!((pinged["events"].as_array().unwrap().len(), &pinged["returnOrder"]), (1, &Value::Null));
    assert_eq!(receiver.wait_for(2).await[1].json()["type"], "test.ping");

    let of = ["--account", "my-test"];
    let listed = shell.json(&[&["webhook-subscription", "list"][..], &of].concat());
    let shown = shell.json(&[&["webhook-subscription", "show"][..], &of, &[&id]].concat());
    assert_eq!(listed["data"], json!([shown]));
    let deleted = shell.json(&[&["webhook-subscription", "delete"][..], &of, &[&id]].concat());
    assert_eq!(deleted, json!({"deleted": id}));
    assert_eq!(shell.json(&[&["webhook-subscription", "list"][..], &of].concat())["data"], json!([]));
    let page = program.get("/my-test").await.unwrap().1;
    let message = r#"<section aria-labelledby="test-shop" class="test-shop"><p id="test-shop">Test shop: nothing is sent and nothing is paid."#;
    assert!(page.contains(message), "the portal marks a test account, in a landmark: {page}");
}

#[test]
fn every_command_is_documented() {
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/cli.md");
    let documented = fs::read_to_string(path).unwrap();
    let rows = documented.lines().filter_map(|line| line.strip_prefix("| `retour ")?.split('`').next());
    let documented: BTreeSet<String> = rows.map(str::to_owned).collect();
    let mut known = BTreeSet::new();
    for name in subcommands(folder.path(), &[]) {
        let parts = subcommands(folder.path(), &[&name]);
        if parts.is_empty() {
            known.insert(name);
        } else {
            known.extend(parts.iter().map(|part| format!("{name} {part}")));
        }
    }
    assert!(known.len() > 20, "{known:?}");
    assert_eq!(documented, known);
}

/// The commands in the output of `--help`.
fn subcommands(folder: &Path, of: &[&str]) -> Vec<String> {
    let mut help = Command::new(env!("CARGO_BIN_EXE_retour"));
    let output = help.args(of).arg("--help").current_dir(folder).env_clear().output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect()
}
