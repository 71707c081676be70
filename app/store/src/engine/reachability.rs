//! Whether the Postgres server can be reached. The pool keeps trying to connect until its time-out. While the server
//! cannot be reached, each request for a connection fails at once with [`StoreError::Unreachable`].

use super::error::{Result, StoreError};
use sqlx::{ConnectOptions as _, Connection as _, postgres::PgConnectOptions};
use std::{
    future::pending,
    sync::{Arc, Weak},
    time::Duration,
};
use tokio::{
    sync::{Mutex, watch},
    time::{sleep, timeout},
};

/// A request that waits longer for a connection probes the server: the pool may only have no idle connection.
const PROBE_AFTER: Duration = Duration::from_millis(300);
/// How long the server may take to accept a connection. A busy server is not unreachable.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// The pause between two probes.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);

/// What is known of the server. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Reachability(Arc<Server>);

#[derive(Debug)]
struct Server {
    options: PgConnectOptions,
    is_unreachable: watch::Sender<bool>,
    /// Locked by the request that probes the server.
    probing: Mutex<()>,
}

impl Reachability {
    pub(crate) fn new(options: PgConnectOptions) -> Self {
        Self(Arc::new(Server { options, is_unreachable: watch::Sender::new(false), probing: Mutex::default() }))
    }

    /// The connection that the pool gives; [`StoreError::Unreachable`] as soon as it is known that there will be none.
    pub(crate) async fn connection<C>(
        &self,
        mut acquiring: impl Future<Output = sqlx::Result<C>> + Unpin,
    ) -> Result<C> {
        if *self.0.is_unreachable.borrow() {
            return Err(StoreError::Unreachable);
        }
        tokio::select! {
            biased;
            connection = &mut acquiring => return Ok(connection?),
            () = sleep(PROBE_AFTER) => {}
        }
        let mut unreachable = self.0.is_unreachable.subscribe();
        tokio::select! {
            biased;
            connection = acquiring => Ok(connection?),
            () = async { drop(unreachable.wait_for(|unreachable| *unreachable).await) } => Err(StoreError::Unreachable),
            () = self.probe_until_unreachable() => Err(StoreError::Unreachable),
        }
    }

    /// Probes the server until it does not answer. Of the requests that wait, one probes.
    async fn probe_until_unreachable(&self) {
        let Ok(_probing) = self.0.probing.try_lock() else { return pending().await };
        while self.0.answers().await {
            sleep(PROBE_INTERVAL).await;
        }
        if !self.0.is_unreachable.send_replace(true) {
            tracing::error!("the database cannot be reached");
            tokio::spawn(wait_for_return(Arc::downgrade(&self.0)));
        }
    }
}

/// Probes until the server accepts connections again, or until the program no longer uses it.
async fn wait_for_return(server: Weak<Server>) {
    loop {
        sleep(PROBE_INTERVAL).await;
        let Some(server) = server.upgrade() else { return };
        if server.answers().await {
            server.is_unreachable.send_replace(false);
            tracing::info!("the database can be reached again");
            return;
        }
    }
}

impl Server {
    /// Whether the server answers. It does so too when it has no connection left or does not know the user.
    async fn answers(&self) -> bool {
        match timeout(CONNECT_LIMIT, self.options.connect()).await {
            Ok(Ok(connection)) => {
                let _ = timeout(CONNECT_LIMIT, connection.close()).await;
                true
            }
            // cannot_connect_now: it starts or stops.
            Ok(Err(sqlx::Error::Database(error))) => error.code().is_none_or(|code| code != "57P03"),
            Ok(Err(_)) | Err(_) => false,
        }
    }
}
