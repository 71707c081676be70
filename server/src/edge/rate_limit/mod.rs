//! The rate limit: a number of requests a minute for each owner of a credential, and for each network without a credential.
//!
//! It counts in fixed windows, in this process or in a Redis that instances share. How a file import is limited is in
//! [`import_slots`].

pub(crate) mod import_slots;
mod key;
mod owner_cache;
mod shared_counter;

pub use key::RateLimitKey;
pub use owner_cache::{CredentialHash, CredentialOwner};
pub use shared_counter::SharingError;

use axum::http::{HeaderMap, HeaderName, header::RETRY_AFTER};
use domain::Timestamp;
use key::WINDOW_SECONDS;
use owner_cache::OwnerCache;
use returns::{ClientNetwork, Pseudonyms};
use shared_counter::SharedCounter;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

/// A network that has sent unknown credentials this many times the limit has no further unknown credentials looked up. The factor is
/// large, because one address can belong to many clients, some with valid credentials.
const UNKNOWN_PER_LIMIT: u32 = 10;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
/// The headers that every limited answer has.
pub(crate) const HEADERS: [HeaderName; 3] = [LIMIT, REMAINING, RESET];

/// Counts requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct RateLimit {
    /// Requests in a window; 0 means no limit.
    allowed: u32,
    counts: Arc<Mutex<WindowCounts>>,
    owners: OwnerCache,
    shared: Option<SharedCounter>,
}

/// The counts of one window.
#[derive(Debug, Default)]
struct WindowCounts {
    window: i64,
    by_key: HashMap<RateLimitKey, u32>,
}

/// The state of a window after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStatus {
    /// Whether the request is within the limit.
    pub is_within: bool,
    limit: u32,
    remaining: u32,
    resets_at: i64,
    now: i64,
}

impl RateLimit {
    /// A limit of this many requests a minute; 0 means no limit.
    pub fn new(allowed: u32) -> Self {
        Self { allowed, counts: Arc::default(), owners: OwnerCache::default(), shared: None }
    }

    /// Counts in a Redis from now on, together with all instances that have the same secret. Redis sees only pseudonyms of clients.
    pub async fn shared_in(self, redis_url: &str, pseudonyms: Option<Pseudonyms>) -> Result<Self, SharingError> {
        let shared = SharedCounter::start(redis_url, pseudonyms).await?;
        Ok(Self { shared: Some(shared), ..self })
    }

    /// Whether the connection to Redis works; `None` without a Redis.
    pub fn is_shared(&self) -> Option<bool> {
        self.shared.as_ref().map(SharedCounter::is_connected)
    }

    pub fn is_on(&self) -> bool {
        self.allowed > 0
    }

    /// The hash under which the owner of a credential is cached.
    pub fn hash(&self, credential: &impl Hash) -> CredentialHash {
        self.owners.hash(credential)
    }

    /// The owner of a credential that was looked up in this window or the one before.
    pub fn find_owner(&self, credential: CredentialHash, now: Timestamp) -> Option<CredentialOwner> {
        self.owners.find(credential, now)
    }

    /// Caches the owner of a credential that was looked up.
    pub fn keep_owner(&self, credential: CredentialHash, owner: CredentialOwner, now: Timestamp) {
        if self.is_on() {
            self.owners.keep(credential, owner, now);
        }
    }

    /// Notes that a network sent a credential that does not exist.
    pub fn note_unknown(&self, credential: CredentialHash, network: ClientNetwork, now: Timestamp) {
        if self.is_on() {
            self.owners.note_unknown(credential, network, now);
        }
    }

    /// Whether a network has sent so many unknown credentials that the next one is not looked up.
    pub fn distrusts(&self, network: ClientNetwork, now: Timestamp) -> bool {
        self.is_on() && self.owners.unknown(network, now) >= self.allowed.saturating_mul(UNKNOWN_PER_LIMIT)
    }

    /// Counts a request; `None` if there is no limit. While Redis is lost, this instance counts by itself.
    pub async fn count(&self, key: RateLimitKey, now: Timestamp) -> Option<RateLimitStatus> {
        self.count_up_to(1, key, now).await
    }

    /// The same with so many times the limit.
    pub async fn count_up_to(&self, times: u32, key: RateLimitKey, now: Timestamp) -> Option<RateLimitStatus> {
        if self.allowed == 0 {
            return None;
        }
        let allowed = self.allowed.saturating_mul(times);
        if let Some(shared) = &self.shared
            && let Some((count, now)) = shared.count(&key).await
        {
            self.update_count(key, now, |_| count);
            return Some(status(allowed, count, now));
        }
        let now = now.seconds();
        Some(status(allowed, self.update_count(key, now, |known| known.saturating_add(1)), now))
    }

    /// Updates the local count of a key by its previous value, and returns it. Shared counts are stored here too, so that losing Redis
    /// gives no client a fresh window. A count never falls, because answers of Redis can arrive out of order.
    fn update_count(&self, key: RateLimitKey, now: i64, count: impl FnOnce(u32) -> u32) -> u32 {
        let window = now.div_euclid(WINDOW_SECONDS);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.window != window {
            // A new map for each window bounds the memory.
            *counts = WindowCounts { window, by_key: HashMap::new() };
        }
        let known = counts.by_key.entry(key).or_insert(0);
        *known = count(*known).max(*known);
        *known
    }
}

fn status(allowed: u32, count: u32, now: i64) -> RateLimitStatus {
    RateLimitStatus {
        is_within: count <= allowed,
        limit: allowed,
        remaining: allowed.saturating_sub(count),
        resets_at: (now.div_euclid(WINDOW_SECONDS) + 1) * WINDOW_SECONDS,
        now,
    }
}

impl RateLimitStatus {
    /// Writes the three headers of every answer, and `Retry-After` if the request is over the limit.
    pub fn write(&self, headers: &mut HeaderMap) {
        headers.insert(LIMIT, self.limit.into());
        headers.insert(REMAINING, self.remaining.into());
        headers.insert(RESET, self.resets_at.into());
        if !self.is_within {
            headers.insert(RETRY_AFTER, self.retry_after().into());
        }
    }

    /// Seconds until the next window.
    pub fn retry_after(&self) -> i64 {
        (self.resets_at - self.now).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use returns::ClientAddress;

    fn network_of(host: u8) -> ClientNetwork {
        ClientAddress([192, 0, 2, host].into()).network()
    }

    #[tokio::test]
    async fn each_key_has_its_own_window() {
        let limit = RateLimit::new(2);
        let at = Timestamp::from_seconds(61);
        let key = || RateLimitKey::Network(network_of(1));
        let other = RateLimitKey::Owner("serviceUser:1".into());
        let status = async |key, at| limit.count(key, at).await.unwrap();
        let first = status(key(), at).await;
        assert_eq!((first.is_within, first.remaining), (true, 1));
        let second = status(key(), at).await;
        assert_eq!((second.is_within, second.remaining), (true, 0));
        let third = status(key(), at).await;
        assert_eq!((third.is_within, third.remaining, third.resets_at), (false, 0, 120));
        assert!(status(other, at).await.is_within);
        assert!(status(key(), Timestamp::from_seconds(120)).await.is_within);
        assert!(RateLimit::new(0).count(key(), at).await.is_none());
    }

    #[test]
    fn unknown_credentials_of_a_network_stop_being_looked_up() {
        let (limit, at) = (RateLimit::new(2), Timestamp::from_seconds(61));
        let network = network_of(1);
        for made_up in 0..2 * UNKNOWN_PER_LIMIT {
            assert!(!limit.distrusts(network, at));
            limit.note_unknown(limit.hash(&made_up.to_string()), network, at);
        }
        assert!(limit.distrusts(network, at));
        assert!(!limit.distrusts(network_of(2), at), "other networks are not affected");
        assert!(!limit.distrusts(network, Timestamp::from_seconds(120)), "the next window starts afresh");
        assert!(!RateLimit::new(0).distrusts(network, at));
    }

    #[tokio::test]
    async fn shared_counts_are_kept_when_redis_is_lost() {
        let (limit, at) = (RateLimit::new(10), Timestamp::from_seconds(61));
        let key = || RateLimitKey::Network(network_of(1));
        assert_eq!(limit.update_count(key(), at.seconds(), |_| 9), 9);
        assert_eq!(limit.update_count(key(), at.seconds(), |_| 7), 9, "answers can arrive out of order");
        assert!(limit.count(key(), at).await.unwrap().is_within);
        assert!(!limit.count(key(), at).await.unwrap().is_within);
        assert!(limit.count(key(), Timestamp::from_seconds(120)).await.unwrap().is_within);
    }
}
