//! Which characters a label can show, and what replaces the others.

use any_ascii::any_ascii_char;

use super::faces::{Faces, Weight};
use super::shaping::is_joiner;

/// Marks a text that was cut.
pub const ELLIPSIS: char = '…';
/// The longest text that is shaped: no line of a label can show more.
const MAX_CHARS: usize = 160;

/// The characters of a text that labels cannot show, without duplicates, in the order of the text. Spaces, control characters
/// and invisible characters are not among them.
pub fn unprintable(text: &str) -> Vec<char> {
    let Ok(faces) = Faces::get() else { return Vec::new() };
    let mut found = Vec::new();
    for c in text.chars() {
        let shown = is_blank(c) || is_invisible(c) || is_joiner(c) || faces.shown(c).is_some();
        if !shown && !found.contains(&c) {
            found.push(c);
        }
    }
    found
}

impl Faces {
    /// Turns a text into one line of printable characters: normalizes spaces, drops invisible characters, transliterates
    /// letters and digits that no font has, and drops other characters that no font has.
    pub fn clean(&self, text: &str) -> String {
        let mut clean = String::new();
        for (at, c) in text.chars().filter(|c| !is_invisible(*c)).enumerate() {
            if at == MAX_CHARS {
                clean.push(ELLIPSIS);
                break;
            }
            if is_blank(c) {
                if !clean.is_empty() && !clean.ends_with(' ') {
                    clean.push(' ');
                }
            } else if is_joiner(c) {
                clean.extend(clean.chars().next_back().filter(|before| self.may_join(*before)).map(|_| c));
            } else if let Some(shown) = self.shown(c) {
                clean.push(shown);
            } else if c.is_alphanumeric() {
                clean.extend(any_ascii_char(c).chars().filter(char::is_ascii_graphic));
            }
        }
        clean.truncate(clean.trim_end_matches(|c| c == ' ' || is_joiner(c)).len());
        clean
    }

    /// The character to print for one that is not a space, if any font has it.
    fn shown(&self, c: char) -> Option<char> {
        let c = match c {
            '\u{2011}' => '-', // non-breaking hyphen
            '\u{2024}' => '.', // one dot leader, used for abbreviations in Armenian
            c => c,
        };
        self.face_of(c, Weight::Regular).map(|_| c)
    }

    /// Whether a joiner may follow a character. Joiners matter in scripts that join letters, and Fira Sans has none of those.
    fn may_join(&self, before: char) -> bool {
        self.face_of(before, Weight::Regular).is_some_and(|face| face.single_weight)
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Invisible characters: direction marks, variation selectors, soft hyphens, fillers.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}
