//! Idle connections, kept for the next request to the same origin.

use super::{connection::Connection, endpoint::Endpoint};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// How long a connection may stay idle.
const MAX_IDLE: Duration = Duration::from_secs(90);
/// How many idle connections one origin may have.
const MAX_PER_ORIGIN: usize = 128;
/// How many idle connections there may be in total: each uses one of the process's open files.
const MAX_TOTAL: usize = 256;
/// How often expired connections are closed.
const SWEEP_INTERVAL: Duration = Duration::from_secs(10);

/// The idle connections.
#[derive(Default)]
pub(super) struct ConnectionPool(Mutex<Idle>);

#[derive(Default)]
struct Idle {
    /// By origin, the most recently used one last.
    by_origin: HashMap<String, Vec<IdleConnection>>,
    count: usize,
    swept_at: Option<Instant>,
}

struct IdleConnection {
    since: Instant,
    connection: Connection,
}

impl ConnectionPool {
    /// The most recently used connection that is still open.
    pub(super) fn take(&self, to: &Endpoint) -> Option<Connection> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let last = idle.by_origin.get_mut(to.origin())?.pop()?;
            idle.count -= 1;
            if last.is_usable() {
                return Some(last.connection);
            }
        }
    }

    /// Keeps a connection whose response was read to the end.
    pub(super) async fn put(&self, to: &Endpoint, mut connection: Connection) {
        if !connection.becomes_ready().await {
            return;
        }
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_sweep_due = idle.swept_at.is_none_or(|at| at.elapsed() >= SWEEP_INTERVAL);
        if is_sweep_due || idle.count >= MAX_TOTAL {
            idle.sweep();
        }
        let of_origin = idle.by_origin.get(to.origin()).map_or(0, Vec::len);
        if of_origin >= MAX_PER_ORIGIN || idle.count >= MAX_TOTAL {
            return;
        }
        idle.count += 1;
        let entry = IdleConnection { since: Instant::now(), connection };
        match idle.by_origin.get_mut(to.origin()) {
            Some(connections) => connections.push(entry),
            None => drop(idle.by_origin.insert(to.origin().to_owned(), vec![entry])),
        }
    }
}

impl Idle {
    fn sweep(&mut self) {
        self.by_origin.retain(|_, connections| {
            connections.retain(IdleConnection::is_usable);
            !connections.is_empty()
        });
        self.count = self.by_origin.values().map(Vec::len).sum();
        self.swept_at = Some(Instant::now());
    }
}

impl IdleConnection {
    fn is_usable(&self) -> bool {
        self.since.elapsed() < MAX_IDLE && !self.connection.is_closed()
    }
}
