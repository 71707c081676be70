//! Writes `docs/wording.md`, the list of all keys for merchants.

use crate::words::{
    en::Words,
    live::Live,
    wording::keys::{all, key_of},
};
use std::fmt::Write as _;
use ui::language::Language;

const HEAD: &str = "# Texts of the portal\n\n\
    Made from the tables in `app/portal/src/words`. Each text of the portal and its mail has a key, under which `branding.wording` takes \
    your own words ([portal.md](portal.md#your-own-words)). The texts here are the English ones; in some countries they say \"postcode\" or \"ZIP code\". `{0}` and `{1}` are placeholders: \
    something is filled in there. `{0:one=day;other=days}` are forms that go with the number `{0}`.\n";

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (title, fields) in [
        ("Pages and mail", Words::NAMES),
        ("Receipts, search and what pages say while they are filled in", Live::NAMES),
    ] {
        let _ = write!(page, "\n## {title}\n\n| key | English |\n|---|---|\n");
        let keys = fields.iter().map(|field| key_of(field));
        for (name, key) in keys.filter_map(|name| Some((name.clone(), all().get(&name)?))) {
            if key.fixed.is_none() {
                let text = key.standard(Language::En).replace('|', "\\|").replace('<', "\\<");
                let _ = writeln!(page, "| `{name}` | {text} |");
            }
        }
    }
    page.push_str("\n## Fixed texts\n\nThese keep their standard text in every language.\n\n| key | English | why |\n|---|---|---|\n");
    for (name, key) in all() {
        if let Some(fixed) = key.fixed {
            let _ = writeln!(page, "| `{name}` | `{}` | {} |", key.standard(Language::En), fixed.reason());
        }
    }
    page
}

/// `UPDATE_DOCS=1` writes the page.
#[test]
fn the_documentation_lists_every_key() {
    let page = page();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/wording.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(file, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), page, "UPDATE_DOCS=1 writes docs/wording.md anew");
    for name in all().keys() {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}
