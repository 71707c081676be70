//! Order numbers: which spellings are equal.
//!
//! Ignored are: case, full-width and decomposed letters, the script of digits, the kind of dash, white space,
//! invisible characters, a `#` at either end, surrounding punctuation, leading words for "order" and "number" ("Order
//! #1001", "Commande n° 1001", "Bestell-Nr. 1001"), and words of a mail's subject behind the number ("Order #1001 confirmed").
//!
//! Everything else counts: every digit, leading zeros, dashes and suffixes, and a `#` within the number. "1001#2",
//! "A#12" and "#A#12" keep all their parts, so that numbers of one shop stay distinct. An unknown word before a `#`
//! ("Gift #1001", "US #1001") or a word for "order" before a dash ("Order-1001") counts as well, and is ignored only if no order has the whole number.

use unicode_normalization::UnicodeNormalization;

use super::{
    order_words::{Word, without_state, word_kind},
    spelling::{folded, plain, visible},
};

/// An order number as it is stored: lower case, without leading `#` and white space.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OrderNumberKey(String);

impl OrderNumberKey {
    /// The key of a number; `None` if nothing is left of it, or if it contains a NUL.
    pub fn new(number: &str) -> Option<Self> {
        let key = plain(number)?.trim_start_matches('#').to_owned();
        (!key.is_empty()).then_some(Self(key))
    }

    /// The key as it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An order number as somebody typed or copied it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedOrderNumber {
    stored: OrderNumberKey,
    whole: String,
    /// The number behind a `#` that an unknown word precedes, or behind a word for "order" and a dash.
    behind_sign: Option<String>,
}

/// How a number fits; the better fit first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberFit {
    /// It is all of the typed text.
    Whole,
    /// It is the part behind a `#`.
    BehindSign,
}

impl TypedOrderNumber {
    /// Parses typed text; `None` if no number is left of it.
    pub fn new(text: &str) -> Option<Self> {
        let stored = OrderNumberKey::new(text)?;
        let folded = folded(text);
        let whole = compared_of(&folded);
        let behind_sign = behind_sign(&folded).map(compared_of).filter(|rest| !rest.is_empty());
        let behind_sign = behind_sign.filter(|rest| *rest != whole);
        (!whole.is_empty()).then_some(Self { stored, whole, behind_sign })
    }

    /// The keys that find orders with this number: their stored key, or [`compared`] of their number, is one of these.
    pub fn candidates(&self) -> [&str; 3] {
        let behind_sign = self.behind_sign.as_deref().unwrap_or(&self.whole);
        [&self.whole, behind_sign, self.stored.as_str()]
    }

    /// How an order's number fits, if it does.
    pub fn fit(&self, number: &str) -> Option<NumberFit> {
        let compared = compared(number);
        if compared == self.whole || OrderNumberKey::new(number).as_ref() == Some(&self.stored) {
            Some(NumberFit::Whole)
        } else {
            self.behind_sign.as_ref().filter(|behind| **behind == compared).map(|_| NumberFit::BehindSign)
        }
    }

    /// The key under which failed attempts are counted: the same for all spellings that may find one order.
    pub fn attempt_key(&self) -> OrderNumberKey {
        OrderNumberKey(self.behind_sign.as_ref().unwrap_or(&self.whole).clone())
    }
}

/// A number in the form that is compared; empty if nothing is left of it.
pub fn compared(number: &str) -> String {
    compared_of(&folded(number))
}

/// The compared form for storing with an order whose stored key differs from it; empty if they are equal.
pub fn compared_if_other(number: &str) -> String {
    let compared = compared(number);
    let is_stored = OrderNumberKey::new(number).is_some_and(|key| key.as_str() == compared);
    if is_stored { String::new() } else { compared }
}

/// A number as a shop is asked for it: as it was typed, without leading words and invisible characters. A `#` stays.
pub fn cleaned(text: &str) -> String {
    let visible = visible(text);
    let trimmed = without_state(visible.trim_matches(is_around)).trim_matches(is_around);
    let trimmed = trimmed.trim_end_matches('#');
    // Folding may change the length of a text, so words are counted from its end.
    let kept = without_words(&folded(trimmed)).chars().count();
    let all = trimmed.chars().count();
    let from_end = if folded(trimmed).chars().count() == all { kept } else { all };
    trimmed.chars().skip(all - from_end.min(all)).collect()
}

fn compared_of(folded: &str) -> String {
    let number = without_words(without_state(folded.trim_matches(is_around))).trim_matches(is_around);
    let number = number.trim_matches(['#', ' ']).trim_matches(is_around).replace(' ', "");
    // A combining mark behind a space ("C´" contains one, decomposed) now belongs to the letter before it.
    if number.is_ascii() { number } else { number.nfc().collect() }
}

/// Characters that surround a copied number.
fn is_around(c: char) -> bool {
    matches!(
        c,
        ' ' | '.'
            | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '"'
            | '\''
            | '('
            | ')'
            | '['
            | ']'
            | '<'
            | '>'
            | '„'
            | '“'
            | '”'
            | '«'
            | '»'
            | '’'
            | '‘'
            | '*'
            | '`'
    )
}

/// The part behind the first `#`, if the part before it has no digits and ends with a space; or the part behind a word for "order" and a dash.
fn behind_sign(folded: &str) -> Option<&str> {
    let text = folded.trim_start_matches(|c| c == '#' || is_around(c));
    let after_word = word_end(text).and_then(|end| text.split_at_checked(end)).and_then(|(word, behind)| {
        let rest = behind.strip_prefix('-').filter(|rest| rest.contains(char::is_numeric))?;
        (word_kind(word) == Some(Word::Order)).then_some(rest)
    });
    if after_word.is_some() {
        return after_word;
    }
    let (before, rest) = text.split_once('#')?;
    let is_word = before.ends_with(' ') && !before.contains(char::is_numeric);
    (is_word && rest.contains(char::is_numeric)).then_some(rest)
}

/// A folded number without leading words for "order" and "number", as long as digits remain.
fn without_words(folded: &str) -> &str {
    let (mut rest, mut kept) = (folded, folded);
    let mut is_known = false;
    while let Some((word, behind, sign)) = leading_word(rest) {
        let is_ended = sign.is_some_and(|sign| sign != ' ') || is_known;
        match word_kind(word) {
            Some(Word::Order | Word::Number) => is_known = true,
            Some(Word::ShortNumber) if is_ended => is_known = true,
            Some(Word::ShortNumber | Word::Between) => {}
            None => break,
        }
        rest = behind;
        if is_known && rest.contains(char::is_numeric) {
            kept = rest;
        }
    }
    kept
}

/// The leading word of a text, the text behind it and the separator, which is no part of a number. A word may have dashes ("bestell-nr"). Words in
/// scripts other than Latin may stand directly before digits.
fn leading_word(text: &str) -> Option<(&str, &str, Option<char>)> {
    let end = word_end(text).filter(|&end| end > 0)?;
    let (word, behind) = text.split_at_checked(end)?;
    let sign = behind.chars().next().filter(|&c| matches!(c, ' ' | '.' | ':' | '#' | '°' | '\'' | '’'));
    let is_foreign = !word.chars().any(|c| c.is_ascii_alphabetic());
    if sign.is_none() && !is_foreign {
        return None;
    }
    // A `#` stays: callers may ask for the part before it.
    let rest = behind.trim_start_matches([' ', '.', ':', '°', '\'', '’']);
    Some((word, rest, sign))
}

/// The end of the letters at the start of a text, and of those behind a dash.
fn word_end(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_alphabetic())?;
    let behind = text.get(end..)?.strip_prefix('-').filter(|rest| rest.starts_with(char::is_alphabetic));
    match behind {
        Some(rest) if end > 0 => word_end(rest).map(|more| end + 1 + more),
        _ => Some(end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_left_out_only_before_a_number() {
        assert_eq!(without_words("order number 5"), "5");
        assert_eq!(without_words("order abc"), "order abc");
        assert_eq!(without_words("no 5"), "no 5", "may be a part of the number");
        assert_eq!(without_words("no. 5"), "5");
    }

    #[test]
    fn signs_around_a_number_do_not_count() {
        assert_eq!(behind_sign("shop #12"), Some("12"));
        assert_eq!(behind_sign("#shop #12"), Some("12"));
        assert_eq!(behind_sign("*shop #12*"), Some("12*"));
        assert_eq!(behind_sign("5 #12"), None);
    }

    #[test]
    fn a_word_begins_with_a_letter() {
        assert_eq!(word_end("bestell-nr 5"), Some(10));
        assert_eq!(word_end("-nr 5"), Some(0));
        assert_eq!(leading_word(".5"), None);
    }
}
