//! QR codes that shoppers show instead of a printed label. Pages draw the modules; mail contains a picture.

use qrcode::Color;

/// Dots per module in a picture: sharp on a phone, even if it is shown a little smaller.
const DOTS_PER_MODULE: usize = 8;
/// The white border that scanners need, in modules (ISO/IEC 18004).
const QUIET_ZONE: usize = 4;

/// A QR code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrCode {
    width: usize,
    modules: Vec<bool>,
}

impl QrCode {
    /// A code with a text; `None` if the text is too long.
    pub fn new(text: &str) -> Option<Self> {
        let code = qrcode::QrCode::new(text).ok()?;
        let width = code.width();
        let modules = code.into_colors().into_iter().map(|color| color == Color::Dark).collect();
        Some(Self { width, modules })
    }

    /// The modules per side, without the white border.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The dark modules, as (column, row) from the top left.
    pub fn dark(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let dark = self.modules.iter().enumerate().filter(|(_, is_dark)| **is_dark);
        dark.map(|(index, _)| (index % self.width, index / self.width))
    }

    /// A grey PNG with the white border; `None` if encoding fails.
    pub fn png(&self) -> Option<Vec<u8>> {
        let side = (self.width + 2 * QUIET_ZONE) * DOTS_PER_MODULE;
        let mut grey = vec![u8::MAX; side * side];
        for (column, row) in self.dark() {
            let left = (column + QUIET_ZONE) * DOTS_PER_MODULE;
            for line in 0..DOTS_PER_MODULE {
                let start = ((row + QUIET_ZONE) * DOTS_PER_MODULE + line) * side + left;
                grey.get_mut(start..start + DOTS_PER_MODULE)?.fill(0);
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
    fn a_picture_has_the_modules_and_a_white_border() {
        let code = QrCode::new("R-7Q2M4KXD").unwrap();
        assert_eq!(code.width(), 21);
        let bytes = code.png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut grey = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut grey).unwrap();
        let side = (21 + 2 * QUIET_ZONE) * DOTS_PER_MODULE;
        assert_eq!((info.width, info.height), (u32::try_from(side).unwrap(), u32::try_from(side).unwrap()));
        let middle = |module: usize| (module + QUIET_ZONE) * DOTS_PER_MODULE + DOTS_PER_MODULE / 2;
        for row in 0..code.width() {
            for column in 0..code.width() {
                let is_dark = code.dark().any(|place| place == (column, row));
                assert_eq!(grey[middle(row) * side + middle(column)] == 0, is_dark, "{column} {row}");
            }
        }
        assert!(grey[..QUIET_ZONE * DOTS_PER_MODULE * side].iter().all(|dot| *dot == u8::MAX), "the border is white");
    }

    #[test]
    fn a_text_that_is_too_long_has_no_code() {
        assert!(QrCode::new(&"x".repeat(2_000)).is_some());
        assert_eq!(QrCode::new(&"x".repeat(3_000)), None);
    }
}
