//! How many files of orders are imported at the same time. Each import has a thread that waits for its client.

use domain::AccountId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const IMPORTS_AT_ONCE: usize = 32;
const IMPORTS_OF_ONE_ACCOUNT_AT_ONCE: usize = 2;

/// Slots for imports. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct ImportSlots {
    all: Arc<Semaphore>,
    by_account: Arc<Mutex<HashMap<AccountId, Arc<Semaphore>>>>,
}

/// A slot; dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct ImportSlot {
    _of_account: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Default for ImportSlots {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(IMPORTS_AT_ONCE)), by_account: Arc::default() }
    }
}

impl ImportSlots {
    /// Waits for a slot: first for one of the account, so that an account with many imports takes no slots from others while it waits.
    pub(crate) async fn acquire(&self, account: AccountId) -> Option<ImportSlot> {
        let of_account = self.of_account(account).acquire_owned().await.ok()?;
        let of_all = Arc::clone(&self.all).acquire_owned().await.ok()?;
        Some(ImportSlot { _of_account: of_account, _of_all: of_all })
    }

    fn of_account(&self, account: AccountId) -> Arc<Semaphore> {
        let mut by_account = self.by_account.lock().unwrap_or_else(PoisonError::into_inner);
        // Forget accounts without imports.
        by_account.retain(|known, slots| *known == account || Arc::strong_count(slots) > 1);
        let new = || Arc::new(Semaphore::new(IMPORTS_OF_ONE_ACCOUNT_AT_ONCE));
        Arc::clone(by_account.entry(account).or_insert_with(new))
    }
}
