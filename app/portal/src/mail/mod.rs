//! Mail in the words of the portal: a return as its page shows it, and links to orders. Mails to users have texts of the desk.

mod code;
mod letter;
mod news;
#[cfg(test)]
mod sample;
mod staff;
mod topic;
mod written;

use crate::{
    acknowledgement::acknowledged,
    mail::{
        letter::Letter,
        topic::{MailDecision, next},
        written::written,
    },
    progress::followed_return::FollowedReturn,
    words::Words,
};
use domain::{Locale, Timestamp, account::Account, mail::StaffNotice};
use returns::{MailTemplates, NextNotification, ReturnMailContext, WayBack, view};
use ui::{
    language::Language,
    text::{format, isolated},
};

pub use staff::StaffTexts;

/// Writes mail in the words of the portal.
#[derive(Debug, Clone, Copy)]
pub struct Writer {
    /// Chooses the texts of mails to users.
    pub staff: StaffTexts,
}

impl MailTemplates for Writer {
    fn of_return(&self, news: &ReturnMailContext) -> NextNotification {
        let words = words(&news.account, &news.language);
        let locale = words.language().locale(&news.account.branding.locale);
        let currency = news.order.costs.breakdown().map_or(news.account.currency, |costs| costs.currency);
        let options = news.options.iter().filter_map(|one| view::ShippingOptionView::new(one, currency, &locale));
        let reasons =
            news.reasons.iter().map(|one| view::ReturnReasonView::new(one, &news.account.policy.resolutions, &locale));
        let offered = view::Offered { options: options.collect(), reasons: reasons.collect() };
        let (account, order, timeline) = (&news.account, &news.order, news.timeline.as_slice());
        let following = FollowedReturn { account, now: news.now, words, order, timeline, offered: &offered };
        match next(&following, &news.last_mail) {
            MailDecision::Nothing(again) => NextNotification::Nothing(again),
            MailDecision::Tell(topic) => NextNotification::Send(Box::new(news::write(&following, topic, news))),
        }
    }

    fn of_link(&self, account: &Account, language: &str, link: &str) -> returns::Words {
        let words = words(account, language);
        let title = format(words.mail_link_title, &[&isolated(&account.name, words)]);
        let letter = Letter::default()
            .title(&title)
            .text(words.mail_link)
            .button(words.mail_link_button, link)
            .foot(words.mail_link_ignore, None);
        written(title, &letter, account, words)
    }

    fn of_draft(&self, account: &Account, language: &str, link: &str) -> returns::Words {
        let words = words(account, language);
        let title = format(words.mail_draft_title, &[&isolated(&account.name, words)]);
        let letter = Letter::default().title(&title).text(words.mail_draft).button(words.mail_draft_button, link);
        written(title, &letter, account, words)
    }

    fn of_withdrawal(
        &self,
        account: &Account,
        withdrawal: &view::Withdrawal,
        way: WayBack<'_>,
    ) -> (returns::Words, String) {
        let words = words(account, &withdrawal.language.0);
        let received = acknowledged(account, withdrawal, words, false);
        let facts = received.facts(words).map(|(label, value)| (label.to_owned(), value));
        let stated = received.stated(words).map(|(label, value)| (label.to_owned(), value.clone()));
        let (button, href) = match way {
            WayBack::Orders(link) => (words.mail_link_button, link),
            WayBack::LookUp(link) => (words.find_my_order, link),
        };
        let letter = Letter::default()
            .title(words.withdraw_done_title)
            .facts("", facts.into())
            .facts(words.withdraw_sentence, stated.into())
            .text(&format!(
                "{} {}",
                words.withdraw_what_now,
                format(words.withdraw_send_back, &[&received.send_back_by])
            ))
            .button(button, href);
        let subject = format(words.only_for, &[words.withdraw_done_title, &received.number]);
        (written(subject, &letter, account, words), received.file(words))
    }

    fn of_staff(
        &self,
        account: &Account,
        language: &Locale,
        notice: &StaffNotice,
        at: Timestamp,
        link: &str,
    ) -> returns::Words {
        staff::write(account, (self.staff)(account, language, notice, at, link))
    }
}

pub fn words(account: &Account, language: &str) -> &'static Words {
    let language = Language::parse(language).unwrap_or_else(|| Language::from(&account.branding.locale));
    Words::of_shop(account, language)
}

#[cfg(test)]
mod tests {
    use super::{sample::account, *};

    const WRITER: Writer = Writer { staff: |_, _, _, _, _| returns::StaffLetter::default() };

    #[test]
    fn a_link_is_mailed_in_the_requested_language() {
        for language in Language::ALL {
            let draft = WRITER.of_draft(&account(), language.tag(), "https://returns.example/ash/mail/rtl_2");
            assert!(draft.text.contains("https://returns.example/ash/mail/rtl_2"), "{}", draft.text);
            assert!(draft.subject.contains("Ash & Alder") && draft.html.contains(Words::of(language).mail_draft));
            let words = WRITER.of_link(&account(), language.tag(), "https://returns.example/ash/mail/rtl_1");
            assert!(words.text.contains("https://returns.example/ash/mail/rtl_1"), "{}", words.text);
            assert!(words.subject.contains("Ash & Alder") && words.html.contains(Words::of(language).mail_link));
        }
        let mail = WRITER.of_link(&account(), "", "https://returns.example");
        assert_eq!(mail, WRITER.of_link(&account(), "en", "https://returns.example"));
    }
}
