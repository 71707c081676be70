//! Runs a use case once, however often a client sends the request (`Idempotency-Key`).
//!
//! The key is claimed in the transaction of the effect, and the response is stored with it, so there is never an effect
//! without its response. A second request that arrives during the first waits for it inside the database, and then gets
//! its response. After a crash nothing is claimed.
//!
//! Work outside the database leases its key first, in a separate transaction, because SQLite has only one writer at a
//! time. Other requests with the key poll for the response. After a crash the lease expires.

pub use store::idempotency::IdempotencyKey;

use super::{
    error::{Error, OrBroken, Result},
    retour::Retour,
};
use domain::AccountId;
use serde::Serialize;
use std::time::Duration;
use store::{
    Reading, Writing,
    idempotency::{self, KeyClaim, StoredResponse},
};
use tokio::time::sleep;

/// How often a request polls for the response.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The response of a use case, new or repeated.
#[derive(Debug)]
pub enum Done<T> {
    /// A new response, with its HTTP status.
    Fresh {
        /// The HTTP status: 200 or 201.
        status: u16,
        /// The body of the response.
        value: T,
    },
    /// A stored response, to be repeated byte for byte.
    Replayed(StoredResponse),
}

/// How a use case that writes begins.
#[derive(Debug)]
pub(crate) enum Begun<T> {
    /// The key is new: do the work in this transaction.
    New(Writing),
    /// The key was used: the work is done.
    Before(Done<T>),
}

impl Retour {
    /// Begins a write transaction and claims the key in it, or returns the stored response. That response may belong to
    /// a transaction in the same group commit, so it is returned only after the commit is on disk.
    pub(crate) async fn begin<T>(&self, account: AccountId, key: Option<&IdempotencyKey>) -> Result<Begun<T>> {
        let writing = self.store.write().await?;
        self.begin_in(writing, account, key).await
    }

    async fn begin_in<T>(
        &self,
        mut writing: Writing,
        account: AccountId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Begun<T>> {
        writing.changes(account);
        let Some(key) = key else { return Ok(Begun::New(writing)) };
        match done_before(idempotency::claim(writing.db(), account, key, self.now()).await?)? {
            None => Ok(Begun::New(writing)),
            Some(done) => {
                writing.commit().await?;
                Ok(Begun::Before(done))
            }
        }
    }

    /// Leases a key, or waits for the stored response and returns it. A caller that gets the lease ends it with
    /// [`Self::begin_leased`] or [`Self::release`].
    pub(crate) async fn lease<T>(&self, account: AccountId, key: Option<&IdempotencyKey>) -> Result<Option<Done<T>>> {
        let Some(key) = key else { return Ok(None) };
        loop {
            let mut reading = self.store.read().await?;
            let found = idempotency::find(reading.db(), account, key, self.now()).await?;
            drop(reading); // hold no connection during the wait
            match found {
                KeyClaim::UnderWay => sleep(LOOK_EVERY).await,
                KeyClaim::New => {
                    let mut writing = self.store.write().await?;
                    if idempotency::lease(writing.db(), account, key, self.now()).await? == KeyClaim::New {
                        writing.commit().await?;
                        return Ok(None);
                    } // another request was faster
                }
                known => return done_before(known),
            }
        }
    }

    /// Begins like [`Self::begin`] with a leased key: the key is claimed with the response in place of the lease.
    pub(crate) async fn begin_leased<T>(&self, account: AccountId, key: Option<&IdempotencyKey>) -> Result<Begun<T>> {
        let mut writing = self.store.write().await?;
        if let Some(key) = key {
            idempotency::release(writing.db(), account, key).await?;
        }
        self.begin_in(writing, account, key).await
    }

    /// Releases a leased key, because errors are not stored. If that fails, the lease expires.
    pub(crate) async fn release(&self, account: AccountId, key: Option<&IdempotencyKey>) -> Result<()> {
        let Some(key) = key else { return Ok(()) };
        let mut writing = self.store.write().await?;
        idempotency::release(writing.db(), account, key).await?;
        Ok(writing.commit().await?)
    }

    /// Returns the stored response, for use cases that check changeable conditions before they write.
    pub(crate) async fn answered<T>(
        &self,
        reading: &mut Reading,
        account: AccountId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Done<T>>> {
        let Some(key) = key else { return Ok(None) };
        done_before(idempotency::find(reading.db(), account, key, self.now()).await?)
    }
}

fn done_before<T>(claim: KeyClaim) -> Result<Option<Done<T>>> {
    match claim {
        KeyClaim::New => Ok(None),
        KeyClaim::Repeated(answer) => Ok(Some(Done::Replayed(answer))),
        // Only use cases that lease their key leave it in this state, and those wait.
        KeyClaim::UnderWay => Err(Error::broken()),
        KeyClaim::Mismatch => Err(Error::IdempotencyMismatch),
    }
}

/// Stores the response with its key, commits both with the effect, and returns it.
pub(crate) async fn conclude<T: Serialize>(
    mut writing: Writing,
    account: AccountId,
    key: Option<&IdempotencyKey>,
    status: u16,
    value: T,
) -> Result<Done<T>> {
    if let Some(key) = key {
        keep(&mut writing, account, key, status, &value, Ok).await?;
    }
    writing.commit().await?;
    Ok(Done::Fresh { status, value })
}

/// Stores the response with its key, serialized by `write`.
pub(crate) async fn keep<T: Serialize>(
    writing: &mut Writing,
    account: AccountId,
    key: &IdempotencyKey,
    status: u16,
    value: &T,
    write: impl FnOnce(String) -> Result<String>,
) -> Result<()> {
    let body = write(serde_json::to_string(value).or_broken()?)?;
    Ok(idempotency::answer(writing.db(), account, key, &StoredResponse { status, body }).await?)
}
