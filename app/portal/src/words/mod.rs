//! Every sentence that a shopper reads, in one place, and how a language writes dates and money.
//!
//! To add a language: copy the tables [`EN`] (pages) and [`live::EN`] (what islands write in the browser), translate
//! them, and add them to [`Words::of`] and [`Live::of`]. `{0}`, `{1}` stand for what is filled in.

#[cfg(feature = "ssr")]
mod dates;
#[cfg(feature = "ssr")]
mod en;
pub mod live;

#[cfg(feature = "ssr")]
pub use dates::{Dates, day};
#[cfg(feature = "ssr")]
pub use en::{EN, Words};
pub use live::Live;

/// Declares a table of texts together with its English edition: each text stands once, beside its name.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident = $edition:ident { $($field:ident: $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name {
            $(#[doc = $text] pub $field: &'static str,)+
        }

        /// English.
        pub static $edition: $name = $name { $($field: $text,)+ };
    };
}
pub(crate) use table;

#[cfg(feature = "ssr")]
impl Words {
    /// The words of a language; English where it is not spoken yet.
    pub fn of(_locale: &domain::Locale) -> &'static Self {
        &EN
    }
}

impl Live {
    /// The words of a language; English where it is not spoken yet.
    pub fn of(_tag: &str) -> &'static Self {
        &live::EN
    }
}

/// A part of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// As it stands.
    Text(&'a str),
    /// The argument of that number goes here.
    Slot(usize),
}

/// A sentence's texts and slots, in order.
pub fn parts(sentence: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = sentence;
    while let Some((before, number, after)) = next_slot(rest) {
        if !before.is_empty() {
            parts.push(Part::Text(before));
        }
        parts.push(Part::Slot(number));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

fn next_slot(text: &str) -> Option<(&str, usize, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (number, after) = rest.split_once('}')?;
    Some((before, number.parse().ok()?, after))
}

/// A sentence with its slots filled in. What is filled in is never read as a sentence itself.
pub fn fill(sentence: &str, values: &[&str]) -> String {
    parts(sentence).into_iter().fold(String::with_capacity(sentence.len() + 16), |mut text, part| {
        text.push_str(match part {
            Part::Text(part) => part,
            Part::Slot(number) => values.get(number).copied().unwrap_or_default(),
        });
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_once_and_in_any_order() {
        assert_eq!(fill("{1} of {0}", &["{1}", "b"]), "b of {1}");
        assert_eq!(fill("nothing {here", &["x"]), "nothing {here");
        assert_eq!(fill("{0}{2}", &["a"]), "a");
    }
}
