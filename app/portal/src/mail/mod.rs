//! What mail says: a return as its page tells it, and the way to somebody's orders.

mod code;
mod letter;
mod news;

use crate::{
    following::FollowedReturn,
    http::withdraw::acknowledged,
    pages::standing::Phase,
    words::{Language, Words, format, isolated},
};
use domain::{Timestamp, order::Account};
use letter::Letter;
use returns::{Letters, ReturnNews, Telling, WayBack, view};

/// How long before a label ends somebody is told who has not used it, seconds.
const HAND_IN_REMINDER: i64 = 3 * 86_400;
/// The same of something that is to be paid.
const PAYMENT_REMINDER: i64 = 86_400;
/// A label that comes this soon is told of with the return itself, and what is paid this soon was never due, seconds.
const LABEL_COMES: i64 = 120;
const PAYS: i64 = 600;

/// Writes mail in the words of the portal.
#[derive(Debug, Clone, Copy)]
pub struct Writer;

impl Letters for Writer {
    fn of_return(&self, news: &ReturnNews) -> Telling {
        let words = words(&news.account, &news.language);
        let locale = words.language().locale(&news.account.branding.locale);
        let currency = news.order.costs.breakdown().map_or(news.account.currency, |costs| costs.currency);
        let options = news.options.iter().filter_map(|one| view::ShippingOptionView::new(one, currency, &locale));
        let reasons =
            news.reasons.iter().map(|one| view::ReturnReasonView::new(one, &news.account.policy.resolutions, &locale));
        let offered = view::Offered { options: options.collect(), reasons: reasons.collect() };
        let (account, order, timeline) = (&news.account, &news.order, news.timeline.as_slice());
        let following = FollowedReturn { account, now: news.now, words, order, timeline, offered: &offered };
        match next(&following, &news.told) {
            MailDecision::Nothing(again) => Telling::Nothing(again),
            MailDecision::Tell(topic) => Telling::News(Box::new(news::tell(&following, topic, news))),
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
            .text(&format!("{} {}", words.withdraw_what_now, format(words.withdraw_send_back, &[&received.send_back_by])))
            .button(button, href);
        let subject = format(words.only_for, &[words.withdraw_done_title, &received.number]);
        (written(subject, &letter, account, words), received.file(words))
    }
}

fn words(account: &Account, language: &str) -> &'static Words {
    let language = Language::parse(language).unwrap_or_else(|| Language::from(&account.branding.locale));
    Words::of_shop(account, language)
}

fn written(subject: String, letter: &Letter, account: &Account, words: &'static Words) -> returns::Words {
    returns::Words {
        subject,
        text: letter.plain(words),
        html: letter.html(account, words),
        pictures: letter.pictures(),
    }
}

/// What a mail about a return is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MailTopic {
    /// Where it stands.
    Stands(Phase),
    /// Its label ends soon.
    HandInReminder,
    /// It is to be paid soon.
    PaymentReminder,
}

impl MailTopic {
    /// In a word; `None`: nobody has to be told.
    fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::HandInReminder => "HandInReminder",
            Self::PaymentReminder => "PaymentReminder",
            Self::Stands(phase) => match phase {
                Phase::Review => "Review",
                Phase::Evidence => "Evidence",
                Phase::Pay => "Pay",
                Phase::LabelPending => "LabelPending",
                Phase::LabelFailed => "LabelFailed",
                Phase::Ready => "Ready",
                Phase::Arrived => "Arrived",
                Phase::Coming => "Coming",
                Phase::Kept => "Kept",
                Phase::Done => "Done",
                Phase::Denied => "Denied",
                Phase::Cancelled => "Cancelled",
                Phase::Expired => "Expired",
                Phase::Rejected => "Rejected",
                Phase::Transit => "Transit",
                Phase::Delayed => "Delayed",
                // They know that they have paid.
                Phase::Paying => return None,
            },
        })
    }

    /// Whether it sends its reader to the shop.
    fn needs_help(self) -> bool {
        matches!(self, Self::Stands(phase) if phase.needs_help())
    }

    /// Whether it says what has to be done, what was agreed or what was paid: that cannot be declined.
    fn is_needed(self) -> bool {
        !matches!(
            self,
            Self::HandInReminder
                | Self::Stands(Phase::LabelFailed | Phase::Transit | Phase::Delayed | Phase::Arrived | Phase::Coming)
        )
    }
}

/// What is to be done about a return.
#[derive(Debug, PartialEq, Eq)]
enum MailDecision {
    Nothing(Option<Timestamp>),
    Tell(MailTopic),
}

fn next(following: &FollowedReturn<'_>, told: &str) -> MailDecision {
    let phase = following.phase();
    let topic = MailTopic::Stands(phase);
    let (reminder, ahead) = match phase {
        Phase::Pay => (MailTopic::PaymentReminder, PAYMENT_REMINDER),
        _ => (MailTopic::HandInReminder, HAND_IN_REMINDER),
    };
    let Some(name) = topic.name() else { return MailDecision::Nothing(None) };
    if told == name {
        return remind(following, reminder, ahead);
    }
    let is_on_its_way = matches!(phase, Phase::Transit | Phase::Delayed);
    // They know that they have handed it in: the news is where to follow it. A delay gets one mail, its end none.
    if is_on_its_way && (following.tracked().is_empty() || told == "Delayed") {
        return MailDecision::Nothing(None);
    }
    if Some(told) == reminder.name() && matches!(phase, Phase::Pay | Phase::Ready) {
        return MailDecision::Nothing(None);
    }
    let patience = match phase {
        Phase::LabelPending => LABEL_COMES,
        Phase::Pay => PAYS,
        _ => 0,
    };
    let entered = following.timeline.last().map_or(following.order.created_at, |entry| entry.at);
    let tell_at = entered.plus_seconds(patience);
    if following.now < tell_at { MailDecision::Nothing(Some(tell_at)) } else { MailDecision::Tell(topic) }
}

/// Where there is time to lose between what was told and what is due.
fn remind(following: &FollowedReturn<'_>, reminder: MailTopic, ahead: i64) -> MailDecision {
    let Some(due) = following.due().filter(|_| matches!(following.phase(), Phase::Pay | Phase::Ready)) else {
        return MailDecision::Nothing(None);
    };
    let entered = following.timeline.last().map_or(following.order.created_at, |entry| entry.at);
    let at = due.plus_seconds(-ahead);
    if at < entered.plus_seconds(ahead / 2) || following.now >= due {
        return MailDecision::Nothing(None); // nobody is reminded of what they were told a moment ago
    }
    if following.now < at { MailDecision::Nothing(Some(at)) } else { MailDecision::Tell(reminder) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{AccountId, Currency, branding::Branding, policy::Policy};
    use uuid::Uuid;

    pub(super) fn account() -> Account {
        Account {
            id: AccountId(Uuid::nil()),
            slug: "ash".to_owned(),
            name: "Ash & Alder".to_owned(),
            currency: Currency::from_code("GBP").unwrap(),
            policy: Policy::default(),
            branding: Branding::default(),
            bridge: domain::bridge::Bridge::default(),
            carrier: domain::carrier::Carrier::default(),
            payment: domain::payment::PaymentProvider::default(),
            domain: None,
            time_zone: domain::TimeZone::UTC,
            api_origins: Vec::new(),
            settings_version: 0,
            is_test: false,
        }
    }

    #[test]
    fn a_link_is_written_in_the_language_that_was_asked_for() {
        for language in Language::ALL {
            let words = Writer.of_link(&account(), language.tag(), "https://returns.example/ash/mail/rtl_1");
            assert!(words.text.contains("https://returns.example/ash/mail/rtl_1"), "{}", words.text);
            assert!(words.subject.contains("Ash & Alder") && words.html.contains(Words::of(language).mail_link));
        }
        let told = Writer.of_link(&account(), "", "https://returns.example");
        assert_eq!(told, Writer.of_link(&account(), "en", "https://returns.example"));
    }
}
