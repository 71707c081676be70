//! Many rows in few statements.

/// The largest number of rows in one statement that inserts many.
pub(crate) const ROWS_AT_ONCE: usize = 200;

/// The largest part of [`in_few_sizes`], as a power of two: 256 rows.
const LARGEST_PART: u32 = 8;

/// Splits rows into parts of 1, 2, 4 … 256: each size is a prepared statement of its own, and prepared statements are
/// cached.
pub(crate) fn in_few_sizes<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = 1 << rows.len().checked_ilog2()?.min(LARGEST_PART);
        let (part, rest) = rows.split_at_checked(size)?;
        rows = rest;
        Some(part)
    })
}

/// An `INSERT` of one row up to its values: those of many rows follow.
pub(crate) fn without_values(insert: &'static str) -> &'static str {
    insert.split("VALUES").next().unwrap_or(insert)
}
