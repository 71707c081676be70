//! A label, or another page, as a PDF of one page with embedded fonts.

use krilla::Document;
use krilla::color::luma;
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Paint, Stroke};
use krilla::surface::Surface;

use super::canvas::{Area, Mark, black_runs, factor, points};
use super::label::{Label, LabelError};
use super::layout::{PAGE, lay_out};
use super::shaping::TextLine;

/// Draws a label as a PDF of one page.
pub fn pdf(label: &Label<'_>) -> Result<Vec<u8>, LabelError> {
    page_of(&lay_out(label)?, PAGE, label.return_number, label.words.language)
}

/// Draws marks as a PDF of one page. `size`: its width and height, in millimetres.
pub fn page_of(marks: &[Mark], size: (f32, f32), title: &str, language: &str) -> Result<Vec<u8>, LabelError> {
    let mut document = Document::new();
    document.set_metadata(metadata(title, language));
    let settings = PageSettings::from_wh(points(size.0), points(size.1));
    let mut page = document.start_page_with(settings.unwrap_or_default());
    let mut surface = page.surface();
    let mut pen = PdfPen { surface: &mut surface };
    for mark in marks {
        pen.draw(mark);
    }
    surface.finish();
    page.finish();
    document.finish().map_err(|error| LabelError::Pdf(format!("{error:?}")))
}

fn metadata(title: &str, language: &str) -> Metadata {
    Metadata::new().title(title.to_owned()).language(language.to_owned()).creator("Retour".to_owned())
}

struct PdfPen<'page, 'document> {
    surface: &'page mut Surface<'document>,
}

impl PdfPen<'_, '_> {
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
                self.modules(row(modules, 0.0), Area { width: *module, ..*area });
            }
            Mark::Grid { rows, x, y, module, .. } => {
                let areas = rows.iter().enumerate().flat_map(|(at, modules)| row(modules, factor(at)));
                self.modules(areas, Area { x: *x, y: *y, width: *module, height: *module });
            }
        }
    }

    fn glyphs(&mut self, line: &TextLine, start: Point, paint: &Paint) {
        let mut x = start.x;
        for run in &line.runs {
            let stroke = line.bold_stroke(run).map(|width| Stroke { paint: paint.clone(), width, ..Stroke::default() });
            self.surface.set_stroke(stroke);
            let (size, font) = (line.size * run.face.scale, run.face.font.clone());
            self.surface.draw_glyphs(Point::from_xy(x, start.y), &run.glyphs, font, &line.text, size, false);
            x += run.ems() * line.size;
        }
        self.surface.set_stroke(None);
    }

    /// Draws rectangles as one path, so that there is no seam between neighbours.
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

    /// Draws rectangles in units of a module; `first` is the area of the first module. Whole numbers with a scale need half
    /// the bytes of fractional points.
    fn modules(&mut self, areas: impl Iterator<Item = Rect>, first: Area) {
        let Area { x, y, width, height } = first;
        let scale = Transform::from_row(points(width), 0.0, 0.0, points(height), points(x), points(y));
        self.surface.push_transform(&scale);
        self.path(areas);
        self.surface.pop();
    }
}

/// The black runs of a row, in units of a module.
fn row(modules: &[bool], y: f32) -> impl Iterator<Item = Rect> {
    let runs = black_runs(modules).into_iter();
    runs.filter_map(move |run| Rect::from_xywh(factor(run.start), y, factor(run.length), 1.0))
}
