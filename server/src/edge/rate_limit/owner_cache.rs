//! A cache of credential owners, so that a request is counted before its credential is looked up.
//!
//! A flood of requests causes no look-ups: an owner over the limit is refused by the cache, and a network that sends made-up
//! credentials is refused without a query for the next one. The cache grants no access: the credential of each request within the
//! limit is looked up.

use super::key::WINDOW_SECONDS;
use domain::Timestamp;
use returns::ClientNetwork;
use std::{
    collections::HashMap,
    hash::{BuildHasher, Hash, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The most credentials that the cache holds for each of two windows.
const MAX_PER_WINDOW: usize = 50_000;

/// The owner of a credential: one consumer, user or service user, who can have many tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialOwner {
    /// The id, prefixed with its kind.
    pub id: String,
    /// Whether the owner is a consumer. Everybody with an order can become one.
    pub is_consumer: bool,
}

/// The hash of a credential, keyed with a secret of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CredentialHash(u64);

/// The owners that this process has seen. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct OwnerCache {
    hasher: RandomState,
    windows: Arc<Mutex<TwoWindows>>,
}

#[derive(Debug, Default)]
struct TwoWindows {
    window: i64,
    current: HashMap<CredentialHash, CredentialOwner>,
    previous: HashMap<CredentialHash, CredentialOwner>,
    /// How many unknown credentials each network has sent in the current window.
    unknown: HashMap<ClientNetwork, u32>,
}

impl OwnerCache {
    pub fn hash(&self, credential: &impl Hash) -> CredentialHash {
        CredentialHash(self.hasher.hash_one(credential))
    }

    /// The owner of a credential that was looked up in this window or the one before.
    pub fn find(&self, credential: CredentialHash, now: Timestamp) -> Option<CredentialOwner> {
        let windows = self.at(now);
        windows.current.get(&credential).or_else(|| windows.previous.get(&credential)).cloned()
    }

    pub fn keep(&self, credential: CredentialHash, owner: CredentialOwner, now: Timestamp) {
        let mut windows = self.at(now);
        if windows.current.len() < MAX_PER_WINDOW {
            windows.current.insert(credential, owner);
        }
    }

    /// Notes that a credential does not exist, or no longer.
    pub fn note_unknown(&self, credential: CredentialHash, network: ClientNetwork, now: Timestamp) {
        let mut windows = self.at(now);
        windows.current.remove(&credential);
        windows.previous.remove(&credential);
        let count = windows.unknown.entry(network).or_default();
        *count = count.saturating_add(1);
    }

    /// How many unknown credentials a network has sent in this window.
    pub fn unknown(&self, network: ClientNetwork, now: Timestamp) -> u32 {
        self.at(now).unknown.get(&network).copied().unwrap_or_default()
    }

    fn at(&self, now: Timestamp) -> MutexGuard<'_, TwoWindows> {
        let window = now.seconds().div_euclid(WINDOW_SECONDS);
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.window != window {
            let current = std::mem::take(&mut windows.current);
            let previous = if windows.window + 1 == window { current } else { HashMap::new() };
            *windows = TwoWindows { window, previous, ..TwoWindows::default() };
        }
        windows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(id: &str) -> CredentialOwner {
        CredentialOwner { id: id.to_owned(), is_consumer: false }
    }

    #[test]
    fn an_owner_is_cached_in_the_window_of_the_look_up_and_the_next() {
        let (owners, at) = (OwnerCache::default(), Timestamp::from_seconds);
        let credential = owners.hash(&"token");
        assert_eq!(owners.find(credential, at(0)), None);
        owners.keep(credential, owner("user:1"), at(59));
        for second in [59, 60, 119] {
            assert_eq!(owners.find(credential, at(second)), Some(owner("user:1")), "{second}");
        }
        assert_eq!(owners.find(credential, at(120)), None, "the next request looks it up again");
    }

    #[test]
    fn a_revoked_credential_is_removed_and_counts_as_unknown() {
        let (owners, at) = (OwnerCache::default(), Timestamp::from_seconds(0));
        let network = returns::ClientAddress([192, 0, 2, 1].into()).network();
        let credential = owners.hash(&"token");
        owners.keep(credential, owner("user:1"), at);
        owners.note_unknown(credential, network, at);
        assert_eq!((owners.find(credential, at), owners.unknown(network, at)), (None, 1));
        assert_eq!(owners.unknown(network, Timestamp::from_seconds(60)), 0);
    }

    #[test]
    fn the_cache_is_bounded() {
        let (owners, at) = (OwnerCache::default(), Timestamp::from_seconds(0));
        for number in 0..MAX_PER_WINDOW + 10 {
            owners.keep(owners.hash(&number), owner("user:1"), at);
        }
        assert_eq!(owners.at(at).current.len(), MAX_PER_WINDOW);
    }
}
