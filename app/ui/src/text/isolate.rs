//! Names inside sentences of another writing direction.

use crate::words::PageWords;

/// A name or a text by a person as part of a sentence. In languages written from right to left it is isolated, which keeps its own
/// direction.
pub fn isolated(text: &str, words: &dyn PageWords) -> String {
    match words.language().direction() {
        "rtl" => format!("\u{2068}{text}\u{2069}"),
        _ => text.to_owned(),
    }
}
