//! Every sentence that a shopper reads, in one place.
//!
//! To add a language: copy the tables of another one (`de.rs`: `WORDS` for pages, `LIVE` for what islands write in the browser), translate
//! them, and add it to [`Language`], to [`Words::of`] and to the plural forms of `ui`. `{0}` and `{1}` are slots for values,
//! `{0:one=day;other=days}` is a plural form that depends on a value.

#![allow(missing_docs, reason = "the crate's public modules serve only the browser's build, which re-exports them")]

#[cfg(feature = "ssr")]
mod ar;
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
pub mod live;
#[cfg(feature = "ssr")]
mod nl;
#[cfg(feature = "ssr")]
mod pl;
#[cfg(feature = "ssr")]
mod wording;

#[cfg(feature = "ssr")]
pub use en::{EN, Words};
pub use live::Live;
#[cfg(feature = "ssr")]
pub use ui::language::Language;
#[cfg(feature = "ssr")]
pub use wording::check as check_wording;

#[cfg(feature = "ssr")]
use leptos::prelude::{provide_context, use_context};
use ui::words::NumberWords;
#[cfg(feature = "ssr")]
use ui::words::PageWords;

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

    /// The language of these words.
    pub fn language(&self) -> Language {
        Language::parse(self.tag).unwrap_or(Language::En)
    }

    /// The words that islands share.
    pub fn live(&self) -> &'static Live {
        self.live
    }
}

#[cfg(feature = "ssr")]
impl PageWords for Words {
    fn language(&self) -> Language {
        Self::language(self)
    }
    fn at_time(&self) -> &'static str {
        self.at_time
    }
    fn problem_title(&self) -> &'static str {
        self.live.problem_title
    }
    fn error_prefix(&self) -> &'static str {
        self.live.error_prefix
    }
}

impl NumberWords for Live {
    fn decimal(&self) -> &'static str {
        self.decimal
    }
    fn group(&self) -> &'static str {
        self.group
    }
    fn least_grouped(&self) -> &'static str {
        self.least_grouped
    }
    fn minus(&self) -> &'static str {
        self.minus
    }
    fn amount(&self) -> &'static str {
        self.amount
    }
}

/// An island knows only its language. On the server, the page that is being rendered provides the words.
#[cfg(feature = "ssr")]
impl Live {
    /// The words that the current page provides. Outside a page, the standard words of the language.
    pub fn of(tag: &str) -> &'static Self {
        let of_page = use_context::<&'static Self>().filter(|live| live.tag == tag);
        of_page.unwrap_or_else(|| Words::of(Language::parse(tag).unwrap_or(Language::En)).live())
    }

    /// Provides these words to all islands of the page that is being rendered.
    pub fn provide(&'static self) {
        provide_context(self);
    }
}

/// The browser knows only the language of its page, whose words came with it.
#[cfg(not(feature = "ssr"))]
impl Live {
    /// The words of the page.
    pub fn of(_tag: &str) -> &'static Self {
        static OF_PAGE: std::sync::OnceLock<Live> = std::sync::OnceLock::new();
        OF_PAGE.get_or_init(|| Self::of_texts(live::from_page().lines()))
    }
}

#[cfg(all(test, feature = "ssr"))]
mod languages {
    use super::*;
    use domain::{Currency, Money};
    use std::collections::BTreeSet;
    use ui::money;

    fn texts(language: Language) -> Vec<&'static str> {
        let words = Words::of(language);
        words.texts().into_iter().chain(words.live().texts()).collect()
    }

    /// The numbers of a sentence's slots, including those inside plural forms.
    fn slots(sentence: &str) -> BTreeSet<char> {
        let after = sentence.split('{').skip(1).filter_map(|part| part.chars().next());
        after.filter(char::is_ascii_digit).collect()
    }

    #[test]
    fn every_sentence_has_the_same_slots_in_every_language() {
        for language in Language::ALL {
            for (theirs, english) in texts(language).into_iter().zip(texts(Language::En)) {
                assert_eq!(theirs.is_empty(), english.is_empty(), "{language:?}: {english}");
                assert_eq!(slots(theirs), slots(english), "{language:?}: {english}");
                assert!(!theirs.contains(['\n', '<', '&']), "it is sent as one line of a script: {theirs}");
            }
            assert_eq!(Words::of(language).tag, Words::of(language).live().tag);
            assert_eq!(Words::of(language).language(), language);
        }
    }

    #[test]
    fn every_text_is_translated() {
        for language in Language::ALL.into_iter().filter(|language| *language != Language::En) {
            let same = |(theirs, english): &(&str, &str)| theirs == english && english.chars().any(char::is_alphabetic);
            let left: Vec<_> = texts(language).into_iter().zip(texts(Language::En)).filter(same).collect();
            let ours = left.iter().map(|(text, _)| *text).filter(|text| !SAME_ELSEWHERE.contains(text));
            assert_eq!(ours.collect::<Vec<_>>(), [""; 0], "{language:?}");
        }
    }

    /// Words that are the same in other languages.
    const SAME_ELSEWHERE: [&str; 3] = ["Photos", "Error: ", "was"];

    #[test]
    fn the_three_totals_of_a_bar_differ() {
        for live in Language::ALL.map(|language| Words::of(language).live()) {
            let totals = BTreeSet::from([live.total, live.up_to, live.as_credit]);
            assert_eq!(totals.len(), 3, "{}", live.tag);
        }
    }

    #[test]
    fn the_browser_receives_the_server_s_words() {
        for live in Language::ALL.map(|language| Words::of(language).live()) {
            let sent: &'static str = live.texts().join("\n").leak();
            assert_eq!(Live::of_texts(sent.lines()).texts(), live.texts());
        }
    }

    #[test]
    fn each_language_formats_amounts_its_own_way() {
        let euros = |language: Language, minor| {
            money::format(Money::new(minor, Currency::from_code("EUR").unwrap()), Words::of(language).live())
        };
        for (language, small, large) in [
            (Language::De, "1.234,50\u{a0}€", "12.345,00\u{a0}€"),
            (Language::Nl, "€\u{a0}1.234,50", "€\u{a0}12.345,00"),
            (Language::Fr, "1\u{202f}234,50\u{a0}€", "12\u{202f}345,00\u{a0}€"),
            (Language::Es, "1234,50\u{a0}€", "12.345,00\u{a0}€"),
            (Language::Pl, "1234,50\u{a0}€", "12\u{a0}345,00\u{a0}€"),
            (Language::It, "1.234,50\u{a0}€", "12.345,00\u{a0}€"),
            (Language::Ar, "\u{200f}1,234.50\u{a0}€", "\u{200f}12,345.00\u{a0}€"),
        ] {
            assert_eq!((euros(language, 123_450), euros(language, 1_234_500)), (small.into(), large.into()));
        }
        assert_eq!(euros(Language::Nl, -495), "€\u{a0}−4,95");
        let dinars = Money::new(1250, Currency::from_code("KWD").unwrap());
        assert_eq!(money::format(dinars, Words::of(Language::De).live()), "1,250\u{a0}KWD");
    }
}
