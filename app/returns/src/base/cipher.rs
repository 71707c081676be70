//! Encryption of stored texts: XChaCha20-Poly1305, with the nonce in front, in hexadecimal. The purpose of a text is
//! part of the authenticated data, so a text cannot be moved to another place.

use super::hash::hex;
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};

/// The length of a nonce, in bytes. Random nonces of this length do not repeat in practice.
pub(crate) const NONCE_BYTES: usize = 24;

/// Why a text could not be decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CannotOpen {
    /// The text was encrypted with another key or for another purpose.
    OtherKey,
    /// The text is not encrypted by this module.
    Unreadable,
}

/// Encrypts a text.
pub(crate) fn seal(key: &[u8; 32], nonce: [u8; NONCE_BYTES], purpose: &[u8], text: &str) -> Option<String> {
    let payload = Payload { msg: text.as_bytes(), aad: purpose };
    let sealed = XChaCha20Poly1305::new(key.into()).encrypt(&XNonce::from(nonce), payload).ok()?;
    Some(hex(&[nonce.as_slice(), &sealed].concat()))
}

/// Decrypts a text that [`seal`] encrypted.
pub(crate) fn open(key: &[u8; 32], purpose: &[u8], sealed: &str) -> Result<String, CannotOpen> {
    let bytes = unhex(sealed).ok_or(CannotOpen::Unreadable)?;
    let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(CannotOpen::Unreadable)?;
    let payload = Payload { msg: sealed, aad: purpose };
    let opened = XChaCha20Poly1305::new(key.into()).decrypt(&XNonce::from(*nonce), payload);
    String::from_utf8(opened.map_err(|_| CannotOpen::OtherKey)?).map_err(|_| CannotOpen::Unreadable)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
