//! The program as an operator starts it, and its log.

use std::{
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// After this time, a test that waits in vain fails.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A serving program. It ends when this is dropped.
pub struct Program {
    child: Option<Child>,
    pub base: String,
}

impl Program {
    /// Starts the program with additional settings, and waits until it is ready.
    pub async fn start(database_url: &str, folder: &Path, settings: &[(&str, &str)]) -> Self {
        let mut serve = command(database_url, folder, "serve");
        serve.envs(settings.iter().copied());
        Self::of(serve).await
    }

    /// Starts a command that serves, at a free address, and waits until it is ready.
    pub async fn of(mut serve: Command) -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        serve.env("LEPTOS_SITE_ADDR", address.to_string());
        let child = serve.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut program = Self { child: Some(child), base: format!("http://{address}") };
        let since = Instant::now();
        while program.get("/health/ready").await.is_none_or(|(status, _)| status != 200) {
            assert!(program.child.as_mut().unwrap().try_wait().unwrap().is_none(), "retour serve has exited");
            assert!(since.elapsed() < TIMEOUT, "retour serve did not become ready");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        program
    }

    /// Status and body; `None` if the program does not answer.
    pub async fn get(&self, path: &str) -> Option<(u16, String)> {
        let answer = reqwest::get(format!("{}{path}", self.base)).await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    /// Sends SIGTERM, as service managers do.
    pub fn signal(&self) {
        let id = self.child.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    }

    /// Waits for its end: whether it succeeded, and its log.
    pub async fn ended(mut self) -> (bool, String) {
        let child = self.child.take().unwrap();
        let output = tokio::task::spawn_blocking(move || child.wait_with_output()).await.unwrap().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    }

    /// Sends SIGTERM, and waits for its end.
    pub async fn stop(self) -> (bool, String) {
        self.signal();
        self.ended().await
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A command of the program, with the settings that every test needs.
pub fn command(database_url: &str, folder: &Path, what: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retour"));
    command.arg(what).env("DATABASE_URL", database_url).env("RETOUR_RATE_LIMIT", "0").env("LOG", "info");
    command.env("FILES_URL", format!("file://{}", folder.join("files").display()));
    command.env("RETOUR_SECRET_KEY", "0123456789abcdef0123456789abcdef").env("RETOUR_OUTBOUND_ALLOW", "127.0.0.0/8");
    command
}

/// A new SQLite file with the demo shop: its URL, and a key of the shop.
pub fn demo(folder: &Path) -> (String, String) {
    let database = format!("sqlite://{}", folder.join("retour.db").display());
    let key = folder.join("demo.key");
    assert!(command(&database, folder, "migrate").output().unwrap().status.success());
    assert!(
        command(&database, folder, "demo")
            .arg("--empty")
            .arg("--key-file")
            .arg(&key)
            .output()
            .unwrap()
            .status
            .success()
    );
    (database, std::fs::read_to_string(key).unwrap().trim().to_owned())
}
