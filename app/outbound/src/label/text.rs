//! Text that fits: shaped once by the shaper that draws it, then shrunk, wrapped or cut by its real width.
//!
//! Widths are in ems (1.0 is the font size), so that one shaping serves every size.

use std::sync::LazyLock;

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::UnicodeBuffer;

use super::LabelError;

/// Stands for a character that the fonts lack: seen, so that somebody asks.
const PLACEHOLDER: char = '▯';
/// Marks what was cut.
const ELLIPSIS: char = '…';
/// No line of a label can show more; nobody makes us shape a novel.
const LONGEST: usize = 160;
/// From one baseline to the next, in ems.
pub const LEADING: f32 = 1.18;
/// A little more than the blank of either cut, in ems.
const SPACE: f32 = 0.24;
/// Sizes are tried in steps of this many points.
const STEP: f32 = 0.5;

/// One of the two cuts of the label's typeface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// For what is read second.
    Regular,
    /// For what is read first.
    Bold,
}

/// A cut of the typeface, once for shaping and once for embedding.
struct Face {
    shaper: rustybuzz::Face<'static>,
    font: Font,
}

/// Both cuts, read once a process.
pub struct Faces {
    regular: Face,
    bold: Face,
}

static FACES: LazyLock<Option<Faces>> = LazyLock::new(|| {
    Some(Faces {
        regular: Face::read(include_bytes!("fonts/FiraSansCondensed-Regular.ttf"))?,
        bold: Face::read(include_bytes!("fonts/FiraSansCondensed-SemiBold.ttf"))?,
    })
});

/// A line that is ready to draw.
#[derive(Debug, Clone)]
pub struct Line {
    /// What it says.
    pub text: String,
    /// The cut it was shaped in.
    pub weight: Weight,
    /// Its size in points.
    pub size: f32,
    /// Its glyphs, for a size of 1.
    pub glyphs: Vec<KrillaGlyph>,
    /// Its width in ems.
    ems: f32,
}

impl Line {
    /// How wide it is drawn, in points.
    pub fn width(&self) -> f32 {
        self.ems * self.size
    }
}

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

impl Face {
    fn read(bytes: &'static [u8]) -> Option<Self> {
        Some(Self { shaper: rustybuzz::Face::from_slice(bytes, 0)?, font: Font::new(bytes.into(), 0)? })
    }
}

impl Faces {
    /// The fonts that are built in.
    pub fn get() -> Result<&'static Self, LabelError> {
        FACES.as_ref().ok_or(LabelError::Font)
    }

    fn face(&self, weight: Weight) -> &Face {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The font to embed for `weight`.
    pub fn font(&self, weight: Weight) -> Font {
        self.face(weight).font.clone()
    }

    /// The outlines to draw for `weight`.
    pub fn outlines(&self, weight: Weight) -> &rustybuzz::ttf_parser::Face<'static> {
        &self.face(weight).shaper
    }

    /// One line of text as printable characters: blanks in one size, invisible marks dropped, what the
    /// fonts lack replaced.
    pub fn clean(&self, text: &str) -> String {
        let mut clean = String::new();
        for (at, c) in text.chars().filter(|c| !is_invisible(*c)).enumerate() {
            match c {
                _ if at == LONGEST => {
                    clean.push(ELLIPSIS);
                    break;
                }
                c if c.is_whitespace() || c.is_control() => {
                    if !clean.is_empty() && !clean.ends_with(' ') {
                        clean.push(' ');
                    }
                }
                '\u{2011}' => clean.push('-'), // the hyphen that does not break
                c if self.regular.shaper.glyph_index(c).is_some() => clean.push(c),
                _ => clean.push(PLACEHOLDER),
            }
        }
        clean.truncate(clean.trim_end().len());
        clean
    }

    /// Shapes clean text, for a size in points.
    fn shape(&self, text: &str, weight: Weight, size: f32) -> Line {
        let face = self.face(weight);
        let em = |units: i32| f32::from(i16::try_from(units).unwrap_or(i16::MAX)) / face.font.units_per_em();
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let shaped = rustybuzz::shape(&face.shaper, &[], buffer);

        let mut end = text.len();
        let mut start = end;
        let mut glyphs = Vec::with_capacity(shaped.len());
        // From the last to the first: a glyph's text ends where the next cluster begins.
        for (info, at) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()).rev() {
            let cluster = usize::try_from(info.cluster).unwrap_or_default();
            if cluster != start {
                (start, end) = (cluster, start);
            }
            let id = GlyphId::new(info.glyph_id);
            let (advance, x, y) = (em(at.x_advance), em(at.x_offset), em(at.y_offset));
            glyphs.push(KrillaGlyph::new(id, advance, x, y, 0.0, start..end, None));
        }
        glyphs.reverse();
        let ems = glyphs.iter().map(|glyph| glyph.x_advance).sum();
        Line { text: text.to_owned(), weight, size, glyphs, ems }
    }

    /// One line that is no wider than `width` points: as large as possible between `smallest` and
    /// `largest`, then cut.
    pub fn fit_line(&self, text: &str, weight: Weight, width: f32, largest: f32, smallest: f32) -> Line {
        let mut line = self.shape(&self.clean(text), weight, largest);
        if line.width() > width {
            line.size = (width / line.ems).max(smallest);
        }
        self.cut(line, width)
    }

    /// The line, or as much of it as `width` points hold, and "…".
    fn cut(&self, line: Line, width: f32) -> Line {
        if line.width() <= width * 1.001 {
            return line;
        }
        let dots = self.shape(&ELLIPSIS.to_string(), line.weight, line.size);
        let mut room = width / line.size - dots.ems - 0.05; // the ellipsis may be kerned
        let mut end = 0;
        for glyph in &line.glyphs {
            room -= glyph.x_advance;
            if room < 0.0 {
                break;
            }
            end = glyph.text_range.end;
        }
        let kept = line.text.get(..end).unwrap_or_default().trim_end_matches([' ', ',', ELLIPSIS]);
        self.shape(&format!("{kept}{ELLIPSIS}"), line.weight, line.size)
    }

    /// A text's words, each with its width in ems.
    fn words(&self, text: &str, weight: Weight) -> Vec<(String, f32)> {
        text.split(' ').map(|word| (word.to_owned(), self.shape(word, weight, 1.0).ems)).collect()
    }

    /// Lines of one size in a room, the first in bold if wanted: whole while they stay comfortable, then
    /// wrapped, then cut.
    pub fn fit_block(&self, lines: &[String], first: Weight, room: Room) -> Vec<Line> {
        let lines: Vec<(String, Weight)> = lines
            .iter()
            .map(|line| self.clean(line))
            .filter(|line| !line.is_empty())
            .enumerate()
            .map(|(at, line)| (line, if at == 0 { first } else { Weight::Regular }))
            .collect();
        let whole: Vec<Line> = lines.iter().map(|(line, weight)| self.shape(line, *weight, room.comfortable)).collect();
        let widest = whole.iter().map(|line| line.ems).fold(0.0, f32::max);
        let size = room.largest.min(room.width / widest).min(room.height / ems_high(whole.len()));
        if size >= room.comfortable {
            return whole.into_iter().map(|line| Line { size, ..line }).collect();
        }
        self.wrap_block(&lines, room).unwrap_or_else(|| self.cut_block(lines, room))
    }

    /// The largest size at which the lines fit once they are wrapped.
    fn wrap_block(&self, lines: &[(String, Weight)], room: Room) -> Option<Vec<Line>> {
        let words: Vec<_> = lines.iter().map(|(line, weight)| self.words(line, *weight)).collect();
        let mut size = room.largest;
        while size >= room.smallest {
            let wrapped: Option<Vec<_>> = words.iter().map(|words| wrap(words, room.width / size)).collect();
            let wrapped = wrapped.filter(|lines| {
                let count = lines.iter().map(Vec::len).sum();
                ems_high(count) * size <= room.height
            });
            if let Some(wrapped) = wrapped {
                let pieces = wrapped.into_iter().zip(lines);
                let shape = |(pieces, (_, weight)): (Vec<String>, &(String, Weight))| {
                    pieces.into_iter().map(|piece| self.shape(&piece, *weight, size)).collect::<Vec<_>>()
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
    fn cut_block(&self, mut lines: Vec<(String, Weight)>, room: Room) -> Vec<Line> {
        let fits = |count: usize| ems_high(count) * room.smallest <= room.height;
        if let [(line, weight)] = lines.as_slice() {
            let weight = *weight;
            let mut pieces = wrap(&self.words(line, weight), room.width / room.smallest).unwrap_or_default();
            let most = (1..=pieces.len()).rev().find(|count| fits(*count)).unwrap_or(1);
            if pieces.len() >= most {
                let rest = pieces.split_off(most - 1).join(" ");
                pieces.push(rest);
                lines = pieces.into_iter().map(|piece| (piece, weight)).collect();
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
        let cut = |(line, weight): (String, Weight)| self.cut(self.shape(&line, weight, room.smallest), room.width);
        lines.into_iter().map(cut).collect()
    }
}

/// Words in lines of at most `ems`; `None` when a word alone is wider.
fn wrap(words: &[(String, f32)], ems: f32) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0.0;
    for (word, width) in words {
        match lines.last_mut() {
            _ if *width > ems => return None,
            Some(line) if used + SPACE + width <= ems => {
                line.push(' ');
                line.push_str(word);
                used += SPACE + width;
            }
            _ => {
                lines.push(word.clone());
                used = *width;
            }
        }
    }
    Some(lines)
}

/// The height of so many lines, in ems.
fn ems_high(lines: usize) -> f32 {
    f32::from(u16::try_from(lines).unwrap_or(u16::MAX)) * LEADING
}

/// Marks without a shape of their own: joiners, direction marks, variation selectors, soft hyphens.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}')
}
