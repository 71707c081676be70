//! Validates a merchant's own text.

use crate::words::wording::keys::{self, Key};
use domain::{Problems, Refusal, RefusalCode, wording::Wording};
use std::collections::BTreeSet;
use ui::{
    language::Language,
    text::{
        categories,
        placeholders::{self, Pieces},
    },
};

/// About three lines on a desktop. The replacement of a longer text may be twice as long as it.
const MAX_CHARS: usize = 300;

/// The problems of a merchant's texts, by `<key>` or `<key>.<language>`.
pub fn check(wording: &Wording) -> Problems {
    let mut problems = Problems::default();
    for (name, texts) in &wording.0 {
        let Some(key) = keys::all().get(name) else {
            problems.add(name, RefusalCode::NotAllowed, unknown(name));
            continue;
        };
        if let Some(fixed) = key.fixed {
            let message = format!("expected another key: this is {}", fixed.reason());
            problems.add(name, RefusalCode::NotAllowed, message);
            continue;
        }
        for (tag, text) in &texts.0 {
            let field = format!("{name}.{tag}");
            match Language::of_tag(tag) {
                Some(language) => problems.0.extend(refusal(key, language, text).map(|refusal| (field, refusal))),
                None => problems.add(field, RefusalCode::NotAllowed, unspoken()),
            }
        }
    }
    problems
}

fn unknown(name: &str) -> String {
    let meant = keys::like(name).map(|key| format!("; did you mean {key}?")).unwrap_or_default();
    format!("expected a key that docs/wording.md lists{meant}")
}

fn unspoken() -> String {
    format!("expected a language of the portal: {}", Language::ALL.map(Language::tag).join(", "))
}

/// Why a text cannot replace the standard one.
pub fn refusal(key: &Key, language: Language, text: &str) -> Option<Refusal> {
    let standard = key.standard(language);
    as_text(text, standard).or_else(|| {
        let outcome = placeholders::read(text).map_err(str::to_owned).and_then(|pieces| {
            filled_as(&pieces, standard)?;
            forms(&pieces, key, language)?;
            is_closed(&pieces)
        });
        outcome.err().map(|message| Refusal::new(RefusalCode::NotAllowed, message))
    })
}

/// Accepts one line of plain text, of bounded length.
fn as_text(text: &str, standard: &str) -> Option<Refusal> {
    let most = MAX_CHARS.max(2 * standard.chars().count());
    if text.chars().all(|sign| sign.is_whitespace() || is_invisible(sign)) {
        return Some(Refusal::new(RefusalCode::Required, format!("expected a text of 1 to {most} characters")));
    }
    let mut problems = Problems::default();
    problems.check_text("", text, 1..=most);
    if let Some((_, refusal)) = problems.0.pop() {
        return Some(refusal);
    }
    let not_allowed = |message: &str| Some(Refusal::new(RefusalCode::NotAllowed, message));
    if text.contains(['\u{2028}', '\u{2029}']) {
        return not_allowed("expected one line without control characters");
    }
    // Some texts travel to the browser inside a `<script>`, which a tag could end.
    let mut after = text.split('<').skip(1).map(|after| after.chars().next());
    if after.any(|next| next.is_some_and(|next| next.is_alphabetic() || matches!(next, '/' | '!' | '?'))) {
        return not_allowed("expected plain text: HTML is not read, and no tag can stand in it");
    }
    // Isolates do what embeddings and overrides do, and end with their text.
    if text.contains(['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}']) {
        return not_allowed("expected no embeddings or overrides of direction: use isolates, U+2066 to U+2069");
    }
    None
}

/// Joiners, directional marks and the like.
fn is_invisible(sign: char) -> bool {
    matches!(sign, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether every isolate is closed.
fn is_isolated(text: &str) -> bool {
    let depth = text.chars().try_fold(0_usize, |depth, sign| match sign {
        '\u{2066}'..='\u{2068}' => Some(depth + 1),
        '\u{2069}' => depth.checked_sub(1),
        _ => Some(depth),
    });
    depth == Some(0)
}

fn is_closed(pieces: &Pieces<'_>) -> Result<(), String> {
    if pieces.each_run(is_isolated) { Ok(()) } else { Err("expected an end, U+2069, of each isolate".to_owned()) }
}

/// Requires the placeholders of the standard text, each once.
fn filled_as(pieces: &Pieces<'_>, standard: &str) -> Result<(), String> {
    let theirs = placeholders::read(standard).unwrap_or_default();
    let (shown, counts) = (theirs.shown(), theirs.counts());
    let known: BTreeSet<_> = shown.union(&counts).copied().collect();
    let expected = |rule: &str| Err(format!("expected {rule}, as in “{standard}”"));
    if pieces.shown().union(&pieces.counts()).any(|number| !known.contains(number)) {
        return match named(&known) {
            none if none.is_empty() => expected("no placeholders"),
            some => expected(&format!("no other placeholders than {some}")),
        };
    }
    let is_once = |number: &usize| {
        let (usually, most) = pieces.times(*number);
        most <= 1 && (usually == 1 || !shown.contains(number))
    };
    if known.iter().all(is_once) {
        return Ok(());
    }
    expected(&format!("{} once each, within forms in `other` at least", named(&shown)))
}

fn named(numbers: &BTreeSet<usize>) -> String {
    numbers.iter().map(|number| format!("{{{number}}}")).collect::<Vec<_>>().join(", ")
}

/// Requires plural forms of the language, for numbers that are counted.
fn forms(pieces: &Pieces<'_>, key: &Key, language: Language) -> Result<(), String> {
    let known = categories(language.tag());
    for (number, forms) in pieces.forms() {
        if !key.counted.contains(&number) {
            return Err(match named(&key.counted) {
                none if none.is_empty() => "expected no forms: nothing is counted in this text".to_owned(),
                some => format!("expected forms that go with {some}: the other placeholders are no numbers"),
            });
        }
        let names: BTreeSet<_> = forms.iter().map(|(name, _)| *name).collect();
        let are_known = names.iter().all(|name| known.contains(name));
        if !are_known || names.len() < forms.len() || !names.contains("other") {
            return Err(format!("expected forms among {}, each once and with `other`", known.join(", ")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::wording::keys::all;
    use domain::Translated;
    use proptest::{prelude::*, sample::select};
    use std::collections::BTreeMap;
    use ui::text::{format, plural};

    fn one(key: &str, tag: &str, text: &str) -> Vec<(String, Refusal)> {
        let texts = Translated(BTreeMap::from([(tag.to_owned(), text.to_owned())]));
        check(&Wording(BTreeMap::from([(key.to_owned(), texts)]))).0
    }

    #[track_caller]
    fn refused(key: &str, tag: &str, text: &str, said: &str) {
        match one(key, tag, text).as_slice() {
            [(field, refusal)] => {
                assert_eq!(*field, format!("{key}.{tag}"));
                assert!(refusal.message.starts_with("expected ") && refusal.message.contains(said), "{refusal}");
            }
            problems => panic!("{key} {text}: {problems:?}"),
        }
    }

    #[track_caller]
    fn taken(key: &str, tag: &str, text: &str) {
        assert_eq!(one(key, tag, text), [], "{key} {text}");
    }

    #[test]
    fn the_standard_texts_follow_the_rules() {
        for (name, key) in all().iter().filter(|(_, key)| key.fixed.is_none()) {
            for language in Language::ALL {
                let text = key.standard(language);
                assert_eq!(refusal(key, language, text), None, "{name} in {language:?}: {text}");
            }
        }
    }

    #[test]
    fn keys_are_those_of_the_tables() {
        let message = |key: &str| match one(key, "en", "x").as_slice() {
            [(field, refusal)] if field == key => refusal.message.clone(),
            problems => panic!("{key}: {problems:?}"),
        };
        assert!(message("find_my_order").ends_with("did you mean findMyOrder?"));
        assert!(message("somethingElseAltogether").ends_with("docs/wording.md lists"));
        for key in ["tag", "decimal", "group", "leastGrouped", "minus", "amount", "percent", "range", "listComma"] {
            assert!(message(key).contains("numbers"), "{key}");
        }
        for key in ["withdraw", "withdrawConfirm"] {
            assert!(message(key).contains("Directive (EU) 2023/2673"), "{key}");
        }
    }

    #[test]
    fn languages_are_those_of_the_portal() {
        for tag in ["de-CH", "sv", "DE", ""] {
            refused("findMyOrder", tag, "x", "en, de, es, fr, it, nl, pl, ar");
        }
        taken("findMyOrder", "de", "Suchen");
    }

    #[test]
    fn a_text_is_one_line_of_plain_text() {
        for empty in ["", " ", "\u{a0}", "\u{200b}", "\u{200f} \u{2060}"] {
            refused("findMyOrder", "en", empty, "1 to 300 characters");
        }
        taken("findMyOrder", "en", &"é".repeat(300));
        refused("findMyOrder", "en", &"é".repeat(301), "300 characters");
        let long = all()["withdrawTooManyLink"].standard(Language::En).chars().count();
        assert!(long > 150);
        taken("withdrawTooManyLink", "en", &"é".repeat(2 * long));
        refused("withdrawTooManyLink", "en", &"é".repeat(2 * long + 1), &format!("{} characters", 2 * long));
        for control in ["a\nb", "a\r", "a\0b", "a\u{85}b", "a\u{2028}b", "\u{1b}[0m"] {
            refused("findMyOrder", "en", control, "control characters");
        }
        for tag in ["</script>", "a <b>b</b>", "<!-- x", "<?x", "<é>"] {
            refused("findMyOrder", "en", tag, "no tag");
            refused("continue", "en", tag, "no tag");
        }
        for plain in ["Shipping & returns", "&lt;", "< 3 days", "<3", "a > b", "'\"`$\\", " spaces ", "<"] {
            taken("findMyOrder", "en", plain);
            taken("continue", "en", plain);
        }
    }

    #[test]
    fn writing_directions_end_with_the_text() {
        for marked in ["\u{200f}abc\u{200e}", "\u{61c}12", "\u{2068}a\u{2069} \u{2067}b\u{2066}c\u{2069}\u{2069}"] {
            taken("findMyOrder", "ar", marked);
        }
        taken("continueWith", "ar", "\u{2068}{0}\u{2069}");
        for open in ["\u{2068}a", "a\u{2069}", "\u{2069}a\u{2068}"] {
            refused("findMyOrder", "ar", open, "isolate");
        }
        refused("canItWithin", "en", "{0} {0:one=\u{2068}day;other=days\u{2069}}", "isolate");
        for sign in '\u{202a}'..='\u{202e}' {
            refused("findMyOrder", "ar", &format!("a{sign}"), "overrides");
        }
    }

    #[test]
    fn placeholders_are_those_of_the_standard_text() {
        taken("ofCanGoBack", "en", "{1} in all, {0} of them returnable");
        for (text, said) in [
            ("returnable", "{0}, {1} once"),
            ("{0} returnable", "{0}, {1} once"),
            ("{0} of {0}, {1}", "{0}, {1} once"),
            ("{0} of {1} {2}", "no other placeholders than {0}, {1}"),
            ("{0} of {9}", "no other placeholders than {0}, {1}"),
            ("{0} of {1", "as many { as }"),
            ("{0} of {1}}", "as many { as }"),
            ("{0} of {n}", "a number in braces"),
        ] {
            refused("ofCanGoBack", "en", text, said);
        }
        for text in ["{0}", "{9}", "{0:one=a;other=b}"] {
            refused("findMyOrder", "en", text, "no placeholders, as in “Find my order”");
        }
    }

    #[test]
    fn forms_are_those_of_the_language() {
        taken("canItWithin", "en", "{0:one=a day;other={0} days}");
        taken("canItWithin", "en", "{0} d");
        taken("canItWithin", "fr", "{0} {0:one=jour;many=de jours;other=jours}");
        taken("windowOver", "en", "Over after {0} {0:one=day;other=days}, on {1}");
        for (key, tag, text, said) in [
            ("canItWithin", "en", "{0} {0:one=day}", "one, other"),
            ("canItWithin", "en", "{0} {0:few=days;other=days}", "one, other"),
            ("canItWithin", "pl", "{0} {0:zero=dni;other=dnia}", "one, few, many, other"),
            ("canItWithin", "en", "{0} {0:one=day;one=d;other=days}", "each once"),
            ("canItWithin", "en", "{0} {0: other=days}", "one, other"),
            ("canItWithin", "en", "{0:one={0} day;other=days}", "`other`"),
            ("canItWithin", "en", "{0} {0:one={0};other=days}", "once each"),
            ("canItWithin", "en", "{0} {0:days}", "forms as in"),
            ("canItWithin", "en", "{0} {1:one=day;other=days}", "no other placeholders than {0}"),
            ("windowOver", "en", "{0} {1:one=day;other=days} {1}", "forms that go with {0}"),
            ("contactPhone", "en", "{0} {0:one=a;other=b}", "no forms"),
        ] {
            refused(key, tag, text, said);
        }
    }

    /// A plausible text: the standard text with tokens around it, or tokens in any order.
    fn texts() -> impl Strategy<Value = (&'static str, &'static Key, Language, String)> {
        let keys: Vec<_> = all().iter().filter(|(_, key)| key.fixed.is_none()).collect();
        let token = select(vec![
            "{0}", "{1}", "{2}", "{0:one=", "{1:one=", ";other=", ";few=", "}", "{", "x", " ", "=", ":", ";", "&",
            "\u{2068}", "\u{2069}",
        ]);
        let tokens = || prop::collection::vec(token.clone(), 0..8).prop_map(|tokens| tokens.concat());
        let standard_too = any::<bool>();
        (select(keys), select(Language::ALL.to_vec()), tokens(), tokens(), standard_too).prop_map(
            |((name, key), language, before, after, standard_too)| {
                let standard = if standard_too { key.standard(language) } else { "" };
                (name.as_str(), key, language, format!("{before}{standard}{after}"))
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn accepted_texts_show_the_same_values((name, key, language, text) in texts(), number in 0_u64..200) {
            let values = [0, 1, 2].map(|slot| format!("\u{e000}{}\u{e000}", number * 3 + slot));
            let values = [values[0].as_str(), &values[1], &values[2]];
            let shown = plural(language.tag(), &text, &values); // must not panic for any text
            if refusal(key, language, &text).is_none() {
                prop_assert!(!shown.contains(['{', '}']), "{name}: {text}: {shown}");
                let standard = plural(language.tag(), key.standard(language), &values);
                for value in values {
                    prop_assert!(shown.matches(value).count() <= 1, "{name}: {text}: {shown}");
                    let has_no_forms = placeholders::read(&text).unwrap().forms().count() == 0;
                    prop_assert!(!has_no_forms || !standard.contains(value) || shown.contains(value), "{name}: {text}: {shown}");
                }
                if key.counted.is_empty() {
                    prop_assert_eq!(&shown, &format(&text, &values));
                }
            }
        }
    }
}
