//! Stand-ins for the services of others: end2end/peers.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

/// One that listens.
pub struct Peer {
    pub url: String,
    /// It ends with its standard input, which is to say with us.
    _server: Child,
}

impl Peer {
    /// That of a folder there.
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
