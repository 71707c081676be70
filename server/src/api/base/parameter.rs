//! A parameter that only one operation has.

/// A value in the query or in a header.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// `query` or `header`.
    pub place: &'static str,
    /// Whether it is required.
    pub is_required: bool,
    /// The values that it accepts.
    pub values: Values,
    /// Its description in the document.
    pub description: &'static str,
}

/// The values of a parameter.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// The id of an object.
    Id,
    /// `true` or `false`.
    Flag,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// Any text of up to 1,000 characters.
    Text,
}
