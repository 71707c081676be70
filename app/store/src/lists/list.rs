//! What a table can be asked.

/// What a table can be asked.
#[derive(Debug)]
pub struct List {
    /// The resource's segment in paths.
    pub name: &'static str,
    /// `SELECT … FROM …`, with a `WHERE` if it joins.
    pub(crate) select: &'static str,
    /// The table that has `seq` and `account_id`, to find where a moment is in it.
    pub(crate) table: &'static str,
    /// The prefix of its columns, such as `p.`.
    pub(crate) alias: &'static str,
    /// The fields to filter by.
    pub fields: &'static [Field],
    /// Whether it can be sorted by the last change: it has a column `changed`.
    pub sorts_by_update: bool,
    /// Where a search by order number, e-mail address or name looks; `None` if the list has no search.
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
    /// Ids.
    Id,
    /// Order numbers, compared without `#`, spaces and case.
    OrderNumber,
    /// The same for the number of the sales order whose id is in the column.
    NumberOfOrder,
    /// E-mail addresses, compared without spaces and case.
    Email,
    /// Texts, compared as they are.
    Text,
    /// Barcodes as scanners read them: the GS1-128 code of an SSCC is the SSCC.
    Barcode,
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
    /// Moments, RFC 3339. The only kind with an order.
    Time(SequenceColumn),
}

/// The sequence number that follows a moment nearly: rows get their number a little later than the clock was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SequenceColumn {
    /// The order in which rows were inserted.
    Seq,
    /// The order in which rows were last changed.
    Changed,
}

impl SequenceColumn {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Seq => "seq",
            Self::Changed => "changed",
        }
    }
}

/// Where a search looks: for rows whose `column` is the id of a matching row of `table`.
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
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether it can be searched.
    pub fn is_searchable(&self) -> bool {
        self.search.is_some()
    }
}
