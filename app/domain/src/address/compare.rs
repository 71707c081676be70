//! Comparing texts of an address.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Whether two texts are equal apart from case, accents and punctuation.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let [folded_one, folded_other] = [one, other].map(folded);
    if folded_one.is_empty() { one == other } else { folded_one == folded_other }
}

/// A text without case, accents and punctuation, for comparing.
pub(super) fn folded(text: &str) -> String {
    let letters = text.nfkd().filter(|c| c.is_alphanumeric() && !is_combining_mark(*c));
    letters.flat_map(char::to_lowercase).collect()
}
