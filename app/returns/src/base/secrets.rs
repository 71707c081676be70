//! Secrets that Retour needs in clear text, such as those that sign webhooks. They are encrypted with the operator's
//! key (`RETOUR_SECRET_KEY`), so that the database alone does not reveal them.

use super::{
    cipher::{self, NONCE_BYTES},
    error::{OrBroken, Result},
    hash::hex,
};
use domain::{AccountId, Refusal, RefusalCode, UserId, WebhookSubscriptionId};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest, Sha256};
use std::{fmt, str::FromStr};

/// Shorter keys can be guessed.
const LEAST_CHARS: usize = 32;

/// The operator's keys. The first key encrypts, and all of them decrypt. To rotate, put the new key first.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretKeys(Vec<[u8; 32]>);

/// Never logs the keys.
impl fmt::Debug for SecretKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKeys({})", self.0.len())
    }
}

/// The setting holds no valid keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected at least {LEAST_CHARS} random characters, such as the output of `openssl rand -base64 32`; separate \
     several keys by commas, the current one first"
)]
pub struct SecretKeysError;

impl FromStr for SecretKeys {
    type Err = SecretKeysError;

    /// Parses keys separated by commas; an empty text has none.
    fn from_str(text: &str) -> Result<Self, SecretKeysError> {
        let keys = text.split(',').map(str::trim);
        let keys: Vec<&str> = if text.trim().is_empty() { Vec::new() } else { keys.collect() };
        if keys.iter().any(|key| key.chars().count() < LEAST_CHARS) {
            return Err(SecretKeysError);
        }
        Ok(Self(keys.into_iter().map(derive).collect()))
    }
}

/// A random text has enough entropy for one hash to derive a key. The prefix limits the key to this purpose.
fn derive(key: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"retour: secrets that are kept\0");
    hash.update(key.as_bytes());
    hash.finalize().into()
}

impl SecretKeys {
    pub(crate) fn pseudonyms(&self, purpose: &str) -> Option<Pseudonyms> {
        self.0.first().and_then(|key| Pseudonyms::new(key, purpose))
    }

    /// Whether secrets can be stored.
    pub(crate) fn can_seal(&self) -> bool {
        !self.0.is_empty()
    }

    pub(crate) fn seal(&self, nonce: [u8; NONCE_BYTES], purpose: &[u8], secret: &str) -> Result<String> {
        let Some(key) = self.0.first() else {
            let message = "This service has no key to encrypt secrets: the operator must set RETOUR_SECRET_KEY first.";
            return Err(Refusal::new(RefusalCode::NoSecretKey, message).into());
        };
        cipher::seal(key, nonce, purpose, secret).or_broken()
    }

    pub(crate) fn open(&self, purpose: &[u8], sealed: &str) -> Option<String> {
        self.0.iter().find_map(|key| cipher::open(key, purpose, sealed).ok())
    }
}

/// Pseudonyms that only the holder of the operator's key can compute, so that nobody can find an address by trying all
/// of them.
#[derive(Clone)]
pub struct Pseudonyms(Hmac<Sha256>);

impl Pseudonyms {
    pub(crate) fn new(key: &[u8; 32], purpose: &str) -> Option<Self> {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
        mac.update(b"pseudonym\0");
        mac.update(purpose.as_bytes());
        mac.update(b"\0");
        Some(Self(mac))
    }

    /// The pseudonym of a text: 32 hexadecimal digits.
    pub fn of(&self, what: &str) -> String {
        let mut name = hex(&self.0.clone().chain_update(what).finalize().into_bytes());
        name.truncate(32);
        name
    }
}

/// Never logs the key.
impl fmt::Debug for Pseudonyms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pseudonyms")
    }
}

pub(crate) fn purpose(account: AccountId, subscription: WebhookSubscriptionId) -> Vec<u8> {
    format!("webhook {account} {subscription}").into_bytes()
}

pub(crate) fn purpose_of_totp(account: AccountId, user: UserId) -> Vec<u8> {
    format!("totp {account} {user}").into_bytes()
}

pub(crate) fn purpose_of_payment(account: AccountId) -> Vec<u8> {
    format!("payment {account}").into_bytes()
}

pub(crate) fn purpose_of_carrier(account: AccountId) -> Vec<u8> {
    format!("carrier {account}").into_bytes()
}

pub(crate) fn purpose_of_bridge(account: AccountId) -> Vec<u8> {
    format!("bridge {account}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const OLD: &str = "0123456789abcdef0123456789abcdef";
    const NEW: &str = "fedcba9876543210fedcba9876543210";

    fn keys(text: &str) -> SecretKeys {
        text.parse().unwrap()
    }

    #[test]
    fn a_secret_is_opened_by_the_key_that_sealed_it_in_its_own_place_alone() {
        let (account, one) = (AccountId(Uuid::from_u128(1)), WebhookSubscriptionId(Uuid::from_u128(2)));
        let here = purpose(account, one);
        let sealed = keys(OLD).seal([7; NONCE_BYTES], &here, "whsec_secret").unwrap();
        assert!(!sealed.contains("whsec"));
        let open = |keys: SecretKeys, purpose: &[u8]| keys.open(purpose, &sealed);
        assert_eq!(open(keys(OLD), &here).as_deref(), Some("whsec_secret"));
        assert_eq!(open(keys(&format!("{NEW}, {OLD}")), &here).as_deref(), Some("whsec_secret"));
        assert_eq!(open(keys(NEW), &here), None);
        let elsewhere = purpose(account, WebhookSubscriptionId(Uuid::from_u128(3)));
        assert_eq!(open(keys(OLD), &elsewhere), None, "a secret cannot be moved to another subscription");
        assert!(!format!("{:?}", keys(OLD)).contains("0123"));
    }

    #[test]
    fn a_pseudonym_is_known_to_who_has_the_key_alone() {
        let of = |key: &str, purpose: &str, what: &str| Pseudonyms::new(&derive(key), purpose).unwrap().of(what);
        let name = of(OLD, "rate limit", "198.51.100.7");
        assert_eq!(name, of(OLD, "rate limit", "198.51.100.7"));
        assert!(name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
        let others = [
            of(NEW, "rate limit", "198.51.100.7"),
            of(OLD, "another", "198.51.100.7"),
            of(OLD, "rate limit", "198.51.100.8"),
            hex(&Sha256::digest("198.51.100.7")),
        ];
        for other in others {
            assert!(!other.starts_with(&name), "{other}");
        }
        assert_eq!(format!("{:?}", Pseudonyms::new(&derive(OLD), "rate limit").unwrap()), "Pseudonyms");
    }

    #[test]
    fn short_keys_are_refused_and_no_key_keeps_nothing() {
        assert_eq!("short".parse::<SecretKeys>(), Err(SecretKeysError));
        assert_eq!(format!("{OLD},").parse::<SecretKeys>(), Err(SecretKeysError));
        assert!(keys("").seal([7; NONCE_BYTES], b"", "secret").is_err());
    }
}
