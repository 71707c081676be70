//! Lays out the parts of an address in the form of its country.

use super::{
    compare::is_same,
    form::{FormLine, Piece},
    parts::Parts,
};

/// A line as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AddressLine {
    pub kind: LineContent,
    pub text: String,
}

/// What a line contains. Lines with equal content belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LineContent {
    Name,
    Street,
    Place,
    /// A postal code without a city.
    PostalCode,
    Country,
}

/// The lines of an address without its country. Each part is in one of them.
pub(super) fn rows(mut parts: Parts, mut lines: Vec<FormLine>, is_label: bool) -> Vec<AddressLine> {
    write_fixed_names_once(&mut parts, &mut lines, is_label);
    add_missing_places(&parts, &mut lines);
    // In Japan the name is the last line, and "c/o" stands above it.
    let names = if lines.first() == Some(&FormLine::Name) {
        [&parts.name, &parts.care_of]
    } else {
        [&parts.care_of, &parts.name]
    };
    let row = |kind, text: &String| AddressLine { kind, text: text.clone() };
    let rows = lines.iter().flat_map(|line| match line {
        FormLine::Name => names.map(|text| row(LineContent::Name, text)).to_vec(),
        FormLine::Street => [&parts.street, &parts.additional].map(|text| row(LineContent::Street, text)).to_vec(),
        FormLine::Place(pieces) => {
            let text = place(&parts, pieces);
            let kind = if text == parts.postal_code { LineContent::PostalCode } else { LineContent::Place };
            vec![AddressLine { kind, text }]
        }
    });
    rows.filter(|row| !row.text.is_empty()).collect()
}

/// A fixed name of the form may also be the city or state that was typed. It is then written once, as it was typed.
fn write_fixed_names_once(parts: &mut Parts, lines: &mut [FormLine], is_label: bool) {
    let has_city = have_city(lines);
    for piece in lines.iter_mut().filter_map(pieces_of).flatten() {
        let Piece::Name(name) = *piece else { continue };
        if is_same(&parts.state, name) {
            parts.state.clear();
        }
        if is_same(&parts.city, name) {
            // A label has it in capitals, as the postal service writes it.
            *piece = match (has_city, is_label) {
                (true, _) => Piece::Between(""),
                (false, true) => Piece::Name(name),
                (false, false) => Piece::City,
            };
            if !has_city && is_label {
                parts.city.clear();
            }
        }
    }
}

/// Adds a line for each part that the form has no place for.
fn add_missing_places(parts: &Parts, lines: &mut Vec<FormLine>) {
    let lacks = |lines: &[FormLine], piece| !lines.iter().any(|line| holds(line, piece));
    if !parts.city.is_empty() && lacks(lines, Piece::City) {
        let place = lines.iter().position(|line| matches!(line, FormLine::Place(_)));
        let before_street =
            lines.iter().position(|line| *line == FormLine::Street).filter(|_| lines.last() == Some(&FormLine::Name));
        let at = place.or(before_street).unwrap_or(lines.len());
        lines.insert(at, FormLine::Place(vec![Piece::City]));
    }
    let city = lines.iter().position(|line| holds(line, Piece::City));
    if !parts.state.is_empty() && lacks(lines, Piece::State) {
        let own = FormLine::Place(vec![Piece::State]);
        let at = city.unwrap_or(lines.len());
        let is_alone = lines.get(at) == Some(&FormLine::Place(vec![Piece::City]));
        let is_below_street = is_alone && lines.get(at + 1) != Some(&FormLine::Street);
        // Sorting machines expect the city and the postal code on the last line.
        lines.insert(if is_below_street { at + 1 } else { at }, own);
    }
    if !parts.postal_code.is_empty() && lacks(lines, Piece::PostalCode) {
        match lines.iter_mut().find(|line| holds(line, Piece::City)).and_then(pieces_of) {
            Some(pieces) if !parts.city.is_empty() => pieces.extend([Piece::Between(" "), Piece::PostalCode]),
            _ => lines.push(FormLine::Place(vec![Piece::PostalCode])),
        }
    }
}

/// Whether the lines have a place for the city.
pub(super) fn have_city(lines: &[FormLine]) -> bool {
    lines.iter().any(|line| holds(line, Piece::City))
}

fn holds(line: &FormLine, piece: Piece) -> bool {
    matches!(line, FormLine::Place(pieces) if pieces.contains(&piece))
}

fn pieces_of(line: &mut FormLine) -> Option<&mut Vec<Piece>> {
    match line {
        FormLine::Place(pieces) => Some(pieces),
        FormLine::Name | FormLine::Street => None,
    }
}

/// The text of a line. The text between two pieces is written only if both are present.
fn place(parts: &Parts, pieces: &[Piece]) -> String {
    let mut line = String::new();
    let mut between = "";
    for piece in pieces {
        let text = match *piece {
            Piece::City => parts.city.as_str(),
            Piece::State => &parts.state,
            Piece::PostalCode => &parts.postal_code,
            Piece::Name(name) => name,
            Piece::Between(text) => {
                // If a piece is missing, one of the texts around it remains: the plain space, if it is one of them.
                between = if between == " " { between } else { text };
                continue;
            }
        };
        if text.is_empty() {
            continue;
        }
        if !line.is_empty() {
            let touches = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            // Scripts without spaces between words have no separator here, but the part may be in Latin letters.
            let needs_blank = between.is_empty() && (touches(line.chars().last()) || touches(text.chars().next()));
            line.push_str(if needs_blank { " " } else { between });
        }
        line.push_str(text);
        between = "";
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_scripts_without_spaces_are_kept_apart_from_latin_ones() {
        let written = |city: &str, state: &str| {
            let parts = Parts { city: city.to_owned(), state: state.to_owned(), ..Parts::default() };
            place(&parts, &[Piece::State, Piece::City])
        };
        assert_eq!(written("渋谷区", "東京都"), "東京都渋谷区");
        assert_eq!(written("Shibuya", "東京都"), "東京都 Shibuya");
        assert_eq!(written("渋谷区", "Tokyo"), "Tokyo 渋谷区");
    }
}
