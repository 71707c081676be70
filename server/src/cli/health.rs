//! `retour health`: what a container's health check runs, where there is no curl.

use super::{CommandError, Result, output::Output};
use clap::Args;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Longer than any question of the health check takes: an instance that hangs is unhealthy.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Address that `retour serve` listens on
    #[arg(long, env = "LEPTOS_SITE_ADDR", default_value = "127.0.0.1:3000")]
    addr: SocketAddr,
}

/// Asks the instance on this machine whether it is ready; fails where it is not.
pub(super) async fn run(output: &Output, options: Options) -> Result {
    let port = options.addr.port();
    let answer = timeout(PATIENCE, ask(SocketAddr::new(here(options.addr), port))).await;
    match answer {
        Ok(Ok(true)) => {
            say!(output, "ready");
            output.document(&serde_json::json!({"ready": true}))
        }
        Ok(Ok(false)) => Err(CommandError::Wrong(format!("not ready: see http://{}/health/ready", options.addr))),
        Ok(Err(error)) => Err(CommandError::Wrong(format!("no answer from {}: {error}", options.addr))),
        Err(_) => Err(CommandError::Wrong(format!("no answer from {} within five seconds", options.addr))),
    }
}

/// Where programs on this machine reach an instance: one that listens on every address, at the loopback one.
pub(super) fn here(addr: SocketAddr) -> std::net::IpAddr {
    match addr {
        SocketAddr::V4(addr) if addr.ip().is_unspecified() => std::net::Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(addr) if addr.ip().is_unspecified() => std::net::Ipv6Addr::LOCALHOST.into(),
        addr => addr.ip(),
    }
}

/// Whether it answers 200.
async fn ask(addr: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(addr).await?;
    stream
        .write_all(format!("GET /health/ready HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n").as_bytes())
        .await?;
    let mut status = [0; 12];
    stream.read_exact(&mut status).await?;
    Ok(status.ends_with(b" 200"))
}
