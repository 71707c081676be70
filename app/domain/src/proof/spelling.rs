//! Normalizes what keyboards, mail programs and clipboards do to a text.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// A text in lower case without white space; `None` if nothing is left, or if it contains a NUL, which Postgres
/// refuses.
pub(super) fn plain(text: &str) -> Option<String> {
    if text.contains('\0') {
        return None;
    }
    let key: String = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    (!key.is_empty()).then_some(key)
}

/// A text as a reader sees it: full-width and decomposed letters become ordinary ones (NFKC), digits of all scripts
/// ASCII digits, dashes `-`, white space one space; invisible characters go. Case stays.
pub(crate) fn visible(text: &str) -> String {
    if text.is_ascii() {
        return single_spaced(text.chars().filter(|&c| !is_invisible(c)).map(plain_sign)); // the common case: imports stay fast
    }
    // NFKC would turn these into the letter "o": "nº1001" would become "no1001".
    let marked = text.chars().map(|c| if matches!(c, 'º' | 'ª' | '˚') { '°' } else { c });
    let marked = marked.flat_map(|c| if c == '№' { ['n', '°'].map(Some) } else { [Some(c), None] }).flatten();
    let composed = marked.filter(|&c| !is_invisible(c)).nfkc();
    single_spaced(composed.filter(|&c| !is_invisible(c)).map(plain_sign))
}

fn single_spaced(chars: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    for c in chars {
        if c == ' ' && (out.is_empty() || out.ends_with(' ')) {
            continue;
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out
}

/// Like [`visible`], without case: `ß` and its capital equal `ss`.
pub(super) fn folded(text: &str) -> String {
    let visible = visible(text);
    if visible.is_ascii() {
        return visible.to_ascii_lowercase();
    }
    let lower = visible.chars().flat_map(char::to_lowercase);
    lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

/// The ASCII character that a reader takes a character for.
fn plain_sign(c: char) -> char {
    match c {
        c if c.is_ascii_graphic() => c,
        '♯' => '#',
        // The last is the Japanese long vowel mark, which Japanese keyboards produce for a dash.
        '−' | '‐' | '‑' | '⁃' | '˗' | '➖' | 'ー' => '-',
        '\u{2800}' => ' ',
        c if c.is_whitespace() => ' ',
        c => match c.general_category() {
            GeneralCategory::DashPunctuation => '-',
            GeneralCategory::DecimalNumber => digit(c),
            _ => c,
        },
    }
}

/// Unicode encodes the ten digits of a script consecutively, from zero.
fn digit(c: char) -> char {
    let is_digit =
        |code: u32| char::from_u32(code).is_some_and(|c| c.general_category() == GeneralCategory::DecimalNumber);
    let before = (1..=u32::from(c)).take_while(|back| is_digit(u32::from(c) - back)).count();
    u32::try_from(before % 10).ok().and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

/// Whether a character is invisible: direction marks, joiners, soft hyphens, byte order marks, variation selectors.
fn is_invisible(c: char) -> bool {
    if c.is_ascii_graphic() || c.is_whitespace() {
        return false;
    }
    matches!(c.general_category(), GeneralCategory::Format | GeneralCategory::Control)
        || matches!(c,
            '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2065}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}')
}
