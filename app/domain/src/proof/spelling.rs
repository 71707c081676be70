//! Texts without what keyboards, mail programs and clipboards add to them.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// A text without blanks and case; `None` when nothing is left, or when it holds a NUL, which Postgres refuses.
pub(super) fn plain(text: &str) -> Option<String> {
    if text.contains('\0') {
        return None;
    }
    let key: String = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    (!key.is_empty()).then_some(key)
}

/// A text as a reader sees it: wide and decomposed letters are the usual ones (NFKC), digits of all scripts are ASCII's,
/// every dash is `-`, every blank is one space, and nothing is invisible. Case stays.
pub(crate) fn visible(text: &str) -> String {
    if text.is_ascii() {
        return single_spaced(text.chars().filter(|&c| !is_invisible(c)).map(plain_sign)); // most are: imports are quick
    }
    // These look like a small o and would become the letter, so that "nº1001" would read "no1001".
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

/// The same without case: `ß` and its capital letter equal `ss`.
pub(super) fn folded(text: &str) -> String {
    let visible = visible(text);
    if visible.is_ascii() {
        return visible.to_ascii_lowercase();
    }
    let lower = visible.chars().flat_map(char::to_lowercase);
    lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

/// ASCII's own sign for one that a reader takes for it.
fn plain_sign(c: char) -> char {
    match c {
        c if c.is_ascii_graphic() => c,
        '♯' => '#',
        // The last is the long vowel of Japanese, which its keyboards give for a dash.
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

/// Unicode has the ten digits of a script one after the other, from zero.
fn digit(c: char) -> char {
    let is_digit =
        |code: u32| char::from_u32(code).is_some_and(|c| c.general_category() == GeneralCategory::DecimalNumber);
    let before = (1..=u32::from(c)).take_while(|back| is_digit(u32::from(c) - back)).count();
    u32::try_from(before % 10).ok().and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

/// Whether nobody sees a character: marks of direction, joiners, soft hyphens, byte order marks, variation selectors.
fn is_invisible(c: char) -> bool {
    if c.is_ascii_graphic() || c.is_whitespace() {
        return false;
    }
    matches!(c.general_category(), GeneralCategory::Format | GeneralCategory::Control)
        || matches!(c,
            '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2065}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}')
}
