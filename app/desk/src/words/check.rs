//! Compares the tables of all languages with the English ones.

use crate::words::{EN, Words};
use std::collections::BTreeSet;
use ui::{
    language::Language,
    text::{
        categories,
        placeholders::{Pieces, read},
    },
};

/// Texts that a language has in common with English. Those without letters need no entry.
const SAME: [(Language, &[&str]); 7] = [
    (
        Language::Nl,
        &[
            "Account",
            "Code",
            "Compact",
            "Event",
            "Open",
            "Passkey",
            "Passkeys",
            "Retour",
            "Status",
            "Webhook",
            "Webhook {0}: {1}",
            "Webhooks",
        ],
    ),
    (
        Language::De,
        &[
            "API: {0}",
            "Admin",
            "Code",
            "Name",
            "Passkey",
            "Passkeys",
            "Person",
            "Retour",
            "Shop",
            "Status",
            "Webhook",
            "Webhook {0}: {1}",
            "Webhooks",
        ],
    ),
    (Language::Fr, &["Webhook"]),
    (Language::Es, &["Error: ", "Error: {0}", "No", "Webhook", "Webhooks", "Webhook {0}: {1}"]),
    (Language::Pl, &["Outlet", "Retour", "Status", "Webhook"]),
    (Language::It, &["Account", "Webhook", "Password", "Passkey", "Email", "No"]),
    (Language::Ar, &[]),
];

/// The same in all languages.
const SAME_EVERYWHERE: [&str; 3] = ["Retour", "SKU", "SKU {0}"];

#[test]
fn each_language_has_all_texts() {
    let mut wrong = Vec::new();
    for language in Words::languages() {
        for ((name, standard), (_, text)) in EN.named().into_iter().zip(Words::of(language).named()) {
            if let Err(why) = fits(language, &name, text, standard) {
                wrong.push(format!("{} {name}: {why}: {text}", language.tag()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn fits(language: Language, name: &str, text: &str, standard: &str) -> Result<(), String> {
    // Some languages group digits with a space that does not break.
    let is_space = matches!(text, "\u{a0}" | "\u{202f}");
    if text.trim().is_empty() && !is_space && !standard.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    let (own, theirs) = (read(text)?, read(standard)?);
    if own.shown() != theirs.shown() {
        return Err(format!("expected the slots {:?}", theirs.shown()));
    }
    // A text without forms in English is filled in without them, so its forms would be shown as they stand.
    if !own.counts().is_subset(&theirs.counts()) {
        return Err("expected forms only where English has some".to_owned());
    }
    forms(language, &own)?;
    let is_same = language != Language::En && text == standard && has_words(text);
    if is_same && !is_allowed(language, name, text) {
        return Err("it is English. If both languages have this text, add it to SAME".to_owned());
    }
    Ok(())
}

fn forms(language: Language, pieces: &Pieces<'_>) -> Result<(), String> {
    let known = categories(language.tag());
    for (_, forms) in pieces.forms() {
        let names: BTreeSet<_> = forms.iter().map(|(name, _)| *name).collect();
        if !names.contains("other") || names.len() < forms.len() || !names.iter().all(|name| known.contains(name)) {
            return Err(format!("expected forms among {}, each once and with `other`", known.join(", ")));
        }
    }
    Ok(())
}

/// Whether something is left without placeholders.
fn has_words(text: &str) -> bool {
    let mut depth = 0_i32;
    text.chars().any(|sign| {
        depth += i32::from(sign == '{') - i32::from(sign == '}');
        depth == 0 && sign.is_alphabetic()
    })
}

fn is_allowed(language: Language, name: &str, text: &str) -> bool {
    let of_language = SAME.iter().find(|(one, _)| *one == language).is_some_and(|(_, texts)| texts.contains(&text));
    // How numbers are written is no language's own.
    let is_number = ["common.decimal", "common.group", "common.least_grouped", "common.amount"].contains(&name);
    of_language || is_number || SAME_EVERYWHERE.contains(&text)
}

#[test]
fn a_text_that_does_not_fit_is_found() {
    let wrong = |text: &str, standard: &str| fits(Language::De, "x", text, standard).unwrap_err();
    assert!(wrong("", "Save").contains("empty"));
    assert!(wrong("Save", "Save").contains("English"));
    assert!(wrong("von {0}", "{0} of {1}").contains("slots"));
    assert!(wrong("{0:one=Tag;other=Tage}", "{0} days").contains("slots"));
    assert!(wrong("{0} {0:one=Tag;other=Tage}", "{0} days").contains("only where"));
    assert!(wrong("{0} {0:one=Tag;many=Tage}", "{0} {0:one=day;other=days}").contains("other"));
    assert!(wrong("{0} {", "{0} of").contains("{ as }"));
    let right = |text: &str, standard: &str| fits(Language::De, "x", text, standard).unwrap();
    right("{0} {0:one=Tag;other=Tage}", "{0} {0:one=day;other=days}");
    right("{0}: {1}", "{0}: {1}");
    right("\u{a0}", ",");
}

#[test]
fn values_in_words_from_right_to_left_are_isolated() {
    let words = EN.changed(super::isolating);
    assert_eq!(words.return_order.order, "Order \u{2068}{0}\u{2069}");
    let (text, values) = (words.bulk.can, ["2"]);
    assert_eq!(ui::text::plural("en", text, &values), "\u{2068}2\u{2069} items can be changed now.");
    assert_eq!((words.common.amount, words.common.save), (EN.common.amount, EN.common.save));
}
