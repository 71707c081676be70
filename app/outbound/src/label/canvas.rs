//! Drawing in millimetres from the top left, in black and white only: what a thermal printer can do.

use krilla::color::luma;
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::paint::Fill;
use krilla::surface::Surface;

use super::text::{Faces, Line};

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

/// Where a label is drawn.
pub struct Canvas<'page, 'document> {
    /// The page's surface.
    pub surface: &'page mut Surface<'document>,
    /// The fonts that its lines were shaped with.
    pub faces: &'static Faces,
}

impl Canvas<'_, '_> {
    /// A line of text that starts at `x` and stands on `baseline`.
    pub fn text(&mut self, line: &Line, x: f32, baseline: f32) {
        let start = Point::from_xy(points(x), points(baseline));
        self.surface.set_fill(Some(Fill::default()));
        self.glyphs(line, start);
    }

    /// The same, white on what was drawn before.
    pub fn white_text(&mut self, line: &Line, x: f32, baseline: f32) {
        let start = Point::from_xy(points(x), points(baseline));
        self.surface.set_fill(Some(Fill { paint: luma::Color::white().into(), ..Fill::default() }));
        self.glyphs(line, start);
    }

    fn glyphs(&mut self, line: &Line, start: Point) {
        let font = self.faces.font(line.weight);
        self.surface.draw_glyphs(start, &line.glyphs, font, &line.text, line.size, false);
    }

    /// A black rectangle.
    pub fn fill(&mut self, area: Area) {
        let Area { x, y, width, height } = area;
        let rect = Rect::from_xywh(points(x), points(y), points(width), points(height));
        self.path(rect.into_iter().collect());
    }

    /// Rectangles as one path, so that neighbours join without a seam.
    fn path(&mut self, rects: Vec<Rect>) {
        let mut path = PathBuilder::new();
        for rect in rects {
            path.push_rect(rect);
        }
        if let Some(path) = path.finish() {
            self.surface.set_fill(Some(Fill::default()));
            self.surface.draw_path(&path);
        }
    }

    /// A horizontal rule whose upper edge is at `y`.
    pub fn rule(&mut self, x: f32, y: f32, width: f32, height: f32) {
        self.fill(Area { x, y, width, height });
    }

    /// A row of modules from the left of an area: the black ones as bars of the area's height.
    pub fn bars(&mut self, modules: &[bool], area: Area, module: f32) {
        self.modules(runs(modules, 0.0), area.x, area.y, (module, area.height));
    }

    /// Rows of square modules.
    pub fn grid(&mut self, rows: &[Vec<bool>], x: f32, y: f32, module: f32) {
        let areas = rows.iter().enumerate().flat_map(|(at, row)| runs(row, factor(at)));
        self.modules(areas.collect(), x, y, (module, module));
    }

    /// Whole numbers under a scale: half the bytes of the same in fractions of points.
    fn modules(&mut self, areas: Vec<Rect>, x: f32, y: f32, (wide, high): (f32, f32)) {
        let scale = Transform::from_row(points(wide), 0.0, 0.0, points(high), points(x), points(y));
        self.surface.push_transform(&scale);
        self.path(areas);
        self.surface.pop();
    }
}

/// Neighbouring black modules of a row as one rectangle each, a module wide and high.
fn runs(modules: &[bool], y: f32) -> Vec<Rect> {
    let mut at = 0;
    let mut areas = Vec::new();
    for run in modules.chunk_by(|a, b| a == b) {
        if run.first() == Some(&true) {
            areas.extend(Rect::from_xywh(factor(at), y, factor(run.len()), 1.0));
        }
        at += run.len();
    }
    areas
}
