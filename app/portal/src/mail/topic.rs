//! What a mail about a return is about, and when it is due.

use crate::progress::{followed_return::FollowedReturn, phase::Phase};
use domain::Timestamp;

/// A reminder comes this long before a label expires, seconds.
const HAND_IN_REMINDER: i64 = 3 * 86_400;

/// A reminder comes this long before a payment is due, seconds.
const PAYMENT_REMINDER: i64 = 86_400;

/// Mail about a new return waits this long for its label, seconds: one mail then has both.
const LABEL_COMES: i64 = 120;

/// Mail about a payment waits this long, seconds: most shoppers pay immediately and need no mail.
const PAYS: i64 = 600;

/// What a mail about a return is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailTopic {
    /// The phase of the return.
    Stands(Phase),
    /// The label expires soon.
    HandInReminder,
    /// The payment is due soon.
    PaymentReminder,
}

impl MailTopic {
    /// The name that the use cases store. `None` if no mail is needed.
    pub fn name(self) -> Option<&'static str> {
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
                // Shoppers know that they have paid.
                Phase::Paying => return None,
            },
        })
    }

    /// Whether it sends the reader to the shop's staff.
    pub fn needs_help(self) -> bool {
        matches!(self, Self::Stands(phase) if phase.needs_help())
    }

    /// Whether it says what has to be done, what was agreed or what was paid. Such mail cannot be declined.
    pub fn is_needed(self) -> bool {
        !matches!(
            self,
            Self::HandInReminder
                | Self::Stands(Phase::LabelFailed | Phase::Transit | Phase::Delayed | Phase::Arrived | Phase::Coming)
        )
    }
}

/// What to do about a return now.
#[derive(Debug, PartialEq, Eq)]
pub enum MailDecision {
    /// Send nothing, and look again at this moment.
    Nothing(Option<Timestamp>),
    /// Send mail about this.
    Tell(MailTopic),
}

/// Decides by the phase of a return and the topic of its last mail.
pub fn next(following: &FollowedReturn<'_>, last_mail: &str) -> MailDecision {
    let phase = following.phase();
    let topic = MailTopic::Stands(phase);
    let (reminder, ahead) = match phase {
        Phase::Pay => (MailTopic::PaymentReminder, PAYMENT_REMINDER),
        _ => (MailTopic::HandInReminder, HAND_IN_REMINDER),
    };
    let Some(name) = topic.name() else { return MailDecision::Nothing(None) };
    if last_mail == name {
        return remind(following, reminder, ahead);
    }
    let is_on_its_way = matches!(phase, Phase::Transit | Phase::Delayed);
    // Shoppers know that they have handed the return in: the news is the tracking link. A delay gets one mail, its end none.
    if is_on_its_way && (following.tracked().is_empty() || last_mail == "Delayed") {
        return MailDecision::Nothing(None);
    }
    if Some(last_mail) == reminder.name() && matches!(phase, Phase::Pay | Phase::Ready) {
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

/// Sends a reminder if enough time lies between the last mail and the deadline.
fn remind(following: &FollowedReturn<'_>, reminder: MailTopic, ahead: i64) -> MailDecision {
    let Some(due) = following.due().filter(|_| matches!(following.phase(), Phase::Pay | Phase::Ready)) else {
        return MailDecision::Nothing(None);
    };
    let entered = following.timeline.last().map_or(following.order.created_at, |entry| entry.at);
    let at = due.plus_seconds(-ahead);
    if at < entered.plus_seconds(ahead / 2) || following.now >= due {
        return MailDecision::Nothing(None); // the last mail is too recent
    }
    if following.now < at { MailDecision::Nothing(Some(at)) } else { MailDecision::Tell(reminder) }
}
