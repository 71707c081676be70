//! Compares two tables row by row and value by value.

use super::{
    error::CopyError,
    progress::{Progress, Watcher},
    rows::rows,
    schema::Table,
    values::{ColumnType, RowValues, Value},
};
use crate::engine::Db;
use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use std::{
    cmp::Ordering,
    fmt::{self, Write as _},
};
use uuid::Uuid;

/// The number of differences of a table that are listed.
const LISTED: usize = 20;
/// The number of rows between two reports of progress.
const REPORT_EVERY: u64 = 1_000;

/// The result of comparing a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The table's name.
    pub table: String,
    /// The number of rows in the source.
    pub rows: u64,
    /// The SHA-256 of all values in the source, in hexadecimal.
    pub hash: String,
    /// The number of differences.
    pub different: u64,
    /// The first differences.
    pub differences: Vec<Difference>,
}

/// A difference. Rows are named by their ids, which are no personal data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The target lacks the row.
    Missing(String),
    /// Only the target has the row.
    Added(String),
    /// Both have the row, with different values.
    Changed {
        /// The row.
        row: String,
        /// The columns that differ.
        columns: Vec<String>,
    },
    /// The target would give the next row a number that the source has used.
    NextNumber {
        /// The last number of the source.
        ours: i64,
        /// The last number of the target.
        theirs: i64,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(row) => write!(formatter, "{row} is at the source only"),
            Self::Added(row) => write!(formatter, "{row} is at the target only"),
            Self::Changed { row, columns } => write!(formatter, "{row} differs in {}", columns.join(", ")),
            Self::NextNumber { ours, theirs } => {
                write!(formatter, "the source has numbered {ours} rows, the target {theirs}")
            }
        }
    }
}

impl Compared {
    /// Whether the tables are the same.
    pub fn is_same(&self) -> bool {
        self.different == 0
    }

    pub(super) fn note(&mut self, difference: Difference) {
        self.different += 1;
        if self.differences.len() < LISTED {
            self.differences.push(difference);
        }
    }
}

/// Reads both tables in the order of the key.
pub(super) async fn table(
    ours: Db<'_>,
    theirs: Db<'_>,
    table: &Table,
    watcher: Watcher<'_>,
) -> Result<Compared, CopyError> {
    let failed = |error| CopyError::Table { table: table.name.clone(), error };
    let mut compared =
        Compared { table: table.name.clone(), rows: 0, hash: String::new(), different: 0, differences: Vec::new() };
    let (mut ours, mut theirs) = (rows(ours, table, None), rows(theirs, table, None));
    let mut hash = Sha256::new();
    let mut here = ours.try_next().await.map_err(failed)?;
    let mut there = theirs.try_next().await.map_err(failed)?;
    let mut unreported = 0;
    while here.is_some() || there.is_some() {
        let order = order(table, here.as_ref(), there.as_ref());
        match (order, &here, &there) {
            (Ordering::Less, Some(row), _) => compared.note(Difference::Missing(name(table, row))),
            (Ordering::Greater, _, Some(row)) => compared.note(Difference::Added(name(table, row))),
            (_, Some(row), Some(other)) if row != other => compared.note(changed(table, row, other)),
            _ => {}
        }
        if order.is_le() {
            here.iter().flatten().for_each(|value| value.hash(&mut hash));
            compared.rows += 1;
            unreported += 1;
            here = ours.try_next().await.map_err(failed)?;
        }
        if order.is_ge() {
            there = theirs.try_next().await.map_err(failed)?;
        }
        if unreported == REPORT_EVERY {
            watcher(Progress::Compared(&table.name, unreported));
            unreported = 0;
        }
    }
    watcher(Progress::Compared(&table.name, unreported));
    compared.hash = digits(&hash.finalize());
    Ok(compared)
}

/// Which of two rows comes first; if one side has no more rows, the other's.
fn order(table: &Table, here: Option<&RowValues>, there: Option<&RowValues>) -> Ordering {
    match (here, there) {
        (Some(row), Some(other)) => table.key_of(row).cmp(&table.key_of(other)),
        (Some(_), None) => Ordering::Less,
        (None, _) => Ordering::Greater,
    }
}

fn changed(table: &Table, row: &RowValues, other: &RowValues) -> Difference {
    let columns = table.columns.iter().zip(row.iter().zip(other));
    let columns = columns.filter(|(_, (one, another))| one != another).map(|(column, _)| column.name.clone()).collect();
    Difference::Changed { row: name(table, row), columns }
}

/// Names a row by its ids and numbers, never by a text, which may be an address.
fn name(table: &Table, row: &RowValues) -> String {
    let has_text = table.key_columns().any(|column| column.holds == ColumnType::Text);
    let parts = table.columns.iter().zip(row).enumerate().filter_map(|(place, (column, value))| {
        let part = match value {
            _ if !(table.key.contains(&place) || has_text && column.holds == ColumnType::Id) => return None,
            Value::Number(number) => number.to_string(),
            Value::Bytes(bytes) if column.holds == ColumnType::Id || bytes.len() == 16 => {
                Uuid::from_slice(bytes).ok()?.to_string()
            }
            Value::Bytes(bytes) => digits(bytes.get(..4).unwrap_or(bytes)),
            Value::Null | Value::Text(_) => return None,
        };
        Some(format!("{} {part}", column.name))
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // into memory: it cannot fail
        text
    })
}
