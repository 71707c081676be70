//! Sentences with numbered slots: `"{0} of {1}"`.

/// A part of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Literal text.
    Text(&'a str),
    /// The place of the value with this number.
    Slot(usize),
}

/// Splits a sentence into texts and slots, in order.
pub fn parts(sentence: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = sentence;
    while let Some((before, number, after)) = next_slot(rest) {
        if !before.is_empty() {
            parts.push(Part::Text(before));
        }
        parts.push(Part::Slot(number));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

fn next_slot(text: &str) -> Option<(&str, usize, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (number, after) = rest.split_once('}')?;
    Some((before, number.parse().ok()?, after))
}

/// Fills in the slots of a sentence. Values are inserted as they are: slots inside a value stay text.
pub fn format(sentence: &str, values: &[&str]) -> String {
    parts(sentence).into_iter().fold(String::with_capacity(sentence.len() + 16), |mut text, part| {
        text.push_str(match part {
            Part::Text(part) => part,
            Part::Slot(number) => values.get(number).copied().unwrap_or_default(),
        });
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_in_once_and_in_any_order() {
        assert_eq!(format("{1} of {0}", &["{1}", "b"]), "b of {1}");
        assert_eq!(format("nothing {here", &["x"]), "nothing {here");
        assert_eq!(format("{0}{2}", &["a"]), "a");
    }
}
