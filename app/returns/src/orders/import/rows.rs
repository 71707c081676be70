//! Rows of a CSV file, with line numbers as in an editor, and the columns that its header names.

use super::{
    cells::{Column, Row, RowFlaw},
    error::ImportError,
    read_error::read_error,
    unpack::{Bytes, peek},
};
use csv::{ByteRecord, ReaderBuilder, Terminator};
use domain::TimeZone;
use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// The maximum size of a row, in bytes. Otherwise an unclosed quotation mark would turn the rest of the file into one
/// row.
const MAX_ROW: u64 = 1024 * 1024;
const BUFFER: usize = 128 * 1024;
/// The number of bytes at the start in which the header is searched.
const START: usize = 64 * 1024;
/// The possible separators of columns.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// With this many separators, a row's only cell is a whole row.
const SEPARATORS_OF_A_ROW: usize = 3;
/// The maximum number and length of column names in a message, so that a file of another kind does not flood it.
const NAMES_SHOWN: usize = 10;

/// The header: the position of each column.
pub struct Header {
    names: Vec<String>,
    used: Vec<bool>,
    missing: Vec<&'static str>,
}

impl Header {
    fn new(record: &ByteRecord) -> Self {
        let names: Vec<String> = record.iter().map(|name| column_name(&String::from_utf8_lossy(name))).collect();
        Self { used: vec![false; names.len()], names, missing: Vec::new() }
    }

    /// Finds the column with this name, in any case.
    pub fn column(&mut self, name: &'static str) -> Column {
        let index = self.names.iter().position(|known| known.eq_ignore_ascii_case(name));
        if let Some(used) = index.and_then(|index| self.used.get_mut(index)) {
            *used = true;
        }
        Column { name, index }
    }

    /// Finds the column with this name. Without it the file cannot be used.
    pub fn required(&mut self, name: &'static str) -> Column {
        let column = self.column(name);
        self.require_one_of(&[column], name);
        column
    }

    /// Records that `description` is missing if none of these columns is present.
    pub fn require_one_of(&mut self, columns: &[Column], description: &'static str) {
        if columns.iter().all(|column| column.index.is_none()) {
            self.missing.push(description);
        }
    }

    /// Whether all required columns are present.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Refuses a file without required columns, and names all missing columns at once.
    pub fn check_required(&self) -> Result<(), ImportError> {
        if self.missing.is_empty() {
            return Ok(());
        }
        Err(ImportError::MissingColumns(format!("the columns {}", self.missing.join(", "))))
    }

    /// Refuses unknown columns, and columns that occur twice.
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

/// A name without spaces around it. A byte order mark may stand before the first one, after a line `sep=;`; quotation
/// marks behind it are then a part of the cell.
fn column_name(cell: &str) -> String {
    match cell.trim().strip_prefix('\u{feff}') {
        Some(name) => name.trim_start_matches('\u{feff}').trim().trim_matches('"').trim().to_owned(),
        None => cell.trim().to_owned(),
    }
}

fn shown<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> =
        names.take(NAMES_SHOWN).map(|name| format!("`{}`", name.chars().take(40).collect::<String>())).collect();
    names.join(", ")
}

/// The rows after the header.
pub struct Rows<R> {
    reader: csv::Reader<Bounded<R>>,
    record: ByteRecord,
    width: usize,
    zone: TimeZone,
    separator: u8,
    /// Whether a semicolon at the end of a row shows that a spreadsheet has changed the file.
    checks_end: bool,
    /// Whether the row in `record` was read ahead.
    is_ahead: bool,
}

impl<'r> Rows<Bytes<'r>> {
    /// Reads the header. Dates without a time are in the given time zone.
    pub fn new(text: Bytes<'r>, zone: &TimeZone) -> Result<(Self, Header), ImportError> {
        let (start, text) = peek(text, START);
        let (separator, is_told) = separator(&start);
        let bounded = Bounded { reader: text, delivered: 0, allowed: Arc::new(AtomicU64::new(MAX_ROW)), ended: false };
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true) // rows with another number of cells are reported, not fatal
            .delimiter(separator)
            // Only `\n` ends a row, so that the reader's count of rows is an editor's count of lines. A `\r` before it
            // ends up in the last cell, where it is trimmed like a space.
            .terminator(Terminator::Any(b'\n'))
            .buffer_capacity(BUFFER)
            .from_reader(bounded);
        let mut rows = Self {
            reader,
            record: ByteRecord::new(),
            width: 0,
            zone: zone.clone(),
            separator,
            checks_end: false,
            is_ahead: false,
        };
        if !rows.advance()? || (is_told && !rows.advance()?) {
            return Err(ImportError::Empty);
        }
        rows.width = rows.record.len();
        if is_one_cell(&rows.record) || ends_with_semicolon(&rows.record, separator) {
            return Err(ImportError::SpreadsheetRows);
        }
        let header = Header::new(&rows.record);
        Ok((rows, header))
    }
}

impl<R: Read> Rows<R> {
    /// Refuses a file in which a spreadsheet program has put each row into one cell, as the first row shows.
    /// `checks_end`: a semicolon at the end of a row shows it too.
    pub fn check_first_row(&mut self, checks_end: bool) -> Result<(), ImportError> {
        self.checks_end = checks_end && self.separator == b',';
        self.is_ahead = self.advance()?;
        match self.flaw() {
            Some(RowFlaw::OneCell | RowFlaw::TrailingSemicolon) if self.is_ahead => Err(ImportError::SpreadsheetRows),
            _ => Ok(()),
        }
    }

    /// The next row that is not blank; `None` at the end of the file.
    pub fn next(&mut self) -> Result<Option<Row<'_>>, ImportError> {
        if !std::mem::take(&mut self.is_ahead) && !self.advance()? {
            return Ok(None);
        }
        let (line, flaw, separator) = (self.line(), self.flaw(), self.separator);
        Ok(Some(Row { line, flaw, separator, record: &self.record, zone: &self.zone }))
    }

    fn flaw(&self) -> Option<RowFlaw> {
        if self.width > 1 && is_one_cell(&self.record) {
            return Some(RowFlaw::OneCell);
        }
        if self.record.len() != self.width {
            return Some(RowFlaw::Width);
        }
        (self.checks_end && ends_with_semicolon(&self.record, self.separator)).then_some(RowFlaw::TrailingSemicolon)
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
                Err(error) => return Err(csv_error(line, error)),
            }
        }
    }

    /// The line at which the row starts. It is counted from the row's end, because the reader counts preceding blank
    /// lines to the row.
    fn line(&self) -> u64 {
        let lines = self.record.as_slice().split(|&byte| byte == b'\n').count() as u64;
        self.reader.position().line().saturating_sub(lines)
    }
}

/// The separator in the header, and whether a line `sep=;` before it names the separator.
fn separator(start: &[u8]) -> (u8, bool) {
    let text = start.trim_ascii_start();
    let unquoted = text.strip_prefix(b"\"").unwrap_or(text);
    if unquoted.get(..4).is_some_and(|word| word.eq_ignore_ascii_case(b"sep="))
        && let Some(&named) = unquoted.get(4)
        && SEPARATORS.contains(&named)
    {
        return (named, true);
    }
    let mut counts = SEPARATORS.map(|separator| (separator, 0));
    let mut is_quoted = false;
    for &byte in text {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => break,
            _ if is_quoted => {}
            _ => counts.iter_mut().filter(|(separator, _)| *separator == byte).for_each(|(_, count)| *count += 1),
        }
    }
    // The first of the most frequent separators: the comma, if there is none at all.
    let most = counts.iter().map(|&(_, count)| count).max().unwrap_or_default();
    (counts.iter().find(|&&(_, count)| count == most).map_or(b',', |&(separator, _)| separator), false)
}

/// Whether the first cell holds a whole row: it contains separators, and all other cells are empty.
fn is_one_cell(record: &ByteRecord) -> bool {
    let mut cells = record.iter().map(<[u8]>::trim_ascii);
    let Some(first) = cells.next() else { return false };
    let count = |separator: u8| first.split(|&byte| byte == separator).count() - 1;
    SEPARATORS.into_iter().any(|separator| count(separator) >= SEPARATORS_OF_A_ROW)
        && cells.all(|cell| cell.iter().all(|&byte| byte == b';'))
}

fn ends_with_semicolon(record: &ByteRecord, separator: u8) -> bool {
    let last = record.iter().next_back().unwrap_or_default();
    separator == b',' && record.len() > 1 && last.trim_ascii_end().ends_with(b";")
}

fn csv_error(line: u64, error: csv::Error) -> ImportError {
    match error.into_kind() {
        csv::ErrorKind::Io(source) if source.kind() == io::ErrorKind::FileTooLarge => ImportError::RowTooLong { line },
        csv::ErrorKind::Io(source) => read_error(line, source),
        // The other kinds cannot occur here: they are about text, widths and serde.
        other => read_error(line, io::Error::other(format!("{other:?}"))),
    }
}

/// Stops at a row without an end, and makes sure that the last row has one.
struct Bounded<R> {
    reader: R,
    delivered: u64,
    /// The number of bytes that may be delivered until the next row is complete. It is shared, because the CSV reader
    /// owns this reader.
    allowed: Arc<AtomicU64>,
    ended: bool,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.delivered > self.allowed.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut count = self.reader.read(buffer)?;
        // Adds a line break at the end, so that every row has one, and lines can be counted by them.
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
