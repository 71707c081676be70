//! A TCP proxy between two parts that can cut, reset, slow or silence connections. It is our own code, in this process, because no maintained
//! crate can reset and abandon connections, and because many proxies must be cheap.

use std::{future::pending, net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    time::sleep,
};

/// What the proxy does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultState {
    Open,
    /// Closes connections, and new ones at once.
    Cut,
    /// Resets connections, and new ones at once.
    Reset,
    /// Holds all bytes back. They pass later.
    Silent,
    /// Delays each piece by this time, in both directions.
    Slow(Duration),
}

/// A proxy. It ends with the test.
#[derive(Debug, Clone)]
pub struct FaultProxy {
    /// The address to connect to.
    pub address: SocketAddr,
    state: watch::Sender<FaultState>,
    abandoned: watch::Sender<u32>,
}

impl FaultProxy {
    pub async fn start(to: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let proxy = Self { address, state: watch::Sender::new(FaultState::Open), abandoned: watch::Sender::new(0) };
        let (state, abandoned) = (proxy.state.clone(), proxy.abandoned.clone());
        tokio::spawn(async move {
            loop {
                if let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(carry(stream, to, state.subscribe(), abandoned.subscribe()));
                }
            }
        });
        proxy
    }

    pub fn set(&self, state: FaultState) {
        self.state.send_replace(state);
    }

    /// Abandons existing connections: they never pass another byte and are never closed, as if a machine had lost power or a firewall its
    /// state. New connections work.
    pub fn abandon(&self) {
        self.abandoned.send_modify(|times| *times += 1);
    }
}

async fn carry(
    mut near: TcpStream,
    to: SocketAddr,
    mut state: watch::Receiver<FaultState>,
    mut abandoned: watch::Receiver<u32>,
) {
    let Ok(now) = state.wait_for(|state| *state != FaultState::Silent).await.map(|state| *state) else { return };
    if matches!(now, FaultState::Cut | FaultState::Reset) {
        return end(&near, now);
    }
    let Ok(mut far) = TcpStream::connect(to).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let broken = async {
        let is_broken = |state: &FaultState| matches!(state, FaultState::Cut | FaultState::Reset);
        state.clone().wait_for(is_broken).await.map_or(FaultState::Cut, |state| *state)
    };
    let (mut near_out, mut near_in) = near.split();
    let (mut far_out, mut far_in) = far.split();
    let how = tokio::select! {
        how = broken => how,
        _ = abandoned.changed() => pending().await,
        _ = async {
            tokio::join!(pump(&mut near_out, &mut far_in, state.clone()), pump(&mut far_out, &mut near_in, state.clone()))
        } => FaultState::Cut,
    };
    end(&near, how);
    end(&far, how);
}

/// How the connection ends when it is dropped.
fn end(stream: &TcpStream, how: FaultState) {
    if how == FaultState::Reset {
        let _ = stream.set_zero_linger();
    }
}

async fn pump(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    mut state: watch::Receiver<FaultState>,
) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        let now = state.wait_for(|state| *state != FaultState::Silent).await.map_or(FaultState::Open, |state| *state);
        if let FaultState::Slow(by) = now {
            sleep(by).await;
        }
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}
