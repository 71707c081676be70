//! What a file of orders turns out to hold, and how much of it is read.

use domain::order::NewOrder;

/// What a file turned out to hold, piece by piece.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all are orders, and few are held at a time")]
pub enum Parsed {
    /// An order with at least one line.
    Order(FileOrder),
    /// A row that cannot be used.
    Skipped {
        /// Where the row starts: the line number that an editor shows.
        line: u64,
        /// What is wrong and what is expected. Never repeats what the row says: that may be personal data.
        reason: String,
    },
}

/// An order of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOrder {
    /// The order.
    pub order: NewOrder,
    /// Whether the file gives it an id; else its number is its id.
    pub has_id: bool,
    /// Whether the file names its lines by ids; else they are numbered as they come, and known by what they are.
    pub names_lines: bool,
    /// Whether a spreadsheet has rounded its id, so that it is known by its number.
    pub is_id_rounded: bool,
    /// Bytes of its rows.
    pub bytes: usize,
}

impl From<NewOrder> for FileOrder {
    /// An order whose ids are good, not from a file.
    fn from(order: NewOrder) -> Self {
        Self { order, has_id: true, names_lines: true, is_id_rounded: false, bytes: 0 }
    }
}

impl From<NewOrder> for Parsed {
    fn from(order: NewOrder) -> Self {
        Self::Order(order.into())
    }
}

/// How much of a file is read.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes, packed and unpacked.
    pub bytes: u64,
    /// Orders.
    pub orders: u64,
}

impl Bounds {
    /// As much as there is: for files on a disk of one's own.
    pub const NONE: Self = Self { bytes: u64::MAX, orders: u64::MAX };
    /// For files that others send. Each order costs some 40 bytes of memory until the file's end, to know it again.
    pub const SENT: Self = Self { bytes: 1024 * 1024 * 1024, orders: 2_000_000 };
}
