//! Texts that are kept encrypted: XChaCha20-Poly1305, the nonce before it, in hexadecimal. What a text is for is bound
//! to it, so that it cannot be moved to another place.

use super::hash::hex;
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};

/// How long a nonce is; random ones never meet.
pub(crate) const NONCE_BYTES: usize = 24;

/// A text that was not sealed with this key for this purpose, or not sealed at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CannotOpen {
    /// Another key or another purpose.
    OtherKey,
    /// Not a sealed text.
    Unreadable,
}

/// Encrypts a text.
pub(crate) fn seal(key: &[u8; 32], nonce: [u8; NONCE_BYTES], purpose: &[u8], text: &str) -> Option<String> {
    let payload = Payload { msg: text.as_bytes(), aad: purpose };
    let sealed = XChaCha20Poly1305::new(key.into()).encrypt(&XNonce::from(nonce), payload).ok()?;
    Some(hex(&[nonce.as_slice(), &sealed].concat()))
}

/// Decrypts what [`seal`] made.
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
