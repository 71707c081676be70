//! Lays the parts of an address out by the form of its country.

use super::{
    compare::is_same,
    form::{Line, Piece},
    parts::Parts,
};

/// A written line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub kind: Kind,
    pub text: String,
}

/// What a row is about; rows of one kind belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Name,
    Street,
    Place,
    /// A postal code alone.
    PostalCode,
    Country,
}

/// The rows of an address, without its country. Each part is in one of them.
pub(super) fn rows(mut parts: Parts, mut lines: Vec<Line>, is_label: bool) -> Vec<Row> {
    settle_names(&mut parts, &mut lines, is_label);
    make_room(&parts, &mut lines);
    // In Japan the name is the last line; who takes care of the mail stands above it there.
    let names =
        if lines.first() == Some(&Line::Name) { [&parts.name, &parts.care_of] } else { [&parts.care_of, &parts.name] };
    let row = |kind, text: &String| Row { kind, text: text.clone() };
    let rows = lines.iter().flat_map(|line| match line {
        Line::Name => names.map(|text| row(Kind::Name, text)).to_vec(),
        Line::Street => [&parts.street, &parts.additional].map(|text| row(Kind::Street, text)).to_vec(),
        Line::Place(pieces) => {
            let text = place(&parts, pieces);
            let kind = if text == parts.postal_code { Kind::PostalCode } else { Kind::Place };
            vec![Row { kind, text }]
        }
    });
    rows.filter(|row| !row.text.is_empty()).collect()
}

/// A name that the post wants in each address may also be what somebody typed as the city or the state. It is written once then, as
/// it was typed.
fn settle_names(parts: &mut Parts, lines: &mut [Line], is_label: bool) {
    let has_city = have_place_for_city(lines);
    for piece in lines.iter_mut().filter_map(pieces_of).flatten() {
        let Piece::Name(name) = *piece else { continue };
        if is_same(&parts.state, name) {
            parts.state.clear();
        }
        if is_same(&parts.city, name) {
            // On a label it is in capitals, as the post writes it.
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

/// Gives parts that the form has no place for a place of their own.
fn make_room(parts: &Parts, lines: &mut Vec<Line>) {
    let lacks = |lines: &[Line], piece| !lines.iter().any(|line| holds(line, piece));
    if !parts.city.is_empty() && lacks(lines, Piece::City) {
        let place = lines.iter().position(|line| matches!(line, Line::Place(_)));
        let before_street =
            lines.iter().position(|line| *line == Line::Street).filter(|_| lines.last() == Some(&Line::Name));
        let at = place.or(before_street).unwrap_or(lines.len());
        lines.insert(at, Line::Place(vec![Piece::City]));
    }
    let city = lines.iter().position(|line| holds(line, Piece::City));
    if !parts.state.is_empty() && lacks(lines, Piece::State) {
        let own = Line::Place(vec![Piece::State]);
        let at = city.unwrap_or(lines.len());
        let is_alone = lines.get(at) == Some(&Line::Place(vec![Piece::City]));
        let is_below_street = is_alone && lines.get(at + 1) != Some(&Line::Street);
        // Sorting machines read the line of the city and the postal code as the last one.
        lines.insert(if is_below_street { at + 1 } else { at }, own);
    }
    if !parts.postal_code.is_empty() && lacks(lines, Piece::PostalCode) {
        match lines.iter_mut().find(|line| holds(line, Piece::City)).and_then(pieces_of) {
            Some(pieces) if !parts.city.is_empty() => pieces.extend([Piece::Between(" "), Piece::PostalCode]),
            _ => lines.push(Line::Place(vec![Piece::PostalCode])),
        }
    }
}

/// Whether lines name the city in a place of its own.
pub(super) fn have_place_for_city(lines: &[Line]) -> bool {
    lines.iter().any(|line| holds(line, Piece::City))
}

fn holds(line: &Line, piece: Piece) -> bool {
    matches!(line, Line::Place(pieces) if pieces.contains(&piece))
}

fn pieces_of(line: &mut Line) -> Option<&mut Vec<Piece>> {
    match line {
        Line::Place(pieces) => Some(pieces),
        Line::Name | Line::Street => None,
    }
}

/// A line that says where. What stands between two pieces is written only if both are.
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
                // Where a piece is missing, one of its two neighbours is left: the plain blank, if it is one.
                between = if between == " " { between } else { text };
                continue;
            }
        };
        if text.is_empty() {
            continue;
        }
        if !line.is_empty() {
            let touches = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            // Scripts without blanks between words write none here, but the part may be in Latin letters.
            let needs_blank = between.is_empty() && (touches(line.chars().last()) || touches(text.chars().next()));
            line.push_str(if needs_blank { " " } else { between });
        }
        line.push_str(text);
        between = "";
    }
    line
}
