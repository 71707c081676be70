//! Mails to users. Their texts are the desk's, their form is that of all mails.

use crate::{
    mail::{letter::Letter, written::written},
    words::Words,
};
use domain::{Locale, Timestamp, account::Account, mail::StaffNotice};
use returns::StaffLetter;
use ui::language::Language;

/// Chooses the texts of a mail to a user: for the account, in a language, about a notice of a time, with a link.
pub type StaffTexts = fn(&Account, &Locale, &StaffNotice, Timestamp, &str) -> StaffLetter;

/// Writes a mail to a user.
pub fn write(account: &Account, texts: StaffLetter) -> returns::Words {
    let language = Language::parse(&texts.language).unwrap_or(Language::En);
    let letter = Letter::default()
        .title(&texts.subject)
        .text(&texts.text)
        .facts("", texts.facts)
        .text(&texts.advice)
        .button(&texts.button, &texts.link)
        .text(&texts.below);
    let letter = if texts.foot.is_empty() { letter } else { letter.foot(&texts.foot, None) };
    written(texts.subject, &letter, account, Words::of(language))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::sample::account;

    #[test]
    fn all_texts_are_in_both_formats_in_their_order() {
        let text = |text: &str| text.to_owned();
        let texts = StaffLetter {
            language: text("ar"),
            subject: text("Subject"),
            text: text("Happened"),
            facts: vec![(text("When"), text("Today"))],
            advice: text("Advice"),
            button: text("Button"),
            link: text("https://returns.example/desk/password?token=rti_1"),
            below: text("Below"),
            foot: text("Foot"),
        };
        let mail = write(&account(), texts.clone());
        assert!(mail.html.contains("dir=\"rtl\""), "{}", mail.html);
        for written in [&mail.text, &mail.html] {
            let place = |text: &str| written.rfind(text).unwrap_or_else(|| panic!("{text}: {written}"));
            let places = [&texts.text, "Today", &texts.advice, &texts.link, &texts.below, &texts.foot].map(place);
            assert!(places.is_sorted(), "{written}");
        }
        let short = write(&account(), StaffLetter { foot: String::new(), facts: Vec::new(), ..texts });
        assert!(!short.text.contains("-- ") && !short.text.contains("When"), "{}", short.text);
    }
}
