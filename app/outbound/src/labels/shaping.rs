//! Turns text into glyphs in visual order: splits it by writing direction and by font, then shapes each piece.
//!
//! Widths are in ems (1.0 is the font size), so that a text is shaped once for all sizes.

use std::ops::Range;

use krilla::text::{GlyphId, KrillaGlyph};
use rustybuzz::{Direction, UnicodeBuffer};
use unicode_bidi::{Level, ParagraphBidiInfo, get_base_direction};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::faces::{Face, Faces, Weight};

/// The stroke that makes a font without a bold weight look bold, in ems.
const BOLD_STROKE_EMS: f32 = 0.03;

/// The regional form of Han characters: one character can look different in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Han {
    /// China's, and the default.
    Simplified,
    /// Taiwan's, Hong Kong's and Macao's.
    Traditional,
    /// Japan's.
    Japanese,
    /// Korea's.
    Korean,
}

impl Han {
    /// The form of a country (ISO 3166-1 alpha-2).
    pub fn of_country(code: &str) -> Self {
        match code {
            "TW" | "HK" | "MO" => Self::Traditional,
            "JP" => Self::Japanese,
            "KR" | "KP" => Self::Korean,
            _ => Self::Simplified,
        }
    }

    /// The language (BCP 47) by which a font selects the form.
    fn language(self) -> &'static str {
        match self {
            Self::Simplified => "zh-hans",
            Self::Traditional => "zh-hant",
            Self::Japanese => "ja",
            Self::Korean => "ko",
        }
    }
}

/// How a text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The weight.
    pub weight: Weight,
    /// The form of Han characters.
    pub han: Han,
    /// Whether the text as a whole runs from right to left.
    pub right_to_left: bool,
}

/// A part of a text, and the font for it.
struct FontPiece {
    face: &'static Face,
    range: Range<usize>,
}

/// Neighbouring glyphs of one font, from left to right.
#[derive(Clone)]
pub struct GlyphRun {
    /// Their font.
    pub face: &'static Face,
    /// The glyphs for a size of 1. Each refers to its part of the line's text.
    pub glyphs: Vec<KrillaGlyph>,
}

impl GlyphRun {
    /// Its width for a line whose size is 1.
    pub fn ems(&self) -> f32 {
        self.glyphs.iter().map(|glyph| glyph.x_advance).sum::<f32>() * self.face.scale
    }
}

/// A shaped line, ready to draw.
#[derive(Clone)]
pub struct TextLine {
    /// The text in reading order.
    pub text: String,
    /// Its style.
    pub style: Style,
    /// Its size in points.
    pub size: f32,
    /// From left to right.
    pub runs: Vec<GlyphRun>,
    /// Its width in ems.
    pub ems: f32,
}

impl TextLine {
    /// Its width in points.
    pub fn width(&self) -> f32 {
        self.ems * self.size
    }

    /// The width of the stroke that makes a run bold, in points; `None` if its font has a bold weight.
    pub fn bold_stroke(&self, run: &GlyphRun) -> Option<f32> {
        (run.face.single_weight && self.style.weight == Weight::Bold).then_some(self.size * BOLD_STROKE_EMS)
    }
}

/// Whether the first letter of a text belongs to a right-to-left script; `None` without letters.
pub fn is_right_to_left(text: &str) -> Option<bool> {
    match get_base_direction(text) {
        unicode_bidi::Direction::Ltr => Some(false),
        unicode_bidi::Direction::Rtl => Some(true),
        unicode_bidi::Direction::Mixed => None,
    }
}

impl Faces {
    /// Shapes clean text, for a size in points.
    pub fn shape(&'static self, text: &str, style: Style, size: f32) -> TextLine {
        let base = self.base(style.weight);
        let mut runs = Vec::new();
        // The fast path for most labels: one font, left to right.
        if text.chars().all(|c| base.has(c)) && !style.right_to_left {
            runs.push(shape_run(base, text, 0..text.len(), Direction::LeftToRight, style.han));
        } else {
            let level = if style.right_to_left { Level::rtl() } else { Level::ltr() };
            let read = with_codes_as_numbers(text);
            let bidi = ParagraphBidiInfo::new(&read, Some(level));
            let (levels, visual) = bidi.visual_runs(0..text.len());
            for range in visual {
                let from_right = levels.get(range.start).is_some_and(Level::is_rtl);
                let direction = if from_right { Direction::RightToLeft } else { Direction::LeftToRight };
                let mut pieces = self.split_by_font(text, range, style.weight);
                if from_right {
                    pieces.reverse();
                }
                let shaped = pieces
                    .into_iter()
                    .map(|FontPiece { face, range }| shape_run(face, text, range, direction, style.han));
                runs.extend(shaped);
            }
        }
        let ems = runs.iter().map(GlyphRun::ems).sum();
        TextLine { text: text.to_owned(), style, size, runs, ems }
    }

    /// Splits a part of a text into pieces of one font each.
    fn split_by_font(&'static self, text: &str, range: Range<usize>, weight: Weight) -> Vec<FontPiece> {
        let mut pieces: Vec<FontPiece> = Vec::new();
        for (at, c) in text.get(range.clone()).unwrap_or_default().char_indices() {
            let (start, end) = (range.start + at, range.start + at + c.len_utf8());
            let last = pieces.last_mut();
            let before = last.as_ref().map(|piece| piece.face).filter(|face| face.has(c));
            let joins = is_joiner(c) || c == ' ' || c.general_category_group() == GeneralCategoryGroup::Mark;
            let own = self.face_of(c, weight);
            let face = match own {
                _ if joins && before.is_some() => before,
                Some(face) if face.single_weight => before.or(own),
                _ => own.or(before),
            };
            let Some(face) = face else { continue };
            match last {
                Some(piece) if std::ptr::eq(piece.face, face) => piece.range.end = end,
                _ => pieces.push(FontPiece { face, range: start..end }),
            }
        }
        pieces
    }
}

/// A text of the same length for the bidirectional algorithm (UAX 9), in which each code with a hyphen or a slash is one
/// number. The algorithm alone would turn `12233-4321` after an Arabic word into `4321-12233`, another postal code.
fn with_codes_as_numbers(text: &str) -> String {
    let is_joint = |c: char| matches!(c, '-' | '/' | '\u{2010}'..='\u{2013}');
    let is_digit = |c: char| matches!(c, '0'..='9' | '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}');
    let is_outside = |c: char| !(is_joint(c) || is_digit(c) || c.is_ascii_alphabetic());
    let mut read = String::with_capacity(text.len());
    for piece in text.split_inclusive(is_outside) {
        let before = piece.len() - piece.trim_start_matches(is_joint).len();
        let end = piece.trim_end_matches(|c: char| is_outside(c) || is_joint(c)).len();
        let code = piece.get(before..end).unwrap_or_default();
        if !(code.contains(is_joint) && code.contains(is_digit)) {
            read.push_str(piece);
            continue;
        }
        read.push_str(piece.get(..before).unwrap_or_default());
        read.extend(code.chars().map(digit_of_length));
        read.push_str(piece.get(end..).unwrap_or_default());
    }
    read
}

/// A digit with as many bytes as a character.
fn digit_of_length(c: char) -> char {
    match c.len_utf8() {
        1 => '0',
        2 => '\u{660}',
        _ => '\u{ff10}',
    }
}

/// Zero-width joiners and non-joiners, which control whether letters join.
pub fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

fn shape_run(face: &'static Face, text: &str, range: Range<usize>, direction: Direction, han: Han) -> GlyphRun {
    let em = |units: i32| f32::from(i16::try_from(units).unwrap_or(i16::MAX)) / face.font.units_per_em();
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text.get(range.clone()).unwrap_or_default());
    buffer.set_direction(direction);
    if let Ok(language) = han.language().parse()
        && face.single_weight
    {
        buffer.set_language(language);
    }
    buffer.guess_segment_properties();
    let shaped = rustybuzz::shape(&face.shaper, &[], buffer);

    let mut end = range.end;
    let mut start = end;
    let mut glyphs = Vec::with_capacity(shaped.len());
    // From the end of the text to its start: a glyph's text ends where the next cluster starts.
    let each = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
    let mut add = |(info, at): (&rustybuzz::GlyphInfo, &rustybuzz::GlyphPosition)| {
        let cluster = range.start + usize::try_from(info.cluster).unwrap_or_default();
        if cluster != start {
            (start, end) = (cluster, start);
        }
        let id = GlyphId::new(info.glyph_id);
        let (advance, x, y) = (em(at.x_advance), em(at.x_offset), em(at.y_offset));
        glyphs.push(KrillaGlyph::new(id, advance, x, y, 0.0, start..end, None));
    };
    if direction == Direction::RightToLeft {
        each.for_each(&mut add);
    } else {
        each.rev().for_each(&mut add);
        glyphs.reverse();
    }
    // Never draw the box that stands for a missing character.
    glyphs.retain(|glyph| glyph.glyph_id.to_u32() != 0);
    GlyphRun { face, glyphs }
}
