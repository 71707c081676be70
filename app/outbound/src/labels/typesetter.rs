//! Fits text into its room: shrinks, wraps or cuts it by the width of its shaped glyphs.

use std::sync::LazyLock;

use icu_segmenter::{LineSegmenter, LineSegmenterBorrowed, options::LineBreakOptions};
use krilla::text::KrillaGlyph;

use super::characters::ELLIPSIS;
use super::faces::{Faces, Weight};
use super::shaping::{Han, Style, TextLine, is_right_to_left};

/// The distance between baselines, in ems.
pub const LEADING: f32 = 1.18;
/// The width of a space, in ems: slightly more than in either weight.
const SPACE: f32 = 0.24;
/// The step between the sizes that are tried, in points.
const SIZE_STEP: f32 = 0.5;

/// Room that is reserved before an ellipsis for its kerning, in ems.
const KERNING_RESERVE: f32 = 0.05;
/// A line may be this much wider than its room, because widths are rounded.
const ROUNDING_TOLERANCE: f32 = 1.001;
/// How many lines an address keeps in any case.
const MIN_LINES: usize = 3;

/// Finds line breaks in scripts without spaces between words: by Unicode's rules (UAX 14), and by a model for Thai, Lao, Khmer
/// and Burmese.
static BREAKS: LazyLock<LineSegmenterBorrowed<'static>> =
    LazyLock::new(|| LineSegmenter::new_auto(LineBreakOptions::default()));

/// The room for a text. All values are in points.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// The width.
    pub width: f32,
    /// The height, from the top of the first line to the bottom of the last.
    pub height: f32,
    /// The preferred font size.
    pub largest: f32,
    /// Lines shrink down to this size; then they wrap.
    pub comfortable: f32,
    /// The smallest size; then lines are cut.
    pub smallest: f32,
}

/// Fits text into its room, with one form of Han characters.
#[derive(Clone, Copy)]
pub struct Typesetter {
    faces: &'static Faces,
    han: Han,
}

/// A clean text and its style.
struct Paragraph {
    text: String,
    style: Style,
}

/// A part of a text that is not split when lines wrap.
struct Word {
    text: String,
    /// Its width in ems.
    ems: f32,
    /// Whether a space comes before it within a line.
    follows_space: bool,
}

impl Typesetter {
    /// A typesetter with these fonts.
    pub fn new(faces: &'static Faces, han: Han) -> Self {
        Self { faces, han }
    }

    /// The same typesetter with another form of Han characters.
    pub fn with_han(self, han: Han) -> Self {
        Self { han, ..self }
    }

    /// Whether any character of a text can be shown.
    pub fn shows(self, text: &str) -> bool {
        !self.faces.clean(text).is_empty()
    }

    fn paragraph(self, text: &str, weight: Weight) -> Paragraph {
        let text = self.faces.clean(text);
        let style = Style { weight, han: self.han, right_to_left: is_right_to_left(&text) == Some(true) };
        Paragraph { text, style }
    }

    /// One line of at most `width` points, as large as possible between `smallest` and `largest`. If it is still too wide, it is
    /// cut.
    pub fn fit_line(self, text: &str, weight: Weight, width: f32, largest: f32, smallest: f32) -> TextLine {
        let Paragraph { text, style } = self.paragraph(text, weight);
        let mut line = self.faces.shape(&text, style, largest);
        if line.width() > width {
            line.size = (width / line.ems).max(smallest);
        }
        self.cut(line, width)
    }

    /// The line, or as much of it as fits into `width` points, and "…".
    fn cut(self, line: TextLine, width: f32) -> TextLine {
        if line.width() <= width * ROUNDING_TOLERANCE {
            return line;
        }
        let ellipsis = self.faces.shape(&ELLIPSIS.to_string(), line.style, line.size);
        let mut room = width / line.size - ellipsis.ems - KERNING_RESERVE;
        // In reading order, which differs from visual order in some scripts.
        let mut end = 0;
        for cluster in clusters_in_reading_order(&line) {
            room -= cluster.ems;
            if room < 0.0 {
                break;
            }
            end = cluster.text_end;
        }
        let mut kept = line.text.get(..end).unwrap_or_default();
        loop {
            kept = kept.trim_end_matches([' ', ',', ELLIPSIS]);
            let cut = self.faces.shape(&format!("{kept}{ELLIPSIS}"), line.style, line.size);
            // A letter can be wider at the end of a word.
            let Some(last) = kept.chars().next_back().filter(|_| cut.width() > width * ROUNDING_TOLERANCE) else {
                return cut;
            };
            kept = kept.get(..kept.len() - last.len_utf8()).unwrap_or_default();
        }
    }

    /// The words of a text, with their widths.
    fn words(self, Paragraph { text, style }: &Paragraph) -> Vec<Word> {
        let mut words = Vec::new();
        let mut add = |text: &str, follows_space: bool| {
            words.push(Word { text: text.to_owned(), ems: self.faces.shape(text, *style, 1.0).ems, follows_space });
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

    /// Fits lines of one size into a room; `bold` is the index of the bold line, if there is one. Lines shrink to the
    /// comfortable size, then wrap, then are cut.
    pub fn fit_block(self, lines: &[String], bold: Option<usize>, room: Room) -> Vec<TextLine> {
        let weight = |at| if bold == Some(at) { Weight::Bold } else { Weight::Regular };
        let lines: Vec<Paragraph> = lines
            .iter()
            .enumerate()
            .map(|(at, line)| self.paragraph(line, weight(at)))
            .filter(|line| !line.text.is_empty())
            .collect();
        let whole: Vec<TextLine> =
            lines.iter().map(|line| self.faces.shape(&line.text, line.style, room.comfortable)).collect();
        let widest = whole.iter().map(|line| line.ems).fold(0.0, f32::max);
        let size = room.largest.min(room.width / widest).min(room.height / ems_high(whole.len()));
        if size >= room.comfortable {
            return whole.into_iter().map(|line| TextLine { size, ..line }).collect();
        }
        self.wrap_block(&lines, room).unwrap_or_else(|| self.cut_block(lines, room))
    }

    /// Wraps the lines at the largest size at which they fit.
    fn wrap_block(self, lines: &[Paragraph], room: Room) -> Option<Vec<TextLine>> {
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
                let shape = |(pieces, line): (Vec<String>, &Paragraph)| {
                    pieces.into_iter().map(|piece| self.faces.shape(&piece, line.style, size)).collect::<Vec<_>>()
                };
                return Some(pieces.flat_map(shape).collect());
            }
            size -= SIZE_STEP;
        }
        None
    }

    /// Cuts the lines at the smallest size. A single text uses as many lines as there is room for. Of several lines, each
    /// keeps one line; if there are too many, lines in the middle are dropped, because the carrier needs the name and the
    /// last lines (postal code and town, country).
    fn cut_block(self, mut lines: Vec<Paragraph>, room: Room) -> Vec<TextLine> {
        let fits = |count: usize| ems_high(count) * room.smallest <= room.height;
        if let [paragraph] = lines.as_slice() {
            let style = paragraph.style;
            let mut pieces = wrap(&self.words(paragraph), room.width / room.smallest).unwrap_or_default();
            let most = (1..=pieces.len()).rev().find(|count| fits(*count)).unwrap_or(1);
            if pieces.len() >= most {
                let rest = pieces.split_off(most - 1).join(" ");
                pieces.push(rest);
                lines = pieces.into_iter().map(|text| Paragraph { text, style }).collect();
            }
        }
        while lines.len() > MIN_LINES && !fits(lines.len()) {
            let middle = lines.len() - MIN_LINES;
            lines.remove(middle);
            if let Some(before) = lines.get_mut(middle - 1).filter(|line| !line.text.ends_with(ELLIPSIS)) {
                before.text.push(' ');
                before.text.push(ELLIPSIS);
            }
        }
        let cut = |line: Paragraph| self.cut(self.faces.shape(&line.text, line.style, room.smallest), room.width);
        lines.into_iter().map(cut).collect()
    }
}

/// The glyphs of one cluster: characters that are drawn together.
struct Cluster {
    /// Where its text ends.
    text_end: usize,
    ems: f32,
}

fn clusters_in_reading_order(line: &TextLine) -> Vec<Cluster> {
    let mut glyphs: Vec<Cluster> = Vec::new();
    for run in &line.runs {
        let scale = run.face.scale;
        let cluster = |glyph: &KrillaGlyph| Cluster { text_end: glyph.text_range.end, ems: glyph.x_advance * scale };
        glyphs.extend(run.glyphs.iter().map(cluster));
    }
    glyphs.sort_by_key(|glyph| glyph.text_end);
    let same_cluster = glyphs.chunk_by(|one, other| one.text_end == other.text_end);
    let merged = same_cluster.filter_map(|glyphs| {
        let text_end = glyphs.first()?.text_end;
        Some(Cluster { text_end, ems: glyphs.iter().map(|glyph| glyph.ems).sum::<f32>() })
    });
    merged.collect()
}

/// Distributes words over lines of at most `ems`; `None` if a single word is wider.
fn wrap(words: &[Word], ems: f32) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0.0;
    for word in words {
        let space = if word.follows_space { SPACE } else { 0.0 };
        match lines.last_mut() {
            _ if word.ems > ems => return None,
            Some(line) if used + space + word.ems <= ems => {
                if word.follows_space {
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

/// The height of a number of lines, in ems.
fn ems_high(lines: usize) -> f32 {
    f32::from(u16::try_from(lines).unwrap_or(u16::MAX)) * LEADING
}
