//! Converts text of different programs to UTF-8 without a byte order mark, with lines that end with `\n`.

use super::{
    error::ImportError,
    kinds::{FileKind, MAGIC_BYTES},
    read_error::read_error,
    unpack::{Bytes, peek},
};
use encoding_rs::{CoderResult, Decoder, UTF_16BE, UTF_16LE};
use std::io::{self, Read};

const BUFFER: usize = 64 * 1024;
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the text of a file, or refuses a file that is not text.
pub(super) fn text(reader: Bytes<'_>) -> Result<Bytes<'_>, ImportError> {
    let (start, whole) = peek(reader, MAGIC_BYTES);
    if let Some(kind) = FileKind::of(&start) {
        return Err(ImportError::OtherFile(kind));
    }
    let decoded: Bytes<'_> = match utf_16(&start) {
        Some(decoder) => Box::new(Utf16::new(whole, decoder)),
        None => whole,
    };
    // Some programs write the mark twice.
    let (start, mut whole) = peek(decoded, MAGIC_BYTES);
    if let Some(kind) = FileKind::of_text(&start) {
        return Err(ImportError::OtherFile(kind));
    }
    let marks = start.chunks(MARK.len()).take_while(|chunk| *chunk == MARK).count();
    for _ in 0..marks {
        whole.read_exact(&mut [0; MARK.len()]).map_err(|source| read_error(1, source))?;
    }
    Ok(Box::new(LineEnds::new(whole)))
}

/// Returns a decoder if the text is UTF-16: by its mark, or by the zero bytes beside the ASCII letters of the header.
fn utf_16(start: &[u8]) -> Option<Decoder> {
    match *start {
        [0xff, 0xfe, ..] => Some(UTF_16LE.new_decoder_with_bom_removal()),
        [0xfe, 0xff, ..] => Some(UTF_16BE.new_decoder_with_bom_removal()),
        [first, 0, second, 0, ..] if first != 0 && second != 0 => Some(UTF_16LE.new_decoder_without_bom_handling()),
        [0, first, 0, second, ..] if first != 0 && second != 0 => Some(UTF_16BE.new_decoder_without_bom_handling()),
        _ => None,
    }
}

struct Utf16<R> {
    reader: R,
    decoder: Decoder,
    raw: Vec<u8>,
    raw_at: usize,
    is_last: bool,
    decoded: Vec<u8>,
    at: usize,
    is_over: bool,
}

impl<R: Read> Utf16<R> {
    fn new(reader: R, decoder: Decoder) -> Self {
        Self { reader, decoder, raw: Vec::new(), raw_at: 0, is_last: false, decoded: Vec::new(), at: 0, is_over: false }
    }

    fn refill(&mut self) -> io::Result<()> {
        if self.raw_at >= self.raw.len() && !self.is_last {
            self.raw.resize(BUFFER, 0);
            let count = self.reader.read(&mut self.raw)?;
            self.raw.truncate(count);
            self.raw_at = 0;
            self.is_last = count == 0;
        }
        self.decoded.resize(2 * BUFFER, 0);
        let raw = self.raw.get(self.raw_at..).unwrap_or_default();
        let (result, read, written, _) = self.decoder.decode_to_utf8(raw, &mut self.decoded, self.is_last);
        self.raw_at += read;
        self.decoded.truncate(written);
        self.at = 0;
        self.is_over = self.is_last && result == CoderResult::InputEmpty;
        Ok(())
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.decoded.len() && !self.is_over {
            self.refill()?;
        }
        let count = self.decoded.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// Replaces each `\r` that stands alone with `\n`: old Macs, and Excel's "CSV (Macintosh)", end lines like this. `\r\n`
/// stays.
struct LineEnds<R> {
    reader: R,
    held: Vec<u8>,
    at: usize,
    /// How many of the buffered bytes are ready. The last one may be a `\r` whose next byte is unknown.
    ready: usize,
    is_over: bool,
}

impl<R: Read> LineEnds<R> {
    fn new(reader: R) -> Self {
        Self { reader, held: Vec::new(), at: 0, ready: 0, is_over: false }
    }

    fn refill(&mut self) -> io::Result<()> {
        // At most one byte is left: a `\r` whose next byte is unknown.
        let left = self.held.get(self.ready).copied();
        self.held.resize(BUFFER, 0);
        let start = usize::from(left.is_some());
        if let (Some(first), Some(left)) = (self.held.first_mut(), left) {
            *first = left;
        }
        let count = self.reader.read(self.held.get_mut(start..).unwrap_or_default())?;
        self.held.truncate(start + count);
        self.is_over = count == 0;
        self.at = 0;
        self.ready = mend(&mut self.held, self.is_over);
        Ok(())
    }
}

/// Converts the line ends, and returns how many bytes are ready.
fn mend(bytes: &mut [u8], is_last: bool) -> usize {
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == b'\r')) {
        let place = at + found;
        match bytes.get(place + 1) {
            Some(b'\n') => {}
            None if !is_last => return place,
            _ => {
                if let Some(byte) = bytes.get_mut(place) {
                    *byte = b'\n';
                }
            }
        }
        at = place + 1;
    }
    bytes.len()
}

impl<R: Read> Read for LineEnds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.ready && !self.is_over {
            self.refill()?;
        }
        let count = self.held.get(self.at..self.ready).unwrap_or_default().read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time, like a slow connection.
    struct Drips<'a>(&'a [u8]);

    impl Read for Drips<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(1);
            self.0.read(buffer.get_mut(..count).unwrap_or_default())
        }
    }

    fn read(bytes: &[u8]) -> String {
        let mut found = [String::new(), String::new()];
        text(Box::new(bytes)).unwrap().read_to_string(&mut found[0]).unwrap();
        text(Box::new(Drips(bytes))).unwrap().read_to_string(&mut found[1]).unwrap();
        assert_eq!(found[0], found[1]);
        found[0].clone()
    }

    #[test]
    fn line_ends_and_marks_become_one_kind() {
        for (given, wanted) in [
            ("a\rb\r", "a\nb\n"),
            ("a\r\nb\r\n", "a\r\nb\r\n"),
            ("a\r\r\nb\n\r", "a\n\r\nb\n\n"),
            ("\u{feff}a,b", "a,b"),
            ("\u{feff}\u{feff}a", "a"),
            ("", ""),
            ("\u{feff}", ""),
        ] {
            assert_eq!(read(given.as_bytes()), wanted, "{given:?}");
            for (mark, of) in [("\u{feff}", "with"), ("", "without")] {
                let text = format!("{mark}{}", given.trim_start_matches('\u{feff}'));
                if text.len() < 3 {
                    continue;
                }
                let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
                assert_eq!(read(&little), wanted, "{given:?} {of} a mark");
                assert_eq!(read(&big), wanted, "{given:?} {of} a mark");
            }
        }
    }
}
