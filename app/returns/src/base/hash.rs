//! Hashes, and bytes as text.

use sha2::{Digest, Sha256};

/// The hash that is stored instead of a secret.
pub fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

/// A hash of several texts without NUL characters. It identifies the texts and does not reveal them.
pub(crate) fn hash_of(parts: &[&str]) -> Vec<u8> {
    hash(&parts.join("\0"))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
