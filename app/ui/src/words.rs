//! The texts that this crate needs from a table of words.

#[cfg(feature = "ssr")]
use crate::language::Language;

/// How a language writes numbers and amounts.
pub trait NumberWords {
    /// The decimal separator.
    fn decimal(&self) -> &str;
    /// The separator between groups of three digits.
    fn group(&self) -> &str;
    /// How many digits a number needs before it is grouped.
    fn least_grouped(&self) -> &str;
    /// The minus sign.
    fn minus(&self) -> &str;
    /// An amount: `{0}` is the symbol, `{1}` the number.
    fn amount(&self) -> &str;
}

/// What components and dates need from the words of a page.
#[cfg(feature = "ssr")]
pub trait PageWords: Sync {
    /// The language of the page.
    fn language(&self) -> Language;
    /// A day and a time: `{0}, {1}`.
    fn at_time(&self) -> &'static str;
    /// The title of a list of mistakes.
    fn problem_title(&self) -> &'static str;
    /// What precedes a mistake for screen readers.
    fn error_prefix(&self) -> &'static str;
}
