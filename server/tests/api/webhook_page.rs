//! docs/webhooks.md: its commands, its tables, and its example of a delivery.

use crate::{
    receiver::Receiver,
    webhook_examples::{approved, folder, free_port, root, with_real_clock},
};
use domain::{
    Timestamp,
    webhook::{EventType, next_attempt},
};
use serde_json::{Value, json};
use std::{fs, process::Command};

fn page() -> String {
    fs::read_to_string(root().join("docs/webhooks.md")).unwrap()
}

/// Runs all `sh` blocks of the page in one shell, as a reader would type them.
#[test]
fn the_commands_of_the_page_work() {
    store::testing::on_sqlite(async |database| {
        let service = with_real_clock(database).await;
        let page = page();
        let blocks: Vec<&str> = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert!(blocks.len() > 8, "{}", blocks.len());
        let strict = "set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n\
                      curl() { command curl --silent --show-error --fail-with-body \"$@\"; }\n";
        let port = free_port().to_string();
        let script = format!("{strict}{}", blocks.concat());
        let script = script.replace("http://127.0.0.1:3000", service.base());
        let script = script.replace("127.0.0.1:8000", &format!("127.0.0.1:{port}"));
        // The receiver has to listen before the next command, which a person types later.
        let listens = format!("(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && break || sleep 0.1");
        let listens = format!("receiver.mjs &\nfor _ in {{1..300}}; do {listens}; done\n");
        let script = script.replace("receiver.mjs &\n", &listens);
        let folder = folder();
        let mut shell = Command::new("bash");
        shell.args(["-c", &script]).env("KEY", &service.demo.key).env("PORT", port).current_dir(folder.path());
        let output = tokio::task::spawn_blocking(move || shell.output()).await.unwrap().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
        for expected in ["test.ping", "\"Delivered\"", "\"catchingUp\"", "previousSecretExpiresAt"] {
            assert!(said.contains(expected), "{expected}: {said}");
        }
    });
}

/// `UPDATE_DOCS=1` copies the programs into the page.
#[test]
fn the_page_shows_the_programs_as_they_are() {
    let mut page = page();
    let mut shown = 0;
    for file in fs::read_dir(root().join("docs/examples")).unwrap() {
        let file = file.unwrap();
        let name = file.file_name();
        if ["bridge.", "headless."].iter().any(|other| name.to_str().unwrap().starts_with(other)) {
            continue; // docs/bridge.md and docs/headless.md link to these
        }
        let (name, program) = (file.file_name().into_string().unwrap(), fs::read_to_string(file.path()).unwrap());
        let place = format!("<!-- docs/examples/{name} -->\n");
        let begin = page.find(&place).unwrap_or_else(|| panic!("the page does not show {name}")) + place.len();
        let after = page[begin..].find("\n```\n").unwrap() + begin + "\n```\n".len();
        let language = match name.rsplit('.').next() {
            Some("mjs") => "js",
            Some("py") => "python",
            _ => "rust",
        };
        let block = format!("```{language}\n{program}```\n");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            page.replace_range(begin..after, &block);
        }
        assert_eq!(&page[begin..begin + block.len()], block, "run with UPDATE_DOCS=1 to rewrite docs/webhooks.md");
        shown += 1;
    }
    assert_eq!(shown, 5);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join("docs/webhooks.md"), page).unwrap();
    }
}

#[test]
fn the_page_lists_every_type_and_every_attempt() {
    let page = page();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let listed: Vec<&str> = rows.filter(|name| EventType::parse(name).is_some()).collect();
    assert_eq!(listed, EventType::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>());

    let begin = Timestamp::from_seconds(0);
    let mut at = begin;
    for number in 2..=10 {
        let next = next_attempt(at, number - 1, 1_000, None).unwrap();
        let row = format!("| {number} | {} | {} |", spell(next.seconds() - at.seconds()), spell(next.seconds()));
        assert!(page.lines().any(|line| line == row), "{row}");
        at = next;
    }
    assert_eq!(next_attempt(at, 10, 1_000, None), None);
}

/// An approximate time: its two largest units.
fn spell(seconds: i64) -> String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes, rest) {
        (0, 0, _) => format!("{rest} s"),
        (0, _, _) => format!("{minutes} min"),
        (_, 0, _) => format!("{hours} h"),
        _ => format!("{hours} h {minutes} min"),
    }
}

/// The delivery on the page has the same fields as a real one. `SHOW_DELIVERY=FILE` writes a real one.
#[test]
fn the_page_shows_a_delivery_as_it_is() {
    store::testing::on_sqlite(async |database| {
        let service = with_real_clock(database).await;
        let receiver = Receiver::start().await;
        let about = "return_request.stage_changed";
        let new = json!({"url": receiver.url, "eventTypes": [about], "stages": ["Resolution: Approved"]});
        assert_eq!(service.post("/api/v0/webhook-subscriptions", &service.demo.key, new).await.status, 201);
        approved(&service).await;
        let sent = receiver.wait_for(1).await.remove(0);
        if let Some(file) = std::env::var_os("SHOW_DELIVERY") {
            let headers: Vec<String> =
                sent.headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
            let body = String::from_utf8_lossy(&sent.body);
            fs::write(file, format!("{}\n\n{body}", headers.join("\n"))).unwrap();
        }
        let page = page();
        let shown = page.split("```http\n").nth(1).unwrap().split("```").next().unwrap();
        let (head, body) = shown.split_once("\n\n").unwrap();
        let shown_headers: Vec<String> =
            head.lines().skip(1).map(|line| line.split(':').next().unwrap().to_lowercase()).collect();
        let mut real_headers: Vec<String> = sent.headers.keys().map(ToString::to_string).collect();
        let mut sorted = shown_headers.clone();
        sorted.sort();
        real_headers.sort();
        assert_eq!(sorted, real_headers);
        let shown: Value = serde_json::from_str(body).unwrap();
        assert_eq!(names(&shown, ""), names(&sent.json(), ""));
    });
}

/// The names of all fields in a value, with their paths.
fn names(value: &Value, place: &str) -> Vec<String> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| {
                let place = format!("{place}.{name}");
                let mut all = vec![place.clone()];
                all.extend(names(value, &place));
                all
            })
            .collect(),
        Value::Array(items) => items.first().map(|first| names(first, place)).unwrap_or_default(),
        _ => Vec::new(),
    }
}
