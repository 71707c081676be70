//! From rows to orders: rows that follow each other and belong to one order.

use super::{
    cells::{Column, Reason, Row},
    error::ImportError,
    file::{FileOrder, Parsed},
    rows::Rows,
    spreadsheets::{OwnId, is_scientific},
};
use domain::{order::NewOrder, proof::TypedOrderNumber};
use std::{
    collections::{HashSet, VecDeque, hash_map::RandomState},
    hash::BuildHasher,
    io::Read,
};

/// Rows of the longest order.
const MAX_LINES: u32 = 10_000;
/// Bytes of the rows of the largest order: what is held in memory at a time has a bound.
const MAX_ORDER_BYTES: usize = 8 * 1024 * 1024;

/// What one kind of file means by its columns.
pub trait Layout {
    /// What the lines of an order are settled with when all of them are known.
    type Bill;

    /// The columns that tell one order from another.
    fn identity(&self) -> Identity;
    /// Whether the row names its line by an id of the line's own.
    fn names_line(&self, _row: Row<'_>) -> bool {
        false
    }
    /// An order without lines, from its first row.
    fn begin(&self, row: Row<'_>) -> Result<(NewOrder, Self::Bill), Reason>;
    /// Adds the row's line, which is the `position`th of its order, or leaves the order as it was.
    fn add(&mut self, row: Row<'_>, position: u32, order: &mut NewOrder, bill: &mut Self::Bill) -> Result<(), Reason>;
    /// Settles the order, or says why none of it can be taken in. `complete`: no row of it was skipped.
    fn finish(&self, order: &mut NewOrder, bill: Self::Bill, complete: bool) -> Result<(), Reason>;
}

/// The columns that tell one order from another.
#[derive(Debug, Clone, Copy)]
pub struct Identity {
    /// The number that people know.
    pub number: Column,
    /// The shop's own id of the order.
    pub id: Column,
    /// Who ordered.
    pub email: Column,
    /// What else tells orders without an id apart; `None` where rows of one order may differ in it.
    pub facts: Option<[Column; 2]>,
}

/// What the first row of an order says in the columns of its [`Identity`].
struct FirstRow {
    number: Vec<u8>,
    id: Vec<u8>,
    email: Vec<u8>,
    /// `None` where its id tells it apart.
    facts: Option<[Vec<u8>; 2]>,
}

impl Identity {
    fn read(self, row: Row<'_>) -> FirstRow {
        let cell = |column: Column| row.bytes(column).to_owned();
        let has_id = matches!(row.own_id(self.id), Ok(OwnId::Known(_)));
        let facts = self.facts.filter(|_| !has_id).map(|facts| facts.map(cell));
        FirstRow { number: cell(self.number), id: cell(self.id), email: cell(self.email), facts }
    }

    /// Whether the row goes on with the order that this row began. An empty cell says nothing; any other must say the same.
    fn is_of(self, first: &FirstRow, row: Row<'_>) -> bool {
        let says_else = |column: Column, known: &[u8]| {
            let cell = row.bytes(column);
            !cell.is_empty() && !cell.eq_ignore_ascii_case(known)
        };
        let contradicts = || {
            let facts = self.facts.iter().flatten().zip(first.facts.iter().flatten());
            facts.into_iter().any(|(&column, known)| !known.is_empty() && says_else(column, known))
        };
        let number = row.bytes(self.number);
        (number.is_empty() || number == first.number)
            && !says_else(self.id, &first.id)
            && !says_else(self.email, &first.email)
            && !contradicts()
    }
}

/// The orders of a file.
pub struct Orders<R, L: Layout> {
    rows: Rows<R>,
    grouping: Grouping<L>,
    most: u64,
    over: bool,
}

struct Grouping<L: Layout> {
    layout: L,
    current: Option<Group<L::Bill>>,
    begun: u64,
    numbers: Seen,
    external_ids: Seen,
    ready: VecDeque<Parsed>,
}

/// The order whose rows are being read.
struct Group<B> {
    first: FirstRow,
    /// Where its first row starts.
    line: u64,
    rows: u32,
    bytes: usize,
    complete: bool,
    names_lines: bool,
    is_id_rounded: bool,
    /// Why none of its rows can be used, if so.
    order: Result<(NewOrder, B), Reason>,
}

impl<R: Read, L: Layout> Orders<R, L> {
    /// The orders in these rows, at most so many.
    pub fn new(rows: Rows<R>, layout: L, most: u64) -> Self {
        let grouping = Grouping {
            layout,
            current: None,
            begun: 0,
            numbers: Seen::default(),
            external_ids: Seen::default(),
            ready: VecDeque::new(),
        };
        Self { rows, grouping, most, over: false }
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
            if self.grouping.begun > self.most {
                self.over = true;
                return Some(Err(ImportError::TooManyOrders(self.most)));
            }
        }
    }
}

impl<L: Layout> Grouping<L> {
    fn take(&mut self, row: Row<'_>) {
        let identity = self.layout.identity();
        if !self.current.as_ref().is_some_and(|group| identity.is_of(&group.first, row)) {
            self.finish();
            self.current = Some(self.begin(row, identity.read(row)));
        }
        let Some(group) = &mut self.current else { return };
        group.rows = group.rows.saturating_add(1);
        group.bytes = group.bytes.saturating_add(row.record.as_slice().len());
        if let Err(reason) = add(&mut self.layout, group, row) {
            group.complete = false;
            self.ready.push_back(Parsed::Skipped { line: row.line, reason });
        }
    }

    fn begin(&mut self, row: Row<'_>, first: FirstRow) -> Group<L::Bill> {
        self.begun += 1;
        let is_id_rounded = row.own_id(self.layout.identity().id) == Ok(OwnId::Rounded);
        let order = self.first_row(row, &first);
        let line = row.line;
        Group { first, line, rows: 0, bytes: 0, complete: true, names_lines: false, is_id_rounded, order }
    }

    fn first_row(&mut self, row: Row<'_>, first: &FirstRow) -> Result<(NewOrder, L::Bill), Reason> {
        let column = self.layout.identity().number.name;
        let is_new_number = self.numbers.is_new(&first.number);
        fits(row)?;
        let again = || format!("{column}: stands further up already; expected all rows of an order together");
        let (order, bill) = match self.layout.begin(row) {
            Ok(begun) => begun,
            Err(reason) => return Err(if is_new_number { reason } else { again() }),
        };
        if TypedOrderNumber::new(&order.number).is_none() {
            return Err(format!("{column}: expected an order number"));
        }
        if is_scientific(&order.number) && order.number.contains('+') {
            return Err(format!(
                "{column}: a spreadsheet program has rounded the order number; import the file as it was exported"
            ));
        }
        // Orders with ids of their own may share a number. Without one, the number is the id: a second order of it would
        // overwrite the first, or be taken for one and the same line twice.
        if !is_new_number && order.external_id == order.number {
            return Err(again());
        }
        if !self.external_ids.is_new(order.external_id.as_bytes()) {
            return Err("the order's id stands further up already; expected every order to have its own".to_owned());
        }
        Ok((order, bill))
    }

    fn finish(&mut self) {
        let Some(Group { order: Ok((mut order, bill)), line, complete, names_lines, is_id_rounded, bytes, .. }) =
            self.current.take()
        else {
            return;
        };
        order.is_partial = !complete;
        match self.layout.finish(&mut order, bill, complete) {
            Ok(()) if order.lines.is_empty() => {
                // Rows that were skipped have their reasons already.
                let reason = complete.then(|| "no row of the order has a unit".to_owned());
                self.ready.extend(reason.map(|reason| Parsed::Skipped { line, reason }));
            }
            Ok(()) => {
                let has_id = order.external_id != order.number;
                self.ready.push_back(Parsed::Order(FileOrder { order, has_id, names_lines, is_id_rounded, bytes }));
            }
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
    if group.bytes > MAX_ORDER_BYTES {
        return Err(format!("the order's rows are larger than {} MiB", MAX_ORDER_BYTES / 1024 / 1024));
    }
    fits(row)?;
    layout.add(row, group.rows, order, bill)?;
    group.names_lines |= layout.names_line(row);
    Ok(())
}

fn fits(row: Row<'_>) -> Result<(), Reason> {
    row.flaw.map_or(Ok(()), |flaw| Err(flaw.reason()))
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
