//! Password rules, and hashing that blocks no other requests.

use super::error::{Error, FieldError, OrBroken, Result};
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use domain::RefusalCode;
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// NIST SP 800-63B prefers length over complexity.
const MIN_CHARS: usize = 12;
const MAX_CHARS: usize = 200;

/// The 100,000 long passwords that attackers try first: the first four bytes of their SHA-256, sorted. Of other
/// passwords, one of 40,000 is refused with them. `.ci/common-passwords` writes the file.
const COMMON: &[u8] = include_bytes!("common_passwords.bin");
const COMMON_HASH_BYTES: usize = 4;

/// OWASP's parameters: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// The length of the random salt of each hash, in bytes.
const SALT_BYTES: usize = 16;

/// The hash that is checked for users without a password, so that the check takes as long. No password hashes to zeros.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Runs as many password hashes at once as there are cores. Each takes a core and 19 MiB for a moment.
#[derive(Debug, Clone)]
pub(crate) struct Passwords {
    places: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { places: Arc::new(Semaphore::new(cores)) }
    }
}

impl Passwords {
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        let place = self.places.clone().acquire_owned().await.or_broken()?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place); // not in the caller: a dropped request would release its place early
            done
        });
        done.await.or_broken()?
    }
}

impl Passwords {
    /// Computes the stored hash of a password.
    pub(crate) async fn hash(&self, salt: [u8; SALT_BYTES], password: String) -> Result<String> {
        let hash = move || Ok(argon2()?.hash_password_with_salt(password.as_bytes(), &salt).or_broken()?.to_string());
        self.run(hash).await
    }

    /// Whether a password matches a hash. Without a hash the check takes as long and fails.
    pub(crate) async fn is_right(&self, password: String, hash: Option<String>) -> Result<bool> {
        let hash = hash.filter(|hash| !hash.is_empty()).unwrap_or_else(|| NOBODY.to_owned());
        self.run(move || Ok(argon2()?.verify_password(password.as_bytes(), hash.as_str()).is_ok())).await
    }
}

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).or_broken()?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn is_common(lower: &str) -> bool {
    let (known, rest) = COMMON.as_chunks::<COMMON_HASH_BYTES>();
    debug_assert!(rest.is_empty(), "the file holds whole hashes");
    Sha256::digest(lower.as_bytes()).first_chunk().is_some_and(|hash| known.binary_search(hash).is_ok())
}

/// Checks that a text may be the password of the user with this e-mail address.
pub(crate) fn check(password: &str, email: &str) -> Result<()> {
    let lower = password.to_lowercase();
    let wrong = if !(MIN_CHARS..=MAX_CHARS).contains(&password.chars().count()) {
        (RefusalCode::OutOfRange, format!("expected {MIN_CHARS} to {MAX_CHARS} characters of any kind"))
    } else if lower.trim() == email.to_lowercase() {
        (RefusalCode::NotAllowed, "expected a password other than the e-mail address".to_owned())
    } else if is_common(&lower) {
        (RefusalCode::NotAllowed, "this is one of the most common passwords: expected another one".to_owned())
    } else {
        return Ok(());
    };
    Err(Error::Invalid(vec![FieldError::new("password", wrong.0, wrong.1)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_long_and_not_what_anybody_would_try() {
        let check = |password: &str| check(password, "ada.lovelace@example.com").is_ok();
        for good in
            ["correct horse battery", "ein langes Wört", "            ", &"x".repeat(200), "🐟🐟🐟🐟🐟🐟🐟🐟🐟🐟🐟🐟"]
        {
            assert!(check(good), "{good}");
        }
        for bad in ["", "elevenchars", &"x".repeat(201), "Ada.Lovelace@example.com", "PassWord1234", "123456789012"] {
            assert!(!check(bad), "{bad}");
        }
        for common in
            ["passwordpassword", "123456qwerty", "qwertyuiop123", "changemechangeme", "DragonDragon", "iloveyou1234"]
        {
            assert!(!check(common), "{common}");
        }
        let (known, rest) = COMMON.as_chunks::<COMMON_HASH_BYTES>();
        assert!(known.len() >= 100_000 && rest.is_empty() && known.is_sorted(), "{}", known.len());
    }

    #[test]
    fn the_hash_of_nobody_costs_what_a_real_one_costs() {
        let real = argon2().unwrap().hash_password_with_salt(b"password", &[1; 16]).unwrap().to_string();
        let shape = |hash: &str| hash.split('$').map(str::len).collect::<Vec<_>>();
        assert_eq!(shape(NOBODY), shape(&real));
        assert!(
            real.starts_with("$argon2id$v=19$m=19456,t=2,p=1$")
                && NOBODY.starts_with("$argon2id$v=19$m=19456,t=2,p=1$")
        );
        assert!(argon2().unwrap().verify_password(b"password", real.as_str()).is_ok());
        assert!(matches!(
            argon2().unwrap().verify_password(b"", NOBODY),
            Err(argon2::password_hash::Error::PasswordInvalid)
        ));
    }
}
