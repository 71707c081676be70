//! Undoes what spreadsheet programs do to cells: numbers in the user's notation, ids in scientific notation, words for
//! true and false. A cell with one meaning is read, and one with two possible meanings is refused.

use std::borrow::Cow;

/// The number of digits that spreadsheets keep.
const KEPT_DIGITS: usize = 15;

/// The shop's id in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnId {
    /// The cell is empty.
    None,
    /// A spreadsheet has rounded it, so that several ids look the same.
    Rounded,
    /// The id.
    Known(String),
}

impl OwnId {
    /// Reads the text of a cell.
    pub fn of(text: &str) -> Self {
        if text.is_empty() {
            return Self::None;
        }
        if is_scientific(text) || is_cut(text) {
            return Self::Rounded;
        }
        // Programs that read ids as floating-point numbers write them like this. Up to 15 digits are exact.
        let whole = text.strip_suffix(".0").filter(|id| is_number(id));
        Self::Known(whole.unwrap_or(text).to_owned())
    }

    /// The id, if there is one.
    pub fn known(self) -> Option<String> {
        if let Self::Known(id) = self { Some(id) } else { None }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text is in scientific notation: `6.51673E+12`, `6,51673E+12`, `6.51673e12`.
pub fn is_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['E', 'e']) else { return false };
    let is_signed = exponent.starts_with('+');
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let is_mantissa = whole.len() == 1 && is_number(whole) && (fraction.is_empty() || is_number(fraction));
    // Without a sign or a fraction, as in 1E5, it may be the shop's own numbering.
    is_mantissa && (1..=3).contains(&exponent.len()) && is_number(exponent) && (is_signed || !fraction.is_empty())
}

/// Whether a number has more digits than spreadsheets keep, with zeros instead of those that were dropped.
fn is_cut(text: &str) -> bool {
    text.len() > KEPT_DIGITS
        && is_number(text)
        && text.get(KEPT_DIGITS..).is_some_and(|rest| rest.bytes().all(|digit| digit == b'0'))
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
        for rounded in
            ["6.51673E+12", "6,51673E+12", "6.51673e12", "7E+12", "6.5E+012", "1234567890123450", "12345678901234500"]
        {
            assert_eq!(OwnId::of(rounded), OwnId::Rounded, "{rounded}");
        }
        for own in
            ["6516730000000", "123456789012345", "1234567890123456", "1E5", "A-1", "12e", "gid://shop/1", "E+12", "1.5"]
        {
            assert_eq!(OwnId::of(own), OwnId::Known(own.to_owned()), "{own}");
        }
        assert_eq!(OwnId::of("6900000000001.0"), OwnId::Known("6900000000001".to_owned()));
        assert_eq!(OwnId::of(""), OwnId::None);
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
