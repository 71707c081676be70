//! Reading JSON objects strictly, with messages for the author of a client.

use super::objects_only::ObjectsOnly;
use domain::RefusalCode;
use returns::FieldError;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The longest path in a message.
const MAX_PATH_CHARS: usize = 200;

/// What `null` means in an optional field that has no value `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NullFields {
    /// A wrong value.
    Refused,
    /// The same as a field that is left out: some clients write every field.
    LeftOut,
}

/// Why an object could not be read.
#[derive(Debug)]
pub(crate) enum JsonError {
    /// The text is not JSON.
    Malformed(String),
    /// A field has a wrong value.
    WrongField(FieldError),
}

/// Reads a JSON object strictly: right types and no unknown fields.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8], nulls: NullFields) -> Result<T, JsonError> {
    let result = match parse(bytes) {
        // In JSON, 2.0 is the same whole number as 2. Serde reads it as a float.
        Err(error) if error.is_unexpected("floating point") => read_leniently(bytes, nulls),
        Err(error) if nulls == NullFields::LeftOut && error.is_unexpected("null") => read_leniently(bytes, nulls),
        result => result,
    };
    let value = result.map_err(|FieldProblem { path, error }| {
        if error.is_data() { JsonError::WrongField(describe(&path, &error)) } else { malformed(&error) }
    })?;
    // Not every body is a struct.
    if bytes.trim_ascii_start().starts_with(b"{") {
        Ok(value)
    } else {
        Err(JsonError::WrongField(FieldError::new("body", RefusalCode::NotAllowed, "expected an object")))
    }
}

/// Serde's error, and the path to the value that caused it.
struct FieldProblem {
    path: String,
    error: serde_json::Error,
}

impl FieldProblem {
    /// Whether the cause is a value of this type, in Serde's words.
    fn is_unexpected(&self, kind: &str) -> bool {
        self.error.to_string().strip_prefix("invalid type: ").is_some_and(|rest| rest.starts_with(kind))
    }
}

impl From<serde_path_to_error::Error<serde_json::Error>> for FieldProblem {
    fn from(error: serde_path_to_error::Error<serde_json::Error>) -> Self {
        Self { path: error.path().to_string(), error: error.into_inner() }
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FieldProblem> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(ObjectsOnly(&mut deserializer))?;
    deserializer.end().map_err(|error| FieldProblem { path: String::new(), error })?;
    Ok(value)
}

fn convert<T: DeserializeOwned>(value: Value) -> Result<T, FieldProblem> {
    Ok(serde_path_to_error::deserialize(ObjectsOnly(value))?)
}

/// More fields than any body has in which `null` is no value.
const MAX_NULL_FIELDS: usize = 64;

/// Reads whole numbers also if they are written with a decimal point, and, with [`NullFields::LeftOut`], removes the nulls that are no value.
fn read_leniently<T: DeserializeOwned>(bytes: &[u8], nulls: NullFields) -> Result<T, FieldProblem> {
    let mut value: Value = parse(bytes)?;
    make_whole(&mut value);
    let mut result = convert(value.clone());
    // Each round removes one field wherever it is null, from all items of a list at once.
    for _ in 0..MAX_NULL_FIELDS {
        let Err(problem) = &result else { break };
        let is_null = nulls == NullFields::LeftOut && problem.is_unexpected("null");
        if !is_null || !remove_nulls(&mut value, "", &pattern_of(&problem.path)) {
            break;
        }
        result = convert(value.clone());
    }
    result
}

/// The path with every index left out: `items[3].name` becomes `items[].name`.
fn pattern_of(path: &str) -> String {
    let mut pattern = String::new();
    for (at, part) in path.split('[').enumerate() {
        match part.split_once(']').filter(|_| at > 0) {
            Some((index, rest)) if index.bytes().all(|byte| byte.is_ascii_digit()) => {
                pattern.push_str("[]");
                pattern.push_str(rest);
            }
            _ => {
                pattern.push_str(if at > 0 { "[" } else { "" });
                pattern.push_str(part);
            }
        }
    }
    pattern
}

/// Removes the null fields that match the pattern, and returns whether there were any. `at`: the pattern of the value itself.
fn remove_nulls(value: &mut Value, at: &str, pattern: &str) -> bool {
    let mut has_removed = false;
    match value {
        Value::Array(items) => {
            let at = format!("{at}[]");
            for item in items.iter_mut().filter(|_| pattern.starts_with(&at)) {
                has_removed |= remove_nulls(item, &at, pattern);
            }
        }
        Value::Object(fields) => {
            let place = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
            let before = fields.len();
            fields.retain(|name, field| !field.is_null() || place(name) != pattern);
            has_removed = fields.len() < before;
            for (name, field) in fields {
                let at = place(name);
                has_removed |= pattern.starts_with(&at) && remove_nulls(field, &at, pattern);
            }
        }
        _ => {}
    }
    has_removed
}

/// Turns floats without a fraction into integers.
fn make_whole(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(fields) => fields.values_mut().for_each(make_whole),
        Value::Number(number) => {
            let text = number.as_f64().filter(|number| number.fract() == 0.0).map(|number| format!("{number:.0}"));
            if let Some(whole) = text.and_then(|text| text.parse::<i64>().ok()).filter(|_| number.is_f64()) {
                *number = whole.into();
            }
        }
        _ => {}
    }
}

fn malformed(error: &serde_json::Error) -> JsonError {
    JsonError::Malformed(format!("Invalid JSON at line {}, column {}.", error.line(), error.column()))
}

/// Turns Serde's message into one for the author of a client. The message contains no values, because they may be personal.
fn describe(path: &str, error: &serde_json::Error) -> FieldError {
    let sentence = error.to_string();
    // serde_json appends the place. A value can contain the same words earlier in the message.
    let suffix = format!(" at line {} column {}", error.line(), error.column());
    let sentence = sentence.strip_suffix(&suffix).unwrap_or(&sentence);
    let path = if path == "." { "" } else { path };
    // A path can end in a name that the client made up.
    let plain: String = path.chars().take(MAX_PATH_CHARS).map(|c| if c.is_control() { '?' } else { c }).collect();
    let path = plain.as_str();
    let place = if path.is_empty() { "body" } else { path };
    if let Some(name) = quoted(sentence, "missing field ") {
        let field = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        return FieldError::new(field, RefusalCode::Required, "this field is missing");
    }
    if sentence.starts_with("duplicate field ") {
        return FieldError::new(place, RefusalCode::NotAllowed, "this field occurs twice");
    }
    if sentence.starts_with("UUID parsing failed") {
        return FieldError::new(place, RefusalCode::NotAllowed, "expected an id: a UUID from this API");
    }
    // The last `, expected` is Serde's. A value can contain the words, too.
    let known = sentence.rsplit_once(", expected ").filter(|_| !sentence.ends_with(", there are no fields"));
    let message = match known {
        Some((problem, known)) if problem.starts_with("unknown field") => format!("unknown field; expected {known}"),
        Some((_, "i64")) => "expected a whole number".to_owned(),
        Some((_, "u32")) => "expected a whole number, 0 or more".to_owned(),
        Some((_, "a map")) => "expected an object".to_owned(),
        Some((_, "a sequence")) => "expected a list".to_owned(),
        Some((_, kind)) if kind.starts_with("struct ") => "expected an object".to_owned(),
        Some((_, expected)) => format!("expected {expected}"),
        // Messages of our own types.
        None if sentence.starts_with("expected ") => sentence.to_owned(),
        None => "not known here".to_owned(),
    };
    FieldError::new(place, RefusalCode::NotAllowed, message)
}

/// The name in backticks that follows these words.
fn quoted<'a>(sentence: &'a str, words: &str) -> Option<&'a str> {
    sentence.strip_prefix(words)?.strip_prefix('`')?.strip_suffix('`')
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use returns::PatchField;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct SentLine {
        id: String,
        #[serde(default)]
        note: String,
        #[serde(default)]
        units: i64,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct SentBody {
        #[serde(default)]
        lines: Vec<SentLine>,
        #[serde(default)]
        logo: PatchField<Option<String>>,
        #[serde(default)]
        names: Vec<String>,
    }

    #[test]
    fn a_list_is_no_object_at_any_depth() {
        for (text, field) in [
            ("[[], null, []]", "body"),
            (r#"{"lines": [["a", "", 1]]}"#, "lines[0]"),
            (r#"{"lines": [{"id": "a", "units": 1.0}, []]}"#, "lines[1]"),
        ] {
            let Err(JsonError::WrongField(error)) = read_without_nulls(text) else { panic!("{text} was read") };
            assert_eq!((error.field.as_str(), error.message.as_str()), (field, "expected an object"), "{text}");
        }
    }

    fn read_without_nulls(text: &str) -> Result<SentBody, JsonError> {
        read(text.as_bytes(), NullFields::LeftOut)
    }

    #[test]
    fn null_fields_are_left_out() {
        let lines =
            (0..300).map(|id| format!(r#"{{"id": "{id}", "note": null, "units": {}}}"#, ["null", "2.0"][id % 2]));
        let text = format!(r#"{{"lines": [{}], "logo": null, "names": null}}"#, lines.collect::<Vec<_>>().join(","));
        let sent = read_without_nulls(&text).unwrap();
        assert_eq!((sent.lines.len(), sent.lines[0].units, sent.lines[1].units), (300, 0, 2));
        assert!(sent.lines.iter().all(|line| line.note.is_empty() && !line.id.is_empty()) && sent.names.is_empty());
        assert_eq!(sent.logo, PatchField(Some(None)), "null is a value of this field");
        assert!(read::<SentBody>(text.as_bytes(), NullFields::Refused).is_err(), "other bodies refuse null");
    }

    #[test]
    fn required_values_must_not_be_null() {
        for (text, field) in [
            (r#"{"lines": [{"id": null}]}"#, "lines[0].id"),
            (r#"{"lines": [null]}"#, "lines[0]"),
            (r#"{"names": ["a", null]}"#, "names[1]"),
            (r#"{"lines": [{"id": "a", "note": null, "other": null}]}"#, "lines[0].other"),
            ("null", "body"),
        ] {
            match read_without_nulls(text) {
                Err(JsonError::WrongField(detail)) => assert_eq!(detail.field, field, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
