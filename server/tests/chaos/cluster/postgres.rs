//! A Postgres of the test's own that can be stopped, killed and slowed, and whose disk can be filled. It waits for the disk as in production.

use super::process::{Running, is_root, run_command};
use crate::{crash::random, support::process::Server};
use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

/// The size of its disk in MiB.
const DISK_MIB: u32 = 900;

/// The server. Dropping this ends it, and removes its data.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    port: u16,
    password: String,
    has_own_disk: bool,
    folder: tempfile::TempDir,
}

impl Postgres {
    /// Starts a new server with an empty database `retour`. For root, it has a disk of its own, which can be filled.
    pub fn start() -> Self {
        // The socket's path must be short, and Postgres refuses to run as root.
        let folder = tempfile::Builder::new().prefix("retour-cluster.").tempdir_in("/tmp").unwrap();
        let port = Server::free_address().port();
        let password = format!("{:016x}{:016x}", random(u64::MAX), random(u64::MAX));
        let postgres = Self { programs: programs(), port, password, has_own_disk: is_root(), folder };
        let disk = postgres.disk();
        fs::create_dir(&disk).unwrap();
        if postgres.has_own_disk {
            postgres.mount();
            run_command(Command::new("chmod").arg("711").arg(postgres.folder.path()));
            run_command(Command::new("chown").arg("postgres").args([&disk, postgres.folder.path()]));
        }
        let (data, secret) = (disk.join("data"), postgres.folder.path().join("password"));
        fs::write(&secret, &postgres.password).unwrap();
        let initdb = ["-U", "postgres", "--auth=password", "-E", "UTF8", "--locale=C.UTF-8", "--pwfile"];
        run_command(postgres.command("initdb").args(initdb).arg(&secret).arg("-D").arg(&data));
        let settings = format!(
            "port = {port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{}'\nmax_connections = 200\n\
             shared_buffers = '128MB'\nmax_wal_size = '256MB'\nmin_wal_size = '64MB'\nlogging_collector = off\n",
            postgres.folder.path().display()
        );
        fs::write(data.join("postgresql.auto.conf"), settings).unwrap();
        postgres.resume();
        let createdb = ["-h", "127.0.0.1", "-U", "postgres", "-p", &port.to_string(), "retour"];
        run_command(postgres.command("createdb").args(createdb).env("PGPASSWORD", &postgres.password));
        postgres
    }

    fn disk(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    fn mount(&self) {
        let image = self.folder.path().join("image");
        fs::File::create(&image).unwrap().set_len(u64::from(DISK_MIB) * 1024 * 1024).unwrap();
        run_command(Command::new("mkfs.ext4").args(["-q", "-m", "0"]).arg(&image)); // no blocks are reserved for root
        run_command(Command::new("mount").args(["-o", "loop"]).arg(&image).arg(self.disk()));
    }

    pub fn address(&self) -> SocketAddr {
        ([127, 0, 0, 1], self.port).into()
    }

    /// The URL of the database at an address: the server's own, or a proxy's.
    pub fn url_at(&self, address: SocketAddr) -> String {
        format!("postgres://postgres:{}@{address}/retour", self.password)
    }

    /// A command of Postgres, run as the owner of the data.
    fn command(&self, program: &str) -> Command {
        let path = self.programs.join(program);
        let mut command = if self.has_own_disk {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        command.current_dir(self.folder.path());
        command
    }

    fn control(&self, arguments: &[&str]) -> bool {
        let mut command = self.command("pg_ctl");
        command.arg("-D").arg(self.disk().join("data")).args(arguments);
        command.output().unwrap().status.success()
    }

    /// Starts the server if it does not run. Repeats this like a service manager.
    pub fn resume(&self) {
        let began = Instant::now();
        let log = self.folder.path().join("log");
        while !self.control(&["status"]) || !self.answers() {
            self.control(&["-w", "-t", "30", "-l", log.to_str().unwrap(), "start"]);
            assert!(began.elapsed() < Duration::from_mins(2), "Postgres does not start: see {}", log.display());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn answers(&self) -> bool {
        let port = self.port.to_string();
        self.command("pg_isready").args(["-q", "-h", "127.0.0.1", "-p", &port]).status().unwrap().success()
    }

    /// Stops the server. `fast` writes a checkpoint, and `immediate` leaves recovery to the next start.
    pub fn stop(&self, how: &str) {
        self.control(&["-w", "-m", how, "stop"]);
    }

    /// Kills the main process.
    pub fn kill(&self) {
        run_command(Command::new("kill").args(["-KILL", &self.id()]));
    }

    fn id(&self) -> String {
        let file = fs::read_to_string(self.disk().join("data/postmaster.pid")).unwrap();
        file.lines().next().unwrap().trim().to_owned()
    }

    /// Delays each write to the disk until the returned process is dropped.
    pub fn slow_down(&self, by: Duration) -> Running {
        let id = self.id();
        let children = Command::new("pgrep").args(["-P", &id]).output().unwrap();
        let inject = format!("inject=fdatasync,fsync,pwrite64:delay_enter={}", by.as_micros());
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync,pwrite64", "-e", &inject, "-p", &id]);
        for child in String::from_utf8(children.stdout).unwrap().lines() {
            strace.args(["-p", child]);
        }
        Running::start(strace.stderr(std::process::Stdio::null()))
    }

    /// Whether the disk can be filled.
    pub fn has_own_disk(&self) -> bool {
        self.has_own_disk
    }

    /// Fills the disk.
    pub fn fill(&self) {
        let free = run_command(Command::new("df").args(["--output=avail", "-B1"]).arg(self.disk()));
        let free = free.lines().last().unwrap().trim().to_owned();
        let _ = Command::new("fallocate").args(["-l", &free]).arg(self.filling()).output().unwrap();
        // The last free blocks.
        let _ = Command::new("dd")
            .args(["if=/dev/zero", "bs=4096", "oflag=append", "conv=notrunc"])
            .arg(format!("of={}", self.filling().display()))
            .output()
            .unwrap();
    }

    /// Frees the disk.
    pub fn empty(&self) {
        let _ = fs::remove_file(self.filling());
    }

    fn filling(&self) -> PathBuf {
        self.disk().join("filling")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop("immediate");
        if self.has_own_disk {
            let _ = Command::new("umount").arg("-l").arg(self.disk()).status();
        }
    }
}

/// The folder of Postgres's programs. Debian keeps them out of PATH; the newest version is the last one.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = versions.map(|version| version.path().join("bin")).filter(|folder| folder.join("initdb").is_file());
    let newest = folders.max_by_key(|folder| {
        let version = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        version.and_then(|version| version.parse::<u32>().ok())
    });
    newest.unwrap_or_else(|| panic!("Postgres is missing: .ci/tools chaos"))
}
