//! The websites whose scripts may call the API from a browser.
//!
//! A preflight request names no account, so Retour reads the lists of all accounts together and keeps them for [`FRESH_SECONDS`].
//! Requests from other websites cost one statement in that time, regardless of their number. A change takes effect at once on the
//! instance that makes it, and on other instances after that time.

use super::{clock::Source, error::Result};
use domain::{AccountId, Timestamp};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};
use store::Store;
use tokio::sync::Mutex;

/// The maximum age of the lists, seconds.
const FRESH_SECONDS: i64 = 5;

/// The API origins of all accounts, by origin.
#[derive(Debug, Default)]
pub struct ApiOrigins(HashMap<String, HashSet<AccountId>>);

impl ApiOrigins {
    fn new(lists: Vec<(AccountId, Vec<String>)>) -> Self {
        let mut accounts: HashMap<String, HashSet<AccountId>> = HashMap::new();
        for (account, origins) in lists {
            for origin in origins {
                accounts.entry(origin).or_default().insert(account);
            }
        }
        Self(accounts)
    }

    /// Whether any account lists an origin.
    pub fn has(&self, origin: &str) -> bool {
        self.0.contains_key(origin)
    }

    /// Whether this account lists an origin.
    pub fn has_for(&self, account: AccountId, origin: &str) -> bool {
        self.0.get(origin).is_some_and(|accounts| accounts.contains(&account))
    }
}

/// The lists that were read last.
#[derive(Debug, Clone, Default)]
pub(crate) struct OriginCache(Arc<Mutex<OriginLists>>);

#[derive(Debug, Default)]
struct OriginLists {
    read_at: Option<Timestamp>,
    origins: Arc<ApiOrigins>,
}

impl OriginCache {
    /// The API origins of all accounts, at most [`FRESH_SECONDS`] old. If the database cannot be read, returns the last
    /// lists that were read.
    pub(crate) async fn get(&self, store: &Store, clock: &Source) -> Arc<ApiOrigins> {
        // Only one request reads; the others wait for it.
        let mut kept = self.0.lock().await;
        let now = clock.now();
        if let Some(at) = kept.read_at
            && (0..FRESH_SECONDS).contains(&(now.seconds() - at.seconds()))
        {
            return kept.origins.clone();
        }
        match read(store).await {
            Ok(origins) => kept.origins = Arc::new(origins),
            Err(error) => tracing::warn!(%error, "API origins could not be read"),
        }
        // Set after the read, so that requests that waited for a slow read do not each read again.
        kept.read_at = Some(clock.now());
        kept.origins.clone()
    }

    /// Makes the next request read the lists again, after a change.
    pub(crate) async fn forget(&self) {
        self.0.lock().await.read_at = None;
    }
}

async fn read(store: &Store) -> Result<ApiOrigins> {
    Ok(ApiOrigins::new(store::accounts::list_api_origins(store.read().await?.db()).await?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn an_origin_is_found_among_all_lists_and_in_that_of_its_account() {
        let [ours, theirs] = [1, 2].map(|number| AccountId(Uuid::from_u128(number)));
        let list = |origins: &[&str]| origins.iter().map(ToString::to_string).collect::<Vec<_>>();
        let lists =
            vec![(ours, list(&["https://a.example", "https://b.example"])), (theirs, list(&["https://b.example"]))];
        let origins = ApiOrigins::new(lists);
        for (origin, listed, by_us, by_them) in [
            ("https://a.example", true, true, false),
            ("https://b.example", true, true, true),
            ("https://c.example", false, false, false),
        ] {
            let found = (origins.has(origin), origins.has_for(ours, origin), origins.has_for(theirs, origin));
            assert_eq!(found, (listed, by_us, by_them), "{origin}");
        }
    }
}
