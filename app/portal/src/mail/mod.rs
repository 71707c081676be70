//! What mail says: a return as its page tells it, and the way to somebody's orders.

mod letter;

use crate::{
    components::{Contact, Thing},
    following::Following,
    http::withdraw::acknowledged,
    pages::{return_order::Item, standing::Phase},
    words::{Language, Words, day, fill, isolated},
};
use domain::{Timestamp, order::Account, shipping::ShippingMethod};
use letter::Letter;
use returns::{LabelFormat, Letters, News, ReturnNews, Telling, WayBack, view};

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
        let reasons = news.reasons.iter().map(|one| view::ReturnReasonView::new(one, &news.account.policy, &locale));
        let offered = view::Offered { options: options.collect(), reasons: reasons.collect() };
        let (account, order, timeline) = (&news.account, &news.order, news.timeline.as_slice());
        let following = Following { account, now: news.now, words, order, timeline, offered: &offered };
        match next(&following, &news.told) {
            Next::Nothing(again) => Telling::Nothing(again),
            Next::Tell(topic) => Telling::News(Box::new(tell(&following, topic, news))),
        }
    }

    fn of_link(&self, account: &Account, language: &str, link: &str) -> returns::Words {
        let words = words(account, language);
        let title = fill(words.mail_link_title, &[&account.name]);
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
            .list("", facts.into())
            .list(words.withdraw_sentence, stated.into())
            .text(&fill(words.withdraw_send_back, &[&received.send_back_by]))
            .button(button, href);
        let subject = fill(words.only_for, &[words.withdraw_done_title, &received.number]);
        (written(subject, &letter, account, words), received.file(words))
    }
}

fn words(account: &Account, language: &str) -> &'static Words {
    Words::of(Language::parse(language).unwrap_or_else(|| Language::from(&account.branding.locale)))
}

fn written(subject: String, letter: &Letter, account: &Account, words: &'static Words) -> returns::Words {
    returns::Words { subject, text: letter.plain(words), html: letter.html(account, words) }
}

/// What a mail about a return is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Topic {
    /// Where it stands.
    Stands(Phase),
    /// Its label ends soon.
    HandInReminder,
    /// It is to be paid soon.
    PaymentReminder,
}

impl Topic {
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
                // They know: they have paid, and handed it in.
                Phase::Paying | Phase::Transit | Phase::Delayed => return None,
            },
        })
    }

    /// Whether it sends its reader to the shop.
    fn needs_help(self) -> bool {
        matches!(self, Self::Stands(phase) if phase.needs_help())
    }

    /// Whether it says what has to be done, what was agreed or what was paid: that cannot be declined.
    fn is_needed(self) -> bool {
        !matches!(self, Self::HandInReminder | Self::Stands(Phase::LabelFailed | Phase::Arrived | Phase::Coming))
    }
}

/// What is to be done about a return.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    Nothing(Option<Timestamp>),
    Tell(Topic),
}

fn next(following: &Following<'_>, told: &str) -> Next {
    let phase = following.phase();
    let topic = Topic::Stands(phase);
    let (reminder, ahead) = match phase {
        Phase::Pay => (Topic::PaymentReminder, PAYMENT_REMINDER),
        _ => (Topic::HandInReminder, HAND_IN_REMINDER),
    };
    let Some(name) = topic.name() else { return Next::Nothing(None) };
    if told == name {
        return remind(following, reminder, ahead);
    }
    if Some(told) == reminder.name() && matches!(phase, Phase::Pay | Phase::Ready) {
        return Next::Nothing(None);
    }
    let patience = match phase {
        Phase::LabelPending => LABEL_COMES,
        Phase::Pay => PAYS,
        _ => 0,
    };
    let entered = following.timeline.last().map_or(following.order.created_at, |entry| entry.at);
    let tell_at = entered.plus_seconds(patience);
    if following.now < tell_at { Next::Nothing(Some(tell_at)) } else { Next::Tell(topic) }
}

/// Where there is time to lose between what was told and what is due.
fn remind(following: &Following<'_>, reminder: Topic, ahead: i64) -> Next {
    let Some(due) = following.due().filter(|_| matches!(following.phase(), Phase::Pay | Phase::Ready)) else {
        return Next::Nothing(None);
    };
    let entered = following.timeline.last().map_or(following.order.created_at, |entry| entry.at);
    let at = due.plus_seconds(-ahead);
    if at < entered.plus_seconds(ahead / 2) || following.now >= due {
        return Next::Nothing(None); // nobody is reminded of what they were told a moment ago
    }
    if following.now < at { Next::Nothing(Some(at)) } else { Next::Tell(reminder) }
}

fn tell(following: &Following<'_>, topic: Topic, news: &ReturnNews) -> News {
    let Following { account, order, words, .. } = *following;
    let about = following.circumstances();
    let standing = following.standing(&about);
    let due = following.due().map(|at| day(at, following.calendar(), words)).unwrap_or_default();
    let (title, text) = match topic {
        Topic::HandInReminder => (fill(words.hand_in_by, &[&due]), words.mail_hand_in.to_owned()),
        Topic::PaymentReminder | Topic::Stands(_) => (standing.title.to_owned(), standing.text),
    };
    let is_ready = following.phase() == Phase::Ready;
    let has_labels = is_ready
        && following.method().is_some_and(ShippingMethod::has_label)
        && order.shipments.iter().flatten().any(|parcel| {
            let is_opened_anywhere = |format: &LabelFormat| matches!(format, LabelFormat::Pdf | LabelFormat::Png);
            parcel.label_url.is_some() && parcel.label_media_types.iter().any(is_opened_anywhere)
        });
    let after = following.after().map(|(outcome, when)| {
        let figures: Vec<&str> = outcome.figures.iter().map(String::as_str).collect();
        fill(outcome.frame(&when, words), &[&fill(outcome.text, &figures), &when])
    });
    let item = |item: Item| {
        let Thing { name, attributes, .. } = item.thing;
        let said = attributes.into_iter().chain([item.what]).filter(|part| !part.is_empty());
        (name, said.collect::<Vec<_>>().join(words.list_comma))
    };
    let ahead = following.steps(&about).into_iter().filter(|step| step.when != "past");
    let pays = order.payment.as_ref().filter(|payment| payment.checkout_url.is_some());
    let button = match pays.filter(|_| following.phase() == Phase::Pay) {
        Some(payment) => fill(words.pay_amount, &[&following.figure(payment.amount)]),
        None => words.mail_see.to_owned(),
    };
    let contact = Contact::new(&account.branding).line(words);
    let asks = topic.needs_help() && !contact.is_empty();
    let mut letter = Letter::default()
        .title(&title)
        .text(&text)
        .text(&if asks { fill(words.mail_contact, &[&isolated(&contact, words)]) } else { String::new() })
        .text(if has_labels { words.mail_label } else { "" })
        .button(&button, &news.link)
        .list(following.items_title(), following.items().into_iter().map(item).collect())
        .receipt(following.receipt())
        .text(&after.unwrap_or_default())
        .list(words.what_next, ahead.map(|step| (step.what, step.date)).collect())
        .foot(&fill(words.mail_about, &[&account.name, &order.number]), None);
    if !topic.is_needed() {
        letter = letter.foot(words.mail_stop, Some(&news.decline));
    }
    News {
        about: topic.name().unwrap_or_default(),
        words: written(fill(words.only_for, &[&title, &order.number]), &letter, account, words),
        is_needed: topic.is_needed(),
        has_labels,
    }
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
