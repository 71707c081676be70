//! Clauses of a filter: `stage:Resolution: Approved`, `createdAt>=2026-01-01T00:00:00Z`.

use super::{Field, FieldKind, List};
use domain::{
    Timestamp,
    proof::{EmailKey, ProofKey, TypedOrderNumber},
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

/// One clause that must hold.
#[derive(Debug, Clone)]
pub struct Condition {
    pub(super) field: &'static Field,
    pub(super) operator: Operator,
    pub(super) value: Value,
}

impl Condition {
    /// As one text, the same for clauses that mean the same.
    pub(super) fn spelled(&self) -> String {
        let value = match &self.value {
            Value::Id(id) => id.to_string(),
            Value::Text(text) => text.clone(),
            Value::Spellings(spellings) => spellings.join("\0"),
            Value::Time(at) => at.micros().to_string(),
            Value::Nothing => String::new(),
        };
        let kind = if matches!(self.value, Value::Nothing) { "nothing" } else { "value" };
        format!("{}{}{kind} {value}", self.field.name, self.operator.sql())
    }

    /// Whether it is about the field of that name.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.field.name == name
    }
}

#[derive(Debug, Clone)]
pub(super) enum Value {
    Id(Uuid),
    Text(String),
    /// Equal to one of these spellings.
    Spellings(Vec<String>),
    Time(Timestamp),
    /// Equal to no value that there is.
    Nothing,
}

/// The longest value of a filter and the longest search, characters.
pub const MAX_CHARS: usize = 320;

impl List {
    /// A clause such as `stage:Resolution: Approved`; otherwise what is allowed in its place. Splits at the first
    /// operator: values may hold more of them.
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

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether it can be searched.
    pub fn is_searchable(&self) -> bool {
        self.search.is_some()
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

impl Value {
    fn of(spellings: Vec<String>) -> Self {
        if spellings.is_empty() { Self::Nothing } else { Self::Spellings(spellings) }
    }
}

/// How an order number may be stored that was typed so: as it is compared, without unknown words before its `#`, as it is.
pub(super) fn number_spellings(text: &str) -> Vec<String> {
    let number = TypedOrderNumber::new(text);
    distinct(number.iter().flat_map(TypedOrderNumber::candidates).map(str::to_owned))
}

/// How an e-mail address may be stored that was typed so.
pub(super) fn email_spellings(text: &str) -> Vec<String> {
    let plain = ProofKey::new(text).map(|key| key.as_str().to_owned());
    let key = plain.as_ref().and_then(|_| EmailKey::new(text));
    distinct(plain.into_iter().chain(key.iter().flat_map(EmailKey::spellings)))
}

fn distinct(spellings: impl Iterator<Item = String>) -> Vec<String> {
    spellings.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

/// What a scanner reads of a label, as it is kept: of GS1-128 (with its symbology identifier `]C1` or without) the SSCC that
/// stands behind the application identifier 00.
fn scanned(text: &str) -> &str {
    let text = text.trim();
    let code = text.strip_prefix("]C1").unwrap_or(text);
    let sscc = code.strip_prefix("(00)").or_else(|| code.strip_prefix("00").filter(|rest| rest.len() == 18));
    sscc.filter(|sscc| sscc.len() == 18 && sscc.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or(code)
}

impl Field {
    fn value(&self, text: &str) -> Result<Value, String> {
        Ok(match self.kind {
            FieldKind::Id => Value::Id(Uuid::try_parse(text).map_err(|_| format!("{}: expected an id", self.name))?),
            FieldKind::OrderNumber | FieldKind::NumberOfOrder => Value::of(number_spellings(text)),
            FieldKind::Email => Value::of(email_spellings(text)),
            FieldKind::Barcode => match scanned(text) {
                "" => Value::Nothing,
                code if code.contains('\0') => Value::Nothing,
                code => Value::Text(code.to_owned()),
            },
            FieldKind::Text if text.is_empty() || text.contains('\0') => Value::Nothing,
            FieldKind::Text => Value::Text(text.to_owned()),
            FieldKind::OneOf(words) => {
                let words = words();
                if !words.contains(&text) {
                    return Err(format!("{}: expected one of {}", self.name, words.join(", ")));
                }
                Value::Text(text.to_owned())
            }
            FieldKind::Time(_) => Value::Time(
                Timestamp::parse(text)
                    .ok_or_else(|| format!("{}: expected a time such as 2026-01-31T12:00:00Z", self.name))?,
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::scanned;

    #[test]
    fn whatever_scanners_make_of_a_label_is_its_number() {
        for read in
            ["]C100095212340000000013", "00095212340000000013", "(00)095212340000000013", " 095212340000000013 "]
        {
            assert_eq!(scanned(read), "095212340000000013", "{read}");
        }
        for other in ["3SABC0012345678", "]C1421528", "0012345", "00ABC212340000000013", "", "]C1"] {
            assert_eq!(scanned(other), other.trim_start_matches("]C1"), "{other}");
        }
    }
}
