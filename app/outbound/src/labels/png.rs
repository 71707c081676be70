//! A label as a grey picture, for phones and for any printer.
//!
//! It has 12 dots per millimetre (about 300 dpi), so that a module of the barcode is a whole number of dots with sharp
//! edges. The picture contains its physical size, so that it is printed in the same size as the PDF.

use png::{BitDepth, ColorType, Compression, Encoder, PixelDimensions, Unit};
use tiny_skia::{Color, Paint, Pixmap, Point, Rect, Transform};

use super::canvas::{Area, Mark, black_runs, factor};
use super::label::{Label, LabelError};
use super::layout::{PAGE, lay_out};
use super::raster::draw_line;

/// Dots per millimetre.
const DOTS_PER_MM: f32 = 12.0;
const DOTS_PER_METRE: u32 = 12_000;
/// A6 in dots: 105 by 148 mm.
const SIZE: (u32, u32) = (1_260, 1_776);

/// Draws a label as a PNG in shades of grey.
pub fn png(label: &Label<'_>) -> Result<Vec<u8>, LabelError> {
    debug_assert!((PAGE.0 * DOTS_PER_MM, PAGE.1 * DOTS_PER_MM) == (1_260.0, 1_776.0));
    let marks = lay_out(label)?;
    let mut pixmap = Pixmap::new(SIZE.0, SIZE.1).ok_or_else(|| LabelError::Png("no room".to_owned()))?;
    pixmap.fill(Color::WHITE);
    let mut pen = PngPen { pixmap: &mut pixmap };
    for mark in &marks {
        pen.draw(mark);
    }
    // The picture is grey: all channels are equal.
    let grey: Vec<u8> = pixmap.pixels().iter().map(|pixel| pixel.red()).collect();
    encode(&grey).map_err(|error| LabelError::Png(error.to_string()))
}

fn encode(grey: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, SIZE.0, SIZE.1);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let size = PixelDimensions { xppu: DOTS_PER_METRE, yppu: DOTS_PER_METRE, unit: Unit::Meter };
    encoder.set_pixel_dims(Some(size));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(grey)?;
    writer.finish()?;
    Ok(bytes)
}

struct PngPen<'a> {
    pixmap: &'a mut Pixmap,
}

impl PngPen<'_> {
    fn draw(&mut self, mark: &Mark) {
        match mark {
            Mark::Text { line, x, baseline, white } => {
                let paint = ink(if *white { Color::WHITE } else { Color::BLACK });
                let start = Point::from_xy(*x * DOTS_PER_MM, *baseline * DOTS_PER_MM);
                draw_line(self.pixmap, line, start, DOTS_PER_MM, &paint);
            }
            Mark::Fill(area) => self.fill(*area),
            Mark::Bars { modules, area, module, .. } => {
                let wide = (module * DOTS_PER_MM).round();
                let (x, y, height) = (
                    (area.x * DOTS_PER_MM).round(),
                    (area.y * DOTS_PER_MM).round(),
                    (area.height * DOTS_PER_MM).round(),
                );
                self.row(modules, Area { x, y, width: wide, height });
            }
            Mark::Grid { rows, x, y, module, .. } => {
                // Modules of whole dots, centred in the area.
                let side = (module * DOTS_PER_MM).floor();
                let spare = factor(rows.len()) * (module * DOTS_PER_MM - side) / 2.0;
                let (x, y) = ((x * DOTS_PER_MM + spare).round(), (y * DOTS_PER_MM + spare).round());
                for (at, modules) in rows.iter().enumerate() {
                    let first = Area { x, y: y + factor(at) * side, width: side, height: side };
                    self.row(modules, first);
                }
            }
        }
    }

    /// Draws the black modules of a row; `first` is the area of the first module, in dots.
    fn row(&mut self, modules: &[bool], first: Area) {
        let Area { x, y, width, height } = first;
        for run in black_runs(modules) {
            self.rect(Rect::from_xywh(x + factor(run.start) * width, y, factor(run.length) * width, height));
        }
    }

    fn fill(&mut self, Area { x, y, width, height }: Area) {
        let (left, top) = ((x * DOTS_PER_MM).round(), (y * DOTS_PER_MM).round());
        let (right, bottom) = (((x + width) * DOTS_PER_MM).round(), ((y + height) * DOTS_PER_MM).round());
        self.rect(Rect::from_ltrb(left, top, right, bottom));
    }

    fn rect(&mut self, rect: Option<Rect>) {
        if let Some(rect) = rect {
            let paint = Paint { anti_alias: false, ..ink(Color::BLACK) };
            self.pixmap.fill_rect(rect, &paint, Transform::identity(), None);
        }
    }
}

/// A paint of one colour.
fn ink(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(color);
    paint
}
