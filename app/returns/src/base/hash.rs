//! Hashes, and bytes as text.

use sha2::{Digest, Sha256};

/// What is kept of a secret.
pub(crate) fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

/// A hash of several texts, none of which holds a NUL, by which they can be told again but not read.
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
