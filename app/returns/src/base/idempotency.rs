//! Doing a thing once, however often a client asks (`Idempotency-Key`).
//!
//! The key is claimed in the transaction of the effect and the answer is kept with it, so that there is never
//! an effect without its answer. A second request that comes while the first is under way waits for it inside
//! the database and then gets its answer; after a crash nothing was claimed.
//!
//! What is done outside of the database leases its key before, in a transaction of its own: nobody can write to SQLite
//! while one is open. Whoever comes meanwhile looks again and again; after a crash the lease ends by itself.

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

/// How often it is looked whether there is an answer by now.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// An answer, given now or before.
#[derive(Debug)]
pub enum Done<T> {
    /// Given now, with its HTTP status.
    Fresh {
        /// 200 or 201.
        status: u16,
        /// What to answer.
        value: T,
    },
    /// Given before: to be repeated byte for byte.
    Replayed(StoredResponse),
}

/// How a use case that writes begins.
#[derive(Debug)]
pub(crate) enum Begun<T> {
    /// It is to be done, in this transaction.
    New(Writing),
    /// It was done before.
    Before(Done<T>),
}

impl Retour {
    /// A transaction that writes, with the key claimed in it; or the answer that was given before. That one may stand
    /// in a transaction that shares its commit with this one: it is given again only when it is on disk.
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
        let Some(key) = key else { return Ok(Begun::New(writing)) };
        match done_before(idempotency::claim(writing.db(), account, key, self.now()).await?)? {
            None => Ok(Begun::New(writing)),
            Some(done) => {
                writing.commit().await?;
                Ok(Begun::Before(done))
            }
        }
    }

    /// Leases a key; or gives the answer that was given before, once there is one. Whoever leases it calls
    /// [`Self::begin_leased`] in the end, or [`Self::release`].
    pub(crate) async fn lease<T>(&self, account: AccountId, key: Option<&IdempotencyKey>) -> Result<Option<Done<T>>> {
        let Some(key) = key else { return Ok(None) };
        loop {
            let mut reading = self.store.read().await?;
            let found = idempotency::find(reading.db(), account, key, self.now()).await?;
            drop(reading); // waiting holds no connection
            match found {
                KeyClaim::UnderWay => sleep(LOOK_EVERY).await,
                KeyClaim::New => {
                    let mut writing = self.store.write().await?;
                    if idempotency::lease(writing.db(), account, key, self.now()).await? == KeyClaim::New {
                        writing.commit().await?;
                        return Ok(None);
                    } // somebody was faster
                }
                known => return done_before(known),
            }
        }
    }

    /// Begins as [`Self::begin`] does, where the key was leased: it is claimed with the answer in the lease's place.
    pub(crate) async fn begin_leased<T>(&self, account: AccountId, key: Option<&IdempotencyKey>) -> Result<Begun<T>> {
        let mut writing = self.store.write().await?;
        if let Some(key) = key {
            idempotency::release(writing.db(), account, key).await?;
        }
        self.begin_in(writing, account, key).await
    }

    /// Gives a leased key back: errors are not kept. Where that fails the lease ends by itself.
    pub(crate) async fn release(&self, account: AccountId, key: Option<&IdempotencyKey>) -> Result<()> {
        let Some(key) = key else { return Ok(()) };
        let mut writing = self.store.write().await?;
        idempotency::release(writing.db(), account, key).await?;
        Ok(writing.commit().await?)
    }

    /// The answer that was given before, for use cases that check what may have changed since, before they write.
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
        // Only what leases its key is ever seen so, and that waits.
        KeyClaim::UnderWay => Err(Error::broken()),
        KeyClaim::Mismatch => Err(Error::IdempotencyMismatch),
    }
}

/// Keeps the answer with its key, commits both with the effect, and answers.
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

/// Keeps an answer with its key, as `write` writes it.
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
