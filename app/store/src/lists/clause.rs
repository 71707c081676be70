//! Clauses of a filter: `stage:Resolution: Approved`, `createdAt>=2026-01-01T00:00:00Z`, `requestedResolution:Refund|Exchange`.

use super::{
    list::{Field, FieldKind, List},
    related::RelatedValues,
};
use domain::{
    Currency, Money, Timestamp,
    proof::{EmailKey, ProofKey, TypedOrderNumber},
    scanning::label_barcode,
    stage::{Queue, QueuePart},
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
    /// The row has one of these; none: no row matches.
    pub(super) values: Vec<FilterValue>,
}

impl Condition {
    /// The clause as a text: clauses with the same meaning have the same text.
    pub(super) fn canonical(&self) -> String {
        let mut values: Vec<String> = self.values.iter().map(FilterValue::canonical).collect();
        values.sort_unstable();
        let kind = if values.is_empty() { "nothing" } else { "value" };
        format!("{}{}{kind} {}", self.field.name, self.operator.sql(), values.join("\0"))
    }

    /// Whether it compares the field of that name.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.field.name == name
    }

    /// Replaces the names of queues by their requests.
    pub(super) fn resolve_queues(&mut self, parts: &impl Fn(Queue) -> Vec<QueuePart>) {
        let resolve = |value: &FilterValue| match value {
            FilterValue::Queue(queue) => parts(*queue).into_iter().map(FilterValue::Part).collect(),
            other => vec![other.clone()],
        };
        self.values = self.values.iter().flat_map(resolve).collect();
    }
}

#[derive(Debug, Clone)]
pub(super) enum FilterValue {
    Id(Uuid),
    Text(String),
    Time(Timestamp),
    Amount(Money),
    Flag(bool),
    /// A queue before [`Condition::resolve_queues`].
    Queue(Queue),
    /// Some requests of a queue.
    Part(QueuePart),
}

impl FilterValue {
    fn canonical(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Text(text) => text.clone(),
            Self::Time(at) => at.micros().to_string(),
            Self::Amount(amount) => format!("{} {}", amount.minor, amount.currency),
            Self::Flag(flag) => flag.to_string(),
            Self::Queue(queue) => queue.name().to_owned(),
            Self::Part(part) => part.stage.as_str().to_owned(),
        }
    }
}

/// The longest value of a filter and the longest search, in characters.
pub const MAX_CHARS: usize = 320;
/// The most values of one clause.
pub const MAX_VALUES: usize = 20;

impl List {
    /// Parses a clause such as `stage:Resolution: Approved`. The error says what is allowed in its place. Splits at the
    /// first operator: values may contain operators.
    pub fn condition(&self, clause: &str) -> Result<Condition, String>
    where
        Self: 'static,
    {
        let ClauseParts { field: name, operator, values: texts } =
            clause_parts(clause).ok_or("expected <field>:<value>")?;
        let fields: &'static [Field] = self.fields;
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
            return Err(if names.is_empty() {
                "this list has no filters".to_owned()
            } else {
                format!("expected one of {}", names.join(", "))
            });
        };
        if operator != Operator::Equal && !field.kind.has_order() {
            return Err(format!("{name} can only be compared with ':'"));
        }
        if texts.len() > MAX_VALUES {
            return Err(format!("{name}: expected at most {MAX_VALUES} values"));
        }
        let mut values = Vec::new();
        for text in texts {
            if text.chars().count() > MAX_CHARS {
                return Err(format!("expected at most {MAX_CHARS} characters"));
            }
            values.extend(field.values(&text)?);
        }
        Ok(Condition { field, operator, values })
    }
}

/// A clause as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseParts<'a> {
    /// The name of the field.
    pub field: &'a str,
    /// How the field is compared.
    pub operator: Operator,
    /// The values; several only with `:`.
    pub values: Vec<String>,
}

/// Splits a clause at its first operator. `None` if it has none.
pub fn clause_parts(clause: &str) -> Option<ClauseParts<'_>> {
    let (field, rest) = clause.split_at(clause.find([':', '<', '>'])?);
    let (operator, value) = split_operator(rest);
    let values = if operator == Operator::Equal { split_values(value) } else { vec![value.to_owned()] };
    Some(ClauseParts { field, operator, values })
}

/// A value as it stands in a clause.
pub fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('|', "\\|")
}

/// Splits `A|B` into its values. Within a value, `\\|` is a vertical bar and `\\\\` a backslash.
fn split_values(text: &str) -> Vec<String> {
    let (mut values, mut value, mut characters) = (Vec::new(), String::new(), text.chars().peekable());
    while let Some(character) = characters.next() {
        match character {
            '\\' => value.push(characters.next_if(|next| matches!(next, '|' | '\\')).unwrap_or('\\')),
            '|' => values.push(std::mem::take(&mut value)),
            other => value.push(other),
        }
    }
    values.push(value);
    values
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
    /// What a typed value may be in the database; nothing if no row can have it.
    fn values(&self, text: &str) -> Result<Vec<FilterValue>, String> {
        let texts = |texts: Vec<String>| texts.into_iter().map(FilterValue::Text).collect();
        Ok(match self.kind {
            FieldKind::Id | FieldKind::SharedId => vec![FilterValue::Id(self.id(text)?)],
            FieldKind::OrderNumber | FieldKind::NumberOfOrder => texts(number_spellings(text)),
            FieldKind::Email => texts(email_spellings(text)),
            FieldKind::Barcode => texts(stored_text(&label_barcode(text))),
            FieldKind::Text | FieldKind::SharedText => texts(stored_text(text)),
            FieldKind::OneOf(words) => texts(vec![self.word(text, &words())?]),
            FieldKind::Queue => {
                let names = Queue::OF_REQUESTS.map(Queue::name);
                let queue = Queue::from_name(&self.word(text, &names)?);
                queue.into_iter().map(FilterValue::Queue).collect()
            }
            FieldKind::Time(_) | FieldKind::Moment => vec![FilterValue::Time(
                Timestamp::parse(text)
                    .ok_or_else(|| format!("{}: expected a time such as 2026-01-31T12:00:00Z", self.name))?,
            )],
            FieldKind::Amount => vec![FilterValue::Amount(
                amount(text)
                    .ok_or_else(|| format!("{}: expected an amount and its currency, such as 12.50 EUR", self.name))?,
            )],
            FieldKind::Related(related) => match related.values {
                RelatedValues::Flag => vec![FilterValue::Flag(self.word(text, &["true", "false"])? == "true")],
                RelatedValues::Id => vec![FilterValue::Id(self.id(text)?)],
                RelatedValues::Text => texts(stored_text(text)),
                RelatedValues::Country if is_country(text) => texts(vec![text.to_owned()]),
                RelatedValues::Country => {
                    return Err(format!("{}: expected two letters of ISO 3166-1, such as NL", self.name));
                }
                RelatedValues::OneOf(words) => texts(vec![self.word(text, &words())?]),
            },
        })
    }

    fn id(&self, text: &str) -> Result<Uuid, String> {
        Uuid::try_parse(text).map_err(|_| format!("{}: expected an id", self.name))
    }

    fn word(&self, text: &str, words: &[&str]) -> Result<String, String> {
        if words.contains(&text) {
            return Ok(text.to_owned());
        }
        Err(format!("{}: expected one of {}", self.name, words.join(", ")))
    }
}

/// No stored text is empty or contains a NUL.
fn stored_text(text: &str) -> Vec<String> {
    if text.is_empty() || text.contains('\0') { Vec::new() } else { vec![text.to_owned()] }
}

fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// An amount such as `12.50 EUR`.
fn amount(text: &str) -> Option<Money> {
    let (value, code) = text.split_once(' ')?;
    Money::parse(value, Currency::from_code(code)?).ok()
}

#[cfg(test)]
mod tests {
    use super::{escaped, split_values};

    #[test]
    fn values_are_separated_by_bars_that_no_backslash_precedes() {
        for (text, values) in [
            ("", &[""][..]),
            ("A", &["A"]),
            ("A|B", &["A", "B"]),
            ("A||B|", &["A", "", "B", ""]),
            (r"A\|B", &["A|B"]),
            (r"A\\|B", &[r"A\", "B"]),
            (r"A\\\|B", &[r"A\|B"]),
            (r"C:\x\", &[r"C:\x\"]),
        ] {
            assert_eq!(split_values(text), values, "{text}");
            for value in values {
                assert_eq!(split_values(&escaped(value)), [*value]);
            }
        }
    }
}
