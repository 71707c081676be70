//! Combines rows to orders: consecutive rows that belong to the same order.

use super::{
    cells::{Column, Reason, Row},
    error::ImportError,
    file::{FileOrder, OrderRef, Parsed},
    rows::Rows,
    spreadsheets::{OwnId, is_scientific},
};
use domain::{order::NewOrder, proof::TypedOrderNumber};
use std::{
    collections::{HashSet, VecDeque, hash_map::RandomState},
    hash::{BuildHasher, Hash},
    io::Read,
};

/// The maximum number of rows of an order.
const MAX_LINES: u32 = 10_000;
/// The maximum size of the rows of an order, in bytes, because they are held in memory together.
const MAX_ORDER_BYTES: usize = 8 * 1024 * 1024;

/// The meaning of the columns in one kind of file.
pub trait Layout {
    /// The data with which an order is settled when all its lines are known.
    type Bill;

    /// The columns by which the rows of an order are recognized.
    fn identity(&self) -> Identity;
    /// Whether the row gives its line an id.
    fn names_line(&self, _row: Row<'_>) -> bool {
        false
    }
    /// Creates an order without lines from its first row.
    fn begin(&self, row: Row<'_>) -> Result<(NewOrder, Self::Bill), Reason>;
    /// Adds the row's line, the `position`th of its order, or leaves the order unchanged.
    fn add(&mut self, row: Row<'_>, position: u32, order: &mut NewOrder, bill: &mut Self::Bill) -> Result<(), Reason>;
    /// Settles the order, or says why it cannot be imported. `complete`: none of its rows was skipped.
    fn finish(&self, order: &mut NewOrder, bill: Self::Bill, complete: bool) -> Result<(), Reason>;
}

/// The columns that tell one order from another.
#[derive(Debug, Clone, Copy)]
pub struct Identity {
    /// The order number that people know.
    pub number: Column,
    /// The shop's id of the order.
    pub id: Column,
    /// The buyer's e-mail address.
    pub email: Column,
    /// Further columns that tell orders without an id apart; `None` if rows of one order may differ in them.
    pub facts: Option<[Column; 2]>,
}

/// The content of an order's first row in the columns of its [`Identity`].
struct FirstRow {
    number: Vec<u8>,
    id: Vec<u8>,
    email: Vec<u8>,
    /// `None` if the id is enough.
    facts: Option<[Vec<u8>; 2]>,
}

impl Identity {
    fn read(self, row: Row<'_>) -> FirstRow {
        let cell = |column: Column| row.bytes(column).to_owned();
        let has_id = matches!(row.own_id(self.id), Ok(OwnId::Known(_)));
        let facts = self.facts.filter(|_| !has_id).map(|facts| facts.map(cell));
        FirstRow { number: cell(self.number), id: cell(self.id), email: cell(self.email), facts }
    }

    /// How a row names its order; `None` if it does not. The cells of a row with a flaw may be shifted: only its number,
    /// which stands first, is believed.
    fn order_of(self, row: Row<'_>) -> Option<OrderRef> {
        let id = if row.flaw.is_none() { row.own_id(self.id).ok().and_then(OwnId::known) } else { None };
        let number = || row.text(self.number).ok().filter(|number| !number.is_empty());
        id.map(OrderRef::Id).or_else(|| number().map(OrderRef::Number))
    }

    /// Whether a row continues the order that this row began. Empty cells match; all others must be equal.
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
        // A word such as `null` is no other id.
        let has_other_id = || says_else(self.id, &first.id) && row.own_id(self.id) != Ok(OwnId::None);
        (number.is_empty() || number == first.number)
            && !has_other_id()
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
    /// The orders of which rows were skipped that do not stand with their order's other rows.
    scattered: Seen,
    ready: VecDeque<Parsed>,
}

/// The order whose rows are being read.
struct Group<B> {
    first: FirstRow,
    /// The line at which its first row starts.
    line: u64,
    rows: u32,
    bytes: usize,
    complete: bool,
    names_lines: bool,
    is_id_rounded: bool,
    /// The order so far, or why none of its rows can be used.
    order: Result<(NewOrder, B), Reason>,
}

impl<R: Read, L: Layout> Orders<R, L> {
    /// Reads the orders in these rows, at most `most` of them.
    pub fn new(rows: Rows<R>, layout: L, most: u64) -> Self {
        let grouping = Grouping {
            layout,
            current: None,
            begun: 0,
            numbers: Seen::default(),
            external_ids: Seen::default(),
            scattered: Seen::default(),
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
                // The current order may lack rows, and a part of its discount with them, so it is dropped.
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
        let identity = self.layout.identity();
        let is_id_rounded = row.own_id(identity.id) == Ok(OwnId::Rounded);
        let is_new_number = self.numbers.is_new(&first.number);
        let order = self.first_row(row, is_new_number);
        let complete = match &order {
            Ok((order, _)) => !self.has_scattered_rows(order),
            Err(_) => {
                let is_new_order = is_new_number && !first.number.is_empty();
                self.scatter(identity.order_of(row), is_new_order);
                false
            }
        };
        let line = row.line;
        Group { first, line, rows: 0, bytes: 0, complete, names_lines: false, is_id_rounded, order }
    }

    /// Notes that a row of this order is skipped, for the order's other rows, which stand before it or after it.
    /// `is_new`: no row before has its number.
    fn scatter(&mut self, order: Option<OrderRef>, is_new: bool) {
        let Some(order) = order else { return };
        self.scattered.is_new(&order);
        let was_before = match &order {
            OrderRef::Id(id) => self.external_ids.contains(id.as_bytes()),
            OrderRef::Number(_) => true,
        };
        if was_before && !is_new {
            self.ready.push_back(Parsed::Incomplete(order));
        }
    }

    /// Whether a row of this order was skipped before its first row.
    fn has_scattered_rows(&self, order: &NewOrder) -> bool {
        !self.scattered.is_empty()
            && (self.scattered.contains(&OrderRef::Id(order.external_id.clone()))
                || self.scattered.contains(&OrderRef::Number(order.number.clone())))
    }

    fn first_row(&mut self, row: Row<'_>, is_new_number: bool) -> Result<(NewOrder, L::Bill), Reason> {
        let column = self.layout.identity().number.name;
        fits(row)?;
        let again = || format!("{column}: duplicate; expected all rows of an order together");
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
        // Orders with ids may share a number. Without an id, the number is the id, and a second order with it would
        // overwrite the first, or its lines would count twice.
        if !is_new_number && order.external_id == order.number {
            return Err(again());
        }
        if !self.external_ids.is_new(order.external_id.as_bytes()) {
            return Err("duplicate order id: expected a unique id for each order".to_owned());
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
                // Skipped rows have their reasons already.
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

/// A set of texts, stored as hashes: 8 bytes for each, regardless of the length. Two of a million texts share a hash
/// about once in 40 million files; one row would then be skipped, with a reason.
#[derive(Default)]
pub struct Seen {
    hasher: RandomState,
    hashes: HashSet<u64>,
}

impl Seen {
    /// Adds a text. Whether it is new.
    pub fn is_new(&mut self, text: &(impl Hash + ?Sized)) -> bool {
        self.hashes.insert(self.hasher.hash_one(text))
    }

    fn contains(&self, text: &(impl Hash + ?Sized)) -> bool {
        self.hashes.contains(&self.hasher.hash_one(text))
    }

    fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }
}

/// A line's id in the account: the order's id and the line's id within it. The first slash separates them, so the
/// shop's ids may have any form.
pub fn line_id(order: &str, line: &str) -> String {
    format!("{}/{line}", order.replace('%', "%25").replace('/', "%2F"))
}
