//! The desk has no use case that the API lacks.

use std::{collections::BTreeSet, fs, path::Path};

/// What the desk calls besides use cases: who is there, what time it is, whether mail is sent. Then its own forms of use cases of the API: at the desk,
/// signing in and proving again give a session with a cookie instead of a token.
const OTHERS: [&str; 17] = [
    "account",
    "desk_add_passkey",
    "desk_begin_passkey",
    "desk_change_password",
    "desk_confirm",
    "desk_confirm_totp",
    "desk_session",
    "desk_sign_in",
    "desk_sign_in_with_passkey",
    "desk_sign_out",
    "desk_url",
    "mails",
    "mails_passwords",
    "merchant",
    "now",
    "passkey_host",
    "request_id",
];

/// The text of all Rust files in a folder, in one line.
fn source(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text.extend(fs::read_to_string(&path).unwrap().split_whitespace());
        }
    }
}

/// The names of the methods that are called on what ends with `receiver`, which `end` completes.
fn methods(text: &str, receiver: &str, end: &str) -> BTreeSet<String> {
    let after = text.split(receiver).skip(1).filter_map(|rest| Some(rest.split_once(end)?.1));
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name = |rest: &str| Some(rest.split_once('(')?.0.to_owned()).filter(|name| name.chars().all(is_of_name));
    after.filter_map(name).collect()
}

#[test]
fn each_use_case_of_the_desk_has_an_operation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut desk, mut api) = (String::new(), String::new());
    source(&root.join("app/desk/src"), &mut desk);
    source(&root.join("server/src/api/resources"), &mut api);
    let of_merchants = methods(&desk, ".merchant(", ").");
    let of_people = methods(&desk, "retour.", "");
    assert!(of_merchants.len() > 10 && of_people.contains("merchant"), "{of_merchants:?} {of_people:?}");
    let all = of_merchants.iter().chain(of_people.iter().filter(|name| !OTHERS.contains(&name.as_str())));
    // A setting names its use cases in `use_cases!`.
    let of_setting = |name: &str| ["list", "find"].iter().any(|kind| api.contains(&format!("{kind}:{name},")));
    let is_operation = |name: &str| api.contains(&format!(".{name}(")) || of_setting(name);
    let missing: Vec<&String> = all.filter(|name| !is_operation(name)).collect();
    assert!(missing.is_empty(), "the API has no operation for {missing:?}");
}
