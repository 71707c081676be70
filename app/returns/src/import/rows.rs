//! Rows of a CSV file, with the line numbers that an editor shows, and the columns that its first line names.

use super::{ImportError, cells::Row};
use csv::{ByteRecord, ReaderBuilder, Terminator};
use domain::TimeZone;
use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// Bytes of the longest row. An unclosed quotation mark would otherwise make one row of all that follows.
const MAX_ROW: u64 = 1024 * 1024;
const BUFFER: usize = 128 * 1024;
/// Names of columns in a message: so many, and so long, that a file of another kind does not flood it.
const NAMES_SHOWN: usize = 10;

/// A column of the file; every layout knows which ones it looks for.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// What its first line calls it.
    pub name: &'static str,
    /// Where it is; `None` where the file does not have it.
    pub index: Option<usize>,
}

/// The first line: where each column is.
pub struct Header {
    names: Vec<String>,
    used: Vec<bool>,
    missing: Vec<&'static str>,
}

impl Header {
    fn new(record: &ByteRecord) -> Self {
        let names: Vec<String> = record.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
        Self { used: vec![false; names.len()], names, missing: Vec::new() }
    }

    /// The column of that name, in whatever case.
    pub fn column(&mut self, name: &'static str) -> Column {
        let index = self.names.iter().position(|known| known.eq_ignore_ascii_case(name));
        if let Some(used) = index.and_then(|index| self.used.get_mut(index)) {
            *used = true;
        }
        Column { name, index }
    }

    /// The column of that name; without it the file cannot be used.
    pub fn required(&mut self, name: &'static str) -> Column {
        let column = self.column(name);
        self.require_one_of(&[column], name);
        column
    }

    /// Notes that `description` is missing if none of the columns is there.
    pub fn require_one_of(&mut self, columns: &[Column], description: &'static str) {
        if columns.iter().all(|column| column.index.is_none()) {
            self.missing.push(description);
        }
    }

    /// Refuses a file that lacks required columns, naming all of them at once.
    pub fn check_required(&self) -> Result<(), ImportError> {
        if self.missing.is_empty() {
            return Ok(());
        }
        let mut message = format!("the columns {}", self.missing.join(", "));
        if self.names.len() == 1 && self.names.iter().any(|name| name.contains([';', '\t'])) {
            message.push_str(": expected commas between the columns");
        }
        Err(ImportError::MissingColumns(message))
    }

    /// Refuses columns that nobody asked for, and a column that is there twice.
    pub fn check_unknown(&self) -> Result<(), ImportError> {
        let unused = || self.names.iter().zip(&self.used).filter(|(_, used)| !**used).map(|(name, _)| name.as_str());
        let is_known = |name: &str| {
            self.names.iter().zip(&self.used).any(|(known, used)| *used && known.eq_ignore_ascii_case(name))
        };
        let repeated = shown(unused().filter(|name| is_known(name)));
        let unknown = shown(unused().filter(|name| !is_known(name)));
        match (repeated.is_empty(), unknown.is_empty()) {
            (_, false) => Err(ImportError::UnknownColumns(unknown)),
            (false, true) => Err(ImportError::RepeatedColumns(repeated)),
            (true, true) => Ok(()),
        }
    }
}

fn shown<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> =
        names.take(NAMES_SHOWN).map(|name| format!("`{}`", name.chars().take(40).collect::<String>())).collect();
    names.join(", ")
}

/// The rows after the first.
pub struct Rows<R> {
    reader: csv::Reader<Bounded<R>>,
    record: ByteRecord,
    width: usize,
    zone: TimeZone,
}

impl<R: Read> Rows<R> {
    /// Reads the first line. Dates without a time begin in that zone.
    pub fn new(reader: R, zone: &TimeZone) -> Result<(Self, Header), ImportError> {
        let bounded = Bounded { reader, delivered: 0, allowed: Arc::new(AtomicU64::new(MAX_ROW)), ended: false };
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true) // rows of another width are reported, not fatal
            // Only `\n` ends a row, so that the reader's count of them is the editor's count of lines. The `\r`
            // before it lands in the last cell, where it is trimmed off like any space.
            .terminator(Terminator::Any(b'\n'))
            .buffer_capacity(BUFFER)
            .from_reader(bounded);
        let mut rows = Self { reader, record: ByteRecord::new(), width: 0, zone: zone.clone() };
        if !rows.advance()? {
            return Err(ImportError::Empty);
        }
        rows.width = rows.record.len();
        let header = Header::new(&rows.record);
        Ok((rows, header))
    }

    /// The next row that is not blank; `None` at the end of the file.
    pub fn next(&mut self) -> Result<Option<Row<'_>>, ImportError> {
        if !self.advance()? {
            return Ok(None);
        }
        let fits = self.record.len() == self.width;
        Ok(Some(Row { line: self.line(), fits, record: &self.record, zone: &self.zone }))
    }

    fn advance(&mut self) -> Result<bool, ImportError> {
        loop {
            let consumed = self.reader.position().byte();
            self.reader.get_ref().allowed.store(consumed + MAX_ROW + BUFFER as u64, Ordering::Relaxed);
            let line = self.reader.position().line();
            match self.reader.read_byte_record(&mut self.record) {
                Ok(false) => return Ok(false),
                Ok(true) if self.record.iter().all(|cell| cell.trim_ascii().is_empty()) => {}
                Ok(true) => return Ok(true),
                Err(error) => return Err(read_error(line, error)),
            }
        }
    }

    /// Where the row starts. Counted from its end, because blank lines before it count as its start.
    fn line(&self) -> u64 {
        let lines = self.record.as_slice().split(|&byte| byte == b'\n').count() as u64;
        self.reader.position().line().saturating_sub(lines)
    }
}

fn read_error(line: u64, error: csv::Error) -> ImportError {
    match error.into_kind() {
        csv::ErrorKind::Io(source) if source.kind() == io::ErrorKind::FileTooLarge => ImportError::RowTooLong { line },
        csv::ErrorKind::Io(source) => ImportError::Read { line, source },
        // The kinds that remain cannot happen here: they are about text, widths and serde.
        other => ImportError::Read { line, source: io::Error::other(format!("{other:?}")) },
    }
}

/// Stops a row that does not end, and sees to it that the last row does.
struct Bounded<R> {
    reader: R,
    delivered: u64,
    /// What may be delivered until the next row is complete. Shared, because the CSV reader owns this one.
    allowed: Arc<AtomicU64>,
    ended: bool,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.delivered > self.allowed.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut count = self.reader.read(buffer)?;
        // One more line break at the end: then every row is followed by one, and lines can be counted by them.
        if count == 0 && !self.ended {
            self.ended = true;
            if let Some(first) = buffer.first_mut() {
                *first = b'\n';
                count = 1;
            }
        }
        self.delivered += count as u64;
        Ok(count)
    }
}
