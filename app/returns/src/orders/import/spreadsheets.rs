//! Undoes what spreadsheet programs do to cells: numbers in the user's notation, ids in scientific notation, words for
//! true and false. A cell with one meaning is read, and one with two possible meanings is refused.

use std::borrow::Cow;

/// The number of digits that spreadsheets keep.
const KEPT_DIGITS: usize = 15;
/// From this number of digits on, spreadsheets show a number in scientific notation.
const SHORTENED_DIGITS: usize = 12;
/// A number of [`SHORTENED_DIGITS`] or more with this many zeros at its end was in scientific notation before, as
/// spreadsheets show six digits or fewer in it.
const SHORTENED_ZEROS: usize = 6;
/// What programs and people write where there is no id, without brackets.
const NO_ID: &[&str] = &[
    "null",
    "none",
    "nil",
    "nan",
    "n/a",
    "na",
    "n.a.",
    "n/d",
    "k.a.",
    "undefined",
    "unknown",
    "missing",
    "empty",
    "blank",
    "\\n",
];
/// Errors of spreadsheets that end with neither `!` nor `?`.
const ERRORS: &[&str] = &["#n/a", "#n/d", "#nv", "#nd", "#n/b", "#getting_data"];

/// The shop's id in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnId {
    /// The cell holds no id: it is empty, or holds a word such as `null`.
    None,
    /// A spreadsheet has rounded or hidden it, so that several ids look the same.
    Rounded,
    /// The id.
    Known(String),
}

impl OwnId {
    /// Reads the text of a cell.
    pub fn of(text: &str) -> Self {
        let text = unmarked(text);
        if is_error(text) || is_scientific(text) {
            return Self::Rounded;
        }
        if is_no_id(text) {
            return Self::None;
        }
        let Some(number) = whole_number(text) else { return Self::Known(text.to_owned()) };
        if is_shortened(&number) || is_cut(&number) {
            return Self::Rounded;
        }
        if number.bytes().all(|digit| digit == b'0') {
            return Self::None;
        }
        Self::Known(number.into_owned())
    }

    /// The id, if there is one.
    pub fn known(self) -> Option<String> {
        if let Self::Known(id) = self { Some(id) } else { None }
    }
}

/// The text without the marks that keep spreadsheets from reading it as a number: `'651` and `="651"`.
fn unmarked(text: &str) -> &str {
    let text = text.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    text.trim_start_matches('\'').trim()
}

/// Whether a spreadsheet shows an error here, or a number for which the column was too narrow (`####`).
fn is_error(text: &str) -> bool {
    text.len() > 1
        && text.starts_with('#')
        && (text.ends_with(['!', '?']) || text.bytes().all(|sign| sign == b'#') || is_one_of(ERRORS, text))
}

fn is_no_id(text: &str) -> bool {
    let word = text.trim_matches(['(', ')', '[', ']', '<', '>']);
    !word.chars().any(char::is_alphanumeric) || is_one_of(NO_ID, word)
}

/// Whether the text is one of these words, in any case.
fn is_one_of(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// The digits of a whole number, without thousands separators and without decimals that are zeros. `None`: the text is
/// no number, or may be the shop's own spelling of an id.
fn whole_number(text: &str) -> Option<Cow<'_, str>> {
    if is_number(text) {
        return Some(Cow::Borrowed(text));
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None; // this is the usual case of the others, and fast
    }
    // Programs that read ids as numbers with decimals write them like this.
    if let Some((whole, "0" | "00")) = text.split_once(['.', ','])
        && is_number(whole)
    {
        return Some(Cow::Borrowed(whole));
    }
    let plain = amount(text, b',')?;
    let (whole, decimals) = plain.split_once('.').unwrap_or((&plain, ""));
    let is_long = whole.len() >= SHORTENED_DIGITS && decimals.bytes().all(|digit| digit == b'0');
    is_long.then(|| Cow::Owned(whole.to_owned()))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text is in scientific notation: `6.51673E+12`, `6,51673 E+12`, `6.51673e12`, `651673E+7`.
pub fn is_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['E', 'e']) else { return false };
    let (mantissa, exponent) = (mantissa.trim_end(), exponent.trim_start());
    let is_signed = exponent.starts_with('+');
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent).trim_start();
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let is_mantissa = is_number(whole) && (fraction.is_empty() || is_number(fraction));
    // Without a sign or a fraction, as in 1E5, it may be the shop's own numbering.
    let is_told = is_signed || (whole.len() == 1 && !fraction.is_empty());
    is_mantissa && is_told && (1..=3).contains(&exponent.len()) && is_number(exponent)
}

/// Whether a number was in scientific notation before: `6516730000000`.
fn is_shortened(number: &str) -> bool {
    number.len() >= SHORTENED_DIGITS
        && number.bytes().rev().take_while(|&digit| digit == b'0').count() >= SHORTENED_ZEROS
}

/// Whether a number has more digits than spreadsheets keep, with zeros instead of those that were dropped.
fn is_cut(number: &str) -> bool {
    number.len() > KEPT_DIGITS && number.get(KEPT_DIGITS..).is_some_and(|rest| rest.bytes().all(|digit| digit == b'0'))
}

/// Converts an amount to a decimal point without thousands separators; `None` if it could mean two amounts.
///
/// `12,50`, `1.234,50`, `1,234.50`, `1 234,50` and `1'234.50` have one meaning; `1,234` has two. So has `1.234`, if
/// `separator` shows that the file comes from a program with decimal commas.
pub fn amount(text: &str, separator: u8) -> Option<Cow<'_, str>> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    if is_number(digits) {
        return Some(Cow::Borrowed(text));
    }
    let is_group_mark = |c: char| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\'' | '\u{2019}');
    let last = digits.rfind(['.', ',']);
    let (whole, decimals) = match last {
        Some(at) => (digits.get(..at)?, digits.get(at + 1..)?),
        None => (digits, ""),
    };
    let mark = last.and_then(|at| digits.get(at..=at));
    let is_point = mark == Some(".");
    let only_mark =
        mark.is_some_and(|mark| !whole.contains(is_group_mark) && !whole.contains(['.', ',']) && mark.len() == 1);
    if only_mark && is_point && (whole.is_empty() || is_number(whole)) {
        let is_ambiguous = separator != b',' && decimals.len() == 3 && whole.len() <= 3 && whole != "0";
        return (!is_ambiguous && (is_number(decimals) || decimals.is_empty())).then_some(Cow::Borrowed(text));
    }
    if only_mark && is_number(whole) {
        let is_ambiguous = decimals.len() == 3 && whole.len() <= 3 && whole != "0";
        return (!is_ambiguous && is_number(decimals)).then(|| Cow::Owned(format!("{sign}{whole}.{decimals}")));
    }
    // `1.234.567`: the last mark is also a thousands separator.
    let is_whole = mark.is_some_and(|mark| whole.contains(mark));
    let (whole, decimals) = if is_whole { (digits, "") } else { (whole, decimals) };
    let mut marks = whole.chars().filter(|c| !c.is_ascii_digit());
    let group = marks.next().filter(|&c| is_group_mark(c) || matches!(c, '.' | ','))?;
    if marks.any(|c| c != group) || (!decimals.is_empty() && mark == Some(&*group.to_string())) {
        return None;
    }
    let mut groups = whole.split(group);
    let first = groups.next()?;
    let fits =
        (1..=3).contains(&first.len()) && is_number(first) && groups.all(|part| part.len() == 3 && is_number(part));
    if !fits || !(decimals.is_empty() || is_number(decimals)) || (mark.is_some() && !is_whole && decimals.is_empty()) {
        return None;
    }
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    Some(Cow::Owned(if decimals.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{decimals}") }))
}

/// Parses yes or no, also as spreadsheets write it in European languages.
pub fn flag(text: &str) -> Option<bool> {
    const YES: [&str; 9] = ["true", "yes", "1", "wahr", "vrai", "verdadero", "vero", "waar", "prawda"];
    const NO: [&str; 9] = ["false", "no", "0", "falsch", "faux", "falso", "onwaar", "fałsz", "falsk"];
    let word = text.to_lowercase();
    if YES.contains(&word.as_str()) {
        return Some(true);
    }
    NO.contains(&word.as_str()).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_was_rounded_is_none() {
        for rounded in [
            "6.51673E+12",
            "6,51673E+12",
            "6.51673e12",
            "7E+12",
            "6.5E+012",
            "'6.51673E+12",
            "6.51673 E+12",
            "6.51673E +12",
            "651673E+7",
            "1234567890123450",
            "12345678901234500",
            "6516730000000",
            "'6516730000000",
            "=\"6516730000000\"",
            "6516730000000.0",
            "6516730000000.00",
            "6516730000000,00",
            "6516730000000.000",
            "6,516,730,000,000",
            "6.516.730.000.000",
            "6 516 730 000 000",
            "6'516'730'000'000",
            "6,516,730,000,000.00",
            "651673000000",
            "########",
            "#REF!",
            "#NAME?",
            "#DIV/0!",
            "#N/A",
            "#NV",
        ] {
            assert_eq!(OwnId::of(rounded), OwnId::Rounded, "{rounded}");
        }
        for own in [
            "6516730123456",
            "6516730100000",
            "65167000000",
            "123456789012345",
            "1234567890123456",
            "1E5",
            "12E4",
            "A-1",
            "12e",
            "gid://shop/1",
            "E+12",
            "1.5",
            "1.001",
            "100.200.300",
            "#1001",
            "#A",
            "A000000000000",
            "none-1",
        ] {
            assert_eq!(OwnId::of(own), OwnId::Known(own.to_owned()), "{own}");
        }
    }

    #[test]
    fn a_number_is_one_id_however_a_spreadsheet_writes_it() {
        for (text, id) in [
            ("6900000000001.0", "6900000000001"),
            ("6900000000001.00", "6900000000001"),
            ("6900000000001,00", "6900000000001"),
            ("6,900,000,000,001", "6900000000001"),
            ("'6900000000001", "6900000000001"),
            ("=\"6900000000001\"", "6900000000001"),
            ("1001.0", "1001"),
        ] {
            assert_eq!(OwnId::of(text), OwnId::Known(id.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_word_for_nothing_is_no_id() {
        for text in
            ["", "'", "-", "—", "?", "0", "0.0", "000", "null", "NULL", "None", "N/A", "n.a.", "(null)", "NaN", "\\N"]
        {
            assert_eq!(OwnId::of(text), OwnId::None, "{text}");
        }
    }

    #[test]
    fn amounts_of_one_meaning_are_read_and_others_are_not() {
        for (text, wanted) in [
            ("12.50", "12.50"),
            ("12,50", "12.50"),
            ("12,5", "12.5"),
            ("-12,50", "-12.50"),
            ("1234,50", "1234.50"),
            ("1.234,50", "1234.50"),
            ("1,234.50", "1234.50"),
            ("1 234,50", "1234.50"),
            ("1\u{202f}234\u{202f}567,5", "1234567.5"),
            ("1'234.50", "1234.50"),
            ("1.234.567", "1234567"),
            ("1,234,567.89", "1234567.89"),
            ("0,125", "0.125"),
            ("1000", "1000"),
            ("10.000", "10.000"),
        ] {
            assert_eq!(amount(text, b',').as_deref(), Some(wanted), "{text}");
        }
        for text in [
            "1,234",
            "1,000",
            "12,",
            ",5,",
            "1.23.456",
            "1,23.45",
            "1.234,567.8",
            "12 50",
            "",
            "x",
            "1,2,3",
            "1 234 5",
            "€5",
        ] {
            assert_eq!(amount(text, b','), None, "{text}");
        }
        assert_eq!(amount("10.000", b';'), None);
        assert_eq!(amount("1.000,00", b';').as_deref(), Some("1000.00"));
        assert_eq!(amount("1000.000", b';').as_deref(), Some("1000.000"));
    }
}
