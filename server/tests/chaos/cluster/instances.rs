//! The cluster: four instances on one Postgres and one Redis behind haproxy, with a proxy on each connection between them.

use super::{fault_proxy::FaultProxy, postgres::Postgres, process::Running};
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

/// One instance, and the proxies of its connections.
#[derive(Debug)]
pub struct Instance {
    pub address: SocketAddr,
    /// From the load balancer to the instance.
    pub inward: FaultProxy,
    pub to_postgres: FaultProxy,
    pub to_redis: FaultProxy,
    pub running: Option<Running>,
    /// The program, of any version.
    pub executable: PathBuf,
    settings: Vec<(&'static str, String)>,
    database: String,
    log: PathBuf,
}

impl Instance {
    /// Starts the instance and waits until it is ready. If it exits at once, it is started again, as service managers do.
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
            assert!(
                began.elapsed() < Duration::from_mins(2),
                "the instance is not ready after two minutes: {}",
                self.log()
            );
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

    /// The process, which must be running.
    pub fn program(&mut self) -> &mut Running {
        let running = self.running.as_mut().unwrap();
        assert!(!running.has_ended(), "the instance has exited: see {}", self.log.display());
        running
    }

    /// Its log.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The most memory that it has used since its start, in KiB.
    pub fn peak_memory(&self) -> u64 {
        let status = self.running.as_ref().map(|running| fs::read_to_string(format!("/proc/{}/status", running.id())));
        let status = status.and_then(Result::ok).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
    }
}

/// The whole cluster. Fields are dropped in their order.
#[derive(Debug)]
pub struct Cluster {
    /// The address for clients.
    pub base: String,
    pub instances: Vec<Instance>,
    pub redis: Redis,
    _balancer: Running,
    pub postgres: Postgres,
    /// The address of the database, without a proxy.
    pub database: String,
    _folder: tempfile::TempDir,
}

impl Cluster {
    /// Starts a migrated database, four ready instances and a load balancer. `settings`: those of the instances.
    pub async fn start_all(settings: &[(&'static str, String)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let postgres = Postgres::start();
        let database = postgres.url_at(postgres.address());
        crate::support::process::run(&database, &["migrate"]);
        let redis = Redis::start(folder.path());
        let mut instances = Vec::new();
        for number in 0..INSTANCES {
            let address = Server::free_address();
            let to_postgres = FaultProxy::start(postgres.address()).await;
            instances.push(Instance {
                address,
                inward: FaultProxy::start(address).await,
                database: postgres.url_at(to_postgres.address),
                to_postgres,
                to_redis: FaultProxy::start(redis.address).await,
                running: None,
                executable: binary(),
                settings: settings.to_vec(),
                log: folder.path().join(format!("instance-{number}.log")),
            });
        }
        let doors: Vec<SocketAddr> = instances.iter().map(|instance| instance.inward.address).collect();
        let (balancer, base) = balance(folder.path(), &doors);
        let mut cluster = Self { base, instances, redis, _balancer: balancer, postgres, database, _folder: folder };
        for instance in &mut cluster.instances {
            instance.start().await;
        }
        cluster.wait_until_balanced().await;
        cluster
    }

    /// Waits until the load balancer has an instance to send requests to.
    async fn wait_until_balanced(&self) {
        let (client, began) = (reqwest::Client::new(), Instant::now());
        let is_there = async || client.get(format!("{}/health/ready", self.base)).send().await;
        while !is_there().await.is_ok_and(|answer| answer.status().is_success()) {
            assert!(began.elapsed() < Duration::from_mins(1), "the load balancer has no instance");
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Log lines of the instances that indicate a bug.
    pub fn panics(&self) -> Vec<String> {
        let logs = self.instances.iter().map(Instance::log);
        let lines: Vec<String> = logs.flat_map(|log| log.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
        lines.into_iter().filter(|line| line.contains("panicked")).collect()
    }
}

/// HAProxy with the configuration of `deploy/`, except for the addresses, so that the measured availability is what an operator gets.
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
    assert!(settings.contains(&address.to_string()), "the configuration has the address: {settings}");
    for (number, door) in doors.iter().enumerate() {
        writeln!(settings, "    server program-{number} {door}").unwrap();
    }
    let file = folder.join("haproxy.cfg");
    fs::write(&file, settings).unwrap();
    let mut haproxy = Command::new("haproxy");
    haproxy.env("PATH", "/usr/sbin:/usr/local/sbin:/usr/bin:/bin").args(["-db", "-q", "-f"]).arg(file);
    (Running::start(haproxy.stdout(Stdio::null())), format!("http://{address}"))
}

/// A Redis without persistence.
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

    pub fn resume(&mut self) {
        self.running = Self::run(self.address, &self.folder);
    }

    pub fn signal(&self, name: &str) {
        self.running.signal(name);
    }
}
