//! Every sentence that a shopper reads, in one place, and how a language writes dates and money.
//!
//! To add a language: copy the tables of another one (`de.rs`: `WORDS` for pages, `LIVE` for what islands write in the
//! browser), translate them, and add it to [`Language`], [`Words::of`] and the forms of number in `plural`. `{0}`, `{1}` stand for what is filled in,
//! `{0:one=day;other=days}` for a form that goes with it.

#[cfg(feature = "ssr")]
mod ar;
#[cfg(feature = "ssr")]
mod dates;
#[cfg(feature = "ssr")]
mod de;
#[cfg(feature = "ssr")]
mod en;
#[cfg(feature = "ssr")]
mod es;
#[cfg(feature = "ssr")]
mod fr;
#[cfg(feature = "ssr")]
mod it;
#[cfg(feature = "ssr")]
pub mod language;
pub mod live;
#[cfg(feature = "ssr")]
mod nl;
#[cfg(feature = "ssr")]
mod pl;
mod plural;
#[cfg(feature = "ssr")]
mod wording;

#[cfg(feature = "ssr")]
pub use dates::{Calendar, PastMoment, day, moment, moment_until, past_moment};
#[cfg(feature = "ssr")]
pub use en::{EN, Words};
#[cfg(feature = "ssr")]
pub use language::Language;
pub use live::Live;
pub use plural::plural;
#[cfg(feature = "ssr")]
pub use wording::check as check_wording;

#[cfg(feature = "ssr")]
use leptos::prelude::{provide_context, use_context};

/// Declares a table of texts together with its English edition: each text stands once, beside its name. A table may hold
/// another one `with` it.
macro_rules! table {
    (
        $(#[$doc:meta])* $name:ident = $edition:ident
        $(with { $(#[$held_doc:meta])* $held:ident: $kind:ty = $value:expr })?
        { $($field:ident: $text:literal,)+ }
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name {
            $($(#[$held_doc])* pub $held: $kind,)?
            $(#[doc = $text] pub $field: &'static str,)+
        }

        impl $name {
            /// What each text is called, in the order of its declaration.
            #[cfg(feature = "ssr")]
            pub const NAMES: &'static [&'static str] = &[$(stringify!($field),)+];

            /// Every text, in the order of its declaration.
            pub fn texts(&self) -> Vec<&'static str> {
                vec![$(self.$field,)+]
            }

            /// Of every text, in that order; what is missing is empty.
            pub fn of_texts($($held: $kind,)? mut texts: impl Iterator<Item = &'static str>) -> Self {
                Self { $($held,)? $($field: texts.next().unwrap_or_default(),)+ }
            }
        }

        /// English.
        pub static $edition: $name = $name { $($held: $value,)? $($field: $text,)+ };
    };
}
pub(crate) use table;

#[cfg(feature = "ssr")]
impl Words {
    /// The words of a language.
    pub fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &EN,
            Language::Nl => &nl::WORDS,
            Language::De => &de::WORDS,
            Language::Fr => &fr::WORDS,
            Language::Es => &es::WORDS,
            Language::Pl => &pl::WORDS,
            Language::It => &it::WORDS,
            Language::Ar => &ar::WORDS,
        }
    }

    /// Which language it is.
    pub fn language(&self) -> Language {
        Language::parse(self.tag).unwrap_or(Language::En)
    }

    /// The words that islands share.
    pub fn live(&self) -> &'static Live {
        self.live
    }
}

/// An island knows only its language. The page in which it is rendered provides the words.
#[cfg(feature = "ssr")]
impl Live {
    /// The words of the page that is rendered, as [`Self::provide`] was told; without a page, those of the language.
    pub fn of(tag: &str) -> &'static Self {
        let of_page = use_context::<&'static Self>().filter(|live| live.tag == tag);
        of_page.unwrap_or_else(|| Words::of(Language::parse(tag).unwrap_or(Language::En)).live())
    }

    /// Makes these the words of all islands in the page that is rendered.
    pub fn provide(&'static self) {
        provide_context(self);
    }
}

/// In the browser only one language is known: it came with the page.
#[cfg(not(feature = "ssr"))]
impl Live {
    /// The words of the page.
    pub fn of(_tag: &str) -> &'static Self {
        static TOLD: std::sync::OnceLock<Live> = std::sync::OnceLock::new();
        TOLD.get_or_init(|| Self::of_texts(live::told().lines()))
    }
}

/// A name, or what somebody wrote, as a part of a sentence: kept together where the sentence runs from right to left.
#[cfg(feature = "ssr")]
pub fn isolated(text: &str, words: &Words) -> String {
    match words.language().direction() {
        "rtl" => format!("\u{2068}{text}\u{2069}"),
        _ => text.to_owned(),
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
pub fn format(sentence: &str, values: &[&str]) -> String {
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
        assert_eq!(format("{1} of {0}", &["{1}", "b"]), "b of {1}");
        assert_eq!(format("nothing {here", &["x"]), "nothing {here");
        assert_eq!(format("{0}{2}", &["a"]), "a");
    }
}

#[cfg(all(test, feature = "ssr"))]
mod languages {
    use super::*;
    use std::collections::BTreeSet;

    fn texts(language: Language) -> Vec<&'static str> {
        let words = Words::of(language);
        words.texts().into_iter().chain(words.live().texts()).collect()
    }

    /// The numbers of a sentence's slots, also of those within forms.
    fn slots(sentence: &str) -> BTreeSet<char> {
        let after = sentence.split('{').skip(1).filter_map(|part| part.chars().next());
        after.filter(char::is_ascii_digit).collect()
    }

    #[test]
    fn every_sentence_says_as_much_in_every_language() {
        for language in Language::ALL {
            for (theirs, english) in texts(language).into_iter().zip(texts(Language::En)) {
                assert_eq!(theirs.is_empty(), english.is_empty(), "{language:?}: {english}");
                assert_eq!(slots(theirs), slots(english), "{language:?}: {english}");
                assert!(!theirs.contains(['\n', '<', '&']), "travels as a line of a script: {theirs}");
            }
            assert_eq!(Words::of(language).tag, Words::of(language).live().tag);
            assert_eq!(Words::of(language).language(), language);
        }
    }

    #[test]
    fn nothing_is_left_in_english() {
        for language in Language::ALL.into_iter().filter(|language| *language != Language::En) {
            let same = |(theirs, english): &(&str, &str)| theirs == english && english.chars().any(char::is_alphabetic);
            let left: Vec<_> = texts(language).into_iter().zip(texts(Language::En)).filter(same).collect();
            let ours = left.iter().map(|(text, _)| *text).filter(|text| !SAME_ELSEWHERE.contains(text));
            assert_eq!(ours.collect::<Vec<_>>(), [""; 0], "{language:?}");
        }
    }

    /// Words that other languages have as well.
    const SAME_ELSEWHERE: [&str; 3] = ["Photos", "Error: ", "was"];

    #[test]
    fn a_bar_tells_its_three_totals_apart() {
        for live in Language::ALL.map(|language| Words::of(language).live()) {
            let totals = BTreeSet::from([live.total, live.up_to, live.as_credit]);
            assert_eq!(totals.len(), 3, "{}", live.tag);
        }
    }

    #[test]
    fn what_a_browser_is_told_is_what_the_server_says() {
        for live in Language::ALL.map(|language| Words::of(language).live()) {
            let told: &'static str = live.texts().join("\n").leak();
            assert_eq!(Live::of_texts(told.lines()).texts(), live.texts());
        }
    }
}
