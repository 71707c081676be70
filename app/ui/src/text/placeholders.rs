//! A strict parser for texts: every brace belongs to a placeholder `{0}` or to plural forms `{0:one=day;other=days}`. What
//! [`plural`](super::plural()) and [`format`](super::format()) would show literally is an error here.

use std::collections::BTreeSet;

/// A text, parsed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pieces<'a>(pub Vec<Piece<'a>>);

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Literal text.
    Text(&'a str),
    /// The place of the value with this number.
    Slot(usize),
    /// Plural forms, by category, that depend on the value with this number.
    Forms(usize, Vec<(&'a str, Pieces<'a>)>),
}

/// What the parser expected.
pub type Expected = &'static str;

const BRACES: Expected = "expected as many { as }: they are for placeholders such as {0}";
const NUMBER: Expected = "expected a number in braces, such as {0}, or forms such as {0:one=day;other=days}";
const FORMS: Expected = "expected forms as in {0:one=day;other=days}, with placeholders but no forms in them";

/// Parses a text.
pub fn read(text: &str) -> Result<Pieces<'_>, Expected> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, from)) = rest.find(['{', '}']).and_then(|at| rest.split_at_checked(at)) {
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        let (inside, after) = from.strip_prefix('{').and_then(split_at_end).ok_or(BRACES)?;
        pieces.push(placeholder(inside)?);
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(Pieces(pieces))
}

/// Splits at the closing brace.
fn split_at_end(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1_usize;
    let end = text.char_indices().find_map(|(at, sign)| {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let (inside, rest) = text.split_at_checked(end)?;
    Some((inside, rest.strip_prefix('}')?))
}

fn placeholder(inside: &str) -> Result<Piece<'_>, Expected> {
    match inside.split_once(':') {
        None => Ok(Piece::Slot(number(inside)?)),
        Some((before, forms)) => {
            let number = number(before)?;
            Ok(Piece::Forms(number, forms.split(';').map(form).collect::<Result<_, _>>()?))
        }
    }
}

fn form(form: &str) -> Result<(&str, Pieces<'_>), Expected> {
    // A nested form ends where the inner forms begin, so its braces do not match.
    let (category, text) = form.split_once('=').ok_or(FORMS)?;
    let text = read(text).map_err(|_| FORMS)?;
    if text.0.iter().any(|piece| matches!(piece, Piece::Forms(..))) { Err(FORMS) } else { Ok((category, text)) }
}

/// No text has ten placeholders.
fn number(text: &str) -> Result<usize, Expected> {
    let is_one = text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_one).ok_or(NUMBER)
}

impl<'a> Pieces<'a> {
    /// The plural forms, with the numbers that they depend on.
    pub fn forms(&self) -> impl Iterator<Item = (usize, &[(&'a str, Self)])> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Forms(number, forms) => Some((*number, forms.as_slice())),
            _ => None,
        })
    }

    /// The numbers that plural forms depend on.
    pub fn counts(&self) -> BTreeSet<usize> {
        self.forms().map(|(number, _)| number).collect()
    }

    /// The numbers that appear, in any form.
    pub fn shown(&self) -> BTreeSet<usize> {
        let own = self.0.iter().filter_map(|piece| match piece {
            Piece::Slot(number) => Some(*number),
            _ => None,
        });
        let within = self.forms().flat_map(|(_, forms)| forms).flat_map(|(_, text)| text.shown());
        own.chain(within).collect()
    }

    /// How often a number appears with the form `other`, and how often at most.
    pub fn times(&self, number: usize) -> (usize, usize) {
        let (mut usually, mut most) = (0, 0);
        for piece in &self.0 {
            match piece {
                Piece::Slot(one) if *one == number => (usually, most) = (usually + 1, most + 1),
                Piece::Slot(_) | Piece::Text(_) => {}
                Piece::Forms(_, forms) => {
                    let times = |(category, text): &(&'a str, Self)| (*category, text.times(number).1);
                    let times: Vec<_> = forms.iter().map(times).collect();
                    usually += times.iter().find(|(category, _)| *category == "other").map_or(0, |(_, times)| *times);
                    most += times.iter().map(|(_, times)| *times).max().unwrap_or_default();
                }
            }
        }
        (usually, most)
    }

    /// Whether a property holds for the text without its forms and for each form, and thus for every text that can appear.
    pub fn each_run(&self, holds: fn(&str) -> bool) -> bool {
        let own = self.0.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(*text),
            _ => None,
        });
        holds(&own.collect::<String>())
            && self.forms().flat_map(|(_, forms)| forms).all(|(_, text)| text.each_run(holds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_parsed() {
        let text = "a {1} {0:one=x;other={0} y=z} é";
        let forms =
            vec![("one", Pieces(vec![Piece::Text("x")])), ("other", Pieces(vec![Piece::Slot(0), Piece::Text(" y=z")]))];
        let pieces =
            vec![Piece::Text("a "), Piece::Slot(1), Piece::Text(" "), Piece::Forms(0, forms), Piece::Text(" é")];
        assert_eq!(read(text), Ok(Pieces(pieces)));
        assert_eq!(read(""), Ok(Pieces::default()));
        let pieces = read(text).unwrap();
        assert_eq!((pieces.shown(), pieces.counts()), (BTreeSet::from([0, 1]), BTreeSet::from([0])));
        assert_eq!((pieces.times(0), pieces.times(1), pieces.times(2)), ((1, 1), (1, 1), (0, 0)));
        let pieces = read("{0} {0:one={0};other=x}").unwrap();
        assert_eq!(pieces.times(0), (1, 2));
    }

    #[test]
    fn malformed_placeholders_are_refused() {
        for (expected, texts) in [
            (BRACES, &["{", "}", "a { b", "{0", "{0}}", "}{", "{0:one={;other=x}", "{{0}"][..]),
            (NUMBER, &["{}", "{x}", "{ 0}", "{+0}", "{00}", "{10}", "{٣}", "{:one=a;other=b}", "{x:other=b}", "{{0}}"]),
            (FORMS, &["{0:}", "{0:day}", "{0:one=a;}", "{0:other={0:other=x}}", "{0:one=a;other={0:one=b;other=c}}"]),
        ] {
            for text in texts {
                assert_eq!(read(text), Err(expected), "{text}");
            }
        }
    }
}
