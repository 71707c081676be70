//! HEIC, the format of phone photos (ISO/IEC 23008-12, in the boxes of ISO/IEC 14496-12).
//!
//! The file refers to its parts by their offsets, so nothing can be removed: metadata is overwritten in place. The orientation
//! is stored separately (`irot`), and stays.

use super::stripped::Stripped;
use std::ops::Range;

/// The brands of phone photos. Other brands of the family (AVIF, films) are not accepted.
const BRANDS: [&[u8]; 4] = [b"heic", b"heix", b"heim", b"heis"];
/// The item types of metadata: EXIF, XMP and others.
const METADATA_ITEMS: [&[u8]; 3] = [b"Exif", b"mime", b"uri "];
/// The most extents of items: photos have some hundreds. An entry may have size 0, so the length of the file is no limit.
const MAX_EXTENTS: usize = 10_000;
/// The most extents of metadata.
const MAX_METADATA_EXTENTS: usize = 64;
/// The boxes within `meta` that are needed to display the picture.
const DISPLAY_BOXES: [&[u8]; 9] = [b"hdlr", b"pitm", b"iinf", b"iloc", b"iref", b"iprp", b"idat", b"dinf", b"grpl"];
/// Empty EXIF: its offset, then an empty directory.
const EMPTY_EXIF: [u8; 18] = *b"\0\0\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0";

/// Whether a file has a brand of HEIC.
pub(super) fn is_heic(bytes: &[u8]) -> bool {
    let Some((b"ftyp", body)) = boxes(bytes, 0..bytes.len()).next().flatten() else { return false };
    // The major brand, its version, then compatible brands.
    let brands = bytes.get(body).unwrap_or_default().chunks_exact(4);
    brands.enumerate().any(|(index, brand)| index != 1 && BRANDS.contains(&brand))
}

/// Overwrites the metadata; `None` if the file is broken. The size is that of its largest picture.
pub(super) fn strip_metadata(mut bytes: Vec<u8>) -> Option<Stripped> {
    let mut meta = None;
    let mut metadata = Vec::new();
    for part in boxes(&bytes, 0..bytes.len()) {
        match part? {
            (b"ftyp" | b"mdat", _) => {}
            // With two of them, some readers use the first and others the last.
            (b"meta", _) if meta.is_some() => return None,
            (b"meta", body) => meta = Some(body),
            (b"moov", _) => return None, // a film, which has metadata of its own
            // Vendor boxes, such as the film of a live photo, which contains the place.
            (_, body) => metadata.push(MetadataExtent { is_exif: false, range: body }),
        }
    }
    let meta = Meta::read(&bytes, meta?)?;
    metadata.extend(meta.metadata);
    for MetadataExtent { is_exif, range } in metadata {
        let extent = bytes.get_mut(range)?;
        extent.fill(0);
        if let Some(start) = extent.get_mut(..EMPTY_EXIF.len()).filter(|_| is_exif) {
            start.copy_from_slice(&EMPTY_EXIF);
        }
    }
    let (width, height) = meta.size;
    Some(Stripped { width, height, bytes })
}

/// A part of the file to overwrite.
struct MetadataExtent {
    is_exif: bool,
    range: Range<usize>,
}

/// The `meta` box.
struct Meta {
    size: (u32, u32),
    metadata: Vec<MetadataExtent>,
}

impl Meta {
    fn read(bytes: &[u8], body: Range<usize>) -> Option<Self> {
        let (mut items, mut extents, mut data, mut size) = (Vec::new(), None, None, None);
        let mut metadata = Vec::new();
        for part in boxes(bytes, body.start + 4..body.end) {
            match part? {
                (b"iinf", body) => items = metadata_items(bytes, body)?,
                (b"iloc", body) => extents = Some(body),
                (b"idat", body) => data = Some(body),
                (b"iprp", body) => size = largest(bytes, body),
                (kind, _) if DISPLAY_BOXES.contains(&kind.as_slice()) => {}
                (_, body) => metadata.push(MetadataExtent { is_exif: false, range: body }),
            }
        }
        for extent in item_extents(bytes, extents?, data.as_ref())? {
            if let Some(item) = items.iter().find(|item| item.id == extent.item) {
                if metadata.len() == MAX_METADATA_EXTENTS {
                    return None;
                }
                metadata.push(MetadataExtent { is_exif: item.is_exif, range: extent.range? });
            }
        }
        Some(Self { size: size?, metadata })
    }
}

/// An item of metadata.
struct MetadataItem {
    id: u32,
    is_exif: bool,
}

/// The items of metadata (`iinf`, ISO/IEC 14496-12, 8.11.6).
fn metadata_items(bytes: &[u8], body: Range<usize>) -> Option<Vec<MetadataItem>> {
    let mut reader = Reader::new(bytes, &body)?;
    let version = reader.number(4)? >> 24;
    reader.number(if version == 0 { 2 } else { 4 })?;
    let mut found = Vec::new();
    for part in boxes(bytes, body.start + reader.at..body.end) {
        let (b"infe", body) = part? else { continue };
        let mut reader = Reader::new(bytes, &body)?;
        let version = reader.number(4)? >> 24;
        if !(2..=3).contains(&version) {
            return None; // older than HEIC
        }
        let id = u32::try_from(reader.number(if version == 2 { 2 } else { 4 })?).ok()?;
        reader.number(2)?;
        let kind = reader.take(4)?;
        if METADATA_ITEMS.contains(&kind) {
            if found.len() == MAX_METADATA_EXTENTS {
                return None;
            }
            found.push(MetadataItem { id, is_exif: kind == b"Exif" });
        }
    }
    Some(found)
}

/// A part of an item.
struct ItemExtent {
    item: u32,
    /// Where it is in the file; `None` if it is outside.
    range: Option<Range<usize>>,
}

/// The extents of all items (`iloc`, ISO/IEC 14496-12, 8.11.3).
fn item_extents(bytes: &[u8], body: Range<usize>, data: Option<&Range<usize>>) -> Option<Vec<ItemExtent>> {
    let mut reader = Reader::new(bytes, &body)?;
    let version = reader.number(4)? >> 24;
    let sizes = reader.number(2)?;
    let size = |shift: u32| usize::try_from(sizes >> shift & 0xF).unwrap_or(0);
    let (offset_size, length_size, base_size) = (size(12), size(8), size(4));
    let index_size = if version == 0 { 0 } else { size(0) };
    let wide = if version == 2 { 4 } else { 2 };
    let mut extents = Vec::new();
    for _ in 0..reader.number(wide)? {
        let item = u32::try_from(reader.number(wide)?).ok()?;
        // The construction method: 0 for an offset in the file, 1 for an offset in `idat`.
        let method = if version == 0 { 0 } else { reader.number(2)? & 0xF };
        let elsewhere = reader.number(2)?;
        let base = reader.number(base_size)?;
        for _ in 0..reader.number(2)? {
            reader.number(index_size)?;
            let offset = reader.number(offset_size)?.checked_add(base)?;
            let length = reader.number(length_size)?;
            let within = match (method, elsewhere) {
                (0, 0) => Some(0..bytes.len()),
                (1, 0) => data.cloned(),
                _ => None,
            };
            if extents.len() == MAX_EXTENTS {
                return None;
            }
            extents.push(ItemExtent { item, range: within.and_then(|within| part_of(&within, offset, length)) });
        }
    }
    Some(extents)
}

fn part_of(within: &Range<usize>, offset: u64, length: u64) -> Option<Range<usize>> {
    let start = within.start.checked_add(usize::try_from(offset).ok()?)?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    (length > 0 && end <= within.end).then_some(start..end)
}

/// The size of the largest picture (`ispe`, ISO/IEC 23008-12, 6.5.3). A file also contains tiles and previews.
fn largest(bytes: &[u8], body: Range<usize>) -> Option<(u32, u32)> {
    let (_, properties) = boxes(bytes, body).flatten().find(|(kind, _)| *kind == b"ipco")?;
    let sizes = boxes(bytes, properties).flatten().filter(|(kind, _)| *kind == b"ispe");
    let sizes = sizes.filter_map(|(_, body)| {
        let mut reader = Reader::new(bytes, &body)?;
        reader.number(4)?;
        Some((u32::try_from(reader.number(4)?).ok()?, u32::try_from(reader.number(4)?).ok()?))
    });
    sizes.max_by_key(|&(width, height)| u64::from(width) * u64::from(height))
}

/// The boxes within a part of a file: type and range of the content. Ends with `None` at a broken box.
fn boxes(bytes: &[u8], within: Range<usize>) -> impl Iterator<Item = Option<(&[u8; 4], Range<usize>)>> {
    let mut at = Some(within.start);
    std::iter::from_fn(move || {
        let start = at.filter(|&start| start < within.end)?;
        let found = one_box(bytes, start..within.end);
        at = found.as_ref().map(|(_, body)| body.end);
        Some(found)
    })
}

fn one_box(bytes: &[u8], within: Range<usize>) -> Option<(&[u8; 4], Range<usize>)> {
    let mut reader = Reader::new(bytes, &within)?;
    let size = reader.number(4)?;
    let kind = reader.take(4)?.first_chunk()?;
    let end = match size {
        0 => within.end, // to the end of the enclosing part
        1 => within.start.checked_add(usize::try_from(reader.number(8)?).ok()?)?,
        size => within.start.checked_add(usize::try_from(size).ok()?)?,
    };
    let start = within.start + reader.at;
    (start <= end && end <= within.end).then_some((kind, start..end))
}

/// Reads big-endian numbers.
struct Reader<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8], within: &Range<usize>) -> Option<Self> {
        Some(Self { data: bytes.get(within.clone())?, at: 0 })
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.data.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    /// A number of up to 8 bytes; 0 if it has no bytes.
    fn number(&mut self, length: usize) -> Option<u64> {
        let bytes = self.take(length).filter(|bytes| bytes.len() <= 8)?;
        Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}
