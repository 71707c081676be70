//! A value as both databases mean it.

use crate::engine::{Result, StoreError};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Id,
    Bytes,
    Number,
    Truth,
    Text,
}

impl Holds {
    /// By the type's name, as a database tells it.
    pub(super) fn of_type(name: &str) -> Option<Self> {
        Some(match name {
            "uuid" => Self::Id,
            "bytea" | "BLOB" => Self::Bytes,
            "bigint" | "INTEGER" => Self::Number,
            "boolean" => Self::Truth,
            "text" | "TEXT" => Self::Text,
            _ => return None,
        })
    }

    /// SQLite knows neither ids nor truths: what both say together. `None` where they contradict each other.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (one, same) if one == same => Some(one),
            (Self::Bytes, Self::Id) | (Self::Id, Self::Bytes) => Some(Self::Id),
            (Self::Number, Self::Truth) | (Self::Truth, Self::Number) => Some(Self::Truth),
            _ => None,
        }
    }

    /// What Postgres calls many of them.
    pub(super) fn array(self) -> &'static str {
        match self {
            Self::Id => "uuid[]",
            Self::Bytes => "bytea[]",
            Self::Number => "bigint[]",
            Self::Truth => "boolean[]",
            Self::Text => "text[]",
        }
    }
}

/// A value, the same from whichever database: ids are their bytes, truths 0 and 1. They are ordered as both databases order
/// them.
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

    /// About how much memory it takes.
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
            Self::Bytes(bytes) => Uuid::from_slice(bytes).map(Some).map_err(|_| odd("an id")),
            _ => Err(odd("an id")),
        }
    }

    pub(super) fn truth(&self) -> Result<Option<bool>> {
        match self {
            Self::Null => Ok(None),
            Self::Number(0) => Ok(Some(false)),
            Self::Number(1) => Ok(Some(true)),
            _ => Err(odd("yes or no")),
        }
    }

    pub(super) fn number(&self) -> Result<Option<i64>> {
        match self {
            Self::Null => Ok(None),
            Self::Number(number) => Ok(Some(*number)),
            _ => Err(odd("a number")),
        }
    }

    pub(super) fn bytes(&self) -> Result<Option<&[u8]>> {
        match self {
            Self::Null => Ok(None),
            Self::Bytes(bytes) => Ok(Some(bytes)),
            _ => Err(odd("bytes")),
        }
    }

    pub(super) fn text(&self) -> Result<Option<&str>> {
        match self {
            Self::Null => Ok(None),
            Self::Text(text) => Ok(Some(text)),
            _ => Err(odd("a text")),
        }
    }
}

/// What it is may be personal: it is not told.
fn odd(expected: &'static str) -> StoreError {
    StoreError::Unreadable(expected)
}
