//! Programs of the stage beside the service's own: how they are started, signalled and ended.

use std::process::{Child, Command, Stdio};

/// One that runs; it ends when this is dropped.
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
        obey(Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]));
    }

    /// Waits for its end; whether that was a good one.
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

/// Runs a command to its end, which has to be a good one; what it prints.
pub fn obey(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Whether this is the superuser, who alone may mount disks.
pub fn is_root() -> bool {
    obey(Command::new("id").arg("-u")) == "0"
}
