//! A label as a PDF of one page, with the fonts in it.

use krilla::Document;
use krilla::color::luma;
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Paint, Stroke};
use krilla::surface::Surface;

use crate::labels::canvas::{Area, Mark, factor, points, runs};
use crate::labels::layout::{PAGE, lay_out};
use crate::labels::shaping::Line;
use crate::labels::{Label, LabelError};

/// Draws a label as a PDF of one page.
pub fn pdf(label: &Label<'_>) -> Result<Vec<u8>, LabelError> {
    let marks = lay_out(label)?;
    let mut document = Document::new();
    document.set_metadata(metadata(label));
    let settings = PageSettings::from_wh(points(PAGE.0), points(PAGE.1));
    let mut page = document.start_page_with(settings.unwrap_or_default());
    let mut surface = page.surface();
    let mut pen = Pen { surface: &mut surface };
    for mark in &marks {
        pen.draw(mark);
    }
    surface.finish();
    page.finish();
    document.finish().map_err(|error| LabelError::Pdf(format!("{error:?}")))
}

fn metadata(label: &Label<'_>) -> Metadata {
    Metadata::new()
        .title(label.return_number.to_owned())
        .language(label.words.language.to_owned())
        .creator("Retour".to_owned())
}

struct Pen<'page, 'document> {
    surface: &'page mut Surface<'document>,
}

impl Pen<'_, '_> {
    fn draw(&mut self, mark: &Mark) {
        match mark {
            Mark::Text { line, x, baseline, white } => {
                let fill = if *white {
                    Fill { paint: luma::Color::white().into(), ..Fill::default() }
                } else {
                    Fill::default()
                };
                let paint = fill.paint.clone();
                self.surface.set_fill(Some(fill));
                self.glyphs(line, Point::from_xy(points(*x), points(*baseline)), &paint);
            }
            Mark::Fill(Area { x, y, width, height }) => {
                let rect = Rect::from_xywh(points(*x), points(*y), points(*width), points(*height));
                self.path(rect.into_iter());
            }
            Mark::Bars { modules, area, module, .. } => {
                self.modules(row(modules, 0.0), (area.x, area.y), (*module, area.height));
            }
            Mark::Grid { rows, x, y, module, .. } => {
                let areas = rows.iter().enumerate().flat_map(|(at, modules)| row(modules, factor(at)));
                self.modules(areas, (*x, *y), (*module, *module));
            }
        }
    }

    fn glyphs(&mut self, line: &Line, start: Point, paint: &Paint) {
        let mut x = start.x;
        for run in &line.runs {
            let stroke = line.thicker(run).map(|width| Stroke { paint: paint.clone(), width, ..Stroke::default() });
            self.surface.set_stroke(stroke);
            let (size, font) = (line.size * run.face.scale, run.face.font.clone());
            self.surface.draw_glyphs(Point::from_xy(x, start.y), &run.glyphs, font, &line.text, size, false);
            x += run.ems() * line.size;
        }
        self.surface.set_stroke(None);
    }

    /// Rectangles as one path, so that neighbours join without a seam.
    fn path(&mut self, rects: impl Iterator<Item = Rect>) {
        let mut path = PathBuilder::new();
        for rect in rects {
            path.push_rect(rect);
        }
        if let Some(path) = path.finish() {
            self.surface.set_fill(Some(Fill::default()));
            self.surface.draw_path(&path);
        }
    }

    /// Whole numbers under a scale: half the bytes of the same in fractions of points.
    fn modules(&mut self, areas: impl Iterator<Item = Rect>, (x, y): (f32, f32), (wide, high): (f32, f32)) {
        let scale = Transform::from_row(points(wide), 0.0, 0.0, points(high), points(x), points(y));
        self.surface.push_transform(&scale);
        self.path(areas);
        self.surface.pop();
    }
}

/// The black runs of a row, a module wide and high.
fn row(modules: &[bool], y: f32) -> impl Iterator<Item = Rect> {
    runs(modules).into_iter().filter_map(move |(at, long)| Rect::from_xywh(factor(at), y, factor(long), 1.0))
}
