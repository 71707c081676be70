//! Mails to shoppers and their delivery status.

use crate::base::{
    id::{MailId, ReturnOrderId},
    timestamp::Timestamp,
};

/// A mail that was sent or has finally failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// The identifier; the first part of its `Message-ID`.
    pub id: MailId,
    /// The kind of news in the mail, in a word.
    pub about: String,
    /// The return that it is about, if any.
    pub return_order_id: Option<ReturnOrderId>,
    /// The language, BCP 47.
    pub language: String,
    /// The delivery status.
    pub status: MailStatus,
    /// The number of attempts.
    pub attempts: u32,
    /// The server's last refusal (SMTP, RFC 5321).
    pub error_code: Option<u16>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The states of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Self")]
pub enum MailStatus {
    /// The mail server accepted it.
    Sent,
    /// The server rejected it, or could not be reached for a day.
    Failed,
}

string_enum!(MailStatus);

enum_names!(MailStatus { Sent, Failed });

/// What a mail tells a user.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum StaffNotice {
    /// An invitation, with a link that sets a password.
    Invitation,
    /// The user has forgotten the password: a link that sets another one.
    PasswordReset,
    /// Somebody signed in from a device or network where the user had not signed in for 90 days.
    NewDevice {
        /// Browser and system.
        device: String,
        /// The address, cut to a network.
        network: String,
    },
    /// The user's way of signing in has changed.
    Changed(SignInChange),
    /// Many sign-ins failed in a row.
    FailedSignIns {
        /// How many.
        count: u32,
    },
    /// A note about a return mentions the user.
    Mentioned {
        /// The number of the return.
        return_number: String,
        /// The name of the author; empty: unknown.
        by: String,
    },
}

/// A change of the way that a user signs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum SignInChange {
    /// A new password.
    Password,
    /// An authenticator app was set up.
    AppAdded,
    /// The authenticator app was removed.
    AppRemoved,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// New recovery codes.
    RecoveryCodes,
    /// An administrator removed the second factor.
    FactorsReset,
}

impl StaffNotice {
    /// The kind of mail, in a word.
    pub fn about(&self) -> &'static str {
        match self {
            Self::Invitation => "StaffInvitation",
            Self::PasswordReset => "StaffPassword",
            Self::NewDevice { .. } => "StaffNewDevice",
            Self::Changed(_) => "StaffSignInChanged",
            Self::FailedSignIns { .. } => "StaffFailedSignIns",
            Self::Mentioned { .. } => "StaffMention",
        }
    }
}

/// Mail about a new return waits this long for its label, seconds: one mail then has both.
const LABEL_COMES: i64 = 120;
/// Mail about a payment waits this long, seconds: most shoppers pay immediately and need no mail.
const PAYS: i64 = 600;
/// A reminder comes this long before a label expires, seconds.
const HAND_IN_REMINDER: i64 = 3 * 86_400;
/// A reminder comes this long before a payment is due, seconds.
const PAYMENT_REMINDER: i64 = 86_400;

/// What a shopper has to do until a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailDeadline {
    /// Hand the parcel in.
    HandIn,
    /// Pay.
    Payment,
}

/// What mail about a return waits for, because it often happens at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailPause {
    /// Nothing.
    None,
    /// The label.
    Label,
    /// The payment.
    Payment,
}

/// When to send a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailTime {
    /// Now.
    Now,
    /// At this moment, if nothing changes before.
    At(Timestamp),
    /// Not at all.
    Never,
}

impl MailTime {
    fn at(moment: Timestamp, now: Timestamp) -> Self {
        if now < moment { Self::At(moment) } else { Self::Now }
    }

    /// When to send mail about what happened to a return at `since`.
    pub fn of_news(pause: MailPause, since: Timestamp, now: Timestamp) -> Self {
        let seconds = match pause {
            MailPause::None => 0,
            MailPause::Label => LABEL_COMES,
            MailPause::Payment => PAYS,
        };
        Self::at(since.plus_seconds(seconds), now)
    }

    /// When to remind a shopper of a deadline. There is no reminder if the last news is too recent: it named the
    /// deadline.
    pub fn of_reminder(deadline: MailDeadline, due: Timestamp, since: Timestamp, now: Timestamp) -> Self {
        let ahead = match deadline {
            MailDeadline::HandIn => HAND_IN_REMINDER,
            MailDeadline::Payment => PAYMENT_REMINDER,
        };
        let moment = due.plus_seconds(-ahead);
        if moment < since.plus_seconds(ahead / 2) || now >= due { Self::Never } else { Self::at(moment, now) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEN: Timestamp = Timestamp::from_seconds(1_800_000_000);

    #[test]
    fn news_waits_for_what_often_happens_at_once() {
        for (pause, seconds) in [(MailPause::None, 0), (MailPause::Label, 120), (MailPause::Payment, 600)] {
            let moment = THEN.plus_seconds(seconds);
            assert_eq!(MailTime::of_news(pause, THEN, moment), MailTime::Now);
            assert_eq!(MailTime::of_news(pause, THEN, moment.plus_seconds(-1)), MailTime::At(moment));
        }
    }

    #[test]
    fn a_reminder_comes_before_the_deadline_and_not_soon_after_the_news() {
        let day = 86_400;
        for (deadline, ahead) in [(MailDeadline::HandIn, 3 * day), (MailDeadline::Payment, day)] {
            let due = THEN.plus_seconds(10 * day);
            let moment = due.plus_seconds(-ahead);
            let at = |now: Timestamp| MailTime::of_reminder(deadline, due, THEN, now);
            assert_eq!(at(THEN), MailTime::At(moment));
            assert_eq!(
                (at(moment), at(due.plus_seconds(-1)), at(due)),
                (MailTime::Now, MailTime::Now, MailTime::Never)
            );
            // The news is half of the time before the reminder at least.
            let soon = THEN.plus_seconds(ahead + ahead / 2);
            assert_eq!(MailTime::of_reminder(deadline, soon, THEN, THEN), MailTime::At(soon.plus_seconds(-ahead)));
            let sooner = soon.plus_seconds(-1);
            assert_eq!(MailTime::of_reminder(deadline, sooner, THEN, THEN), MailTime::Never);
        }
    }
}
