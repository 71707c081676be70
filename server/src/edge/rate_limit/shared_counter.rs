//! Counts that instances share in a Redis: one round trip for each request, by Redis's own clock.
//!
//! Losing Redis fails no request. A request that finds it lost waits for at most [`COUNT_TIMEOUT`] and is counted by this instance. After that,
//! no request asks Redis until a background task has connected again.

use super::key::{RateLimitKey, WINDOW_SECONDS};
use redis::{AsyncConnectionConfig, Client, RedisResult, Script, aio::MultiplexedConnection};
use returns::Pseudonyms;
use std::{
    io,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, RwLock},
    time::Duration,
};
use tokio::{sync::Notify, time};

/// How long a request may wait for its count.
const COUNT_TIMEOUT: Duration = Duration::from_millis(100);
/// How long connecting may take, with name resolution, TLS and password.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// One late answer does not count as a loss if Redis has answered within this time: this machine may be busy.
const LATE_ANSWER_GRACE: Duration = Duration::from_millis(400);
/// The pause before reconnecting. It doubles each time that the new connection is lost at once.
const PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// How often an idle connection is probed, so that a loss is noticed and no proxy closes a silent connection.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The prefix of every key, because other programs may use the same Redis.
const PREFIX: &str = "retour:limit:";

/// Counts in the current window of Redis's clock, and lets the count expire with the window. A key lives until the end of the millisecond in
/// which it expires, hence the `- 1`. A key that has lost its expiry gets one, or it would refuse its client permanently.
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

/// Why the limit cannot be shared; the message is for the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SharingError {
    /// The URL is not one of a Redis.
    #[error(
        "--redis-url (REDIS_URL): expected redis://HOST:6379 or, with TLS, rediss://HOST:6379; with USER:PASSWORD@ before the host and /NUMBER of a database after it where there are any"
    )]
    Url,
    /// There is no secret that all instances share.
    #[error(
        "--secret-key (RETOUR_SECRET_KEY): expected with --redis-url (REDIS_URL), the same for all instances: callers are known in Redis by names that are made with it"
    )]
    NoSecretKey,
}

/// The count that instances share. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct SharedCounter(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    client: Client,
    pseudonyms: Pseudonyms,
    /// The one connection; `None` while Redis is lost.
    connection: RwLock<Option<MultiplexedConnection>>,
    last_answer_at: Mutex<time::Instant>,
    /// Notified when the connection was lost.
    lost: Notify,
}

impl SharedCounter {
    /// Connects to the Redis. If it does not answer, a background task tries again.
    pub(super) async fn start(url: &str, pseudonyms: Option<Pseudonyms>) -> Result<Self, SharingError> {
        let client = client(url)?;
        let pseudonyms = pseudonyms.ok_or(SharingError::NoSecretKey)?;
        let inner = Inner {
            client,
            pseudonyms,
            connection: RwLock::default(),
            last_answer_at: Mutex::new(time::Instant::now()),
            lost: Notify::new(),
        };
        let shared = Self(Arc::new(inner));
        match shared.connect().await {
            Ok(()) => tracing::info!("the rate limit is shared in Redis"),
            Err(error) => log_loss(&error),
        }
        let reconnecting = shared.clone();
        tokio::spawn(async move { reconnecting.stay_connected().await });
        Ok(shared)
    }

    pub(super) fn is_connected(&self) -> bool {
        self.0.connection.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Counts a request. Returns the count of the window and Redis's time in seconds, or `None` if Redis does not answer.
    pub(super) async fn count(&self, key: &RateLimitKey) -> Option<(u32, i64)> {
        let connection = self.0.connection.read().unwrap_or_else(PoisonError::into_inner).clone()?;
        match count(connection, &self.redis_key(key)).await {
            Ok(counted) => {
                self.note_answer();
                Some(counted)
            }
            Err(error) if error.is_timeout() && self.last_answer_at().elapsed() < LATE_ANSWER_GRACE => None,
            Err(error) => {
                self.lose(&error);
                None
            }
        }
    }

    fn last_answer_at(&self) -> MutexGuard<'_, time::Instant> {
        self.0.last_answer_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_answer(&self) {
        *self.last_answer_at() = time::Instant::now();
    }

    /// The key of a client in Redis: a pseudonym.
    fn redis_key(&self, key: &RateLimitKey) -> String {
        let name = match key {
            RateLimitKey::Owner(id) => self.0.pseudonyms.of(&format!("owner {id}")),
            RateLimitKey::Network(address) => self.0.pseudonyms.of(&format!("network {address}")),
        };
        format!("{PREFIX}{name}")
    }

    /// Connects again whenever the connection was lost, at most once in each pause.
    async fn stay_connected(&self) {
        let (mut pause, mut connected_at) = (PAUSE, None::<time::Instant>);
        loop {
            if self.is_connected() {
                tokio::select! {
                    () = self.0.lost.notified() => {}
                    () = time::sleep(HEARTBEAT) => self.probe().await,
                }
                continue; // the notification may be of an earlier loss
            }
            // A Redis that accepts connections but does not count in time must not be reconnected every second.
            if let Some(connected_at) = connected_at.take() {
                pause = if connected_at.elapsed() < 2 * PAUSE { (pause * 2).min(MAX_PAUSE) } else { PAUSE };
            }
            time::sleep(pause).await;
            if self.connect().await.is_ok() {
                connected_at = Some(time::Instant::now());
                tracing::info!("connected to Redis again: the rate limit is shared");
            }
        }
    }

    /// Opens a connection and counts on it once, because a Redis that refuses writes is of no use.
    async fn connect(&self) -> RedisResult<()> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(COUNT_TIMEOUT));
        let connection = self.0.client.get_multiplexed_async_connection_with_config(&config).await?;
        count(connection.clone(), &probe_key()).await?;
        self.note_answer();
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

    /// Drops the connection. Of several requests that notice the loss, only the first logs it.
    fn lose(&self, error: &redis::RedisError) {
        let connection = self.0.connection.write().unwrap_or_else(PoisonError::into_inner).take();
        if connection.is_some() {
            log_loss(error);
            self.0.lost.notify_one();
        }
    }
}

fn log_loss(error: &redis::RedisError) {
    tracing::warn!(%error, "Redis does not answer: each instance applies the rate limit by itself until it does");
}

/// The key that probes count.
fn probe_key() -> String {
    format!("{PREFIX}probe")
}

fn client(url: &str) -> Result<Client, SharingError> {
    // The library accepts `#insecure` and then refuses to connect.
    let is_known = ["redis://", "rediss://"].iter().any(|scheme| url.starts_with(scheme)) && !url.contains('#');
    if is_known { Client::open(url).map_err(|_| SharingError::Url) } else { Err(SharingError::Url) }
}

async fn count(mut connection: MultiplexedConnection, key: &str) -> RedisResult<(u32, i64)> {
    let mut count = COUNT.key(key);
    let counted = count.arg(WINDOW_SECONDS).invoke_async(&mut connection);
    // The timeout covers all three commands that are needed if Redis has lost the script.
    time::timeout(COUNT_TIMEOUT, counted).await.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_urls_are_refused() {
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
    async fn sharing_requires_a_secret_key() {
        let error = SharedCounter::start("redis://127.0.0.1:1", None).await.unwrap_err();
        assert_eq!(error, SharingError::NoSecretKey);
        assert!(error.to_string().starts_with("--secret-key (RETOUR_SECRET_KEY): expected with --redis-url"));
    }
}
