//! The marks on a page: positions in millimetres from the top left, in black and white only, so that thermal printers can
//! print them. The page is laid out once, and each format draws the same marks.

use super::shaping::TextLine;
use super::typesetter::Typesetter;

/// Points per millimetre.
const POINTS_PER_MM: f32 = 72.0 / 25.4;

/// Converts millimetres to points.
pub fn points(mm: f32) -> f32 {
    mm * POINTS_PER_MM
}

/// Converts points to millimetres.
pub fn mm(points: f32) -> f32 {
    points / POINTS_PER_MM
}

/// Converts a count to a factor.
pub fn factor(count: usize) -> f32 {
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}

/// A rectangle in millimetres.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// Its left edge.
    pub x: f32,
    /// Its upper edge.
    pub y: f32,
    /// Its width.
    pub width: f32,
    /// Its height.
    pub height: f32,
}

/// One mark on a label.
#[derive(Clone)]
pub enum Mark {
    /// A line of text.
    Text {
        /// The shaped line.
        line: TextLine,
        /// Its left end.
        x: f32,
        /// Its baseline.
        baseline: f32,
        /// Whether it is white on a black area, instead of black.
        white: bool,
    },
    /// A black rectangle.
    Fill(Area),
    /// A barcode. The bars have the height of the area.
    Bars {
        /// The modules from the first bar to the last; `true` is black.
        modules: Vec<bool>,
        /// Its content: the digits of the SSCC on a label.
        content: String,
        /// Its area.
        area: Area,
        /// The width of a module.
        module: f32,
    },
    /// A QR code, without its quiet zone.
    Grid {
        /// Its rows of modules.
        rows: Vec<Vec<bool>>,
        /// Its content.
        content: String,
        /// Its left edge.
        x: f32,
        /// Its upper edge.
        y: f32,
        /// The side of a module.
        module: f32,
    },
}

/// The page while it is laid out.
pub struct Canvas {
    /// The marks so far.
    pub marks: Vec<Mark>,
    /// The typesetter of its texts.
    pub typesetter: Typesetter,
}

impl Canvas {
    /// An empty page.
    pub fn new(typesetter: Typesetter) -> Self {
        Self { marks: Vec::new(), typesetter }
    }

    /// Adds a line of text that starts at `x`.
    pub fn text(&mut self, line: &TextLine, x: f32, baseline: f32) {
        self.marks.push(Mark::Text { line: line.clone(), x, baseline, white: false });
    }

    /// Adds a line of white text, for a black area.
    pub fn white_text(&mut self, line: &TextLine, x: f32, baseline: f32) {
        self.marks.push(Mark::Text { line: line.clone(), x, baseline, white: true });
    }

    /// Adds a black rectangle.
    pub fn fill(&mut self, area: Area) {
        self.marks.push(Mark::Fill(area));
    }

    /// Adds a horizontal rule whose upper edge is at `y`.
    pub fn rule(&mut self, x: f32, y: f32, width: f32, height: f32) {
        self.fill(Area { x, y, width, height });
    }

    /// Adds a barcode.
    pub fn bars(&mut self, modules: &[bool], content: &str, area: Area, module: f32) {
        self.marks.push(Mark::Bars { modules: modules.to_vec(), content: content.to_owned(), area, module });
    }

    /// Adds a QR code.
    pub fn grid(&mut self, rows: &[Vec<bool>], content: &str, x: f32, y: f32, module: f32) {
        self.marks.push(Mark::Grid { rows: rows.to_vec(), content: content.to_owned(), x, y, module });
    }
}

/// Neighbouring black modules of a row.
pub struct BlackRun {
    /// The first module.
    pub start: usize,
    /// The number of modules.
    pub length: usize,
}

/// The black runs of a row.
pub fn black_runs(modules: &[bool]) -> Vec<BlackRun> {
    let mut at = 0;
    let mut found = Vec::new();
    for run in modules.chunk_by(|a, b| a == b) {
        if run.first() == Some(&true) {
            found.push(BlackRun { start: at, length: run.len() });
        }
        at += run.len();
    }
    found
}
