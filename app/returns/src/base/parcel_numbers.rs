//! Numbers for parcels, fetched in batches. An account's counter is one row. If every return took its number there, it
//! would lock that row until its commit, and all other returns of the shop would wait. Unused numbers are harmless;
//! duplicates are not.

use super::{
    error::{OrBroken, Result},
    transaction::detached,
};
use domain::AccountId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use store::Store;

/// The numbers in a batch.
const DOZEN: u32 = 50;

/// Fetched numbers that are not used yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParcelNumberPool(Arc<Mutex<HashMap<AccountId, Vec<u64>>>>);

/// A number for a parcel. It returns to the pool unless it is taken.
#[derive(Debug)]
pub struct ParcelNumber {
    account: AccountId,
    number: Mutex<Option<u64>>,
    others: ParcelNumberPool,
}

impl ParcelNumberPool {
    /// Returns a number that no other parcel of the account has, on any instance. Call it before the transaction that
    /// needs it, not inside.
    pub(crate) async fn number(&self, store: &Store, account: AccountId) -> Result<ParcelNumber> {
        let number = match self.pop(account) {
            Some(number) => number,
            None => {
                let (parcels, store) = (self.clone(), store.clone());
                detached(async move { parcels.fetch(&store, account).await }).await?
            }
        };
        Ok(ParcelNumber { account, number: Mutex::new(Some(number)), others: self.clone() })
    }

    /// Fetches a batch, and keeps all but the first number.
    async fn fetch(&self, store: &Store, account: AccountId) -> Result<u64> {
        let mut writing = store.write().await?;
        let mut numbers = store::accounts::next_parcels(writing.db(), account, DOZEN).await?;
        writing.commit().await?;
        let first = numbers.next().or_broken()?;
        self.push(account, numbers.rev());
        Ok(first)
    }

    fn pop(&self, account: AccountId) -> Option<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&account)?.pop()
    }

    fn push(&self, account: AccountId, numbers: impl IntoIterator<Item = u64>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(account).or_default().extend(numbers);
    }
}

impl ParcelNumber {
    /// Takes the number; `None` the second time.
    pub fn take(&self) -> Option<u64> {
        self.number.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for ParcelNumber {
    fn drop(&mut self) {
        self.others.push(self.account, self.take());
    }
}
