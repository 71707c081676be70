//! Which characters a label can show, and what stands for the others.

use any_ascii::any_ascii_char;

use crate::labels::faces::{Faces, Weight};
use crate::labels::shaping::is_joiner;

/// Marks what was cut.
pub const ELLIPSIS: char = '…';
/// No line of a label can show more; nobody makes us shape a novel.
const LONGEST: usize = 160;

/// The characters of a text that labels cannot show, each once, in the order of the text. Blanks, control characters and
/// marks without a shape are not among them.
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
    /// One line of text as printable characters: blanks in one size, marks without a shape dropped, letters and digits
    /// that no font has in Latin, other characters that no font has left out.
    pub fn clean(&self, text: &str) -> String {
        let mut clean = String::new();
        for (at, c) in text.chars().filter(|c| !is_invisible(*c)).enumerate() {
            if at == LONGEST {
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

    /// The character to print for one that is not a blank, if any font has it.
    fn shown(&self, c: char) -> Option<char> {
        let c = match c {
            '\u{2011}' => '-', // the hyphen that does not break
            '\u{2024}' => '.', // what Armenian keyboards write abbreviations with
            c => c,
        };
        self.face_of(c, Weight::Regular).map(|_| c)
    }

    /// Joiners mean something within scripts that join their letters; the label's own typeface has none of these.
    fn may_join(&self, before: char) -> bool {
        self.face_of(before, Weight::Regular).is_some_and(|face| face.single_weight)
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Marks without a shape of their own: direction marks, variation selectors, soft hyphens, fillers.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}
