//! The fonts of labels: Fira Sans Condensed, and a Noto font for each other script.
//!
//! The fonts of other scripts are compressed within the program. A font is decompressed when a text first needs it, and then
//! stays in memory: 11 MB for the font that Chinese, Japanese and Korean share, at most 0.5 MB for each other font.

use std::sync::{LazyLock, OnceLock};

use krilla::text::Font;

use super::label::LabelError;

/// One of the two weights of Fira Sans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// For secondary text.
    Regular,
    /// For primary text.
    Bold,
}

/// A font, parsed for shaping and for embedding.
pub struct Face {
    /// Shapes text and provides outlines.
    pub shaper: rustybuzz::Face<'static>,
    /// The font that a PDF embeds.
    pub font: Font,
    /// Its size relative to Fira Sans: tall scripts are set smaller, so that lines do not touch.
    pub scale: f32,
    /// Whether it has no bold weight. Bold text is then drawn with a thicker outline.
    pub single_weight: bool,
}

/// A font of another script, which is decompressed at its first use.
struct FallbackFont {
    compressed: &'static [u8],
    /// The ranges of its characters, so that the right font is found without decompressing others.
    ranges: &'static [(u32, u32)],
    scale: f32,
    face: OnceLock<Option<Face>>,
}

/// All fonts.
pub struct Faces {
    regular: Face,
    bold: Face,
    fallbacks: Vec<FallbackFont>,
}

/// An entry of the table of fonts.
macro_rules! noto {
    ($file:literal, $scale:literal, $($first:literal..=$last:literal)+) => {
        FallbackFont {
            compressed: include_bytes!(concat!("fonts/", $file, ".zst")),
            ranges: &[$(($first, $last)),+],
            scale: $scale,
            face: OnceLock::new(),
        }
    };
}

/// The fonts of other scripts, with the ranges of `fonts/make.py`. The first font that has a character is used. NotoSans comes
/// last, because it has marks and letters of many alphabets.
fn fallbacks() -> Vec<FallbackFont> {
    vec![
        noto!("NotoSansCJK-Regular.otf", 1.0, 0x1100..=0x11FF 0x2010..=0x29FF 0x2E80..=0x9FFF
            0xAC00..=0xD7A3 0xF900..=0xFAFF 0xFE30..=0xFE6F 0xFF00..=0xFFEE 0x20000..=0x2FFFF),
        noto!("NotoSansArabic-Regular.ttf", 0.95, 0x0600..=0x06FF 0x0750..=0x077F 0x08A0..=0x08FF 0xFB50..=0xFDFF 0xFE70..=0xFEFC),
        noto!("NotoSansHebrew-Regular.ttf", 1.0, 0x0590..=0x05FF 0xFB1D..=0xFB4F),
        noto!("NotoSansThai-Regular.ttf", 0.85, 0x0E00..=0x0E7F),
        noto!("NotoSansDevanagari-Regular.ttf", 0.9, 0x0900..=0x097F 0x1CD0..=0x1CFF 0xA8E0..=0xA8FF),
        noto!("NotoSansBengali-Regular.ttf", 0.9, 0x0980..=0x09FF),
        noto!("NotoSansGurmukhi-Regular.ttf", 0.9, 0x0A00..=0x0A7F),
        noto!("NotoSansGujarati-Regular.ttf", 0.9, 0x0A80..=0x0AFF),
        noto!("NotoSansOriya-Regular.ttf", 0.85, 0x0B00..=0x0B7F),
        noto!("NotoSansTamil-Regular.ttf", 0.9, 0x0B80..=0x0BFF),
        noto!("NotoSansTelugu-Regular.ttf", 0.85, 0x0C00..=0x0C7F),
        noto!("NotoSansKannada-Regular.ttf", 0.85, 0x0C80..=0x0CFF),
        noto!("NotoSansMalayalam-Regular.ttf", 0.9, 0x0D00..=0x0D7F),
        noto!("NotoSansSinhala-Regular.ttf", 0.9, 0x0D80..=0x0DFF),
        noto!("NotoSansLao-Regular.ttf", 0.85, 0x0E80..=0x0EFF),
        noto!("NotoSerifTibetan-Regular.ttf", 0.7, 0x0F00..=0x0FFF),
        noto!("NotoSansMyanmar-Regular.ttf", 0.75, 0x1000..=0x109F 0xA9E0..=0xA9FF 0xAA60..=0xAA7F),
        noto!("NotoSansGeorgian-Regular.ttf", 1.0, 0x10A0..=0x10FF 0x1C90..=0x1CBF 0x2D00..=0x2D2F),
        noto!("NotoSansEthiopic-Regular.ttf", 0.95, 0x1200..=0x139F 0x2D80..=0x2DDF 0xAB00..=0xAB2F),
        noto!("NotoSansKhmer-Regular.ttf", 0.8, 0x1780..=0x17FF 0x19E0..=0x19FF),
        noto!("NotoSansArmenian-Regular.ttf", 1.0, 0x0530..=0x058F 0xFB13..=0xFB17),
        noto!("NotoSansThaana-Regular.ttf", 0.9, 0x0780..=0x07BF),
        noto!("NotoSans-Regular.ttf", 1.0, 0x0250..=0x036F 0x1AB0..=0x1AFF 0x1D00..=0x1DFF 0x1F00..=0x1FFF 0x2070..=0x209F
            0x2150..=0x218F 0x2C60..=0x2C7F 0xA640..=0xA69F 0xA720..=0xA7FF 0xAB30..=0xAB6F),
    ]
}

static FACES: LazyLock<Option<Faces>> = LazyLock::new(|| {
    Some(Faces {
        regular: Face::read(include_bytes!("fonts/FiraSansCondensed-Regular.ttf"), 1.0, false)?,
        bold: Face::read(include_bytes!("fonts/FiraSansCondensed-SemiBold.ttf"), 1.0, false)?,
        fallbacks: fallbacks(),
    })
});

impl Face {
    fn read(bytes: &'static [u8], scale: f32, single_weight: bool) -> Option<Self> {
        let shaper = rustybuzz::Face::from_slice(bytes, 0)?;
        Some(Self { shaper, font: Font::new(bytes.into(), 0)?, scale, single_weight })
    }

    /// Whether it has a glyph for a character.
    pub fn has(&self, c: char) -> bool {
        self.shaper.glyph_index(c).is_some_and(|glyph| glyph.0 != 0)
    }
}

impl FallbackFont {
    fn may_have(&self, c: char) -> bool {
        let c = u32::from(c);
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
    }

    fn face(&self) -> Option<&Face> {
        let read = || {
            let bytes = zstd::decode_all(self.compressed).ok()?;
            // A shaper borrows its font. The font is decompressed once and used until the program ends.
            Face::read(bytes.leak(), self.scale, true)
        };
        self.face.get_or_init(read).as_ref()
    }
}

impl Faces {
    /// The built-in fonts.
    pub fn get() -> Result<&'static Self, LabelError> {
        FACES.as_ref().ok_or(LabelError::Font)
    }

    /// Fira Sans in a weight.
    pub fn base(&self, weight: Weight) -> &Face {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// Whether Fira Sans has a character.
    pub fn is_base(&self, c: char) -> bool {
        self.regular.has(c)
    }

    /// The font for a character, if any has it. Both weights of Fira Sans have the same characters.
    pub fn face_of(&self, c: char, weight: Weight) -> Option<&Face> {
        if self.regular.has(c) {
            return Some(self.base(weight));
        }
        self.fallbacks
            .iter()
            .filter(|fallback| fallback.may_have(c))
            .filter_map(FallbackFont::face)
            .find(|face| face.has(c))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_font_is_readable_and_has_characters_in_each_of_its_ranges() {
        for fallback in fallbacks() {
            let face = fallback.face().unwrap();
            assert!(face.has(' '), "shapers draw a joiner as a space without width");
            for (first, last) in fallback.ranges {
                let some = (*first..=*last).filter_map(char::from_u32).any(|c| face.has(c));
                assert!(some, "{first:X} to {last:X}");
            }
        }
    }

    #[test]
    fn no_font_has_a_character_that_only_its_missing_range_would_find() {
        for fallback in fallbacks() {
            let face = fallback.face().unwrap();
            let mut unreachable = Vec::new();
            for table in face.shaper.tables().cmap.unwrap().subtables {
                if !table.is_unicode() {
                    continue;
                }
                table.codepoints(|code| unreachable.extend(char::from_u32(code).filter(|c| !fallback.may_have(*c))));
            }
            let joiners = [' ', '\u{a0}', '\u{200c}', '\u{200d}', '\u{25cc}'];
            unreachable.retain(|c| !joiners.contains(c) && FACES.as_ref().unwrap().face_of(*c, Weight::Bold).is_none());
            assert!(unreachable.is_empty(), "{unreachable:?}");
        }
    }
}
