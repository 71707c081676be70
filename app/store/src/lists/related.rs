//! Fields of a list whose values are in rows of other tables.

/// How a row is compared with rows of other tables.
#[derive(Debug)]
pub struct Related {
    /// The kind of the values.
    pub values: RelatedValues,
    /// The condition. `{row}` is the row of the list, `{account}` its account and `{value}` the value.
    pub(crate) sql: &'static str,
    /// What stands before and behind the value, for `LIKE`.
    pub(crate) around: (&'static str, &'static str),
    /// The columns of the list's table that the condition reads, besides `id`.
    pub(crate) reads: &'static [&'static str],
    /// How many rows of other tables it reads for a row, about.
    pub(crate) cost: i64,
    /// What follows for an indexed column of the row itself, if anything does.
    pub(crate) implied: Option<Implied>,
}

/// The kind of the values of a [`Related`].
#[derive(Debug, Clone, Copy)]
pub enum RelatedValues {
    /// `true` or `false`.
    Flag,
    /// Ids.
    Id,
    /// Texts, compared as they are.
    Text,
    /// Countries, as two letters of ISO 3166-1.
    Country,
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
}

/// The words that an indexed column has in rows with a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Implied {
    pub column: &'static str,
    /// Empty: any.
    pub words: fn(&str) -> Vec<&'static str>,
}
