//! Pages of a list, cut by the sequence number of rows or counted from the first row.

use sha2::{Digest as _, Sha256};

/// The largest page.
pub const MAX_LIMIT: i64 = 100;

/// The last page that can be asked for by its number. Larger numbers are cursors.
pub const MAX_PAGE_NUMBER: i64 = 10_000;

/// Which rows of a list are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The first of them.
    pub start: Start,
    /// How many, 1 to [`MAX_LIMIT`].
    pub limit: i64,
    /// The walk that this page is part of, for pages that clients ask for; `None` within the program, where cursors need no check.
    pub walk: Option<Walk>,
}

/// Where a page starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// At the page of that number, 1 for the first: after that many pages of the same limit less one. While others write, rows may come twice
    /// or not at all from one page to the next.
    Number(i64),
    /// Behind the row that a [`Rows::next`] named.
    After(i64),
}

/// Rows of a page, and where the next one starts.
#[derive(Debug, Clone)]
pub struct Rows<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The row that the rest starts behind; `None` at the end.
    pub next: Option<i64>,
}

impl Page {
    /// The first page.
    pub const fn first(limit: i64) -> Self {
        Self { start: Start::Number(1), limit, walk: None }
    }

    /// The page at a [`Rows::next`]; the first one without.
    pub const fn at(next: Option<i64>, limit: i64) -> Self {
        let start = match next {
            Some(key) => Start::After(key),
            None => Start::Number(1),
        };
        Self { start, limit, walk: None }
    }

    /// Whether it begins with the first row of the list.
    pub fn is_first(self) -> bool {
        self.start == Start::Number(1)
    }

    /// The number that it is asked for by.
    pub fn number(self) -> i64 {
        match self.start {
            Start::Number(number) => number,
            Start::After(key) => self.number_of(key),
        }
    }

    /// The number to ask for the page at a [`Rows::next`] by.
    pub fn number_of(self, next: i64) -> i64 {
        self.walk.map_or(next, |walk| walk.cursor(next))
    }

    /// How many rows to pass over.
    pub(crate) fn skipped(self) -> i64 {
        match self.start {
            Start::Number(number) => number.saturating_sub(1).saturating_mul(self.limit),
            Start::After(_) => 0,
        }
    }

    /// The row to start behind.
    pub(crate) fn after(self) -> Option<i64> {
        match self.start {
            Start::Number(_) => None,
            Start::After(key) => Some(key),
        }
    }

    /// How many rows to ask for: one more than wanted tells whether there is a rest.
    pub(crate) fn fetch(self) -> i64 {
        self.limit + 1
    }

    /// Cuts what was fetched to the page.
    pub(crate) fn cut<R, T>(
        self,
        mut rows: Vec<R>,
        seq: impl Fn(&R) -> i64,
        map: impl Fn(R) -> crate::engine::Result<T>,
    ) -> crate::engine::Result<Rows<T>> {
        let wanted = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > wanted;
        rows.truncate(wanted);
        let next = if has_more { rows.last().map(seq) } else { None };
        Ok(Rows { rows: rows.into_iter().map(map).collect::<crate::engine::Result<_>>()?, next })
    }
}

/// What all pages of one walk through a list have in common: the list, its order, its filters and its search. A cursor carries a check of it,
/// so that no other walk takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk([u8; 32]);

/// Bits of a cursor that hold the row's number: rows get smaller ones for 34 years at a thousand a second.
const KEY_BITS: u32 = 40;
/// Bits of a cursor that hold the check. Both together are 53, as many as every JSON parser keeps.
const CHECK_BITS: u32 = 13;
const LARGEST_KEY: i64 = (1 << KEY_BITS) - 1;

impl Walk {
    /// The walk that these texts describe, in this order.
    pub fn new<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            // With the length before each: otherwise "ab", "c" would be "a", "bc".
            hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// The start that a client's number means: a page number, or a cursor of this walk. `None` for all others.
    pub fn start(self, number: i64) -> Option<Start> {
        let key = number & LARGEST_KEY;
        match number {
            ..=0 => None,
            1..=MAX_PAGE_NUMBER => Some(Start::Number(number)),
            _ => (self.cursor(key) == number).then_some(Start::After(key)),
        }
    }

    /// The cursor at the row of that number: above [`MAX_PAGE_NUMBER`], below 2^53.
    fn cursor(self, key: i64) -> i64 {
        let key = key.clamp(0, LARGEST_KEY);
        (self.check(key) << KEY_BITS) | key
    }

    /// Never 0, so that no cursor is as small as a page number.
    fn check(self, key: i64) -> i64 {
        let hash: [u8; 32] = Sha256::new().chain_update(self.0).chain_update(key.to_le_bytes()).finalize().into();
        let [first, second, ..] = hash;
        1 + i64::from(u16::from_le_bytes([first, second])) % ((1 << CHECK_BITS) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LARGEST_SAFE: i64 = (1 << 53) - 1;

    #[test]
    fn small_numbers_are_page_numbers_and_numbers_that_no_answer_gave_are_nothing() {
        let walk = Walk::new(["return-orders"]);
        for number in [1, 2, MAX_PAGE_NUMBER] {
            assert_eq!(walk.start(number), Some(Start::Number(number)));
        }
        for number in [i64::MIN, -1, 0, MAX_PAGE_NUMBER + 1, 1_000_000, LARGEST_KEY, i64::MAX] {
            assert_eq!(walk.start(number), None, "{number}");
        }
        assert_ne!(Walk::new(["ab", "c"]), Walk::new(["a", "bc"]));
    }

    #[test]
    fn a_cursor_is_hardly_ever_taken_by_another_walk_or_with_another_row() {
        let (walk, other) = (Walk::new(["return-orders", "asc"]), Walk::new(["return-orders", "desc"]));
        let taken = (1..=10_000).filter(|&key| other.start(walk.cursor(key)).is_some()).count();
        let moved = (1..=10_000).filter(|&key| walk.start(walk.cursor(key) + 1).is_some()).count();
        assert!(taken < 20 && moved < 20, "{taken} {moved}: one in 8191 is expected");
    }

    proptest! {
        #[test]
        fn a_cursor_leads_back_to_its_row(key in 0..=LARGEST_KEY, small in 0_i64..100_000, name in ".*") {
            let walk = Walk::new([name.as_str(), "desc"]);
            for key in [key, small] {
                let cursor = walk.cursor(key);
                prop_assert!((MAX_PAGE_NUMBER + 1..=LARGEST_SAFE).contains(&cursor));
                prop_assert_eq!(walk.start(cursor), Some(Start::After(key)));
            }
        }

        #[test]
        fn no_number_is_too_strange(number: i64) {
            match Walk::new(["purchases"]).start(number) {
                Some(Start::Number(page)) => prop_assert!(page == number && (1..=MAX_PAGE_NUMBER).contains(&page)),
                Some(Start::After(key)) => prop_assert_eq!(Walk::new(["purchases"]).cursor(key), number),
                None => {}
            }
        }
    }
}
