//! Doing a thing once, however often a client asks (`Idempotency-Key`).
//!
//! The key is claimed in the transaction of the effect and the answer is kept with it, so that there is never
//! an effect without its answer. A second request that comes while the first is under way waits for it inside
//! the database and then gets its answer; after a crash nothing was claimed.

use crate::{Error, IdempotencyKey, Result, Retour};
use domain::AccountId;
use serde::Serialize;
use store::{
    Reading, Writing,
    idempotency::{self, Answer, Claim},
};

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
    Replayed(Answer),
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
        let mut writing = self.store.write().await?;
        let Some(key) = key else { return Ok(Begun::New(writing)) };
        match done_before(idempotency::claim(writing.db(), account, key, self.now()).await?)? {
            None => Ok(Begun::New(writing)),
            Some(done) => {
                writing.commit().await?;
                Ok(Begun::Before(done))
            }
        }
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

fn done_before<T>(claim: Claim) -> Result<Option<Done<T>>> {
    match claim {
        Claim::New => Ok(None),
        Claim::Repeated(answer) => Ok(Some(Done::Replayed(answer))),
        Claim::Mismatch => Err(Error::IdempotencyMismatch),
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
    let body = write(serde_json::to_string(value).map_err(|_| Error::Broken)?)?;
    Ok(idempotency::answer(writing.db(), account, key, &Answer { status, body }).await?)
}
