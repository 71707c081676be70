//! Recovery codes: each replaces the second factor once.

use super::{clock::Source, hash::hash_of};
use domain::{AccountId, UserId};

/// How many codes a user gets.
const COUNT: usize = 10;
/// The length of a code: 80 random bits, so a hash without salt and stretching protects it.
const CHARS: usize = 16;
/// The length of a group, for reading.
const GROUP: usize = 4;
/// Digits and letters without those that look alike (Crockford's Base32).
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// New codes, as a person reads them: `7kq2-m4xd-…`.
pub(crate) fn new_codes(source: &Source) -> Vec<String> {
    (0..COUNT).map(|_| new_code(source.random())).collect()
}

fn new_code(random: [u8; CHARS]) -> String {
    let letters =
        random.iter().filter_map(|byte| LETTERS.get(usize::from(byte % 32)).map(|letter| char::from(*letter)));
    letters.enumerate().fold(String::new(), |mut code, (index, letter)| {
        if index > 0 && index % GROUP == 0 {
            code.push('-');
        }
        code.push(letter);
        code
    })
}

/// The stored hash of a code, however a person types it; `None` if it cannot be a code.
pub(crate) fn hash_of_code(account: AccountId, user: UserId, typed: &str) -> Option<Vec<u8>> {
    let letters = typed.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase);
    let code: String = letters
        .map(|letter| match letter {
            'o' => '0',
            'i' | 'l' => '1',
            other => other,
        })
        .take(CHARS + 1)
        .collect();
    let is_code = code.len() == CHARS && code.bytes().all(|letter| LETTERS.contains(&letter));
    is_code.then(|| hash_of(&["recovery code", &account.to_string(), &user.to_string(), &code]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use uuid::Uuid;

    #[test]
    fn codes_are_distinct_and_readable() {
        let codes: BTreeSet<String> = new_codes(&Source::system()).into_iter().collect();
        assert_eq!(codes.len(), 10);
        let is_readable = |code: &String| code.len() == 19 && code.split('-').all(|group| group.len() == 4);
        assert!(codes.iter().all(is_readable), "{codes:?}");
    }

    #[test]
    fn a_code_is_recognised_however_it_is_typed_and_for_its_user_alone() {
        let (account, user) = (AccountId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        let code = new_code(std::array::from_fn(|index| u8::try_from(index).unwrap()));
        assert_eq!(code, "0123-4567-89ab-cdef");
        let hash = hash_of_code(account, user, &code);
        assert!(hash.is_some());
        for typed in ["0123456789ABCDEF", " O l23 4567 89ab cdef ", "oi23 4567-89ab-cdef"] {
            assert_eq!(hash_of_code(account, user, typed), hash, "{typed}");
        }
        assert_ne!(hash_of_code(account, UserId(Uuid::from_u128(3)), &code), hash);
        for bad in ["", "0123-4567-89ab-cde", "0123-4567-89ab-cdef0", "0123-4567-89ab-cdeu", "123456"] {
            assert_eq!(hash_of_code(account, user, bad), None, "{bad}");
        }
    }
}
