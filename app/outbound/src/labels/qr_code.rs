//! QR codes that are shown on a screen in place of a label: a page draws their modules, mail carries them as a picture.

use qrcode::{Color, QrCode};

/// Dots of a picture for each module: sharp on a telephone, also where it is shown somewhat smaller.
const DOTS: usize = 8;
/// The white border that scanners need, in modules (ISO/IEC 18004).
const QUIET: usize = 4;

/// A QR code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    width: usize,
    modules: Vec<bool>,
}

impl Code {
    /// The code that says a text; `None` where no code has room for it.
    pub fn new(text: &str) -> Option<Self> {
        let code = QrCode::new(text).ok()?;
        let width = code.width();
        let modules = code.into_colors().into_iter().map(|color| color == Color::Dark).collect();
        Some(Self { width, modules })
    }

    /// Modules on each side, without the white border.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The dark modules, as columns and rows from the top left.
    pub fn dark(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let dark = self.modules.iter().enumerate().filter(|(_, is_dark)| **is_dark);
        dark.map(|(index, _)| (index % self.width, index / self.width))
    }

    /// A grey PNG with its white border; `None` where it cannot be encoded.
    pub fn png(&self) -> Option<Vec<u8>> {
        let side = (self.width + 2 * QUIET) * DOTS;
        let mut grey = vec![u8::MAX; side * side];
        for (column, row) in self.dark() {
            let left = (column + QUIET) * DOTS;
            for line in 0..DOTS {
                let start = ((row + QUIET) * DOTS + line) * side + left;
                grey.get_mut(start..start + DOTS)?.fill(0);
            }
        }
        let side = u32::try_from(side).ok()?;
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, side, side);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&grey).ok()?;
        writer.finish().ok()?;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_the_modules_within_a_white_border() {
        let code = Code::new("R-7Q2M4KXD").unwrap();
        assert_eq!(code.width(), 21);
        let bytes = code.png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut grey = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut grey).unwrap();
        let side = (21 + 2 * QUIET) * DOTS;
        assert_eq!((info.width, info.height), (u32::try_from(side).unwrap(), u32::try_from(side).unwrap()));
        let middle = |module: usize| (module + QUIET) * DOTS + DOTS / 2;
        for row in 0..code.width() {
            for column in 0..code.width() {
                let is_dark = code.dark().any(|place| place == (column, row));
                assert_eq!(grey[middle(row) * side + middle(column)] == 0, is_dark, "{column} {row}");
            }
        }
        assert!(grey[..QUIET * DOTS * side].iter().all(|dot| *dot == u8::MAX), "the border is white");
    }

    #[test]
    fn what_is_too_long_for_a_code_has_none() {
        assert!(Code::new(&"x".repeat(2_000)).is_some());
        assert_eq!(Code::new(&"x".repeat(3_000)), None);
    }
}
