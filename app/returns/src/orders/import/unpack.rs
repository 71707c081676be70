//! Unpacks a file: gzip, a ZIP archive with one CSV file, or both.

use super::{error::ImportError, zip::ZippedFile};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufReader, Cursor, Read};

const BUFFER: usize = 64 * 1024;
/// A `.csv.gz` may be sent with `Content-Encoding: gzip`, and a ZIP archive may be gzipped too.
const MOST_LAYERS: usize = 3;

/// The bytes of a file.
pub(super) type Bytes<'r> = Box<dyn Read + Send + 'r>;

/// More bytes were unpacked than allowed.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("unpacked, the file is larger than {} MiB: import it in parts, each with whole orders", .0 / 1024 / 1024)]
pub(super) struct TooLarge(pub u64);

/// The plain bytes of a file, at most `most`. Its first bytes decide how it is packed.
pub(super) fn unpack<'r>(reader: Bytes<'r>, most: u64) -> Result<Bytes<'r>, ImportError> {
    let mut reader: Bytes<'r> = Box::new(AtMost { reader, left: most, most });
    for _ in 0..MOST_LAYERS {
        let (start, whole) = peek(reader, 4);
        let unpacked: Bytes<'r> = if start.starts_with(&[0x1f, 0x8b]) {
            // Multi-member, because `cat a.gz b.gz` is a valid gzip file too, and its second half must not be lost.
            Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, whole)))
        } else if start == b"PK\x03\x04" || start == b"PK\x05\x06" {
            Box::new(ZippedFile::open(BufReader::with_capacity(BUFFER, whole))?)
        } else {
            return Ok(whole);
        };
        reader = Box::new(AtMost { reader: unpacked, left: most, most });
    }
    Ok(reader)
}

/// Returns the first bytes, and a reader of all bytes. A read error is returned at its position, not earlier.
pub(super) fn peek(mut reader: Bytes<'_>, count: usize) -> (Vec<u8>, Bytes<'_>) {
    let mut start = Vec::with_capacity(count);
    let error = reader.by_ref().take(count as u64).read_to_end(&mut start).err();
    let whole = Cursor::new(start.clone()).chain(Fails(error)).chain(reader);
    (start, Box::new(whole))
}

/// Returns an error once, if it has one.
struct Fails(Option<io::Error>);

impl Read for Fails {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

struct AtMost<R> {
    reader: R,
    left: u64,
    most: u64,
}

impl<R: Read> Read for AtMost<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| io::Error::other(TooLarge(self.most)))?;
        Ok(count)
    }
}
