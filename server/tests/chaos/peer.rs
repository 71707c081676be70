//! Stand-ins for external services: end2end/peers.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

/// A running stand-in.
pub struct Peer {
    pub url: String,
    /// It ends when its standard input closes, which happens with this process.
    _server: Child,
}

impl Peer {
    /// Starts the stand-in of a folder.
    pub fn start(folder: &str) -> Self {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../end2end/peers")).join(folder);
        let mut node = Command::new("node");
        node.arg("server.mjs").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = node.spawn().unwrap();
        let line = BufReader::new(server.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        let (_, url) = line.split_once(" ready on ").unwrap();
        Self { url: url.to_owned(), _server: server }
    }
}
