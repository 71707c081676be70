//! Every sentence of the desk: one table for each page, and one that all pages share.
//!
//! To add a page: a file with its `word_table!` in English, its line in `en.rs`, and its texts in each other language. To add a language:
//! a file such as `de.rs` with `pub static WORDS: Words = Words { common: &Common { tag: "de", … }, stages: &Stages { … }, … };`, whose
//! types come from `super`, and its arm in [`Words::of`]. `{0}` and `{1}` are slots for values, `{0:one=day;other=days}` is a plural form
//! that depends on a value; `check.rs` compares all languages with English.

mod ar;
mod audit;
mod audit_actions;
mod bulk;
#[cfg(test)]
mod check;
mod common;
mod connections;
mod de;
mod en;
mod es;
mod found;
mod fr;
mod it;
mod mail;
mod me;
mod names;
mod new_return;
mod nl;
mod orders;
mod people;
mod pl;
mod queues;
mod refusals;
mod return_order;
mod returns;
mod scan;
mod search;
mod sign_in;
mod stages;
mod today;
mod withdrawals;

pub use en::*;

use std::sync::OnceLock;
use ui::{
    language::Language,
    words::{NumberWords, PageWords},
};

/// The words of the one language that is written from right to left.
static RIGHT_TO_LEFT: OnceLock<Words> = OnceLock::new();

/// A text whose values keep their own direction: names, numbers and codes within a sentence from right to left.
fn isolating(name: &str, text: &'static str) -> &'static str {
    // How an amount is written is isolated as a whole.
    if name == "amount" || !text.contains('{') {
        return text;
    }
    let isolated = (0..10).fold(text.to_owned(), |text, number| {
        let slot = format!("{{{number}}}");
        text.replace(&slot, &format!("\u{2068}{slot}\u{2069}"))
    });
    isolated.leak()
}

impl Words {
    /// The words of a language.
    pub fn of(language: Language) -> &'static Self {
        let words = match language {
            Language::En => &EN,
            Language::Nl => &nl::WORDS,
            Language::De => &de::WORDS,
            Language::Fr => &fr::WORDS,
            Language::Es => &es::WORDS,
            Language::Pl => &pl::WORDS,
            Language::It => &it::WORDS,
            Language::Ar => &ar::WORDS,
        };
        match words.language().direction() {
            "rtl" => RIGHT_TO_LEFT.get_or_init(|| words.changed(isolating)),
            _ => words,
        }
    }

    /// The languages that have words, in the order that pages list them.
    pub fn languages() -> impl Iterator<Item = Language> {
        Language::ALL.into_iter().filter(|language| Self::of(*language).language() == *language)
    }

    /// The language of these words.
    pub fn language(&self) -> Language {
        Language::parse(self.common.tag).unwrap_or(Language::En)
    }
}

impl PageWords for Words {
    fn language(&self) -> Language {
        Self::language(self)
    }
    fn at_time(&self) -> &'static str {
        self.common.at_time
    }
    fn problem_title(&self) -> &'static str {
        self.common.problem_title
    }
    fn error_prefix(&self) -> &'static str {
        self.common.error_prefix
    }
}

impl NumberWords for Words {
    fn decimal(&self) -> &str {
        self.common.decimal
    }
    fn group(&self) -> &str {
        self.common.group
    }
    fn least_grouped(&self) -> &str {
        self.common.least_grouped
    }
    fn minus(&self) -> &str {
        self.common.minus
    }
    fn amount(&self) -> &str {
        self.common.amount
    }
}
