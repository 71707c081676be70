//! An independent mail server (aiosmtpd), and the mail that it received.

use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// How long to wait for a mail.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running server.
pub struct MailServer {
    /// Its port.
    pub port: u16,
    folder: tempfile::TempDir,
    server: Child,
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl MailServer {
    /// A server that accepts mail from anyone.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// A server that requires TLS, with this certificate and key, and a password.
    #[allow(dead_code, reason = "not every program of tests has certificates")]
    pub fn start_with(certificate: &[&Path]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let python = std::env::var("RETOUR_PYTHON").unwrap_or("python3".to_owned());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("end2end").is_dir());
        let script = root.unwrap().join("end2end/mail_server.py");
        let mut command = Command::new(python);
        command.arg(script).arg(folder.path()).args(certificate).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().parse();
        let port = port.expect("aiosmtpd is needed: `.ci/tools test` installs it, `. .ci/env` finds it");
        Self { port, folder, server }
    }

    /// The mail so far, oldest first.
    pub fn mails(&self) -> Vec<Value> {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect();
        files.sort();
        files.iter().map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).collect()
    }

    /// Waits for a number of mails.
    pub async fn wait_for(&self, count: usize) -> Vec<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mails = self.mails();
            if mails.len() >= count {
                return mails;
            }
            let subjects: Vec<_> = mails.iter().map(|mail| mail["headers"]["Subject"].clone()).collect();
            assert!(Instant::now() < deadline, "expected {count} mails, got {subjects:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
