//! Text that fits: shaped once by the shaper that draws it, then shrunk, wrapped or cut by its real width.

use std::sync::LazyLock;

use icu_segmenter::{LineSegmenter, LineSegmenterBorrowed, options::LineBreakOptions};

use crate::labels::characters::ELLIPSIS;
use crate::labels::faces::{Faces, Weight};
use crate::labels::shaping::{Han, Line, Style, is_right_to_left};

/// From one baseline to the next, in ems.
pub const LEADING: f32 = 1.18;
/// A little more than the blank of either cut, in ems.
const SPACE: f32 = 0.24;
/// Sizes are tried in steps of this many points.
const STEP: f32 = 0.5;

/// Finds where scripts without blanks between words may break; from Unicode's rules (UAX 14), and by a model for Thai,
/// Lao, Khmer and Burmese.
static BREAKS: LazyLock<LineSegmenterBorrowed<'static>> =
    LazyLock::new(|| LineSegmenter::new_auto(LineBreakOptions::default()));

/// Room for text: all in points.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// From left to right.
    pub width: f32,
    /// From the top of the first line to the bottom of the last.
    pub height: f32,
    /// The size that is wanted.
    pub largest: f32,
    /// Lines are kept whole by shrinking to this, and wrapped rather than shrunk further.
    pub comfortable: f32,
    /// Nothing is smaller than this; what is still too long is cut.
    pub smallest: f32,
}

/// Fits text into its room, with Han characters in one country's form.
#[derive(Clone, Copy)]
pub struct Typesetter {
    faces: &'static Faces,
    han: Han,
}

/// A clean text and how it is set.
type Paragraph = (String, Style);

/// What stays together when a line is wrapped.
struct Word {
    text: String,
    /// Its width in ems.
    ems: f32,
    /// Whether a blank comes before it within a line.
    blank: bool,
}

impl Typesetter {
    /// Sets text with these fonts.
    pub fn new(faces: &'static Faces, han: Han) -> Self {
        Self { faces, han }
    }

    /// The same with another form of Han characters.
    pub fn with_han(self, han: Han) -> Self {
        Self { han, ..self }
    }

    /// Whether anything of a text can be shown.
    pub fn shows(self, text: &str) -> bool {
        !self.faces.clean(text).is_empty()
    }

    fn paragraph(self, text: &str, weight: Weight) -> Paragraph {
        let text = self.faces.clean(text);
        let style = Style { weight, han: self.han, right_to_left: is_right_to_left(&text) == Some(true) };
        (text, style)
    }

    /// One line that is no wider than `width` points: as large as possible between `smallest` and
    /// `largest`, then cut.
    pub fn fit_line(self, text: &str, weight: Weight, width: f32, largest: f32, smallest: f32) -> Line {
        let (text, style) = self.paragraph(text, weight);
        let mut line = self.faces.shape(&text, style, largest);
        if line.width() > width {
            line.size = (width / line.ems).max(smallest);
        }
        self.cut(line, width)
    }

    /// The line, or as much of it as `width` points hold, and "…".
    fn cut(self, line: Line, width: f32) -> Line {
        if line.width() <= width * 1.001 {
            return line;
        }
        let dots = self.faces.shape(&ELLIPSIS.to_string(), line.style, line.size);
        let mut room = width / line.size - dots.ems - 0.05; // the ellipsis may be kerned
        // In the order of reading, which is not that of the eye in every script.
        let mut clusters: Vec<(usize, f32)> = Vec::new();
        for run in &line.runs {
            clusters.extend(run.glyphs.iter().map(|glyph| (glyph.text_range.end, glyph.x_advance * run.face.scale)));
        }
        clusters.sort_by_key(|(end, _)| *end);
        let mut end = 0;
        for cluster in clusters.chunk_by(|(one, _), (other, _)| one == other) {
            room -= cluster.iter().map(|(_, advance)| advance).sum::<f32>();
            if room < 0.0 {
                break;
            }
            end = cluster.first().map_or(end, |(end, _)| *end);
        }
        let mut kept = line.text.get(..end).unwrap_or_default();
        loop {
            kept = kept.trim_end_matches([' ', ',', ELLIPSIS]);
            let cut = self.faces.shape(&format!("{kept}{ELLIPSIS}"), line.style, line.size);
            // A letter can be wider where no other follows.
            let Some(last) = kept.chars().next_back().filter(|_| cut.width() > width * 1.001) else { return cut };
            kept = kept.get(..kept.len() - last.len_utf8()).unwrap_or_default();
        }
    }

    /// A text's words, each with its width.
    fn words(self, (text, style): &Paragraph) -> Vec<Word> {
        let mut words = Vec::new();
        let mut add = |text: &str, blank: bool| {
            words.push(Word { text: text.to_owned(), ems: self.faces.shape(text, *style, 1.0).ems, blank });
        };
        for word in text.split(' ') {
            if word.chars().all(|c| self.faces.is_base(c)) {
                add(word, true);
                continue;
            }
            let mut start = 0;
            for end in BREAKS.segment_str(word).filter(|end| *end > 0) {
                add(word.get(start..end).unwrap_or_default(), start == 0);
                start = end;
            }
        }
        words
    }

    /// Lines of one size in a room, the first in bold if wanted: whole while they stay comfortable, then
    /// wrapped, then cut.
    pub fn fit_block(self, lines: &[String], first: Weight, room: Room) -> Vec<Line> {
        let lines: Vec<Paragraph> = lines
            .iter()
            .map(|line| self.paragraph(line, Weight::Regular))
            .filter(|(line, _)| !line.is_empty())
            .enumerate()
            .map(|(at, (line, style))| (line, if at == 0 { Style { weight: first, ..style } } else { style }))
            .collect();
        let whole: Vec<Line> =
            lines.iter().map(|(line, style)| self.faces.shape(line, *style, room.comfortable)).collect();
        let widest = whole.iter().map(|line| line.ems).fold(0.0, f32::max);
        let size = room.largest.min(room.width / widest).min(room.height / ems_high(whole.len()));
        if size >= room.comfortable {
            return whole.into_iter().map(|line| Line { size, ..line }).collect();
        }
        self.wrap_block(&lines, room).unwrap_or_else(|| self.cut_block(lines, room))
    }

    /// The largest size at which the lines fit once they are wrapped.
    fn wrap_block(self, lines: &[Paragraph], room: Room) -> Option<Vec<Line>> {
        let words: Vec<_> = lines.iter().map(|paragraph| self.words(paragraph)).collect();
        let mut size = room.largest;
        while size >= room.smallest {
            let wrapped: Option<Vec<_>> = words.iter().map(|words| wrap(words, room.width / size)).collect();
            let wrapped = wrapped.filter(|lines| {
                let count = lines.iter().map(Vec::len).sum();
                ems_high(count) * size <= room.height
            });
            if let Some(wrapped) = wrapped {
                let pieces = wrapped.into_iter().zip(lines);
                let shape = |(pieces, (_, style)): (Vec<String>, &Paragraph)| {
                    pieces.into_iter().map(|piece| self.faces.shape(&piece, *style, size)).collect::<Vec<_>>()
                };
                return Some(pieces.flat_map(shape).collect());
            }
            size -= STEP;
        }
        None
    }

    /// What fits of the lines in the smallest size. A single text runs on as far as there is room. Of
    /// several, each keeps one line, and too many lose their middle: the name and the last lines (postcode
    /// and town, country) are what brings a parcel home.
    fn cut_block(self, mut lines: Vec<Paragraph>, room: Room) -> Vec<Line> {
        let fits = |count: usize| ems_high(count) * room.smallest <= room.height;
        if let [paragraph] = lines.as_slice() {
            let style = paragraph.1;
            let mut pieces = wrap(&self.words(paragraph), room.width / room.smallest).unwrap_or_default();
            let most = (1..=pieces.len()).rev().find(|count| fits(*count)).unwrap_or(1);
            if pieces.len() >= most {
                let rest = pieces.split_off(most - 1).join(" ");
                pieces.push(rest);
                lines = pieces.into_iter().map(|piece| (piece, style)).collect();
            }
        }
        while lines.len() > 3 && !fits(lines.len()) {
            let middle = lines.len() - 3;
            lines.remove(middle);
            if let Some((before, _)) = lines.get_mut(middle - 1).filter(|(line, _)| !line.ends_with(ELLIPSIS)) {
                before.push(' ');
                before.push(ELLIPSIS);
            }
        }
        let cut = |(line, style): Paragraph| self.cut(self.faces.shape(&line, style, room.smallest), room.width);
        lines.into_iter().map(cut).collect()
    }
}

/// Words in lines of at most `ems`; `None` when a word alone is wider.
fn wrap(words: &[Word], ems: f32) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0.0;
    for word in words {
        let space = if word.blank { SPACE } else { 0.0 };
        match lines.last_mut() {
            _ if word.ems > ems => return None,
            Some(line) if used + space + word.ems <= ems => {
                if word.blank {
                    line.push(' ');
                }
                line.push_str(&word.text);
                used += space + word.ems;
            }
            _ => {
                lines.push(word.text.clone());
                used = word.ems;
            }
        }
    }
    Some(lines)
}

/// The height of so many lines, in ems.
fn ems_high(lines: usize) -> f32 {
    f32::from(u16::try_from(lines).unwrap_or(u16::MAX)) * LEADING
}
