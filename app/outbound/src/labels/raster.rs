//! Rasterizes text.

use rustybuzz::ttf_parser::{GlyphId, OutlineBuilder};
use tiny_skia::{FillRule, Paint, PathBuilder, Pixmap, Point, Stroke, Transform};

use super::canvas::mm;
use super::shaping::TextLine;

/// Draws a line of text. `start` is the left end of its baseline, in dots.
pub fn draw_line(pixmap: &mut Pixmap, line: &TextLine, start: Point, dots_per_mm: f32, paint: &Paint<'_>) {
    let Point { mut x, y } = start;
    for run in &line.runs {
        let face = &run.face.shaper;
        let em = mm(line.size) * dots_per_mm * run.face.scale;
        let scale = em / run.face.font.units_per_em();
        // In font units, like the outlines.
        let thicker =
            line.bold_stroke(run).map(|width| Stroke { width: mm(width) * dots_per_mm / scale, ..Stroke::default() });
        for glyph in &run.glyphs {
            let id = u16::try_from(glyph.glyph_id.to_u32()).unwrap_or_default();
            let mut outline = Outline(PathBuilder::new());
            if face.outline_glyph(GlyphId(id), &mut outline).is_some()
                && let Some(path) = outline.0.finish()
            {
                // A font's y axis points up.
                let (dx, dy) = (x + glyph.x_offset * em, y - glyph.y_offset * em);
                let place = Transform::from_row(scale, 0.0, 0.0, -scale, dx, dy);
                pixmap.fill_path(&path, paint, FillRule::Winding, place, None);
                if let Some(stroke) = &thicker {
                    pixmap.stroke_path(&path, paint, stroke, place, None);
                }
            }
            x += glyph.x_advance * em;
        }
    }
}

/// A glyph's outline as a path.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
