//! Uploaded files: detects their type by their first bytes, and removes metadata from pictures.
//!
//! Photos contain the place, the time and the camera. Merchants must not get these, so a JPEG, PNG, WebP or HEIC keeps only
//! what is needed to show it correctly. A PDF stays unchanged.

mod heic;
mod stripped;
use img_parts::{
    Bytes, ImageEXIF,
    jpeg::{Jpeg, JpegSegment, markers},
    png::Png,
    webp::WebP,
};
use stripped::Stripped;

/// The type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A photo.
    Jpeg,
    /// A picture, such as a screenshot.
    Png,
    /// A photo or picture.
    Webp,
    /// A photo, as Apple's phones take them.
    Heic,
    /// A document.
    Pdf,
}

impl Kind {
    /// All types.
    pub const ALL: [Self; 5] = [Self::Jpeg, Self::Png, Self::Webp, Self::Heic, Self::Pdf];

    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Heic => "image/heic",
            Self::Pdf => "application/pdf",
        }
    }

    /// Its file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Heic => "heic",
            Self::Pdf => "pdf",
        }
    }

    /// The type with a media type.
    pub fn of_media_type(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.media_type() == name)
    }

    /// The type by the first bytes of a file.
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let webp = || bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
        match bytes {
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            _ if bytes.starts_with(b"\x89PNG\r\n\x1A\n") => Some(Self::Png),
            _ if webp() => Some(Self::Webp),
            _ if heic::is_heic(bytes) => Some(Self::Heic),
            _ if bytes.starts_with(b"%PDF-") => Some(Self::Pdf),
            _ => None,
        }
    }
}

/// The most pixels of a picture: more than cameras have, and few enough for browsers. A file of a few kB can claim billions.
pub const MAX_PIXELS: u64 = 110_000_000;

/// Why a picture is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// It cannot be parsed.
    #[error("the file is damaged, or has another format than it claims")]
    Broken,
    /// It has too many pixels to be shown.
    #[error("the picture has more than {} million pixels", MAX_PIXELS / 1_000_000)]
    TooManyPixels,
}

/// Removes the metadata of a picture.
pub fn strip_metadata(kind: Kind, bytes: Vec<u8>) -> Result<Vec<u8>, PictureError> {
    let stripped = match kind {
        Kind::Jpeg => jpeg(bytes),
        Kind::Png => png(bytes),
        Kind::Webp => webp(bytes),
        Kind::Heic => heic::strip_metadata(bytes),
        Kind::Pdf => return Ok(bytes),
    };
    let Stripped { width, height, bytes } = stripped.ok_or(PictureError::Broken)?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(PictureError::TooManyPixels);
    }
    Ok(bytes)
}

/// Keeps the picture, its colours (JFIF, ICC, Adobe) and its orientation. Removes EXIF, XMP, IPTC, comments and everything after
/// the picture, such as a film or a preview with metadata of its own.
fn jpeg(bytes: Vec<u8>) -> Option<Stripped> {
    let whole = Bytes::from(bytes);
    let mut jpeg = Jpeg::from_bytes(whole.clone()).ok()?;
    let size = jpeg.dimensions()?;
    let exif = jpeg.segments().iter().find_map(|segment| segment.contents().strip_prefix(EXIF_PREFIX));
    let orientation = exif.and_then(read_orientation);
    let segments = jpeg.segments_mut();
    segments.retain(|segment| match segment.marker() {
        markers::APP0 => segment.contents().starts_with(b"JFIF\0"),
        markers::APP2 => segment.contents().starts_with(b"ICC_PROFILE\0"),
        markers::APP14 => segment.contents().starts_with(b"Adobe"),
        markers::APP1..=markers::APP15 | markers::COM => false,
        _ => true,
    });
    let scan = segments.pop()?;
    // Everything after the header of the first scan.
    let rest = whole.slice(whole.len().checked_sub(scan.len_with_entropy() - scan.len())?..);
    let entropy = rest.slice(..end_of_picture(&rest)?);
    segments.push(JpegSegment::new_with_entropy(scan.marker(), scan.contents().clone(), entropy));
    if let Some(orientation) = orientation {
        let at = usize::from(segments.first().is_some_and(|segment| segment.marker() == markers::APP0));
        segments.insert(at, JpegSegment::new_with_contents(markers::APP1, exif_of(orientation)));
    }
    let (width, height) = (size.0.into(), size.1.into());
    Some(Stripped { width, height, bytes: jpeg.encoder().bytes().to_vec() })
}

/// The position after the picture's end marker. Within a scan, `FF` is followed by 0 or a restart marker. Between scans there
/// are segments with their length.
fn end_of_picture(data: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += data.get(at..)?.iter().position(|&byte| byte == 0xFF)?;
        match *data.get(at + 1)? {
            0x00 | 0xD0..=0xD7 => at += 2,
            0xFF => at += 1,
            markers::EOI => return Some(at + 2),
            _ => {
                let length = data.get(at + 2..at + 4)?;
                at += 2 + usize::from(u16::from_be_bytes(length.try_into().ok()?));
            }
        }
    }
}

/// The orientation (EXIF tag 0x0112), unless it is the normal one.
fn read_orientation(exif: &[u8]) -> Option<u8> {
    let is_little_endian = match exif.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes: [u8; 2] = exif.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_little_endian { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let long: [u8; 4] = exif.get(4..8)?.try_into().ok()?;
    let directory =
        usize::try_from(if is_little_endian { u32::from_le_bytes(long) } else { u32::from_be_bytes(long) }).ok()?;
    let entries = (0..usize::from(short(directory)?)).map(|entry| directory + 2 + entry * EXIF_ENTRY_BYTES);
    let found = entries.take_while(|&at| at < exif.len()).find(|&at| short(at) == Some(ORIENTATION_TAG))?;
    u8::try_from(short(found + 8)?).ok().filter(|orientation| (2..=8).contains(orientation))
}

/// The prefix of EXIF in a JPEG.
const EXIF_PREFIX: &[u8] = b"Exif\0\0";
/// The EXIF tag of the orientation.
const ORIENTATION_TAG: u16 = 0x0112;
/// The size of an entry in an EXIF directory.
const EXIF_ENTRY_BYTES: usize = 12;

/// EXIF, as in a JPEG, with only an orientation.
fn exif_of(orientation: u8) -> Bytes {
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.push(orientation);
    exif.extend([0; 6]); // the rest of the value, and no further directory
    exif.into()
}

/// The chunks of a PNG that affect its display: transparency, colours, size, animation, orientation.
const PNG_DISPLAY_CHUNKS: [&[u8; 4]; 13] = [
    b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"sBIT", b"pHYs", b"bKGD", b"eXIf", b"acTL", b"fcTL", b"fdAT",
];
/// The chunks of a WebP that affect its display.
const WEBP_DISPLAY_CHUNKS: [&[u8; 4]; 8] = [b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP", b"EXIF"];

/// Keeps the chunks that affect the display, and the orientation.
fn png(bytes: Vec<u8>) -> Option<Stripped> {
    let mut png = Png::from_bytes(bytes.into()).ok()?;
    let (width, height) = png.dimensions()?;
    keep_only_orientation(&mut png);
    // The type of a critical chunk starts with a capital (PNG specification, 5.4).
    png.chunks_mut()
        .retain(|chunk| chunk.kind()[0].is_ascii_uppercase() || PNG_DISPLAY_CHUNKS.contains(&&chunk.kind()));
    Some(Stripped { width, height, bytes: png.encoder().bytes().to_vec() })
}

fn webp(bytes: Vec<u8>) -> Option<Stripped> {
    let mut webp = WebP::from_bytes(bytes.into()).ok()?;
    let (width, height) = webp.dimensions()?;
    keep_only_orientation(&mut webp);
    webp.chunks_mut().retain(|chunk| WEBP_DISPLAY_CHUNKS.contains(&&chunk.id()));
    Some(Stripped { width, height, bytes: webp.encoder().bytes().to_vec() })
}

/// Reduces EXIF to the orientation.
fn keep_only_orientation(picture: &mut impl ImageEXIF) {
    let exif = picture.exif();
    let exif = exif.as_deref().map(|exif| exif.strip_prefix(EXIF_PREFIX).unwrap_or(exif));
    let kept = exif.and_then(read_orientation).map(|orientation| exif_of(orientation).slice(EXIF_PREFIX.len()..));
    picture.set_exif(kept);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    /// A picture of one scan, with segments before it and data after it.
    fn a_jpeg(segments: &[(u8, &[u8])], trailer: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0xFF, 0xD8];
        let frame: (u8, &[u8]) = (0xC0, &[8, 0, 16, 0, 16, 1, 1, 0x11, 0]);
        let scan: (u8, &[u8]) = (0xDA, &[1, 1, 0, 0, 63, 0]);
        for (marker, contents) in segments.iter().chain([&frame, &scan]) {
            bytes.extend([0xFF, *marker]);
            bytes.extend(u16::try_from(contents.len() + 2).unwrap().to_be_bytes());
            bytes.extend(*contents);
        }
        bytes.extend([1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4]);
        // A table of a second scan that contains the bytes of an end marker.
        bytes.extend([0xFF, 0xC4, 0, 4, 0xFF, 0xD9, 0xFF, 0xD9]);
        bytes.extend(trailer);
        bytes
    }

    /// EXIF with an orientation and a place.
    fn exif(is_little_endian: bool) -> Vec<u8> {
        let head: &[u8] = if is_little_endian { b"Exif\0\0II*\0\x08\0\0\0" } else { b"Exif\0\0MM\0*\0\0\0\x08" };
        let number = |value: u16| if is_little_endian { value.to_le_bytes() } else { value.to_be_bytes() };
        let mut exif = head.to_vec();
        exif.extend(number(2));
        for (tag, value) in [(0x010F, 7), (0x0112, 6)] {
            let four = if is_little_endian { [1, 0, 0, 0] } else { [0, 0, 0, 1] };
            for part in [&number(tag)[..], &number(3), &four, &number(value), &[0, 0]] {
                exif.extend(part);
            }
        }
        exif.extend(b"\0\0\0\0GPS 52.37 N 4.89 E");
        exif
    }

    #[test]
    fn a_photo_loses_its_place_and_keeps_its_orientation() {
        for little in [true, false] {
            let exif = exif(little);
            let segments: [(u8, &[u8]); 6] = [
                (0xE0, b"JFIF\0\x01\x01"),
                (0xE1, &exif),
                (0xE1, b"http://ns.adobe.com/xap/1.0/\0GPS"),
                (0xE2, b"ICC_PROFILE\0\x01\x01colours"),
                (0xED, b"Photoshop 3.0\0GPS"),
                (0xFE, b"GPS"),
            ];
            let clean = strip_metadata(Kind::Jpeg, a_jpeg(&segments, b"film with GPS")).unwrap();
            assert!(!clean.windows(3).any(|window| window == b"GPS"), "{}", String::from_utf8_lossy(&clean));
            assert!(clean.windows(7).any(|window| window == b"colours"));
            let kept = Jpeg::from_bytes(clean.clone().into()).unwrap();
            let exif = kept.segments().iter().find_map(|segment| segment.contents().strip_prefix(b"Exif\0\0"));
            assert_eq!(exif.and_then(read_orientation), Some(6));
            assert!(
                clean.ends_with(&[4, 0xFF, 0xC4, 0, 4, 0xFF, 0xD9, 0xFF, 0xD9]),
                "the whole picture, without the trailer"
            );
            assert_eq!(strip_metadata(Kind::Jpeg, clean.clone()).unwrap(), clean);
        }
    }

    #[test]
    fn a_file_without_metadata_stays_unchanged() {
        let plain = a_jpeg(&[(0xE0, b"JFIF\0\x01\x01")], b"");
        assert_eq!(strip_metadata(Kind::Jpeg, plain.clone()), Ok(plain));
        let document = b"%PDF-1.7 whatever".to_vec();
        assert_eq!(strip_metadata(Kind::Pdf, document.clone()), Ok(document));
    }

    #[test]
    fn a_truncated_picture_is_rejected() {
        let whole = a_jpeg(&[(0xE1, &exif(true))], b"");
        for length in 3..whole.len() {
            assert_eq!(strip_metadata(Kind::Jpeg, whole[..length].to_vec()), Err(PictureError::Broken), "{length}");
        }
    }

    #[test]
    fn a_screenshot_loses_its_text_chunks() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
        encoder.add_text_chunk("Location".to_owned(), "GPS".to_owned()).unwrap();
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[7]).unwrap();
        writer.finish().unwrap();
        assert_eq!(Kind::of_bytes(&bytes), Some(Kind::Png));
        let clean = strip_metadata(Kind::Png, bytes).unwrap();
        assert!(!clean.windows(3).any(|window| window == b"GPS"));
        let mut reader = png::Decoder::new(std::io::Cursor::new(clean)).read_info().unwrap();
        let mut pixels = [0; 1];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, [7]);
    }

    #[test]
    fn a_picture_with_too_many_pixels_is_rejected() {
        let mut huge = a_jpeg(&[], b"");
        let frame = huge.windows(2).position(|two| two == [0xFF, 0xC0]).unwrap();
        huge[frame + 5..frame + 9].copy_from_slice(&[0x29, 0, 0x29, 0]); // 10,496 by 10,496
        assert_eq!(strip_metadata(Kind::Jpeg, huge), Err(PictureError::TooManyPixels));
    }

    #[test]
    fn the_first_bytes_decide_the_type() {
        let cases: [(&[u8], Option<Kind>); 9] = [
            (&[0xFF, 0xD8, 0xFF, 0xE0], Some(Kind::Jpeg)),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some(Kind::Webp)),
            (b"%PDF-1.7", Some(Kind::Pdf)),
            (b"RIFF\x10\0\0\0WAVEfmt ", None),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", Some(Kind::Heic)),
            (b"\0\0\0\x18ftypavif\0\0\0\0mif1avif", None),
            (b"\0\0\0\xFFftypheic", None),
            (b"<svg xmlns='http://www.w3.org/2000/svg'>", None),
            (b"", None),
        ];
        for (bytes, kind) in cases {
            assert_eq!(Kind::of_bytes(bytes), kind);
        }
        for kind in Kind::ALL {
            assert_eq!(Kind::of_media_type(kind.media_type()), Some(kind));
        }
    }
}
