//! Owners of credentials that were seen of late, so that the limit can count a request before the credential is looked up.
//!
//! A flood costs no look-ups: over its limit, an owner is refused by what is kept here, and a network whose credentials
//! were all made up is refused without asking the database about the next one. Nothing here lets anybody in: a request
//! that passes the limit has its credential looked up.

use super::WINDOW_SECONDS;
use domain::Timestamp;
use returns::ClientNetwork;
use std::{
    collections::HashMap,
    hash::{BuildHasher, Hash, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Credentials in memory for each of two windows.
const MOST: usize = 50_000;

/// Who holds a credential: one consumer, user or key, however many tokens they have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The id, with its kind.
    pub id: String,
    /// Whether it is a consumer: anybody with an order gets a consumer for each way of proving it.
    pub is_consumer: bool,
}

/// A credential as it is kept here: a hash under a key of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark(u64);

/// The owners that this process has seen. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Owners {
    hasher: RandomState,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    window: i64,
    current: HashMap<Mark, Owner>,
    previous: HashMap<Mark, Owner>,
    /// Credentials of this window that nobody holds.
    unknown: HashMap<ClientNetwork, u32>,
}

impl Owners {
    /// The mark of a credential.
    pub fn mark(&self, credential: &impl Hash) -> Mark {
        Mark(self.hasher.hash_one(credential))
    }

    /// Who held a credential when it was looked up in this window or the one before.
    pub fn find(&self, mark: Mark, now: Timestamp) -> Option<Owner> {
        let seen = self.at(now);
        seen.current.get(&mark).or_else(|| seen.previous.get(&mark)).cloned()
    }

    /// Keeps who holds a credential.
    pub fn keep(&self, mark: Mark, owner: Owner, now: Timestamp) {
        let mut seen = self.at(now);
        if seen.current.len() < MOST {
            seen.current.insert(mark, owner);
        }
    }

    /// Notes that nobody holds a credential, or not any more.
    pub fn note_unknown(&self, mark: Mark, network: ClientNetwork, now: Timestamp) {
        let mut seen = self.at(now);
        seen.current.remove(&mark);
        seen.previous.remove(&mark);
        let count = seen.unknown.entry(network).or_default();
        *count = count.saturating_add(1);
    }

    /// How many credentials of a network were nobody's in this window.
    pub fn unknown(&self, network: ClientNetwork, now: Timestamp) -> u32 {
        self.at(now).unknown.get(&network).copied().unwrap_or_default()
    }

    fn at(&self, now: Timestamp) -> MutexGuard<'_, Seen> {
        let window = now.seconds().div_euclid(WINDOW_SECONDS);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.window != window {
            let current = std::mem::take(&mut seen.current);
            let previous = if seen.window + 1 == window { current } else { HashMap::new() };
            *seen = Seen { window, previous, ..Seen::default() };
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(id: &str) -> Owner {
        Owner { id: id.to_owned(), is_consumer: false }
    }

    #[test]
    fn an_owner_is_known_in_the_window_of_the_look_up_and_the_next() {
        let (owners, at) = (Owners::default(), Timestamp::from_seconds);
        let mark = owners.mark(&"token");
        assert_eq!(owners.find(mark, at(0)), None);
        owners.keep(mark, owner("user:1"), at(59));
        for second in [59, 60, 119] {
            assert_eq!(owners.find(mark, at(second)), Some(owner("user:1")), "{second}");
        }
        assert_eq!(owners.find(mark, at(120)), None, "it is looked up again");
    }

    #[test]
    fn what_is_revoked_is_no_longer_known_and_counts_for_its_network() {
        let (owners, at) = (Owners::default(), Timestamp::from_seconds(0));
        let network = returns::ClientAddress([192, 0, 2, 1].into()).network();
        let mark = owners.mark(&"token");
        owners.keep(mark, owner("user:1"), at);
        owners.note_unknown(mark, network, at);
        assert_eq!((owners.find(mark, at), owners.unknown(network, at)), (None, 1));
        assert_eq!(owners.unknown(network, Timestamp::from_seconds(60)), 0);
    }

    #[test]
    fn memory_is_bounded() {
        let (owners, at) = (Owners::default(), Timestamp::from_seconds(0));
        for number in 0..MOST + 10 {
            owners.keep(owners.mark(&number), owner("user:1"), at);
        }
        assert_eq!(owners.at(at).current.len(), MOST);
    }
}
