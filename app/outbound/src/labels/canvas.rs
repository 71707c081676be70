//! What is drawn where: in millimetres from the top left, in black and white only, as a thermal printer can do it.
//! The page is laid out once; each format draws the same marks in its own way.

use crate::labels::shaping::Line;
use crate::labels::typesetter::Typesetter;

/// Points in a millimetre.
const POINTS: f32 = 72.0 / 25.4;

/// Millimetres as points.
pub fn points(mm: f32) -> f32 {
    mm * POINTS
}

/// Points as millimetres.
pub fn mm(points: f32) -> f32 {
    points / POINTS
}

/// A count as a factor.
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
    /// From left to right.
    pub width: f32,
    /// From top to bottom.
    pub height: f32,
}

/// One thing on a label.
#[derive(Clone)]
pub enum Mark {
    /// A line of text that starts at `x` and stands on `baseline`.
    Text {
        /// Shaped.
        line: Line,
        /// Its left end.
        x: f32,
        /// What it stands on.
        baseline: f32,
        /// White on what was drawn before, instead of black.
        white: bool,
    },
    /// A black rectangle.
    Fill(Area),
    /// The GS1-128 of an SSCC: its modules from the left of the area, the black ones as bars of the area's height.
    Bars {
        /// From the first bar to the last.
        modules: Vec<bool>,
        /// The SSCC's digits.
        sscc: String,
        /// Where.
        area: Area,
        /// A module's width.
        module: f32,
    },
    /// A QR code, without its quiet zone.
    Grid {
        /// Its rows of modules.
        rows: Vec<Vec<bool>>,
        /// What it says.
        content: String,
        /// Its left edge.
        x: f32,
        /// Its upper edge.
        y: f32,
        /// A module's side.
        module: f32,
    },
}

/// Where a label is laid out.
pub struct Canvas {
    /// What there is so far.
    pub marks: Vec<Mark>,
    /// What sets its text.
    pub typesetter: Typesetter,
}

impl Canvas {
    /// An empty page.
    pub fn new(typesetter: Typesetter) -> Self {
        Self { marks: Vec::new(), typesetter }
    }

    /// A line of text that starts at `x` and stands on `baseline`.
    pub fn text(&mut self, line: &Line, x: f32, baseline: f32) {
        self.marks.push(Mark::Text { line: line.clone(), x, baseline, white: false });
    }

    /// The same, white on what was drawn before.
    pub fn white_text(&mut self, line: &Line, x: f32, baseline: f32) {
        self.marks.push(Mark::Text { line: line.clone(), x, baseline, white: true });
    }

    /// A black rectangle.
    pub fn fill(&mut self, area: Area) {
        self.marks.push(Mark::Fill(area));
    }

    /// A horizontal rule whose upper edge is at `y`.
    pub fn rule(&mut self, x: f32, y: f32, width: f32, height: f32) {
        self.fill(Area { x, y, width, height });
    }

    /// The bars of an SSCC.
    pub fn bars(&mut self, modules: &[bool], sscc: &str, area: Area, module: f32) {
        self.marks.push(Mark::Bars { modules: modules.to_vec(), sscc: sscc.to_owned(), area, module });
    }

    /// A QR code.
    pub fn grid(&mut self, rows: &[Vec<bool>], content: &str, (x, y): (f32, f32), module: f32) {
        self.marks.push(Mark::Grid { rows: rows.to_vec(), content: content.to_owned(), x, y, module });
    }
}

/// Neighbouring black modules of a row: where each run begins and how long it is.
pub fn runs(modules: &[bool]) -> Vec<(usize, usize)> {
    let mut at = 0;
    let mut found = Vec::new();
    for run in modules.chunk_by(|a, b| a == b) {
        if run.first() == Some(&true) {
            found.push((at, run.len()));
        }
        at += run.len();
    }
    found
}
