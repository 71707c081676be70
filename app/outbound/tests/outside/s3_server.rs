//! An independent S3 server (moto), which verifies signatures and permissions.

use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// A running server.
pub struct S3Server {
    port: u16,
    keys: Value,
    server: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// Credentials.
#[derive(Clone)]
pub struct Key {
    pub id: String,
    pub secret: String,
    #[allow(dead_code, reason = "not every program of tests has a key for a while")]
    pub token: String,
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.kill();
    }
}

impl S3Server {
    /// A server with the buckets `my-returns` and `with-versions`.
    pub fn start() -> Self {
        Self::start_at(0)
    }

    fn start_at(port: u16) -> Self {
        let python = std::env::var("RETOUR_PYTHON").unwrap_or("python3".to_owned());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("end2end").is_dir());
        let script = root.unwrap().join("end2end/s3_server.py");
        let mut command = Command::new(python);
        command.arg(script).arg(port.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let (ask, mut answers) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        let started: Value = serde_json::from_str(&line).unwrap_or_else(|_| {
            panic!("moto is needed: `.ci/tools test` installs it, `. .ci/env` finds it");
        });
        let port = started["port"].as_u64().and_then(|port| u16::try_from(port).ok()).unwrap();
        Self { port, keys: started["keys"].clone(), server, ask, answers }
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The credentials of `retour`, `guest` or `reader`.
    pub fn key(&self, of: &str) -> Key {
        let text = |name: &str| self.keys[of][name].as_str().unwrap().to_owned();
        Key { id: text("id"), secret: text("secret"), token: text("token") }
    }

    /// The names of a bucket's objects.
    pub fn names(&mut self, bucket: &str) -> Vec<String> {
        writeln!(self.ask, "{bucket}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Kills it.
    pub fn kill(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }

    /// Starts an empty server at the same address with the same keys.
    #[allow(dead_code, reason = "not every program of tests needs it back")]
    pub fn start_again(&mut self) {
        self.kill();
        *self = Self::start_at(self.port);
    }
}
