//! Reads files, with or without gzip, and counts bytes for a progress bar.

use flate2::read::MultiGzDecoder;
use std::{
    fs::File,
    io::{self, BufReader, Cursor, Read},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const BUFFER: usize = 256 * 1024;

/// A file that is being read. Yields plain bytes, also of a gzip file.
pub struct Source {
    /// The size of the file on disk, in bytes.
    pub size: u64,
    /// The bytes that were read so far; equals `size` at the end.
    pub read: Arc<AtomicU64>,
    bytes: Box<dyn Read + Send>,
}

/// Opens a file. Its first bytes, not its name, decide whether it is a gzip file.
pub fn open(path: &Path) -> io::Result<Source> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let read = Arc::new(AtomicU64::new(0));
    let counted = BufReader::with_capacity(BUFFER, Counted { file, read: Arc::clone(&read) });
    Ok(Source { size, read, bytes: plain(counted)? })
}

fn plain(mut reader: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::with_capacity(GZIP_MAGIC.len());
    reader.by_ref().take(2).read_to_end(&mut start)?;
    let gzipped = start == GZIP_MAGIC;
    let whole = Cursor::new(start).chain(reader);
    // Multi-member, because `cat a.gz b.gz` is a valid gzip file too, and its second half must not be lost.
    Ok(if gzipped { Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(whole))) } else { Box::new(whole) })
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> (String, u64, u64) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let mut source = open(file.path()).unwrap();
        let mut text = String::new();
        source.read_to_string(&mut text).unwrap();
        (text, source.read.load(Ordering::Relaxed), source.size)
    }

    #[test]
    fn gzip_is_told_by_its_first_bytes_and_every_byte_is_counted() {
        for plain in ["", "x", "a,b\n1,2\n"] {
            let size = plain.len() as u64;
            assert_eq!(read(plain.as_bytes()), (plain.to_owned(), size, size));
        }
        let two_members = [gzip("a,b\n"), gzip("1,2\n")].concat();
        let size = two_members.len() as u64;
        assert_eq!(read(&two_members), ("a,b\n1,2\n".to_owned(), size, size));
    }
}
