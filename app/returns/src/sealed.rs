//! Answers that bear a secret, kept to be given again (`Idempotency-Key`): encrypted under what only the caller has.
//!
//! The key is derived from the caller's own credential, of which the database holds nothing but a hash. So whoever
//! reads the database finds no secret in it, and there is no key of the installation to keep, lose or rotate.

use crate::{
    Done, Error, IdempotencyKey, Result, Retour,
    credentials::hex,
    idempotency::{Begun, keep},
};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use domain::AccountId;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt;
use store::{Writing, idempotency::Answer};

/// An idempotency key of a request whose answer bears a secret.
#[derive(Clone)]
pub struct SealedKey {
    key: IdempotencyKey,
    cipher_key: [u8; 32],
}

/// No secret is ever logged.
impl fmt::Debug for SealedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealedKey").field("key", &self.key).finish_non_exhaustive()
    }
}

const NONCE_BYTES: usize = 24;

impl SealedKey {
    /// The key of a request that came with this credential.
    pub fn new(key: IdempotencyKey, credential: &str) -> Self {
        // A credential holds 128 random bits, so one hash is derivation enough; the words before it make it another
        // hash than the one by which credentials are found.
        let mut hash = Sha256::new();
        hash.update(b"retour: answers that are kept\0");
        hash.update(credential.as_bytes());
        Self { key, cipher_key: hash.finalize().into() }
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.cipher_key.into())
    }

    fn seal(&self, nonce: [u8; NONCE_BYTES], text: &str) -> Result<String> {
        let payload = Payload { msg: text.as_bytes(), aad: &self.key.fingerprint };
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload).map_err(|_| Error::Broken)?;
        Ok(hex(&[nonce.as_slice(), &sealed].concat()))
    }

    /// What was sealed; with another credential of the same caller it cannot be opened.
    fn open(&self, text: &str) -> Result<String> {
        let bytes = unhex(text).ok_or(Error::Broken)?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(Error::Broken)?;
        let payload = Payload { msg: sealed, aad: &self.key.fingerprint };
        let opened = self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| Error::Sealed)?;
        String::from_utf8(opened).map_err(|_| Error::Broken)
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

impl Retour {
    /// Begins as [`Retour::begin`] does, for what is concluded by [`Retour::conclude_secret`].
    pub(crate) async fn begin_secret<T>(&self, account: AccountId, key: Option<&SealedKey>) -> Result<Begun<T>> {
        match (self.begin(account, key.map(|sealed| &sealed.key)).await?, key) {
            (Begun::Before(Done::Replayed(Answer { status, body })), Some(key)) => {
                Ok(Begun::Before(Done::Replayed(Answer { status, body: key.open(&body)? })))
            }
            (begun, _) => Ok(begun),
        }
    }

    /// Keeps the answer with its key, encrypted, commits both with the effect, and answers.
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
        assert!(matches!(key("rtk_one", b"request").open("not sealed"), Err(Error::Broken)));
        assert!(!format!("{:?}", key("rtk_one", b"request")).contains("rtk_one"));
    }
}
