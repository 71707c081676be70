//! Parses JSON answers, and says what is wrong without repeating a value: values may be personal.

use domain::{Problems, RefusalCode};
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};

/// Parses an answer, which has to be a JSON object.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problems> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let is_unknown = error.inner().to_string().starts_with("unknown field ");
        let path = known_path(error.path(), usize::from(is_unknown));
        describe(&path, &error.into_inner())
    })?;
    deserializer.end().map_err(|error| describe("", &error))?;
    // Serde would also accept a list of values, in the order of the fields.
    if body.trim_ascii_start().starts_with(b"{") { Ok(value) } else { Err(problem("", "expected an object")) }
}

/// The path of an error, as far as its names are the contract's. Names of attributes come from the shop, and so do the last
/// `foreign` segments.
fn known_path(path: &Path, foreign: usize) -> String {
    let mut text = String::new();
    for segment in path.iter().take(path.iter().len().saturating_sub(foreign)) {
        match segment {
            Segment::Seq { index } => text.extend(["[", &index.to_string(), "]"]),
            Segment::Map { key } => {
                text += if text.is_empty() { "" } else { "." };
                text += key;
                if key == "attributes" {
                    break;
                }
            }
            Segment::Enum { .. } | Segment::Unknown => break,
        }
    }
    text
}

/// Turns Serde's message into ours: what is allowed, in terms of JSON.
fn describe(path: &str, error: &serde_json::Error) -> Problems {
    let (line, column) = (error.line(), error.column());
    if !error.is_data() {
        return problem("", &format!("expected JSON; it is invalid at line {line}, column {column}"));
    }
    let sentence = error.to_string();
    let sentence = sentence.rsplit_once(" at line ").map_or(sentence.as_str(), |(sentence, _)| sentence);
    let within = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    if let Some(name) = quoted(sentence, "missing field ") {
        let mut problems = Problems::default();
        problems.add(within(name), RefusalCode::Required, "this field is missing");
        return problems;
    }
    if let Some(name) = quoted(sentence, "duplicate field ") {
        return problem(&within(name), "this field occurs twice");
    }
    if let Some((_, known)) = sentence.rsplit_once(", expected ").filter(|_| sentence.starts_with("unknown field ")) {
        return problem(path, &format!("expected no other fields than {}", known.replace(" or ", " and ")));
    }
    // Serde puts this part last; anything before it may quote the answer.
    let allowed = match sentence.rsplit_once(", expected ").map(|(_, allowed)| allowed) {
        Some("u32") => "expected a whole number, 0 or more".to_owned(),
        Some("i64") => "expected a whole number".to_owned(),
        Some("a sequence") => "expected a list".to_owned(),
        Some("a map") => "expected an object".to_owned(),
        Some(kind) if kind.starts_with("struct ") => "expected an object".to_owned(),
        Some(allowed) => format!("expected {allowed}"),
        // Messages of our own types, which never quote the answer.
        None if sentence.starts_with("UUID parsing failed") => "expected a UUID".to_owned(),
        None if sentence.starts_with("expected ") => sentence.to_owned(),
        None => "expected something else".to_owned(),
    };
    problem(path, &allowed)
}

/// The name in backticks after these words; it is one of the contract's fields.
fn quoted<'a>(sentence: &'a str, words: &str) -> Option<&'a str> {
    sentence.strip_prefix(words)?.strip_prefix('`')?.strip_suffix('`')
}

fn problem(path: &str, allowed: &str) -> Problems {
    let mut problems = Problems::default();
    problems.add(path, RefusalCode::NotAllowed, allowed);
    problems
}
