//! A label as a grey picture: what a phone shows and any printer prints.
//!
//! 12 dots in a millimetre, what is sold as 300 dpi: a module of the bars is then a whole number of dots, and their
//! edges are sharp. The picture says its size, so that it is printed as large as the PDF.

use png::{BitDepth, ColorType, Compression, Encoder, PixelDimensions, Unit};
use tiny_skia::{Color, Paint, Pixmap, Rect, Transform};

use crate::labels::canvas::{Area, Mark, factor, runs};
use crate::labels::layout::{PAGE, lay_out};
use crate::labels::raster::draw_line;
use crate::labels::{Label, LabelError};

/// Dots in a millimetre.
const DOTS: f32 = 12.0;
const DOTS_IN_A_METRE: u32 = 12_000;
/// A6 in dots: 105 by 148 mm.
const SIZE: (u32, u32) = (1_260, 1_776);

/// Draws a label as a PNG in shades of grey.
pub fn png(label: &Label<'_>) -> Result<Vec<u8>, LabelError> {
    debug_assert!((PAGE.0 * DOTS, PAGE.1 * DOTS) == (1_260.0, 1_776.0));
    let marks = lay_out(label)?;
    let mut pixmap = Pixmap::new(SIZE.0, SIZE.1).ok_or_else(|| LabelError::Png("no room".to_owned()))?;
    pixmap.fill(Color::WHITE);
    let mut pen = Pen { pixmap: &mut pixmap };
    for mark in &marks {
        pen.draw(mark);
    }
    // Nothing on it has a colour: one channel tells all.
    let grey: Vec<u8> = pixmap.pixels().iter().map(|pixel| pixel.red()).collect();
    encode(&grey).map_err(|error| LabelError::Png(error.to_string()))
}

fn encode(grey: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, SIZE.0, SIZE.1);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let size = PixelDimensions { xppu: DOTS_IN_A_METRE, yppu: DOTS_IN_A_METRE, unit: Unit::Meter };
    encoder.set_pixel_dims(Some(size));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(grey)?;
    writer.finish()?;
    Ok(bytes)
}

struct Pen<'a> {
    pixmap: &'a mut Pixmap,
}

impl Pen<'_> {
    fn draw(&mut self, mark: &Mark) {
        match mark {
            Mark::Text { line, x, baseline, white } => {
                let paint = ink(if *white { Color::WHITE } else { Color::BLACK });
                draw_line(self.pixmap, line, (*x * DOTS, *baseline * DOTS), (DOTS, &paint));
            }
            Mark::Fill(area) => self.fill(*area),
            Mark::Bars { modules, area, module, .. } => {
                let wide = (module * DOTS).round();
                let (x, y, height) = ((area.x * DOTS).round(), (area.y * DOTS).round(), (area.height * DOTS).round());
                self.row(modules, (x, y), (wide, height));
            }
            Mark::Grid { rows, x, y, module, .. } => {
                // Whole dots, in the middle of its square.
                let side = (module * DOTS).floor();
                let spare = factor(rows.len()) * (module * DOTS - side) / 2.0;
                let (x, y) = ((x * DOTS + spare).round(), (y * DOTS + spare).round());
                for (at, modules) in rows.iter().enumerate() {
                    self.row(modules, (x, y + factor(at) * side), (side, side));
                }
            }
        }
    }

    /// Bars on whole dots.
    fn row(&mut self, modules: &[bool], (x, y): (f32, f32), (wide, high): (f32, f32)) {
        for (at, long) in runs(modules) {
            self.rect(Rect::from_xywh(x + factor(at) * wide, y, factor(long) * wide, high));
        }
    }

    fn fill(&mut self, Area { x, y, width, height }: Area) {
        let (left, top) = ((x * DOTS).round(), (y * DOTS).round());
        let (right, bottom) = (((x + width) * DOTS).round(), ((y + height) * DOTS).round());
        self.rect(Rect::from_ltrb(left, top, right, bottom));
    }

    fn rect(&mut self, rect: Option<Rect>) {
        if let Some(rect) = rect {
            let paint = Paint { anti_alias: false, ..ink(Color::BLACK) };
            self.pixmap.fill_rect(rect, &paint, Transform::identity(), None);
        }
    }
}

/// What is drawn in one colour.
fn ink(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(color);
    paint
}
