//! Whether two tables are the same, row by row and value by value.

use crate::tools::copy::{CopyError, Progress, Watcher, rows::{Row, rows}, schema::Table, values::{Holds, Value}};
use crate::engine::Db;
use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use std::{
    cmp::Ordering,
    fmt::{self, Write as _},
};
use uuid::Uuid;

/// Of a table's differences so many are told one by one.
const TOLD: usize = 20;
/// So many rows are compared between two looks at the watcher.
const STEP: u64 = 1_000;

/// What came of comparing a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// Its name.
    pub table: String,
    /// Rows of the source.
    pub rows: u64,
    /// SHA-256 of all that the source has in it, as hexadecimal digits.
    pub hash: String,
    /// How much is different.
    pub different: u64,
    /// The first of it.
    pub differences: Vec<Difference>,
}

/// A difference. Rows are named by their ids, which are about nobody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The target does not have it.
    Missing(String),
    /// Only the target has it.
    Added(String),
    /// Both have it, with other values.
    Changed {
        /// Which row.
        row: String,
        /// In which columns.
        columns: Vec<String>,
    },
    /// The target would number the next row with a number that the source has used.
    NextNumber {
        /// The last number that the source gave.
        ours: i64,
        /// The last number that the target gave.
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
    /// Whether both are the same.
    pub fn is_same(&self) -> bool {
        self.different == 0
    }

    pub(super) fn note(&mut self, difference: Difference) {
        self.different += 1;
        if self.differences.len() < TOLD {
            self.differences.push(difference);
        }
    }
}

/// Goes through both in the order of the key.
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
    let mut untold = 0;
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
            untold += 1;
            here = ours.try_next().await.map_err(failed)?;
        }
        if order.is_ge() {
            there = theirs.try_next().await.map_err(failed)?;
        }
        if untold == STEP {
            watcher(Progress::Compared(&table.name, untold));
            untold = 0;
        }
    }
    watcher(Progress::Compared(&table.name, untold));
    compared.hash = digits(&hash.finalize());
    Ok(compared)
}

/// Which of two rows comes first; the one that is there, if the other is not.
fn order(table: &Table, here: Option<&Row>, there: Option<&Row>) -> Ordering {
    match (here, there) {
        (Some(row), Some(other)) => table.key_of(row).cmp(&table.key_of(other)),
        (Some(_), None) => Ordering::Less,
        (None, _) => Ordering::Greater,
    }
}

fn changed(table: &Table, row: &Row, other: &Row) -> Difference {
    let columns = table.columns.iter().zip(row.iter().zip(other));
    let columns = columns.filter(|(_, (one, another))| one != another).map(|(column, _)| column.name.clone()).collect();
    Difference::Changed { row: name(table, row), columns }
}

/// A row by its ids and numbers, never by a text: that may be somebody's address.
fn name(table: &Table, row: &Row) -> String {
    let has_text = table.key_columns().any(|column| column.holds == Holds::Text);
    let parts = table.columns.iter().zip(row).enumerate().filter_map(|(place, (column, value))| {
        let part = match value {
            _ if !(table.key.contains(&place) || has_text && column.holds == Holds::Id) => return None,
            Value::Number(number) => number.to_string(),
            Value::Bytes(bytes) if column.holds == Holds::Id || bytes.len() == 16 => {
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
