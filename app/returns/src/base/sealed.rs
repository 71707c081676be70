//! Stored responses that hold a secret, for `Idempotency-Key`. They are encrypted with a key that only the caller has.
//!
//! The key is derived from the caller's credential, of which the database stores only a hash. So the database alone
//! reveals no secret, and the installation has no extra key to keep, lose or rotate.

use super::{
    cipher::{self, CannotOpen, NONCE_BYTES},
    error::{Error, OrBroken, Result},
    idempotency::{Begun, Done, IdempotencyKey, keep},
    retour::Retour,
};
use domain::AccountId;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt;
use store::{Writing, idempotency::StoredResponse};

/// An idempotency key of a request whose response holds a secret.
#[derive(Clone)]
pub struct SealedKey {
    key: IdempotencyKey,
    cipher_key: [u8; 32],
}

/// Never logs the key.
impl fmt::Debug for SealedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealedKey").field("key", &self.key).finish_non_exhaustive()
    }
}

impl SealedKey {
    /// Creates the key of a request with this credential.
    pub fn new(key: IdempotencyKey, credential: &str) -> Self {
        // A credential holds 128 random bits, so one hash is enough to derive a key. The prefix separates this hash
        // from the one by which credentials are found.
        let mut hash = Sha256::new();
        hash.update(b"retour: answers that are kept\0");
        hash.update(credential.as_bytes());
        Self { key, cipher_key: hash.finalize().into() }
    }

    fn seal(&self, nonce: [u8; NONCE_BYTES], text: &str) -> Result<String> {
        cipher::seal(&self.cipher_key, nonce, &self.key.fingerprint, text).or_broken()
    }

    /// Decrypts a stored response. It fails with another credential of the same caller.
    fn open(&self, text: &str) -> Result<String> {
        cipher::open(&self.cipher_key, &self.key.fingerprint, text).map_err(|why| match why {
            CannotOpen::OtherKey => Error::Sealed,
            CannotOpen::Unreadable => Error::broken(),
        })
    }
}

impl Retour {
    /// Begins like [`Retour::begin`], for use cases that end with [`Retour::conclude_secret`].
    pub(crate) async fn begin_secret<T>(&self, account: AccountId, key: Option<&SealedKey>) -> Result<Begun<T>> {
        match (self.begin(account, key.map(|sealed| &sealed.key)).await?, key) {
            (Begun::Before(Done::Replayed(StoredResponse { status, body })), Some(key)) => {
                Ok(Begun::Before(Done::Replayed(StoredResponse { status, body: key.open(&body)? })))
            }
            (begun, _) => Ok(begun),
        }
    }

    /// Stores the encrypted response with its key, commits both with the effect, and returns it.
    pub(crate) async fn conclude_secret<T: Serialize>(
        &self,
        mut writing: Writing,
        account: AccountId,
        key: Option<&SealedKey>,
        status: u16,
        value: T,
    ) -> Result<Done<T>> {
        if let Some(sealed) = key {
            let seal = |body: String| sealed.seal(self.source.random(), &body);
            keep(&mut writing, account, &sealed.key, status, &value, seal).await?;
        }
        writing.commit().await?;
        Ok(Done::Fresh { status, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(credential: &str, fingerprint: &[u8]) -> SealedKey {
        let key = IdempotencyKey { credential: "user:1".into(), key: "once".into(), fingerprint: fingerprint.to_vec() };
        SealedKey::new(key, credential)
    }

    #[test]
    fn only_the_credential_that_sealed_an_answer_opens_it_and_only_for_its_request() {
        let sealed = key("rtk_one", b"request").seal([7; NONCE_BYTES], "{\"apiKey\":\"rtk_secret\"}").unwrap();
        assert!(!sealed.contains("rtk_"));
        assert_eq!(key("rtk_one", b"request").open(&sealed).unwrap(), "{\"apiKey\":\"rtk_secret\"}");
        for stranger in [key("rtk_two", b"request"), key("rtk_one", b"another")] {
            assert!(matches!(stranger.open(&sealed), Err(Error::Sealed)));
        }
        assert!(matches!(key("rtk_one", b"request").open("not sealed"), Err(Error::Broken(_))));
        assert!(!format!("{:?}", key("rtk_one", b"request")).contains("rtk_one"));
    }
}
