//! HEIC: photos as telephones take them (ISO/IEC 23008-12, in the boxes of ISO/IEC 14496-12).
//!
//! What a file holds is found by its place in the file, so nothing is taken out: what tells of camera and place is written
//! over where it stands. Which way up a picture is stands elsewhere (`irot`), and stays.

use std::ops::Range;

/// What telephones call it; others of the family (AVIF, films) are not taken.
const BRANDS: [&[u8]; 4] = [b"heic", b"heix", b"heim", b"heis"];
/// Items that tell of a picture rather than draw it: EXIF, XMP and other papers.
const TRACES: [&[u8]; 3] = [b"Exif", b"mime", b"uri "];
/// Places in a file that items may have: cameras' have some hundreds. An entry may take no room in the file, so the file's own
/// length bounds nothing.
const MAX_PLACES: usize = 10_000;
/// Of these, places of traces.
const MAX_TRACES: usize = 64;
/// What draws a picture, of all that may stand in `meta`.
const DRAWS: [&[u8]; 9] = [b"hdlr", b"pitm", b"iinf", b"iloc", b"iref", b"iprp", b"idat", b"dinf", b"grpl"];
/// EXIF that says nothing: where it begins, then an empty directory.
const NO_EXIF: [u8; 18] = *b"\0\0\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0";

/// Whether a file says that it is one.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    let Some((b"ftyp", body)) = boxes(bytes, 0..bytes.len()).next().flatten() else { return false };
    // The major brand, its version, then those that it goes with.
    let brands = bytes.get(body).unwrap_or_default().chunks_exact(4);
    brands.enumerate().any(|(index, brand)| index != 1 && BRANDS.contains(&brand))
}

/// Width and height of its largest picture, and the file without traces; `None` when it is broken.
pub(super) fn without_traces(mut bytes: Vec<u8>) -> Option<((u32, u32), Vec<u8>)> {
    let mut meta = None;
    let mut over = Vec::new();
    for part in boxes(&bytes, 0..bytes.len()) {
        match part? {
            (b"ftyp" | b"mdat", _) => {}
            // Some readers take the first, others the last.
            (b"meta", _) if meta.is_some() => return None,
            (b"meta", body) => meta = Some(body),
            (b"moov", _) => return None, // a film, with places of its own
            // Makers' own: the film of a moving photo, for one, with where it was taken.
            (_, body) => over.push(Trace { is_exif: false, place: body }),
        }
    }
    let meta = Meta::read(&bytes, meta?)?;
    over.extend(meta.traces);
    for Trace { is_exif, place } in over {
        let place = bytes.get_mut(place)?;
        place.fill(0);
        if let Some(start) = place.get_mut(..NO_EXIF.len()).filter(|_| is_exif) {
            start.copy_from_slice(&NO_EXIF);
        }
    }
    Some((meta.size, bytes))
}

/// What is to be written over.
struct Trace {
    is_exif: bool,
    place: Range<usize>,
}

struct Meta {
    size: (u32, u32),
    traces: Vec<Trace>,
}

impl Meta {
    fn read(bytes: &[u8], body: Range<usize>) -> Option<Self> {
        let (mut items, mut places, mut data, mut size) = (Vec::new(), None, None, None);
        let mut traces = Vec::new();
        for part in boxes(bytes, body.start + 4..body.end) {
            match part? {
                (b"iinf", body) => items = traces_among(bytes, body)?,
                (b"iloc", body) => places = Some(body),
                (b"idat", body) => data = Some(body),
                (b"iprp", body) => size = largest(bytes, body),
                (kind, _) if DRAWS.contains(&kind.as_slice()) => {}
                (_, body) => traces.push(Trace { is_exif: false, place: body }),
            }
        }
        for (id, place) in places_of(bytes, places?, data.as_ref())? {
            if let Some(&(_, is_exif)) = items.iter().find(|(item, _)| *item == id) {
                if traces.len() == MAX_TRACES {
                    return None;
                }
                traces.push(Trace { is_exif, place: place? });
            }
        }
        Some(Self { size: size?, traces })
    }
}

/// The items that are traces, and whether each is EXIF (`iinf`, 8.11.6 of the boxes' standard).
fn traces_among(bytes: &[u8], body: Range<usize>) -> Option<Vec<(u32, bool)>> {
    let mut reader = Reader::new(bytes, &body)?;
    let version = reader.number(4)? >> 24;
    reader.number(if version == 0 { 2 } else { 4 })?;
    let mut found = Vec::new();
    for part in boxes(bytes, body.start + reader.at..body.end) {
        let (b"infe", body) = part? else { continue };
        let mut reader = Reader::new(bytes, &body)?;
        let version = reader.number(4)? >> 24;
        if !(2..=3).contains(&version) {
            return None; // from before there was HEIC
        }
        let id = u32::try_from(reader.number(if version == 2 { 2 } else { 4 })?).ok()?;
        reader.number(2)?;
        let kind = reader.take(4)?;
        if TRACES.contains(&kind) {
            if found.len() == MAX_TRACES {
                return None;
            }
            found.push((id, kind == b"Exif"));
        }
    }
    Some(found)
}

/// Each item's places in the file (`iloc`, 8.11.3); `None` for one that is not in it.
fn places_of(
    bytes: &[u8],
    body: Range<usize>,
    data: Option<&Range<usize>>,
) -> Option<Vec<(u32, Option<Range<usize>>)>> {
    let mut reader = Reader::new(bytes, &body)?;
    let version = reader.number(4)? >> 24;
    let sizes = reader.number(2)?;
    let size = |shift: u32| usize::try_from(sizes >> shift & 0xF).unwrap_or(0);
    let (offset_size, length_size, base_size) = (size(12), size(8), size(4));
    let index_size = if version == 0 { 0 } else { size(0) };
    let wide = if version == 2 { 4 } else { 2 };
    let mut places = Vec::new();
    for _ in 0..reader.number(wide)? {
        let id = u32::try_from(reader.number(wide)?).ok()?;
        // 0: in the file; 1: in `idat`.
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
            if places.len() == MAX_PLACES {
                return None;
            }
            places.push((id, within.and_then(|within| part_of(&within, offset, length))));
        }
    }
    Some(places)
}

fn part_of(within: &Range<usize>, offset: u64, length: u64) -> Option<Range<usize>> {
    let start = within.start.checked_add(usize::try_from(offset).ok()?)?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    (length > 0 && end <= within.end).then_some(start..end)
}

/// The largest of its pictures: parts of one, or smaller ones, stand beside it (`ispe`, 6.5.3 of HEIC's own standard).
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

/// The boxes that stand in a part of a file: what each is called, and where its contents are. Ends with `None` where one
/// is broken.
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
        0 => within.end, // up to the end of what it stands in
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

    /// A number of so many bytes, up to 8; 0 where it has none.
    fn number(&mut self, length: usize) -> Option<u64> {
        let bytes = self.take(length).filter(|bytes| bytes.len() <= 8)?;
        Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}
