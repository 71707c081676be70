//! Counting together with other instances, in a Redis: one round trip for each request, by Redis's own clock.
//!
//! Losing it fails nobody: who asks waits a moment at most and counts for this instance, and then nobody asks until a
//! task of ours has found it again.

use super::{WINDOW_SECONDS, Who};
use redis::{AsyncConnectionConfig, Client, RedisResult, Script, aio::MultiplexedConnection};
use returns::Pseudonyms;
use std::{
    io,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, RwLock},
    time::Duration,
};
use tokio::{sync::Notify, time};

/// How long a request may wait for its count.
const PATIENCE: Duration = Duration::from_millis(100);
/// How long finding a Redis may take, with name, TLS and password.
const CONNECTING: Duration = Duration::from_secs(1);
/// Who has answered others so short a time ago is not lost for one answer that came late: this machine may have been busy.
const NOT_LOST_WITHIN: Duration = Duration::from_millis(400);
/// How long nobody asks after it was lost, at least; each time that it is lost again at once, twice as long.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How often it is asked besides requests: so that a loss is seen, and nobody between us hangs up on a silent connection.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// What stands before every key of ours: the Redis may be others' too.
const PREFIX: &str = "retour:limit:";

/// Counts in the window that it is by Redis's clock, and forgets the count with its window. (A key lives up to and with
/// the millisecond that it is to expire at. One that has no end, whoever took it, would refuse its caller for ever.)
static COUNT: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "local now = tonumber(redis.call('TIME')[1])
         local seconds = tonumber(ARGV[1])
         local count = redis.call('INCR', KEYS[1])
         if count == 1 or redis.call('PTTL', KEYS[1]) < 0 then
           redis.call('PEXPIREAT', KEYS[1], (now - now % seconds + seconds) * 1000 - 1)
         end
         return {count, now}",
    )
});

/// Why limits cannot be shared as it was asked for; the sentence is for whoever set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SharingError {
    /// The address is none.
    #[error(
        "--redis-url (REDIS_URL): expected redis://HOST:6379 or, with TLS, rediss://HOST:6379; with USER:PASSWORD@ before the host and /NUMBER of a database after it where there are any"
    )]
    Url,
    /// There is no secret that all instances know.
    #[error(
        "--secret-key (RETOUR_SECRET_KEY): expected with --redis-url (REDIS_URL), the same for all instances: callers are known in Redis by names that are made with it"
    )]
    NoSecretKey,
}

/// The count that instances share. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Shared(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    client: Client,
    pseudonyms: Pseudonyms,
    /// The one connection; `None` while Redis is lost.
    connection: RwLock<Option<MultiplexedConnection>>,
    /// When it answered last.
    heard_at: Mutex<time::Instant>,
    /// Rung when it was lost.
    lost: Notify,
}

impl Shared {
    /// Looks for the Redis, and goes on looking when it is not there.
    pub(super) async fn start(url: &str, pseudonyms: Option<Pseudonyms>) -> Result<Self, SharingError> {
        let client = client(url)?;
        let pseudonyms = pseudonyms.ok_or(SharingError::NoSecretKey)?;
        let inner = Inner {
            client,
            pseudonyms,
            connection: RwLock::default(),
            heard_at: Mutex::new(time::Instant::now()),
            lost: Notify::new(),
        };
        let shared = Self(Arc::new(inner));
        match shared.connect().await {
            Ok(()) => tracing::info!("the rate limit is shared in Redis"),
            Err(error) => say_lost(&error),
        }
        let keeper = shared.clone();
        tokio::spawn(async move { keeper.keep().await });
        Ok(shared)
    }

    pub(super) fn is_there(&self) -> bool {
        self.0.connection.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Counts a request: how many there are in the window, and Redis's time in seconds. `None` when it does not say.
    pub(super) async fn count(&self, who: &Who) -> Option<(u32, i64)> {
        let connection = self.0.connection.read().unwrap_or_else(PoisonError::into_inner).clone()?;
        match count(connection, &self.key(who)).await {
            Ok(counted) => {
                self.heard();
                Some(counted)
            }
            Err(error) if error.is_timeout() && self.heard_at().elapsed() < NOT_LOST_WITHIN => None,
            Err(error) => {
                self.lose(&error);
                None
            }
        }
    }

    fn heard_at(&self) -> MutexGuard<'_, time::Instant> {
        self.0.heard_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn heard(&self) {
        *self.heard_at() = time::Instant::now();
    }

    /// The key of a caller; nothing in it tells who they are.
    fn key(&self, who: &Who) -> String {
        let name = match who {
            Who::Owner(id) => self.0.pseudonyms.of(&format!("owner {id}")),
            Who::Network(address) => self.0.pseudonyms.of(&format!("network {address}")),
        };
        format!("{PREFIX}{name}")
    }

    /// Finds the Redis again whenever it was lost, once a pause at most.
    async fn keep(&self) {
        let (mut pause, mut found_at) = (PAUSE, None::<time::Instant>);
        loop {
            if self.is_there() {
                tokio::select! {
                    () = self.0.lost.notified() => {}
                    () = time::sleep(HEARTBEAT) => self.probe().await,
                }
                continue; // it may also have rung for a loss that is mended by now
            }
            // One that answers us, and not those who count, is not to be found and lost each second.
            if let Some(found_at) = found_at.take() {
                pause = if found_at.elapsed() < 2 * PAUSE { (pause * 2).min(LONGEST_PAUSE) } else { PAUSE };
            }
            time::sleep(pause).await;
            if self.connect().await.is_ok() {
                found_at = Some(time::Instant::now());
                tracing::info!("Redis is back: the rate limit is shared again");
            }
        }
    }

    /// A new connection, in use once it has counted: a Redis that refuses to write is as good as lost.
    async fn connect(&self) -> RedisResult<()> {
        let patience =
            AsyncConnectionConfig::new().set_connection_timeout(Some(CONNECTING)).set_response_timeout(Some(PATIENCE));
        let connection = self.0.client.get_multiplexed_async_connection_with_config(&patience).await?;
        count(connection.clone(), &probe_key()).await?;
        self.heard();
        *self.0.connection.write().unwrap_or_else(PoisonError::into_inner) = Some(connection);
        Ok(())
    }

    async fn probe(&self) {
        let connection = self.0.connection.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(connection) = connection
            && let Err(error) = count(connection, &probe_key()).await
        {
            self.lose(&error);
        }
    }

    /// From now on nobody asks. Of many who find it lost, the first says so.
    fn lose(&self, error: &redis::RedisError) {
        let connection = self.0.connection.write().unwrap_or_else(PoisonError::into_inner).take();
        if connection.is_some() {
            say_lost(error);
            self.0.lost.notify_one();
        }
    }
}

fn say_lost(error: &redis::RedisError) {
    tracing::warn!(%error, "Redis does not answer as it should: the rate limit counts by instance until it does");
}

/// What is counted to see whether Redis counts.
fn probe_key() -> String {
    format!("{PREFIX}probe")
}

fn client(url: &str) -> Result<Client, SharingError> {
    // The library would take a `#insecure` and then refuse to connect.
    let is_known = ["redis://", "rediss://"].iter().any(|scheme| url.starts_with(scheme)) && !url.contains('#');
    if is_known { Client::open(url).map_err(|_| SharingError::Url) } else { Err(SharingError::Url) }
}

async fn count(mut connection: MultiplexedConnection, key: &str) -> RedisResult<(u32, i64)> {
    let mut count = COUNT.key(key);
    let counted = count.arg(WINDOW_SECONDS).invoke_async(&mut connection);
    // Also where Redis has forgotten the script, and three commands take the place of one.
    time::timeout(PATIENCE, counted).await.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_none_are_named() {
        for url in [
            "redis://127.0.0.1",
            "redis://redis.example.com:6380/3",
            "redis://user:p%40ss@[::1]:6379",
            "rediss://:secret@redis.example.com",
        ] {
            assert!(client(url).is_ok(), "{url}");
        }
        for url in [
            "127.0.0.1:6379",
            "http://127.0.0.1:6379",
            "redis://",
            "redis://host:port",
            "redis://host/name",
            "rediss://host/#insecure",
        ] {
            assert_eq!(client(url).unwrap_err(), SharingError::Url, "{url}");
        }
        assert!(SharingError::Url.to_string().starts_with("--redis-url (REDIS_URL): expected"));
    }

    #[tokio::test]
    async fn without_a_key_nobody_is_known_there() {
        let error = Shared::start("redis://127.0.0.1:1", None).await.unwrap_err();
        assert_eq!(error, SharingError::NoSecretKey);
        assert!(error.to_string().starts_with("--secret-key (RETOUR_SECRET_KEY): expected with --redis-url"));
    }
}
