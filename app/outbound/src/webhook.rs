//! Signs what we send, so that receivers can verify its origin, integrity and age.
//!
//! The scheme is the symmetric `v1` of the Standard Webhooks specification ("Signature scheme"): HMAC-SHA256 over
//! `id.timestamp.body`.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _, digest::Key};
use sha2::Sha256;
use std::fmt;

/// The prefix of every secret: scanners for leaked secrets look for it.
const PREFIX: &str = "whsec_";
/// How many bytes a secret may have.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// A secret that only the receiver and we know.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

/// The text is not a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected whsec_ followed by 24 to 64 bytes in Base64")]
pub struct SecretError;

impl Secret {
    /// A new secret from random bytes.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes.to_vec())
    }

    /// Parses `whsec_…`.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let bytes = text.strip_prefix(PREFIX).and_then(|base64| STANDARD.decode(base64).ok());
        bytes.filter(|bytes| SECRET_BYTES.contains(&bytes.len())).map(Self).ok_or(SecretError)
    }

    /// `whsec_…`, the form that receivers configure.
    pub fn to_text(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    fn sign(&self, signed: &str) -> String {
        // HMAC pads a shorter key with zeros to the block size of the hash (RFC 2104).
        let mut key = Key::<Hmac<Sha256>>::default();
        key.iter_mut().zip(&self.0).for_each(|(place, byte)| *place = *byte);
        let mut mac = Hmac::<Sha256>::new(&key);
        mac.update(signed.as_bytes());
        STANDARD.encode(mac.finalize().into_bytes())
    }
}

/// Does not show the secret.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// The value of the `webhook-signature` field: one signature per secret, in order. During a rotation there are two secrets, and
/// receivers accept a signature by either.
pub fn signatures(secrets: &[Secret], id: &str, timestamp_seconds: i64, body: &str) -> String {
    let signed = format!("{id}.{timestamp_seconds}.{body}");
    let signatures: Vec<String> = secrets.iter().map(|secret| format!("v1,{}", secret.sign(&signed))).collect();
    signatures.join(" ")
}
