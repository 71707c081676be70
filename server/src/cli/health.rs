//! `retour health`: the health check of containers without curl.

use super::{
    error::{CommandError, Result},
    output::Output,
};
use clap::Args;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Longer than `/health/ready` takes, so that only an instance that hangs exceeds it.
const TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Address that `retour serve` listens on
    #[arg(long, env = "LEPTOS_SITE_ADDR", default_value = "127.0.0.1:3000")]
    addr: SocketAddr,
}

/// Fails unless the instance on this machine is ready.
pub(super) async fn run(output: &Output, options: Options) -> Result {
    let port = options.addr.port();
    let answer = timeout(TIMEOUT, is_ready(SocketAddr::new(local_address(options.addr), port))).await;
    match answer {
        Ok(Ok(true)) => {
            say!(output, "ready");
            output.document(&serde_json::json!({"ready": true}))
        }
        Ok(Ok(false)) => Err(CommandError::Failed(format!("not ready: see http://{}/health/ready", options.addr))),
        Ok(Err(error)) => Err(CommandError::Failed(format!("no answer from {}: {error}", options.addr))),
        Err(_) => Err(CommandError::Failed(format!("no answer from {} within five seconds", options.addr))),
    }
}

/// The address at which programs on this machine reach an instance. One that listens on every address is reached at the loopback address.
pub(super) fn local_address(addr: SocketAddr) -> std::net::IpAddr {
    match addr {
        SocketAddr::V4(addr) if addr.ip().is_unspecified() => std::net::Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(addr) if addr.ip().is_unspecified() => std::net::Ipv6Addr::LOCALHOST.into(),
        addr => addr.ip(),
    }
}

/// Whether `/health/ready` answers 200.
async fn is_ready(addr: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(addr).await?;
    stream
        .write_all(format!("GET /health/ready HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n").as_bytes())
        .await?;
    let mut status = [0; 12];
    stream.read_exact(&mut status).await?;
    Ok(status.ends_with(b" 200"))
}
