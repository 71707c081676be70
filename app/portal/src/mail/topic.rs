//! What a mail about a return is about. `domain::mail` says when it is due.

use crate::progress::{followed_return::FollowedReturn, phase::Phase};
use domain::{
    Timestamp,
    mail::{MailDeadline, MailPause, MailTime},
};

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
                Phase::Checking => "Checking",
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
                | Self::Stands(
                    Phase::LabelFailed
                        | Phase::Transit
                        | Phase::Delayed
                        | Phase::Arrived
                        | Phase::Checking
                        | Phase::Coming
                )
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
    let (reminder, deadline) = match phase {
        Phase::Pay => (MailTopic::PaymentReminder, MailDeadline::Payment),
        _ => (MailTopic::HandInReminder, MailDeadline::HandIn),
    };
    let Some(name) = topic.name() else { return MailDecision::Nothing(None) };
    if last_mail == name {
        return remind(following, reminder, deadline);
    }
    let is_on_its_way = matches!(phase, Phase::Transit | Phase::Delayed);
    // Shoppers know that they have handed the return in: the news is the tracking link. A delay gets one mail, its end none.
    if is_on_its_way && (following.tracked().is_empty() || last_mail == "Delayed") {
        return MailDecision::Nothing(None);
    }
    // The mail about the arrival says that the shop checks it.
    if phase == Phase::Checking && last_mail == "Arrived" {
        return MailDecision::Nothing(None);
    }
    if Some(last_mail) == reminder.name() && matches!(phase, Phase::Pay | Phase::Ready) {
        return MailDecision::Nothing(None);
    }
    let pause = match phase {
        Phase::LabelPending => MailPause::Label,
        Phase::Pay => MailPause::Payment,
        _ => MailPause::None,
    };
    decide(topic, MailTime::of_news(pause, entered(following), following.now))
}

fn remind(following: &FollowedReturn<'_>, reminder: MailTopic, deadline: MailDeadline) -> MailDecision {
    let due = following.due().filter(|_| matches!(following.phase(), Phase::Pay | Phase::Ready));
    let time =
        due.map_or(MailTime::Never, |due| MailTime::of_reminder(deadline, due, entered(following), following.now));
    decide(reminder, time)
}

fn decide(topic: MailTopic, time: MailTime) -> MailDecision {
    match time {
        MailTime::Now => MailDecision::Tell(topic),
        MailTime::At(moment) => MailDecision::Nothing(Some(moment)),
        MailTime::Never => MailDecision::Nothing(None),
    }
}

/// When the return entered its phase.
fn entered(following: &FollowedReturn<'_>) -> Timestamp {
    following.timeline.last().map_or(following.order.created_at, |entry| entry.at)
}
