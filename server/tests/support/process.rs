//! The built program, as an operator runs it.

use std::{
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// The program to test: `RETOUR_BIN`, or the one that `create build` creates.
pub fn binary() -> PathBuf {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/retour");
    let path = std::env::var_os("RETOUR_BIN").map_or(built, PathBuf::from);
    assert!(path.is_file(), "There is no program at {}: run `create build` first.", path.display());
    path
}

/// A command of the program, with the settings that tests need.
pub fn command(database_url: &str) -> Command {
    command_of(&binary(), database_url)
}

/// The same for another version of the program.
pub fn command_of(program: &Path, database_url: &str) -> Command {
    with_settings(Command::new(program), database_url)
}

/// The program, started by another command, such as `strace`.
fn command_under(words: &[&str], database_url: &str) -> Command {
    let command = match words {
        [] => Command::new(binary()),
        [starter, words @ ..] => {
            let mut command = Command::new(starter);
            command.args(words).arg(binary());
            command
        }
    };
    with_settings(command, database_url)
}

fn with_settings(mut command: Command, database_url: &str) -> Command {
    let files = format!("file://{}", std::env::temp_dir().join("retour-test-files").display());
    command.env("DATABASE_URL", database_url).env("FILES_URL", files).env("LOG", "warn").env("RETOUR_RATE_LIMIT", "0");
    // The receivers of tests are on this machine.
    command.env("RETOUR_SECRET_KEY", "0123456789abcdef0123456789abcdef").env("RETOUR_OUTBOUND_ALLOW", "127.0.0.0/8");
    command
}

/// Runs a command to its end and returns what it prints.
pub fn run(database_url: &str, arguments: &[&str]) -> String {
    try_run(database_url, arguments).unwrap_or_else(|error| panic!("retour {}: {error}", arguments.join(" ")))
}

/// The same; an error contains the output.
pub fn try_run(database_url: &str, arguments: &[&str]) -> Result<String, String> {
    let output = command(database_url).args(arguments).output().unwrap();
    let said = if output.status.success() { output.stdout } else { output.stderr };
    let said = String::from_utf8(said).unwrap().trim().to_owned();
    if output.status.success() { Ok(said) } else { Err(said) }
}

/// The same; also returns how long it took, and the most memory that it used, in KiB.
pub fn run_measured(database_url: &str, arguments: &[&str]) -> (Duration, u64) {
    let started = Instant::now();
    let mut child = command(database_url).args(arguments).stdout(Stdio::null()).spawn().unwrap();
    let mut most = 0;
    loop {
        most = most.max(memory(child.id(), "VmHWM").unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "retour {}", arguments.join(" "));
            return (started.elapsed(), most);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A line of `/proc/<pid>/status`, in KiB; `None` if there is no such process, or no `/proc`.
fn memory(process: u32, name: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// A shop in a database, created with the program's own commands.
pub struct Shop {
    pub slug: &'static str,
    /// A key with the scope `read`.
    pub key: String,
}

impl Shop {
    /// Creates a shop that accepts returns of any age, with the orders of a file if there is one.
    pub fn create(database_url: &str, folder: &Path, orders: Option<&Path>) -> Self {
        let slug = "real-orders";
        let policy = folder.join("policy.json");
        std::fs::write(&policy, r#"{"returnWindowDays": null}"#).unwrap();
        let policy = policy.to_str().unwrap();
        run(database_url, &["migrate"]);
        let create =
            ["account", "create", "--slug", slug, "--name", "Real orders", "--currency", "GBP", "--policy", policy];
        run(database_url, &create);
        let key =
            run(database_url, &["service-user", "create", "--account", slug, "--name", "reader", "--scopes", "read"]);
        if let Some(orders) = orders {
            run(database_url, &Self::import(orders));
        }
        Self { slug, key }
    }

    /// The command that imports its orders.
    pub fn import(orders: &Path) -> [&str; 7] {
        ["import", "orders", "--account", "real-orders", "--format", "shopify", orders.to_str().unwrap()]
    }
}

/// A serving program. It ends when this is dropped.
pub struct Server {
    child: Child,
    pub base: String,
    /// The time from the start of the process until it was ready.
    pub ready_after: Duration,
}

impl Server {
    pub async fn start(database_url: &str) -> Self {
        Self::start_at(database_url, Self::free_address()).await
    }

    /// A free address.
    pub fn free_address() -> SocketAddr {
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
    }

    /// Starts another version of the program.
    pub async fn start_of(program: &Path, database_url: &str) -> Self {
        let started = Instant::now();
        Self::spawn(command_of(program, database_url), Self::free_address()).ready(started).await
    }

    /// Starts the program at an address, where it can be found again after it was killed.
    pub async fn start_at(database_url: &str, address: SocketAddr) -> Self {
        let started = Instant::now();
        Self::spawn_under(&[], database_url, address).ready(started).await
    }

    async fn ready(mut self, started: Instant) -> Self {
        let client = reqwest::Client::new();
        while !is_ready(&client, &self.base).await {
            assert!(!self.has_ended(), "retour serve has exited");
            assert!(started.elapsed() < Duration::from_mins(1), "retour serve was not ready after a minute");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        self.ready_after = started.elapsed();
        self
    }

    /// Starts the program through another command that becomes it. Does not wait, because the program may never be ready.
    pub fn spawn_under(words: &[&str], database_url: &str, address: SocketAddr) -> Self {
        Self::spawn(command_under(words, database_url), address)
    }

    fn spawn(mut command: Command, address: SocketAddr) -> Self {
        let base = format!("http://{address}");
        let child = command.arg("serve").env("LEPTOS_SITE_ADDR", address.to_string()).spawn().unwrap();
        Self { child, base, ready_after: Duration::ZERO }
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// The most memory that it has used, in KiB.
    pub fn peak_memory(&self) -> u64 {
        memory(self.child.id(), "VmHWM").unwrap_or(0)
    }

    /// Ends it at once, as `kill -9` does.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to stop, as service managers do, and waits. Returns whether it succeeded.
    pub fn stop(mut self) -> bool {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap().success()
    }

    /// The memory that it uses now, in KiB.
    pub fn memory(&self) -> u64 {
        memory(self.child.id(), "VmRSS").unwrap_or(0)
    }
}

async fn is_ready(client: &reqwest::Client, base: &str) -> bool {
    let answer = client.get(format!("{base}/health/ready")).send().await;
    answer.is_ok_and(|answer| answer.status().is_success())
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
