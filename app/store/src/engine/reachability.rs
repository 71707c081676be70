//! Whether the Postgres server can be reached at all. sqlx's pool tries to connect until its time-out ends. While the server cannot be
//! reached, each request for a connection fails at once with [`StoreError::Away`].

use crate::engine::{Result, StoreError};
use sqlx::{
    ConnectOptions as _, Connection as _, Postgres,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPool},
};
use std::{
    future::pending,
    sync::{Arc, Weak},
    time::Duration,
};
use tokio::{
    sync::{Mutex, watch},
    time::{sleep, timeout},
};

/// A request that waits longer for a connection probes the server: the pool may only have no free connection.
const SOON: Duration = Duration::from_millis(300);
/// How long the server may take to let somebody in: one that is only busy is not away.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long until it is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// What is known of the server. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Reach(Arc<Known>);

#[derive(Debug)]
struct Known {
    options: PgConnectOptions,
    is_away: watch::Sender<bool>,
    /// Held by who asks the server.
    asking: Mutex<()>,
}

impl Reach {
    pub(crate) fn new(options: PgConnectOptions) -> Self {
        Self(Arc::new(Known { options, is_away: watch::Sender::new(false), asking: Mutex::default() }))
    }

    /// A connection of the pool; [`StoreError::Away`] as soon as it is known that there is none to be had.
    pub(crate) async fn connection(&self, pool: &PgPool) -> Result<PoolConnection<Postgres>> {
        if *self.0.is_away.borrow() {
            return Err(StoreError::Away);
        }
        let mut acquired = Box::pin(pool.acquire());
        tokio::select! {
            biased;
            connection = &mut acquired => return Ok(connection?),
            () = sleep(SOON) => {}
        }
        let mut away = self.0.is_away.subscribe();
        tokio::select! {
            biased;
            connection = acquired => Ok(connection?),
            () = async { drop(away.wait_for(|away| *away).await) } => Err(StoreError::Away),
            () = self.keep_asking() => Err(StoreError::Away),
        }
    }

    /// Asks the server until it does not answer; one of those who wait is enough.
    async fn keep_asking(&self) {
        let Ok(_asking) = self.0.asking.try_lock() else { return pending().await };
        while self.0.answers().await {
            sleep(PAUSE).await;
        }
        if !self.0.is_away.send_replace(true) {
            tracing::error!("the database cannot be reached");
            tokio::spawn(wait_for_return(Arc::downgrade(&self.0)));
        }
    }
}

/// Until the server lets somebody in again, or nobody uses it any more.
async fn wait_for_return(known: Weak<Known>) {
    loop {
        sleep(PAUSE).await;
        let Some(known) = known.upgrade() else { return };
        if known.answers().await {
            known.is_away.send_replace(false);
            tracing::info!("the database can be reached again");
            return;
        }
    }
}

impl Known {
    /// Whether the server is there. One that has no place left, or no such user, is.
    async fn answers(&self) -> bool {
        match timeout(PATIENCE, self.options.connect()).await {
            Ok(Ok(connection)) => {
                let _ = timeout(PATIENCE, connection.close()).await;
                true
            }
            // cannot_connect_now: it begins or ends.
            Ok(Err(sqlx::Error::Database(error))) => error.code().is_none_or(|code| code != "57P03"),
            Ok(Err(_)) | Err(_) => false,
        }
    }
}
