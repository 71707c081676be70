//! Pages of a list: from a cursor on, or counted from the first row.

use crate::engine::Result;
use sha2::{Digest as _, Sha256};

/// The largest page.
pub const MAX_LIMIT: i64 = 100;

/// The last page that has a page number. Larger numbers are cursors.
pub const MAX_PAGE_NUMBER: i64 = 10_000;

/// Which rows of a list to return.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Where the page starts.
    pub start: Start,
    /// How many rows, 1 to [`MAX_LIMIT`].
    pub limit: i64,
    /// The walk of a page that a client requests; `None` within the program, where cursors need no check.
    pub walk: Option<Walk>,
}

/// Where a page starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// At the page of that number, 1 for the first. If rows are written between two requests, a row may appear on both
    /// pages or on neither.
    Number(i64),
    /// Behind the row that a [`Rows::next`] names.
    After(i64),
}

/// The rows of a page, and where the next page starts.
#[derive(Debug, Clone)]
pub struct Rows<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The row behind which the next page starts; `None` at the end of the list.
    pub next: Option<i64>,
}

impl Page {
    /// The first page.
    pub const fn first(limit: i64) -> Self {
        Self { start: Start::Number(1), limit, walk: None }
    }

    /// The page behind a [`Rows::next`]; without one, the first page.
    pub const fn at(next: Option<i64>, limit: i64) -> Self {
        let start = match next {
            Some(key) => Start::After(key),
            None => Start::Number(1),
        };
        Self { start, limit, walk: None }
    }

    /// Whether it starts with the first row of the list.
    pub fn is_first(self) -> bool {
        self.start == Start::Number(1)
    }

    /// The number by which a client requests this page.
    pub fn number(self) -> i64 {
        match self.start {
            Start::Number(number) => number,
            Start::After(key) => self.number_of(key),
        }
    }

    /// The number by which a client requests the page behind a [`Rows::next`].
    pub fn number_of(self, next: i64) -> i64 {
        self.walk.map_or(next, |walk| walk.cursor(next))
    }

    /// How many rows to skip.
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

    /// How many rows to read: one more than the page has tells whether there is another page.
    pub(crate) fn fetch(self) -> i64 {
        self.limit + 1
    }

    /// The same rounded up to one of a few numbers: a limit in the text of a statement makes it another statement, and a
    /// connection keeps a hundred of them prepared.
    pub(crate) fn fetch_in_steps(self) -> i64 {
        const STEPS: [i64; 9] = [2, 6, 11, 16, 21, 26, 51, 76, 101];
        STEPS.into_iter().find(|step| *step >= self.fetch()).unwrap_or(self.fetch())
    }

    /// Cuts the rows that were read to the page.
    pub(crate) fn cut<R, T>(
        self,
        mut rows: Vec<R>,
        seq: impl Fn(&R) -> i64,
        map: impl Fn(R) -> Result<T>,
    ) -> Result<Rows<T>> {
        let wanted = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > wanted;
        rows.truncate(wanted);
        let next = if has_more { rows.last().map(seq) } else { None };
        Ok(Rows { rows: rows.into_iter().map(map).collect::<Result<_>>()?, next })
    }
}

/// What all pages of one walk through a list have in common: the list, its order, its filters and its search. Each
/// cursor contains a checksum of the walk, so that another walk rejects it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk([u8; 32]);

/// Bits of a cursor for the row's number: at a thousand rows a second they last 34 years.
const KEY_BITS: u32 = 40;
/// Bits of a cursor for the checksum. Both together are 53, the integers that every JSON parser keeps exact.
const CHECK_BITS: u32 = 13;
const LARGEST_KEY: i64 = (1 << KEY_BITS) - 1;

impl Walk {
    /// The walk that these texts identify, in this order.
    pub fn new<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            // Each with its length: otherwise "ab", "c" would equal "a", "bc".
            hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// Where the page of a client's number starts: a page number, or a cursor of this walk. `None` for all other
    /// numbers.
    pub fn start(self, number: i64) -> Option<Start> {
        let key = number & LARGEST_KEY;
        match number {
            ..=0 => None,
            1..=MAX_PAGE_NUMBER => Some(Start::Number(number)),
            _ => (self.cursor(key) == number).then_some(Start::After(key)),
        }
    }

    /// The cursor of the row with that number: above [`MAX_PAGE_NUMBER`], below 2^53.
    fn cursor(self, key: i64) -> i64 {
        let key = key.clamp(0, LARGEST_KEY);
        (self.check(key) << KEY_BITS) | key
    }

    /// The checksum; never 0, so that no cursor is as small as a page number.
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
    fn small_numbers_are_page_numbers_and_invented_numbers_are_rejected() {
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
    fn other_walks_reject_a_cursor_and_so_does_its_own_after_a_change() {
        let (walk, other) = (Walk::new(["return-orders", "asc"]), Walk::new(["return-orders", "desc"]));
        let taken = (1..=10_000).filter(|&key| other.start(walk.cursor(key)).is_some()).count();
        let moved = (1..=10_000).filter(|&key| walk.start(walk.cursor(key) + 1).is_some()).count();
        assert!(taken < 20 && moved < 20, "{taken} {moved}: one in 8191 is expected");
    }

    proptest! {
        #[test]
        fn a_cursor_names_its_row(key in 0..=LARGEST_KEY, small in 0_i64..100_000, name in ".*") {
            let walk = Walk::new([name.as_str(), "desc"]);
            for key in [key, small] {
                let cursor = walk.cursor(key);
                prop_assert!((MAX_PAGE_NUMBER + 1..=LARGEST_SAFE).contains(&cursor));
                prop_assert_eq!(walk.start(cursor), Some(Start::After(key)));
            }
        }

        #[test]
        fn every_number_has_one_meaning(number: i64) {
            match Walk::new(["purchases"]).start(number) {
                Some(Start::Number(page)) => prop_assert!(page == number && (1..=MAX_PAGE_NUMBER).contains(&page)),
                Some(Start::After(key)) => prop_assert_eq!(Walk::new(["purchases"]).cursor(key), number),
                None => {}
            }
        }
    }
}
