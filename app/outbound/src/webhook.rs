//! Signing what is sent, so that the receiver knows that it is from us, whole and new.
//!
//! Rules: the Standard Webhooks specification, "Signature scheme" (symmetric, `v1`): HMAC with SHA-256 over id,
//! timestamp and body, with full stops between.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _, digest::Key};
use sha2::Sha256;
use std::fmt;

/// What secrets begin with, so that a scanner for leaked ones finds them.
const PREFIX: &str = "whsec_";
/// How many bytes a secret has.
const BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// What a receiver and we know, and nobody else.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

/// A text that is no secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected whsec_ and then 24 to 64 bytes in Base64")]
pub struct SecretError;

impl Secret {
    /// A new secret out of random bytes.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes.to_vec())
    }

    /// Reads `whsec_…`.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let bytes = text.strip_prefix(PREFIX).and_then(|base64| STANDARD.decode(base64).ok());
        bytes.filter(|bytes| BYTES.contains(&bytes.len())).map(Self).ok_or(SecretError)
    }

    /// `whsec_…`, as the receiver needs it.
    pub fn to_text(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    fn sign(&self, signed: &str) -> String {
        // A shorter key counts as one with zeros behind it, up to a block of the hash (RFC 2104).
        let mut key = Key::<Hmac<Sha256>>::default();
        key.iter_mut().zip(&self.0).for_each(|(place, byte)| *place = *byte);
        let mut mac = Hmac::<Sha256>::new(&key);
        mac.update(signed.as_bytes());
        STANDARD.encode(mac.finalize().into_bytes())
    }
}

/// Nothing of it.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// The `webhook-signature` field: one signature with each secret, in their order. While a secret is replaced there are
/// two, and a receiver accepts either.
pub fn signatures(secrets: &[Secret], id: &str, timestamp_seconds: i64, body: &str) -> String {
    let signed = format!("{id}.{timestamp_seconds}.{body}");
    let signatures: Vec<String> = secrets.iter().map(|secret| format!("v1,{}", secret.sign(&signed))).collect();
    signatures.join(" ")
}
