//! A line between two parts, which can be cut, reset, slowed, or go silent. One of our own, in this process: no registry
//! has a kept one that resets connections and forgets them, and each of many lines costs next to nothing so.

use std::{future::pending, net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    time::sleep,
};

/// What a line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Open,
    /// Connections are closed, and new ones at once.
    Cut,
    /// The same, by a reset.
    Reset,
    /// Nothing comes through, and nobody is told; later it does.
    Silent,
    /// Each piece takes so long, each way.
    Slow(Duration),
}

/// A line that is laid; it ends with the test.
#[derive(Debug, Clone)]
pub struct Wire {
    /// Where to connect to instead.
    pub address: SocketAddr,
    state: watch::Sender<State>,
    forgotten: watch::Sender<u32>,
}

impl Wire {
    pub async fn lay(to: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let wire = Self { address, state: watch::Sender::new(State::Open), forgotten: watch::Sender::new(0) };
        let (state, forgotten) = (wire.state.clone(), wire.forgotten.clone());
        tokio::spawn(async move {
            loop {
                if let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(carry(stream, to, state.subscribe(), forgotten.subscribe()));
                }
            }
        });
        wire
    }

    pub fn set(&self, state: State) {
        self.state.send_replace(state);
    }

    /// Connections of before never speak again, and are never closed, as when a machine loses its power or a firewall its
    /// memory. New ones are as ever.
    pub fn forget(&self) {
        self.forgotten.send_modify(|times| *times += 1);
    }
}

async fn carry(
    mut near: TcpStream,
    to: SocketAddr,
    mut state: watch::Receiver<State>,
    mut forgotten: watch::Receiver<u32>,
) {
    let Ok(now) = state.wait_for(|state| *state != State::Silent).await.map(|state| *state) else { return };
    if matches!(now, State::Cut | State::Reset) {
        return end(&near, now);
    }
    let Ok(mut far) = TcpStream::connect(to).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let broken = async {
        let is_broken = |state: &State| matches!(state, State::Cut | State::Reset);
        state.clone().wait_for(is_broken).await.map_or(State::Cut, |state| *state)
    };
    let (mut near_out, mut near_in) = near.split();
    let (mut far_out, mut far_in) = far.split();
    let how = tokio::select! {
        how = broken => how,
        _ = forgotten.changed() => pending().await,
        _ = async {
            tokio::join!(pump(&mut near_out, &mut far_in, state.clone()), pump(&mut far_out, &mut near_in, state.clone()))
        } => State::Cut,
    };
    end(&near, how);
    end(&far, how);
}

/// How the connection ends when it is dropped.
fn end(stream: &TcpStream, how: State) {
    if how == State::Reset {
        let _ = stream.set_zero_linger();
    }
}

async fn pump(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    mut state: watch::Receiver<State>,
) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        let now = state.wait_for(|state| *state != State::Silent).await.map_or(State::Open, |state| *state);
        if let State::Slow(by) = now {
            sleep(by).await;
        }
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}
