//! The parsed content of a file of orders, and limits on reading it.

use domain::order::NewOrder;

/// One item of a file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all are orders, and few are held at a time")]
pub enum Parsed {
    /// An order with at least one line.
    Order(FileOrder),
    /// A row that cannot be used.
    Skipped {
        /// The line at which the row starts, as in an editor.
        line: u64,
        /// What is wrong and what is expected. Never repeats the row's content, which may be personal data.
        reason: String,
    },
    /// A row of an order that the file gave before is skipped, so that order lacks a line.
    Incomplete(OrderRef),
}

/// How a row names its order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum OrderRef {
    /// By the shop's id.
    Id(String),
    /// By the order number that people know: the row has no id.
    Number(String),
}

/// An order of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOrder {
    /// The order.
    pub order: NewOrder,
    /// Whether the file gives the order an id; otherwise its number is its id.
    pub has_id: bool,
    /// Whether the file gives its lines ids; otherwise they are numbered by position and matched by content.
    pub names_lines: bool,
    /// Whether a spreadsheet has rounded the id, so that the number identifies the order.
    pub is_id_rounded: bool,
    /// The size of its rows, in bytes.
    pub bytes: usize,
}

impl From<NewOrder> for FileOrder {
    /// An order with valid ids that is not from a file.
    fn from(order: NewOrder) -> Self {
        Self { order, has_id: true, names_lines: true, is_id_rounded: false, bytes: 0 }
    }
}

impl From<NewOrder> for Parsed {
    fn from(order: NewOrder) -> Self {
        Self::Order(order.into())
    }
}

/// Limits on reading a file.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The maximum size, packed and unpacked, in bytes.
    pub bytes: u64,
    /// The maximum number of orders.
    pub orders: u64,
}

impl Bounds {
    /// No limits: for the operator's own files on disk.
    pub const NONE: Self = Self { bytes: u64::MAX, orders: u64::MAX };
    /// For uploaded files. Each order takes some 40 bytes of memory until the file's end, to recognize repetitions.
    pub const SENT: Self = Self { bytes: 1024 * 1024 * 1024, orders: 2_000_000 };
}
