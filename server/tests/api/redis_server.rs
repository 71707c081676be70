//! A real Redis of the test's own, which can be stopped, killed and started again.

use rustix::process::{Pid, Signal, kill_process};
use std::{
    io::ErrorKind,
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

/// The server. It ends when this is dropped.
pub struct RedisServer {
    child: Child,
    port: u16,
    arguments: Vec<String>,
    folder: tempfile::TempDir,
}

impl RedisServer {
    /// Starts a server at a free port with these arguments, in which `{port}` stands for the port.
    pub fn start(arguments: &[&str]) -> Self {
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let folder = tempfile::tempdir().unwrap();
        loop {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            // Another program can have taken the port.
            if let Some(child) = listening(spawn(port, &arguments, &folder), port) {
                return Self { child, port, arguments, folder };
            }
        }
    }

    /// Starts an empty server again at the same port.
    pub fn start_again(&mut self) {
        self.child = listening(spawn(self.port, &self.arguments, &self.folder), self.port).expect("the port is free");
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub fn url_with(&self, credentials: &str, database: u32) -> String {
        format!("redis://{credentials}@127.0.0.1:{}/{database}", self.port)
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops the process: connections stay open, and get no answer.
    pub fn hang(&self) {
        kill_process(Pid::from_child(&self.child), Signal::STOP).unwrap();
    }

    /// Continues the process.
    pub fn resume(&self) {
        kill_process(Pid::from_child(&self.child), Signal::CONT).unwrap();
    }
}

/// The answer of a Redis to a command.
pub fn ask<T: redis::FromRedisValue>(url: &str, command: &str) -> T {
    let mut words = command.split(' ');
    let mut asked = redis::cmd(words.next().unwrap());
    for word in words {
        asked.arg(word);
    }
    let mut connection = redis::Client::open(url).unwrap().get_connection().unwrap();
    asked.query(&mut connection).unwrap()
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(port: u16, arguments: &[String], folder: &tempfile::TempDir) -> Child {
    let start = |program: &str| {
        let mut command = Command::new(program);
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"]);
        let arguments = arguments.iter().map(|argument| argument.replace("{port}", &port.to_string()));
        command.arg(folder.path()).args(arguments).stdout(Stdio::null()).spawn()
    };
    match start("redis-server") {
        Err(error) if error.kind() == ErrorKind::NotFound => start("valkey-server").expect("`.ci/tools test` has it"),
        started => started.unwrap(),
    }
}

/// The server once it listens; `None` if it has ended.
fn listening(mut child: Child, port: u16) -> Option<Child> {
    loop {
        let listens = TcpStream::connect(("127.0.0.1", port)).is_ok();
        if child.try_wait().unwrap().is_some() {
            return None;
        } else if listens {
            return Some(child);
        }
        sleep(Duration::from_millis(5));
    }
}
