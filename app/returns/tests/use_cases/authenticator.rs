//! What an authenticator app shows, computed apart from the program (RFC 6238).

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha1::Sha1;

/// The code of a secret in Base32, at a time in seconds since 1970.
pub fn code_of(secret: &str, seconds: i64) -> String {
    let five = |letter: u8| format!("{:05b}", if letter < b'A' { letter - b'2' + 26 } else { letter - b'A' });
    let bits: String = secret.bytes().map(five).collect();
    let byte = |bits: &[u8]| u8::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap();
    let key: Vec<u8> = bits.as_bytes().chunks_exact(8).map(byte).collect();
    let mut mac = Hmac::<Sha1>::new_from_slice(&key).unwrap();
    mac.update(&(seconds / 30).to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest[19] & 15);
    let number = u32::from_be_bytes(digest[offset..offset + 4].try_into().unwrap()) & 0x7fff_ffff;
    format!("{:06}", number % 1_000_000)
}
