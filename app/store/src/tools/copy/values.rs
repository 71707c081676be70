//! Values that are the same in both databases.

use crate::engine::{Result, StoreError};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    Id,
    Bytes,
    Number,
    Boolean,
    Text,
}

impl ColumnType {
    /// The type that a database calls by this name.
    pub(super) fn of_type(name: &str) -> Option<Self> {
        Some(match name {
            "uuid" => Self::Id,
            "bytea" | "BLOB" => Self::Bytes,
            "bigint" | "INTEGER" => Self::Number,
            "boolean" => Self::Boolean,
            "text" | "TEXT" => Self::Text,
            _ => return None,
        })
    }

    /// The type of a column that has these types in the two databases: SQLite has neither ids nor booleans. `None` if
    /// they contradict each other.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (one, same) if one == same => Some(one),
            (Self::Bytes, Self::Id) | (Self::Id, Self::Bytes) => Some(Self::Id),
            (Self::Number, Self::Boolean) | (Self::Boolean, Self::Number) => Some(Self::Boolean),
            _ => None,
        }
    }

    /// The name of the array type in Postgres.
    pub(super) fn array(self) -> &'static str {
        match self {
            Self::Id => "uuid[]",
            Self::Bytes => "bytea[]",
            Self::Number => "bigint[]",
            Self::Boolean => "boolean[]",
            Self::Text => "text[]",
        }
    }
}

/// The values of a row, in the order of the table's columns.
pub(super) type RowValues = Vec<Value>;

/// A value, the same from either database: ids are their bytes, booleans 0 and 1. The order is that of both databases.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Null,
    Number(i64),
    Bytes(Vec<u8>),
    Text(String),
}

impl Value {
    pub(super) fn or_null<T>(value: Option<T>, kind: fn(T) -> Self) -> Self {
        value.map_or(Self::Null, kind)
    }

    /// Approximately the memory that it takes.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Null | Self::Number(_) => 0,
                Self::Bytes(bytes) => bytes.len(),
                Self::Text(text) => text.len(),
            }
    }

    pub(super) fn hash(&self, hash: &mut Sha256) {
        let in_bytes;
        let (kind, bytes): (u8, &[u8]) = match self {
            Self::Null => (0, &[]),
            Self::Number(number) => {
                in_bytes = number.to_be_bytes();
                (1, &in_bytes)
            }
            Self::Bytes(bytes) => (2, bytes),
            Self::Text(text) => (3, text.as_bytes()),
        };
        hash.update([kind]);
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    }

    pub(super) fn id(&self) -> Result<Option<Uuid>> {
        match self {
            Self::Null => Ok(None),
            Self::Bytes(bytes) => Uuid::from_slice(bytes).map(Some).map_err(|_| unexpected("an id")),
            _ => Err(unexpected("an id")),
        }
    }

    pub(super) fn boolean(&self) -> Result<Option<bool>> {
        match self {
            Self::Null => Ok(None),
            Self::Number(0) => Ok(Some(false)),
            Self::Number(1) => Ok(Some(true)),
            _ => Err(unexpected("yes or no")),
        }
    }

    pub(super) fn number(&self) -> Result<Option<i64>> {
        match self {
            Self::Null => Ok(None),
            Self::Number(number) => Ok(Some(*number)),
            _ => Err(unexpected("a number")),
        }
    }

    pub(super) fn bytes(&self) -> Result<Option<&[u8]>> {
        match self {
            Self::Null => Ok(None),
            Self::Bytes(bytes) => Ok(Some(bytes)),
            _ => Err(unexpected("bytes")),
        }
    }

    pub(super) fn text(&self) -> Result<Option<&str>> {
        match self {
            Self::Null => Ok(None),
            Self::Text(text) => Ok(Some(text)),
            _ => Err(unexpected("a text")),
        }
    }
}

/// The error does not contain the value, which may be personal data.
fn unexpected(expected: &'static str) -> StoreError {
    StoreError::Unreadable(expected)
}
