//! From rows to orders: rows that follow each other and have the same order number are one order.

use super::{
    ImportError, Parsed,
    cells::{Reason, Row},
    rows::{Column, Rows},
};
use domain::{order::NewOrder, proof::TypedOrderNumber};
use std::{
    collections::{HashSet, VecDeque, hash_map::RandomState},
    hash::BuildHasher,
    io::Read,
};

/// Rows of the longest order.
const MAX_LINES: u32 = 10_000;

/// What one kind of file means by its columns.
pub trait Layout {
    /// What the lines of an order are settled with when all of them are known.
    type Bill;

    /// The column with the order's number.
    fn number(&self) -> Column;
    /// An order without lines, from its first row.
    fn begin(&self, row: Row<'_>) -> Result<(NewOrder, Self::Bill), Reason>;
    /// Adds the row's line, which is the `position`th of its order, or leaves the order as it was.
    fn add(&mut self, row: Row<'_>, position: u32, order: &mut NewOrder, bill: &mut Self::Bill) -> Result<(), Reason>;
    /// Settles the order, or says why none of it can be taken in. `complete`: no row of it was skipped.
    fn finish(&self, order: &mut NewOrder, bill: Self::Bill, complete: bool) -> Result<(), Reason>;
}

/// The orders of a file.
pub struct Orders<R, L: Layout> {
    rows: Rows<R>,
    grouping: Grouping<L>,
    over: bool,
}

struct Grouping<L: Layout> {
    layout: L,
    current: Option<Group<L::Bill>>,
    numbers: Seen,
    external_ids: Seen,
    ready: VecDeque<Parsed>,
}

/// The order whose rows are being read.
struct Group<B> {
    number: Vec<u8>,
    /// Where its first row starts.
    line: u64,
    rows: u32,
    complete: bool,
    /// Why none of its rows can be used, if so.
    order: Result<(NewOrder, B), Reason>,
}

impl<R: Read, L: Layout> Orders<R, L> {
    /// The orders in these rows.
    pub fn new(rows: Rows<R>, layout: L) -> Self {
        let grouping = Grouping {
            layout,
            current: None,
            numbers: Seen::default(),
            external_ids: Seen::default(),
            ready: VecDeque::new(),
        };
        Self { rows, grouping, over: false }
    }
}

impl<R: Read, L: Layout> Iterator for Orders<R, L> {
    type Item = Result<Parsed, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(parsed) = self.grouping.ready.pop_front() {
                return Some(Ok(parsed));
            }
            if self.over {
                return None;
            }
            match self.rows.next() {
                Ok(Some(row)) => self.grouping.take(row),
                Ok(None) => {
                    self.over = true;
                    self.grouping.finish();
                }
                // The order at hand may lack rows, and with them part of its discount: it is left out.
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl<L: Layout> Grouping<L> {
    fn take(&mut self, row: Row<'_>) {
        let number = row.bytes(self.layout.number());
        // A row without a number belongs to the order above it.
        if self.current.as_ref().is_none_or(|group| !number.is_empty() && group.number != number) {
            self.finish();
            self.current = Some(self.begin(row, number));
        }
        let Some(group) = &mut self.current else { return };
        group.rows = group.rows.saturating_add(1);
        if let Err(reason) = add(&mut self.layout, group, row) {
            group.complete = false;
            self.ready.push_back(Parsed::Skipped { line: row.line, reason });
        }
    }

    fn begin(&mut self, row: Row<'_>, number: &[u8]) -> Group<L::Bill> {
        let order = self.first_row(row, number);
        Group { number: number.to_owned(), line: row.line, rows: 0, complete: true, order }
    }

    fn first_row(&mut self, row: Row<'_>, number: &[u8]) -> Result<(NewOrder, L::Bill), Reason> {
        let column = self.layout.number().name;
        fits(row)?;
        // Two orders of one number or id would overwrite each other, or be taken for one and the same line twice.
        if !self.numbers.is_new(number) {
            return Err(format!("{column}: stands further up already; expected all rows of an order together"));
        }
        let (order, bill) = self.layout.begin(row)?;
        if TypedOrderNumber::new(&order.number).is_none() {
            return Err(format!("{column}: expected an order number"));
        }
        if !self.external_ids.is_new(order.external_id.as_bytes()) {
            return Err("the order's id stands further up already; expected every order to have its own".to_owned());
        }
        Ok((order, bill))
    }

    fn finish(&mut self) {
        let Some(Group { order: Ok((mut order, bill)), line, complete, .. }) = self.current.take() else { return };
        order.is_partial = !complete;
        match self.layout.finish(&mut order, bill, complete) {
            Ok(()) if order.lines.is_empty() => {}
            Ok(()) => self.ready.push_back(Parsed::Order(order)),
            Err(reason) => self.ready.push_back(Parsed::Skipped { line, reason }),
        }
    }
}

fn add<L: Layout>(layout: &mut L, group: &mut Group<L::Bill>, row: Row<'_>) -> Result<(), Reason> {
    let (order, bill) = match &mut group.order {
        Ok((order, bill)) => (order, bill),
        Err(reason) if group.rows == 1 => return Err(reason.clone()),
        Err(reason) => return Err(format!("the order's first row is unusable: {reason}")),
    };
    if group.rows > MAX_LINES {
        return Err(format!("the order has more than {MAX_LINES} lines"));
    }
    fits(row)?;
    layout.add(row, group.rows, order, bill)
}

fn fits(row: Row<'_>) -> Result<(), Reason> {
    // Cells that are too few or too many: nobody can tell which column each belongs to.
    if row.fits { Ok(()) } else { Err("expected as many cells as the first line has columns".to_owned()) }
}

/// Texts that occurred already, remembered by their hashes: 8 bytes for each, however many there are. Two of a
/// million texts share a hash about once in 40 million files; one row would then be skipped, with a reason.
#[derive(Default)]
pub struct Seen {
    hasher: RandomState,
    hashes: HashSet<u64>,
}

impl Seen {
    /// Whether this text did not occur before.
    pub fn is_new(&mut self, text: &[u8]) -> bool {
        self.hashes.insert(self.hasher.hash_one(text))
    }
}

/// A line's id in the account: that of its order, and the line's within it. The first slash parts them, whatever the
/// shop's own ids look like.
pub fn line_id(order: &str, line: &str) -> String {
    format!("{}/{line}", order.replace('%', "%25").replace('/', "%2F"))
}
