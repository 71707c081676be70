//! Numbers for parcels, fetched by the dozen: an account's counter is one row, and every return that took its number
//! there would hold that row until it was written, with all the other returns of the shop waiting. Numbers that are
//! never used are no loss; a number twice would be.

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

/// Numbers fetched at once.
const DOZEN: u32 = 50;

/// Numbers that were fetched and not used yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParcelNumberPool(Arc<Mutex<HashMap<AccountId, Vec<u64>>>>);

/// A number for a parcel. Goes back to the others unless it is taken.
#[derive(Debug)]
pub(crate) struct ParcelNumber {
    account: AccountId,
    number: Mutex<Option<u64>>,
    others: ParcelNumberPool,
}

impl ParcelNumberPool {
    /// A number that no other parcel of the account has, on this or any other server. Before the transaction that
    /// will need it, not within.
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

    /// Fetches numbers; keeps all but the first.
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
    /// The number, once.
    pub fn take(&self) -> Option<u64> {
        self.number.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for ParcelNumber {
    fn drop(&mut self) {
        self.others.push(self.account, self.take());
    }
}
