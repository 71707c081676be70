//! Processes beside the service's own: starting, signalling and stopping them.

use std::process::{Child, Command, Stdio};

/// A running process. It ends when this is dropped.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    pub fn start(command: &mut Command) -> Self {
        Self(command.stdin(Stdio::null()).spawn().unwrap_or_else(|error| panic!("{command:?}: {error}")))
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    pub fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        run_command(Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]));
    }

    /// Waits for its end. Returns whether it succeeded.
    pub fn wait(&mut self) -> bool {
        self.0.wait().unwrap().success()
    }

    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs a command, which must succeed. Returns its output.
pub fn run_command(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Whether this is root, which alone can mount disks.
pub fn is_root() -> bool {
    run_command(Command::new("id").arg("-u")) == "0"
}
