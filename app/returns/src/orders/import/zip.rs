//! Reads ZIP archives with one CSV file as a stream.
//!
//! Libraries find the files of an archive by the directory at its end, which is not there yet while a body is being
//! received. The first file needs only its header, which is read here, and `flate2` for the data.

use super::{error::ImportError, kinds::FileKind};
use flate2::{Crc, bufread::DeflateDecoder};
use std::io::{self, BufRead, Read};

const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
const CENTRAL_HEADER: &[u8] = b"PK\x01\x02";
const END_OF_ARCHIVE: &[u8] = b"PK\x05\x06";
/// What follows a file's data: its checksum and sizes, 12 to 24 bytes, and four bytes of the next header.
const TAIL: usize = 28;
const MAX_NAME: usize = 4 * 1024;

/// Why an archive cannot be read further.
#[derive(Debug, thiserror::Error)]
pub(super) enum ArchiveError {
    #[error("the archive holds more than one file: unpack it, then import each CSV file by itself")]
    SecondFile,
    #[error("the archive is damaged: its checksum does not fit")]
    Checksum,
    #[error("the archive is damaged, or of a kind that is not read here: unpack it, then import the CSV file in it")]
    Damaged,
}

/// The one CSV file of an archive.
pub(super) struct ZippedFile<R> {
    data: Data<R>,
    crc: Crc,
    /// The checksum in the header; `None` if it follows the data.
    expected: Option<u32>,
}

enum Data<R> {
    Deflated(Box<DeflateDecoder<Pushback<R>>>),
    Stored(io::Take<Pushback<R>>),
    Ended,
}

/// The header of a file.
struct Entry {
    name: String,
    method: u16,
    is_encrypted: bool,
    /// Checksum and packed size, if they precede the data.
    known: Option<(u32, u64)>,
}

impl<R: BufRead> ZippedFile<R> {
    /// Finds the first file, which must be a CSV file.
    pub fn open(reader: R) -> Result<Self, ImportError> {
        let mut reader = Pushback { held: Vec::new(), at: 0, reader };
        loop {
            let entry = match next_entry(&mut reader) {
                Ok(Some(entry)) => entry,
                Ok(None) => return Err(ImportError::Archive("the archive holds no CSV file".to_owned())),
                Err(_) => return Err(ImportError::Archive(ArchiveError::Damaged.to_string())),
            };
            if let Some(kind) = entry.document() {
                return Err(ImportError::OtherFile(kind));
            }
            let is_csv = entry.is_csv();
            if !is_csv && !entry.is_beside() {
                let message =
                    "the archive holds something other than a CSV file: unpack it, then import the CSV file in it";
                return Err(ImportError::Archive(message.to_owned()));
            }
            let damaged = |_: io::Error| ImportError::Archive(ArchiveError::Damaged.to_string());
            let mut file = Self::of(&entry, reader).map_err(|error| ImportError::Archive(error.to_string()))?;
            if is_csv {
                return Ok(file);
            }
            io::copy(&mut file.data, &mut io::sink()).map_err(damaged)?;
            reader = file.end_of_data().map_err(damaged)?;
        }
    }

    fn of(entry: &Entry, reader: Pushback<R>) -> Result<Self, ArchiveError> {
        let data = match (entry.method, entry.known) {
            _ if entry.is_encrypted => return Err(ArchiveError::Damaged),
            (8, _) => Data::Deflated(Box::new(DeflateDecoder::new(reader))),
            (0, Some((_, size))) if size < u64::from(u32::MAX) => Data::Stored(reader.take(size)),
            _ => return Err(ArchiveError::Damaged),
        };
        Ok(Self { data, crc: Crc::new(), expected: entry.known.map(|(crc, _)| crc) })
    }

    /// Returns the reader after the data and its descriptor. Checks nothing.
    fn end_of_data(&mut self) -> io::Result<Pushback<R>> {
        let mut reader = match std::mem::replace(&mut self.data, Data::Ended) {
            Data::Deflated(decoder) => decoder.into_inner(),
            Data::Stored(taken) => taken.into_inner(),
            Data::Ended => return Err(other(ArchiveError::Damaged)),
        };
        if self.expected.is_none() {
            self.skip_descriptor(&mut reader)?;
        }
        Ok(reader)
    }

    /// Skips checksum and sizes after the data, with or without a signature, in 32 or 64 bits: the next header shows
    /// which.
    fn skip_descriptor(&mut self, reader: &mut Pushback<R>) -> io::Result<()> {
        let mut tail = Vec::with_capacity(TAIL);
        reader.by_ref().take(TAIL as u64).read_to_end(&mut tail)?;
        let begins = |at: &usize| {
            let rest = tail.get(*at..).unwrap_or_default();
            [LOCAL_HEADER, CENTRAL_HEADER, END_OF_ARCHIVE].iter().any(|signature| rest.starts_with(signature))
        };
        let end = [12, 16, 20, 24].into_iter().find(begins).ok_or_else(|| other(ArchiveError::Damaged))?;
        let checksum = if matches!(end, 16 | 24) { tail.get(4..8) } else { tail.get(..4) };
        self.expected = checksum.and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
        reader.push_back(&tail.split_off(end));
        Ok(())
    }

    /// Checks the file that was read, and that it is the only one.
    fn finish(&mut self) -> io::Result<()> {
        let mut reader = self.end_of_data()?;
        if self.expected != Some(self.crc.sum()) {
            return Err(other(ArchiveError::Checksum));
        }
        while let Some(entry) = next_entry(&mut reader)? {
            if !entry.is_beside() {
                return Err(other(ArchiveError::SecondFile));
            }
            let mut file = Self::of(&entry, reader).map_err(other)?;
            io::copy(&mut file.data, &mut io::sink())?;
            reader = file.end_of_data()?;
        }
        // Reads the directory to its end, so that the client can finish sending it.
        io::copy(&mut reader, &mut io::sink()).map(|_| ())
    }
}

impl<R: BufRead> Read for ZippedFile<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || matches!(self.data, Data::Ended) {
            return Ok(0);
        }
        let count = self.data.read(buffer)?;
        self.crc.update(buffer.get(..count).unwrap_or_default());
        if count == 0 {
            self.finish()?;
        }
        Ok(count)
    }
}

impl<R: BufRead> Read for Data<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Deflated(decoder) => decoder.read(buffer),
            Self::Stored(taken) => match taken.read(buffer)? {
                0 if taken.limit() > 0 && !buffer.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
                count => Ok(count),
            },
            Self::Ended => Ok(0),
        }
    }
}

impl Entry {
    /// The kind of document that an archive with this file is.
    fn document(&self) -> Option<FileKind> {
        let name = self.name.as_str();
        if name == "[Content_Types].xml" || ["_rels/", "xl/", "docProps/"].iter().any(|folder| name.starts_with(folder))
        {
            return Some(FileKind::Workbook);
        }
        if name == "mimetype" {
            return Some(FileKind::OpenDocument);
        }
        (name.starts_with("Index/") || name.rsplit_once('.').is_some_and(|(_, extension)| extension == "iwa"))
            .then_some(FileKind::Numbers)
    }

    fn is_csv(&self) -> bool {
        let extension = self.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        !self.is_beside() && ["csv", "txt", "tsv"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// Whether to ignore the entry: folders, and the files that macOS adds beside each file.
    fn is_beside(&self) -> bool {
        let base = self.name.rsplit('/').next().unwrap_or_default();
        base.is_empty() || base.starts_with('.') || self.name.starts_with("__MACOSX/")
    }
}

/// Reads the next file's header; `None` at the start of the directory.
fn next_entry<R: BufRead>(reader: &mut Pushback<R>) -> io::Result<Option<Entry>> {
    let mut signature = [0; 4];
    reader.read_exact(&mut signature)?;
    if signature != LOCAL_HEADER {
        let is_end = signature == CENTRAL_HEADER || signature == END_OF_ARCHIVE;
        return if is_end { Ok(None) } else { Err(other(ArchiveError::Damaged)) };
    }
    let mut head = [0; 26];
    reader.read_exact(&mut head)?;
    let [
        _,
        _,
        flags0,
        flags1,
        method0,
        method1,
        _,
        _,
        _,
        _,
        c0,
        c1,
        c2,
        c3,
        p0,
        p1,
        p2,
        p3,
        _,
        _,
        _,
        _,
        n0,
        n1,
        x0,
        x1,
    ] = head;
    let (flags, name, extra) =
        (u16::from_le_bytes([flags0, flags1]), u16::from_le_bytes([n0, n1]), u16::from_le_bytes([x0, x1]));
    if usize::from(name) > MAX_NAME {
        return Err(other(ArchiveError::Damaged));
    }
    let mut bytes = vec![0; usize::from(name)];
    reader.read_exact(&mut bytes)?;
    io::copy(&mut reader.by_ref().take(u64::from(extra)), &mut io::sink())?;
    let known = (u32::from_le_bytes([c0, c1, c2, c3]), u64::from(u32::from_le_bytes([p0, p1, p2, p3])));
    let stands_behind = flags & 8 != 0;
    Ok(Some(Entry {
        name: String::from_utf8_lossy(&bytes).into_owned(),
        method: u16::from_le_bytes([method0, method1]),
        is_encrypted: flags & 1 != 0,
        known: (!stands_behind).then_some(known),
    }))
}

fn other(error: ArchiveError) -> io::Error {
    io::Error::other(error)
}

/// A reader to which bytes can be returned.
struct Pushback<R> {
    held: Vec<u8>,
    at: usize,
    reader: R,
}

impl<R> Pushback<R> {
    fn push_back(&mut self, bytes: &[u8]) {
        let rest = self.held.get(self.at..).unwrap_or_default();
        self.held = [bytes, rest].concat();
        self.at = 0;
    }
}

impl<R: BufRead> Read for Pushback<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Pushback<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at < self.held.len() {
            Ok(self.held.get(self.at..).unwrap_or_default())
        } else {
            self.reader.fill_buf()
        }
    }

    fn consume(&mut self, count: usize) {
        if self.at < self.held.len() { self.at += count } else { self.reader.consume(count) }
    }
}
