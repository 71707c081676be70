//! How a table can be filtered, searched and sorted.

use super::related::Related;

/// How a table can be filtered, searched and sorted.
#[derive(Debug)]
pub struct List {
    /// The resource's segment in paths.
    pub name: &'static str,
    /// `SELECT … FROM …`, with a `WHERE` if it joins.
    pub(crate) select: &'static str,
    /// The table with the columns `seq` and `account_id`, to translate a moment into a sequence number.
    pub(crate) table: &'static str,
    /// The prefix of its columns, such as `p.`.
    pub(crate) alias: &'static str,
    /// The column that identifies a row of an account: its id, or its number if the table has no ids.
    pub(crate) key: &'static str,
    /// The fields to filter by.
    pub fields: &'static [Field],
    /// Whether it can be sorted by the last change. The table then has a column `changed`.
    pub sorts_by_update: bool,
    /// How to search by order number, e-mail address or name. `None` if the list has no search.
    pub(crate) search: Option<Search>,
}

/// A field to filter by.
#[derive(Debug)]
pub struct Field {
    /// Its name in the API.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: FieldKind,
    pub(crate) column: &'static str,
}

/// The kind of a field's values.
#[derive(Debug, Clone, Copy)]
pub enum FieldKind {
    /// Ids that few rows have.
    Id,
    /// Ids that many rows may have, such as those of settings.
    SharedId,
    /// Order numbers, compared without `#`, spaces and case.
    OrderNumber,
    /// Order numbers of the sales orders whose ids are in the column, compared in the same way.
    NumberOfOrder,
    /// E-mail addresses, compared without spaces and case.
    Email,
    /// Texts that few rows have, compared as they are.
    Text,
    /// Texts that many rows may have, such as SKUs.
    SharedText,
    /// Barcodes as scanners read them: the GS1-128 code of an SSCC is the SSCC.
    Barcode,
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
    /// Moments in RFC 3339, also with `<` and `>`.
    Time(SequenceColumn),
    /// Moments that no sequence number follows: each row is compared.
    Moment,
    /// Amounts such as `12.50 EUR`, also with `<` and `>`. The column `currency` has the currency.
    Amount,
    /// Queues of the merchant's staff.
    Queue,
    /// What rows of other tables say, or several columns: each row is compared.
    Related(&'static Related),
}

impl FieldKind {
    /// Whether values can be compared by `<` and `>`.
    pub fn has_order(self) -> bool {
        matches!(self, Self::Time(_) | Self::Moment | Self::Amount)
    }
}

/// The sequence number that grows with a moment. The two orders can differ slightly, because a row gets its number
/// shortly after the clock is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SequenceColumn {
    /// The order in which rows were inserted.
    Seq,
    /// The order in which rows were last changed.
    Changed,
    /// The order in which requests entered their present stage.
    Staged,
}

impl SequenceColumn {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Seq => "seq",
            Self::Changed => "changed",
            Self::Staged => "staged",
        }
    }
}

/// The field of lists that can be sorted by [`SequenceColumn::Staged`].
const STAGE_SINCE: &str = "stageSince";

/// How a list is searched: it finds rows whose `column` is the id of a matching row of `table`.
#[derive(Debug)]
pub(crate) struct Search {
    pub table: &'static str,
    pub number_key: &'static str,
    pub column: &'static str,
}

/// The search of lists whose rows belong to consumers.
pub(crate) const BY_CONSUMER: Search =
    Search { table: "consumers", number_key: "order_number_key", column: "consumer_id" };

impl List {
    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether it can be sorted by the time at which rows entered their stage.
    pub fn sorts_by_stage(&self) -> bool {
        self.field(STAGE_SINCE).is_some()
    }

    /// The tables of the list and what joins them. Columns may be subqueries: the last FROM is the list's.
    pub(super) fn source(&self) -> &'static str {
        self.select.rsplit(" FROM ").next().unwrap_or(self.table)
    }

    /// Whether it can be searched.
    pub fn is_searchable(&self) -> bool {
        self.search.is_some()
    }
}
