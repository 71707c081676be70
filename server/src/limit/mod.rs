//! The rate limit (spec 8): so many requests a minute for each credential, or address where there is none.
//! A fixed window, counted in this process, or in Redis together with other instances.

mod shared;

pub use shared::SharingError;

use axum::http::HeaderMap;
use domain::Timestamp;
use returns::Pseudonyms;
use shared::Shared;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

const WINDOW_SECONDS: i64 = 60;

/// Whose requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Who {
    /// A valid credential, by its id, and its last four characters to name it by.
    Credential(String, String),
    /// An address without a valid credential.
    Address(IpAddr),
}

/// Counts requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct RateLimit {
    /// Requests a window; 0: no limit.
    allowed: u32,
    counts: Arc<Mutex<Counts>>,
    /// Where instances count together.
    shared: Option<Shared>,
}

#[derive(Debug, Default)]
struct Counts {
    window: i64,
    by_who: HashMap<Who, u32>,
}

/// What one request found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whether the request may go on.
    pub passes: bool,
    limit: u32,
    remaining: u32,
    resets_at: i64,
    now: i64,
}

impl RateLimit {
    /// A limit of so many requests a minute; 0 is none.
    pub fn new(allowed: u32) -> Self {
        Self { allowed, counts: Arc::default(), shared: None }
    }

    /// The same, counted in a Redis together with all that know the same secret. Callers are known there by pseudonyms.
    pub async fn shared_in(self, redis_url: &str, pseudonyms: Option<Pseudonyms>) -> Result<Self, SharingError> {
        let shared = Shared::start(redis_url, pseudonyms).await?;
        Ok(Self { shared: Some(shared), ..self })
    }

    /// Whether instances count together at the moment; `None` where they never do.
    pub fn is_shared(&self) -> Option<bool> {
        self.shared.as_ref().map(Shared::is_there)
    }

    /// Counts a request; `None` when there is no limit. While Redis is lost, it counts here.
    pub async fn count(&self, who: Who, now: Timestamp) -> Option<Standing> {
        if self.allowed == 0 {
            return None;
        }
        if let Some(shared) = &self.shared
            && let Some((count, now)) = shared.count(&who).await
        {
            self.note(who, now, |_| count);
            return Some(self.standing(count, now));
        }
        let now = now.seconds();
        Some(self.standing(self.note(who, now, |known| known.saturating_add(1)), now))
    }

    /// Which request of its window this is, from 1, by how many were known here. What all instances counted together is known
    /// too, so that losing Redis gives nobody a fresh limit.
    fn note(&self, who: Who, now: i64, count: impl FnOnce(u32) -> u32) -> u32 {
        let window = now.div_euclid(WINDOW_SECONDS);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.window != window {
            // Memory stays bounded by what one window brings.
            *counts = Counts { window, by_who: HashMap::new() };
        }
        let known = counts.by_who.entry(who).or_insert(0);
        *known = count(*known).max(*known);
        *known
    }

    fn standing(&self, count: u32, now: i64) -> Standing {
        Standing {
            passes: count <= self.allowed,
            limit: self.allowed,
            remaining: self.allowed.saturating_sub(count),
            resets_at: (now.div_euclid(WINDOW_SECONDS) + 1) * WINDOW_SECONDS,
            now,
        }
    }
}

impl Standing {
    /// The three headers of every response, and when to come back for those that were refused.
    pub fn write(&self, headers: &mut HeaderMap) {
        headers.insert("ratelimit-limit", self.limit.into());
        headers.insert("ratelimit-remaining", self.remaining.into());
        headers.insert("ratelimit-reset", self.resets_at.into());
        if !self.passes {
            headers.insert(axum::http::header::RETRY_AFTER, (self.resets_at - self.now).max(1).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_caller_has_a_window_of_its_own() {
        let limit = RateLimit::new(2);
        let at = Timestamp::from_seconds(61);
        let who = || Who::Address(IpAddr::from([127, 0, 0, 1]));
        let other = Who::Credential("serviceUser:1".into(), "abcd".into());
        let standing = async |who, at| limit.count(who, at).await.unwrap();
        let first = standing(who(), at).await;
        assert_eq!((first.passes, first.remaining), (true, 1));
        let second = standing(who(), at).await;
        assert_eq!((second.passes, second.remaining), (true, 0));
        let third = standing(who(), at).await;
        assert_eq!((third.passes, third.remaining, third.resets_at), (false, 0, 120));
        assert!(standing(other, at).await.passes);
        assert!(standing(who(), Timestamp::from_seconds(120)).await.passes);
        assert!(RateLimit::new(0).count(who(), at).await.is_none());
    }

    #[tokio::test]
    async fn what_was_counted_together_is_known_when_redis_is_lost() {
        let (limit, at) = (RateLimit::new(10), Timestamp::from_seconds(61));
        let who = || Who::Address(IpAddr::from([127, 0, 0, 1]));
        assert_eq!(limit.note(who(), at.seconds(), |_| 9), 9);
        assert_eq!(limit.note(who(), at.seconds(), |_| 7), 9, "answers may come out of their order");
        assert!(limit.count(who(), at).await.unwrap().passes);
        assert!(!limit.count(who(), at).await.unwrap().passes);
        assert!(limit.count(who(), Timestamp::from_seconds(120)).await.unwrap().passes);
    }
}
