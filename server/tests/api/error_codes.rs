//! The table of error codes is complete, and the documentation shows it.

use crate::contract::DOCUMENT;
use serde_json::Value;
use server::api::{error_codes, operations};
use std::{collections::BTreeSet, fmt::Write as _};

#[test]
fn every_code_that_an_operation_names_is_in_the_table() {
    let conflicts: BTreeSet<&str> =
        error_codes::ALL.iter().filter(|known| known.statuses.contains(&409)).map(|known| known.code).collect();
    for operation in operations() {
        for code in operation.conflicts {
            assert!(conflicts.contains(code), "{}: {code}", operation.id);
        }
    }
    let responses = DOCUMENT["components"]["responses"].as_object().unwrap().values();
    // The answers of a webhook's receiver have no content.
    for response in responses.filter(|response| response["content"].is_object()) {
        let code = response["content"]["application/json"]["example"]["error"]["code"].as_str().unwrap();
        assert!(error_codes::ALL.iter().any(|known| known.code == code), "{code}");
    }
}

#[test]
fn the_document_has_the_codes() {
    let schema = &DOCUMENT["components"]["schemas"]["ErrorBody"]["properties"]["code"];
    let codes: Vec<&str> = schema["enum"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(codes, error_codes::ALL.iter().map(|known| known.code).collect::<Vec<_>>());
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len(), "each code occurs once");
    let mut sorted = error_codes::ALL.to_vec();
    sorted.sort_by_key(|known| (known.statuses[0], known.code));
    assert_eq!(codes, sorted.iter().map(|known| known.code).collect::<Vec<_>>(), "codes are sorted by status and name");
}

/// `UPDATE_DOCS=1` writes the page.
#[test]
fn the_documentation_has_the_codes() {
    let mut page = String::from(
        "# Error codes\n\nGenerated from `server/src/api/base/error_codes.rs`. Every error is `{\"error\": {\"code\", \"message\", \"details\"?}}`. `code` is for \
         programs: its value never changes its meaning, and later versions may add values, so treat a code that you do not know by its status. `message` is for \
         people and may change. `details` name the fields, each with a `code` of its own from the type `RefusalCode` of `openapi.json`. Each operation lists the \
         codes of its 409 answers at `/api/docs`.\n\n\
         | status | code | meaning | what to do |\n|---|---|---|---|\n",
    );
    for known in error_codes::ALL {
        let statuses: Vec<String> = known.statuses.iter().map(u16::to_string).collect();
        let (statuses, code) = (statuses.join(", "), known.code);
        writeln!(page, "| {statuses} | `{code}` | {} | {} |", known.meaning, known.remedy).unwrap();
    }
    page.push_str("\nA URL over 64 KiB is answered with a bare 414, without this body.\n");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/errors.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(file, &page).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(file).unwrap_or_default(),
        page,
        "run with UPDATE_DOCS=1 to rewrite docs/errors.md"
    );
}
