//! Pages of a list, cut by the sequence number of rows.

/// The largest page.
pub const MAX_LIMIT: i64 = 100;

/// Which rows of a list are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Only rows on the far side of this one; `None` for the first page.
    pub after: Option<i64>,
    /// How many, 1 to [`MAX_LIMIT`].
    pub limit: i64,
}

/// Rows of a page, and where the next one starts.
#[derive(Debug, Clone)]
pub struct Rows<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The cursor to the rest; `None` at the end.
    pub next: Option<i64>,
}

impl Page {
    /// How many rows to ask for: one more than wanted tells whether there is a rest.
    pub(crate) fn fetch(self) -> i64 {
        self.limit + 1
    }

    /// Cuts what was fetched to the page.
    pub(crate) fn cut<R, T>(
        self,
        mut rows: Vec<R>,
        seq: impl Fn(&R) -> i64,
        map: impl Fn(R) -> crate::Result<T>,
    ) -> crate::Result<Rows<T>> {
        let wanted = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > wanted;
        rows.truncate(wanted);
        let next = if has_more { rows.last().map(seq) } else { None };
        Ok(Rows { rows: rows.into_iter().map(map).collect::<crate::Result<_>>()?, next })
    }
}
