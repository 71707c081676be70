//! The stage: four programs on one Postgres and one Redis behind haproxy, with a line on each way between them.

use super::{postgres::Postgres, process::Running, wire::Wire};
use crate::support::process::{Server, binary, command_of};
use std::{
    fmt::Write as _,
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use tokio::time::sleep;

pub const INSTANCES: usize = 4;

/// One of the programs, and the lines that lead from and to it.
#[derive(Debug)]
pub struct Instance {
    pub address: SocketAddr,
    /// From the balancer to it.
    pub inward: Wire,
    pub to_postgres: Wire,
    pub to_redis: Wire,
    pub running: Option<Running>,
    /// The program, of whatever version.
    pub executable: PathBuf,
    settings: Vec<(&'static str, String)>,
    database: String,
    log: PathBuf,
}

impl Instance {
    /// Starts it and waits until it is ready. One that ends at once is started again, as service managers do.
    pub async fn start(&mut self) {
        let (client, began) = (reqwest::Client::new(), Instant::now());
        loop {
            if self.running.as_mut().is_none_or(Running::has_ended) {
                sleep(Duration::from_millis(100)).await;
                self.spawn();
            }
            let ready = client.get(format!("http://{}/health/ready", self.address)).timeout(Duration::from_secs(2));
            if ready.send().await.is_ok_and(|answer| answer.status().is_success()) {
                return;
            }
            assert!(began.elapsed() < Duration::from_mins(2), "it is not ready after two minutes: {}", self.log());
            sleep(Duration::from_millis(20)).await;
        }
    }

    fn spawn(&mut self) {
        let log = fs::OpenOptions::new().create(true).append(true).open(&self.log).unwrap();
        let mut serve = command_of(&self.executable, &self.database);
        serve.arg("serve").env("LEPTOS_SITE_ADDR", self.address.to_string()).stderr(log).stdout(Stdio::null());
        serve
            .env("REDIS_URL", format!("redis://{}", self.to_redis.address))
            .env("RETOUR_TRUSTED_PROXIES", "127.0.0.0/8");
        self.running = Some(Running::start(serve.envs(self.settings.iter().map(|(name, value)| (name, value)))));
    }

    /// The program, which has to be there.
    pub fn program(&mut self) -> &mut Running {
        let running = self.running.as_mut().unwrap();
        assert!(!running.has_ended(), "it has ended by itself: see {}", self.log.display());
        running
    }

    /// What it logged.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The most that it has held in memory since it was started, KiB.
    pub fn peak_memory(&self) -> u64 {
        let status = self.running.as_ref().map(|running| fs::read_to_string(format!("/proc/{}/status", running.id())));
        let status = status.and_then(Result::ok).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
    }
}

/// All of it. What is declared first ends first.
#[derive(Debug)]
pub struct Stage {
    /// Where clients go.
    pub base: String,
    pub instances: Vec<Instance>,
    pub redis: Redis,
    _balancer: Running,
    pub postgres: Postgres,
    /// The database's own address, without a line.
    pub database: String,
    _folder: tempfile::TempDir,
}

impl Stage {
    /// Sets it up: a migrated database, four programs that are ready, a balancer that knows it. `settings` are theirs.
    pub async fn set(settings: &[(&'static str, String)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let postgres = Postgres::start();
        let database = postgres.url_at(postgres.address());
        crate::support::process::run(&database, &["migrate"]);
        let redis = Redis::start(folder.path());
        let mut instances = Vec::new();
        for number in 0..INSTANCES {
            let address = Server::free_address();
            let to_postgres = Wire::lay(postgres.address()).await;
            instances.push(Instance {
                address,
                inward: Wire::lay(address).await,
                database: postgres.url_at(to_postgres.address),
                to_postgres,
                to_redis: Wire::lay(redis.address).await,
                running: None,
                executable: binary(),
                settings: settings.to_vec(),
                log: folder.path().join(format!("instance-{number}.log")),
            });
        }
        let doors: Vec<SocketAddr> = instances.iter().map(|instance| instance.inward.address).collect();
        let (balancer, base) = balance(folder.path(), &doors);
        let mut stage = Self { base, instances, redis, _balancer: balancer, postgres, database, _folder: folder };
        for instance in &mut stage.instances {
            instance.start().await;
        }
        stage.wait_until_balanced().await;
        stage
    }

    /// Whether the balancer has somebody to send requests to.
    async fn wait_until_balanced(&self) {
        let (client, began) = (reqwest::Client::new(), Instant::now());
        let is_there = async || client.get(format!("{}/health/ready", self.base)).send().await;
        while !is_there().await.is_ok_and(|answer| answer.status().is_success()) {
            assert!(began.elapsed() < Duration::from_mins(1), "the balancer sends nobody on");
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Everything that the programs logged and that names a bug of ours.
    pub fn panics(&self) -> Vec<String> {
        let logs = self.instances.iter().map(Instance::log);
        let lines: Vec<String> = logs.flat_map(|log| log.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
        lines.into_iter().filter(|line| line.contains("panicked")).collect()
    }
}

/// HAProxy as `deploy/` has it, but for where it listens and whom it sends to: what is told of availability is what an
/// operator gets.
fn balance(folder: &Path, doors: &[SocketAddr]) -> (Running, String) {
    let address = Server::free_address();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/proxy/haproxy.cfg");
    let mut settings = String::new();
    for line in fs::read_to_string(shipped).unwrap().lines() {
        match line.trim_start() {
            rest if rest.starts_with("bind :::80") => writeln!(settings, "    bind {address}").unwrap(),
            rest if ["bind :::443", "http-request redirect scheme", "server "]
                .iter()
                .any(|start| rest.starts_with(start)) => {}
            _ => writeln!(settings, "{line}").unwrap(),
        }
    }
    assert!(settings.contains(&address.to_string()), "it listens: {settings}");
    for (number, door) in doors.iter().enumerate() {
        writeln!(settings, "    server program-{number} {door}").unwrap();
    }
    let file = folder.join("haproxy.cfg");
    fs::write(&file, settings).unwrap();
    let mut haproxy = Command::new("haproxy");
    haproxy.env("PATH", "/usr/sbin:/usr/local/sbin:/usr/bin:/bin").args(["-db", "-q", "-f"]).arg(file);
    (Running::start(haproxy.stdout(Stdio::null())), format!("http://{address}"))
}

/// A Redis that keeps nothing on disk.
#[derive(Debug)]
pub struct Redis {
    pub address: SocketAddr,
    folder: PathBuf,
    running: Running,
}

impl Redis {
    fn start(folder: &Path) -> Self {
        let address = Server::free_address();
        Self { address, folder: folder.to_owned(), running: Self::run(address, folder) }
    }

    fn run(address: SocketAddr, folder: &Path) -> Running {
        let mut redis = Command::new("redis-server");
        redis.args(["--bind", "127.0.0.1", "--port", &address.port().to_string(), "--save", "", "--appendonly", "no"]);
        Running::start(redis.arg("--dir").arg(folder).stdout(Stdio::null()))
    }

    pub fn stop(&mut self) {
        self.running.signal("TERM");
        self.running.wait();
    }

    pub fn go_on(&mut self) {
        self.running = Self::run(self.address, &self.folder);
    }

    pub fn signal(&self, name: &str) {
        self.running.signal(name);
    }
}
