//! A parameter that only one operation has.

/// A value in the query or in a header.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    pub name: &'static str,
    pub place: Place,
    pub is_required: bool,
    pub values: ParameterValues,
    /// Its description in the document.
    pub description: &'static str,
}

/// Where a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Query,
    Header,
}

impl Place {
    /// The value of `in` in the document.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Header => "header",
        }
    }
}

/// The values that a parameter accepts.
#[derive(Debug, Clone, Copy)]
pub enum ParameterValues {
    /// The id of an object.
    Id,
    /// `true` or `false`.
    Flag,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A text of so many characters, without NUL.
    Text { least: u32, most: u32 },
    /// Any text.
    AnyText,
}
