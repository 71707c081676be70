//! A real shop in a process of its own.

use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

pub struct Peer {
    name: &'static str,
    pub url: String,
    /// The process ends when its standard input closes, so it ends with the test.
    _server: Child,
}

/// A command that runs one of a shop's scripts.
pub fn node(name: &str, script: &str) -> Command {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/peers")).join(name);
    let is_there = folder.join("node_modules/.installed-lock").exists();
    assert!(is_there, "{name} is missing: `.ci/tools peers` installs it.");
    let mut node = Command::new("node");
    node.arg(script).current_dir(folder);
    node
}

impl Peer {
    /// Starts a server that needs Postgres, and waits until it is ready.
    pub fn start(name: &'static str, server: &mut Command) -> Self {
        assert!(
            std::env::var_os("RETOUR_TEST_POSTGRES").is_some(),
            "This test needs Postgres: run it through `make test`, `make test-peers` or `.ci/with-postgres cargo test …`."
        );
        let mut server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node should be there");
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let ready = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let rest = line.strip_prefix(name)?.strip_prefix(" ready on ")?;
            Some(rest.split(' ').next()?.to_owned())
        });
        let url = ready.expect("the shop should have started");
        std::thread::spawn(move || lines.for_each(drop)); // an unread pipe would block it
        Self { name, url, _server: server }
    }

    /// Runs a script in the shop, and returns its output.
    pub fn script(&self, arguments: &[&str]) -> Value {
        let mut script = node(self.name, "shop.mjs");
        script.env(format!("{}_URL", self.name.to_uppercase()), &self.url);
        let output = script.args(arguments).stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success(), "shop.mjs {arguments:?} should work");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}
