//! The reason that a shop or carrier gives in its own words, as Retour stores it for the merchant's staff.
//!
//! The text comes from another program, so it is neither trusted nor complete: it may contain markup, characters that
//! change the order of the text around it, and a customer's e-mail address. It is shown in staff's answers, timelines
//! and webhooks, and never to a shopper.

/// What stands for an e-mail address.
const MASKED: &str = "[e-mail address]";

/// The reason on one line, without markup, invisible characters and e-mail addresses, cut to a length that people read.
pub(crate) fn one_line(reason: &str) -> String {
    let visible: String = without_tags(reason).chars().filter(|&char| !is_invisible(char)).collect();
    let words = visible.split_whitespace().map(|word| if is_email(word) { MASKED } else { word });
    domain::integration::bounded(&words.collect::<Vec<_>>().join(" "))
}

/// Replaces each tag by a space. A `<` that begins no tag stays: "weight < 2 kg".
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let begins_tag = after.starts_with(|char: char| char.is_ascii_alphabetic() || char == '/' || char == '!');
        match after.split_once('>').filter(|_| begins_tag) {
            Some((_, behind)) => {
                plain.push(' ');
                rest = behind;
            }
            None => {
                plain.push('<');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Whether a character has no shape of its own, or changes the direction of the text.
fn is_invisible(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn is_email(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_keeps_its_words_and_loses_markup_and_addresses() {
        for (given, stored) in [
            ("The card was closed.\n\tAsk for a bank account.", "The card was closed. Ask for a bank account."),
            ("<p>No refund for <b>ada@example.com</b></p><br/>", "No refund for [e-mail address]"),
            ("Customer <ada@example.com> is blocked", "Customer is blocked"),
            ("mail to ada@example.com, please", "mail to [e-mail address] please"),
            ("weight < 2 kg and > 1 kg", "weight < 2 kg and > 1 kg"),
            ("<script>alert(1)</script>", "alert(1)"),
            ("an open <b tag", "an open <b tag"),
            ("paid \u{202e}001\u{202c} \u{200b}EUR", "paid 001 EUR"),
            ("twice 3 @ 5.00", "twice 3 @ 5.00"),
            ("\u{200b}\u{feff} <br>", ""),
        ] {
            assert_eq!(one_line(given), stored, "{given:?}");
        }
        assert_eq!(one_line(&"long ".repeat(1_000)).chars().count(), domain::integration::MAX_ERROR_CHARS);
    }
}
