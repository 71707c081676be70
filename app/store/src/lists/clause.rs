//! Clauses of a filter: `stage:Resolution: Approved`, `createdAt>=2026-01-01T00:00:00Z`.

use super::list::{Field, FieldKind, List};
use domain::{
    Timestamp,
    proof::{EmailKey, ProofKey, TypedOrderNumber},
    scanning::label_barcode,
};
use uuid::Uuid;

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `:`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Operator {
    pub(super) fn sql(self) -> &'static str {
        match self {
            Self::Equal => " = ",
            Self::Less => " < ",
            Self::LessOrEqual => " <= ",
            Self::Greater => " > ",
            Self::GreaterOrEqual => " >= ",
        }
    }
}

/// One clause of a filter.
#[derive(Debug, Clone)]
pub struct Condition {
    pub(super) field: &'static Field,
    pub(super) operator: Operator,
    pub(super) value: FilterValue,
}

impl Condition {
    /// The clause as a text: clauses with the same meaning have the same text.
    pub(super) fn canonical(&self) -> String {
        let value = match &self.value {
            FilterValue::Id(id) => id.to_string(),
            FilterValue::Text(text) => text.clone(),
            FilterValue::Spellings(spellings) => spellings.join("\0"),
            FilterValue::Time(at) => at.micros().to_string(),
            FilterValue::Nothing => String::new(),
        };
        let kind = if matches!(self.value, FilterValue::Nothing) { "nothing" } else { "value" };
        format!("{}{}{kind} {value}", self.field.name, self.operator.sql())
    }

    /// Whether it compares the field of that name.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.field.name == name
    }
}

#[derive(Debug, Clone)]
pub(super) enum FilterValue {
    Id(Uuid),
    Text(String),
    /// Equal to one of these spellings.
    Spellings(Vec<String>),
    Time(Timestamp),
    /// Equal to no stored value.
    Nothing,
}

/// The longest value of a filter and the longest search, in characters.
pub const MAX_CHARS: usize = 320;

impl List {
    /// Parses a clause such as `stage:Resolution: Approved`. The error says what is allowed in its place. Splits at the
    /// first operator: values may contain operators.
    pub fn condition(&self, clause: &str) -> Result<Condition, String>
    where
        Self: 'static,
    {
        let start = clause.find([':', '<', '>']).ok_or("expected <field>:<value>")?;
        let (name, rest) = clause.split_at(start);
        let fields: &'static [Field] = self.fields;
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
            return Err(if names.is_empty() {
                "this list has no filters".to_owned()
            } else {
                format!("expected one of {}", names.join(", "))
            });
        };
        let (operator, value) = split_operator(rest);
        if operator != Operator::Equal && !matches!(field.kind, FieldKind::Time(_)) {
            return Err(format!("{name} can only be compared with ':'"));
        }
        if value.chars().count() > MAX_CHARS {
            return Err(format!("expected at most {MAX_CHARS} characters"));
        }
        Ok(Condition { field, operator, value: field.value(value)? })
    }
}

fn split_operator(rest: &str) -> (Operator, &str) {
    let operators = [
        (":", Operator::Equal),
        ("<=", Operator::LessOrEqual),
        ("<", Operator::Less),
        (">=", Operator::GreaterOrEqual),
        (">", Operator::Greater),
    ];
    let found = operators.iter().find_map(|&(sign, operator)| Some((operator, rest.strip_prefix(sign)?)));
    found.unwrap_or((Operator::Equal, rest))
}

impl FilterValue {
    fn of(spellings: Vec<String>) -> Self {
        if spellings.is_empty() { Self::Nothing } else { Self::Spellings(spellings) }
    }
}

/// The stored spellings that an order number as typed may have: its compared form, the part behind `#`, the text
/// itself.
pub(super) fn number_spellings(text: &str) -> Vec<String> {
    let number = TypedOrderNumber::new(text);
    distinct(number.iter().flat_map(TypedOrderNumber::candidates).map(str::to_owned))
}

/// The stored spellings that an e-mail address as typed may have.
pub(super) fn email_spellings(text: &str) -> Vec<String> {
    let plain = ProofKey::new(text).map(|key| key.as_str().to_owned());
    let key = plain.as_ref().and_then(|_| EmailKey::new(text));
    distinct(plain.into_iter().chain(key.iter().flat_map(EmailKey::spellings)))
}

fn distinct(spellings: impl Iterator<Item = String>) -> Vec<String> {
    spellings.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

impl Field {
    fn value(&self, text: &str) -> Result<FilterValue, String> {
        Ok(match self.kind {
            FieldKind::Id => {
                FilterValue::Id(Uuid::try_parse(text).map_err(|_| format!("{}: expected an id", self.name))?)
            }
            FieldKind::OrderNumber | FieldKind::NumberOfOrder => FilterValue::of(number_spellings(text)),
            FieldKind::Email => FilterValue::of(email_spellings(text)),
            FieldKind::Barcode => match label_barcode(text) {
                code if code.is_empty() => FilterValue::Nothing,
                code => FilterValue::Text(code),
            },
            FieldKind::Text if text.is_empty() || text.contains('\0') => FilterValue::Nothing,
            FieldKind::Text => FilterValue::Text(text.to_owned()),
            FieldKind::OneOf(words) => {
                let words = words();
                if !words.contains(&text) {
                    return Err(format!("{}: expected one of {}", self.name, words.join(", ")));
                }
                FilterValue::Text(text.to_owned())
            }
            FieldKind::Time(_) => FilterValue::Time(
                Timestamp::parse(text)
                    .ok_or_else(|| format!("{}: expected a time such as 2026-01-31T12:00:00Z", self.name))?,
            ),
        })
    }
}
