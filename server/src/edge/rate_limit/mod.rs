//! The rate limit: so many requests a minute for each owner of a credential, or network where there is none.
//! A fixed window, counted in this process, or in Redis together with other instances.

mod owners;
mod shared;

pub use owners::{Mark, Owner};
pub use shared::SharingError;

use axum::http::HeaderMap;
use domain::Timestamp;
use owners::Owners;
use returns::{ClientNetwork, Pseudonyms};
use shared::Shared;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

const WINDOW_SECONDS: i64 = 60;

/// How many times the limit a network may send unknown credentials before no more of them are looked up.
const UNKNOWN_BEFORE_DISTRUST: u32 = 10;

/// Whose requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Who {
    /// The owner of a valid credential, by [`Owner::id`]: a new token is no new window.
    Owner(String),
    /// A network without a valid credential, by [`returns::ClientAddress::network`].
    Network(ClientNetwork),
}

/// Counts requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct RateLimit {
    /// Requests a window; 0: no limit.
    allowed: u32,
    counts: Arc<Mutex<Counts>>,
    owners: Owners,
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
        Self { allowed, counts: Arc::default(), owners: Owners::default(), shared: None }
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

    /// Whether there is a limit.
    pub fn is_on(&self) -> bool {
        self.allowed > 0
    }

    /// The mark of a credential, by which its owner is kept.
    pub fn mark(&self, credential: &impl Hash) -> Mark {
        self.owners.mark(credential)
    }

    /// Who held a credential a minute or two ago.
    pub fn find_owner(&self, mark: Mark, now: Timestamp) -> Option<Owner> {
        self.owners.find(mark, now)
    }

    /// Keeps who holds a credential that was looked up.
    pub fn keep_owner(&self, mark: Mark, owner: Owner, now: Timestamp) {
        if self.is_on() {
            self.owners.keep(mark, owner, now);
        }
    }

    /// Notes that a network sent a credential that nobody holds.
    pub fn note_unknown(&self, mark: Mark, network: ClientNetwork, now: Timestamp) {
        if self.is_on() {
            self.owners.note_unknown(mark, network, now);
        }
    }

    /// Whether a network has sent so many credentials that nobody holds that its next unknown one is not looked up. Many
    /// times the limit: behind one address there may be others, whose credentials are good.
    pub fn trusts_no_credential_of(&self, network: ClientNetwork, now: Timestamp) -> bool {
        self.is_on() && self.owners.unknown(network, now) >= self.allowed.saturating_mul(UNKNOWN_BEFORE_DISTRUST)
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
            headers.insert(axum::http::header::RETRY_AFTER, self.retry_after().into());
        }
    }

    /// When the next window begins, seconds from now.
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
    async fn each_caller_has_a_window_of_its_own() {
        let limit = RateLimit::new(2);
        let at = Timestamp::from_seconds(61);
        let who = || Who::Network(network_of(1));
        let other = Who::Owner("serviceUser:1".into());
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

    #[test]
    fn a_network_that_makes_credentials_up_has_no_more_of_them_looked_up() {
        let (limit, at) = (RateLimit::new(2), Timestamp::from_seconds(61));
        let network = network_of(1);
        for made_up in 0..2 * UNKNOWN_BEFORE_DISTRUST {
            assert!(!limit.trusts_no_credential_of(network, at));
            limit.note_unknown(limit.mark(&made_up.to_string()), network, at);
        }
        assert!(limit.trusts_no_credential_of(network, at));
        assert!(!limit.trusts_no_credential_of(network_of(2), at), "others are not concerned");
        assert!(!limit.trusts_no_credential_of(network, Timestamp::from_seconds(120)), "nor is the next minute");
        assert!(!RateLimit::new(0).trusts_no_credential_of(network, at));
    }

    #[tokio::test]
    async fn what_was_counted_together_is_known_when_redis_is_lost() {
        let (limit, at) = (RateLimit::new(10), Timestamp::from_seconds(61));
        let who = || Who::Network(network_of(1));
        assert_eq!(limit.note(who(), at.seconds(), |_| 9), 9);
        assert_eq!(limit.note(who(), at.seconds(), |_| 7), 9, "answers may come out of their order");
        assert!(limit.count(who(), at).await.unwrap().passes);
        assert!(!limit.count(who(), at).await.unwrap().passes);
        assert!(limit.count(who(), Timestamp::from_seconds(120)).await.unwrap().passes);
    }
}
