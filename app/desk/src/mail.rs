//! Mails to users, in their language.

use crate::words::{Mail, Words};
use domain::{
    Locale, Timestamp,
    account::Account,
    mail::{SignInChange, StaffNotice},
};
use returns::StaffLetter;
use ui::{
    dates::{Calendar, past_moment},
    language::Language,
    text::{format, isolated, plural},
};

/// Writes a mail to a user. `language`: the user's, BCP 47. `link` sets a password, opens the user's security, or opens the return that
/// the mail is about.
pub fn staff_letter(
    account: &Account,
    language: &Locale,
    notice: &StaffNotice,
    at: Timestamp,
    link: &str,
) -> StaffLetter {
    let words = Words::of(Language::from(language));
    let (mail, shop) = (words.mail, isolated(&account.name, words));
    let of_shop = |title: &str| format(title, &[&shop]);
    let when = || vec![(mail.when.to_owned(), time_of(account, at, words))];
    let letter = StaffLetter { language: words.common.tag.to_owned(), link: link.to_owned(), ..StaffLetter::default() };
    match notice {
        StaffNotice::Invitation => StaffLetter {
            subject: of_shop(mail.invitation_title),
            text: mail.invitation.to_owned(),
            button: mail.invitation_button.to_owned(),
            below: mail.invitation_once.to_owned(),
            foot: mail.invitation_ignore.to_owned(),
            ..letter
        },
        StaffNotice::PasswordReset => StaffLetter {
            subject: of_shop(mail.password_title),
            text: mail.password.to_owned(),
            button: mail.password_button.to_owned(),
            below: mail.password_once.to_owned(),
            foot: mail.password_ignore.to_owned(),
            ..letter
        },
        StaffNotice::NewDevice { device, network } => {
            let more = [(mail.device_label, device), (mail.network, network)].into_iter();
            let more = more.filter(|(_, value)| !value.is_empty());
            let more = more.map(|(label, value)| (label.to_owned(), isolated(value, words)));
            StaffLetter {
                subject: of_shop(mail.device_title),
                text: mail.device.to_owned(),
                facts: when().into_iter().chain(more).collect(),
                advice: mail.not_you.to_owned(),
                button: mail.security.to_owned(),
                ..letter
            }
        }
        StaffNotice::Changed(change) => StaffLetter {
            subject: of_shop(changed(*change, mail)),
            facts: when(),
            advice: mail.not_you.to_owned(),
            button: mail.security.to_owned(),
            ..letter
        },
        StaffNotice::FailedSignIns { count } => StaffLetter {
            subject: of_shop(mail.failed_title),
            text: plural(words.common.tag, mail.failed, &[&count.to_string()]),
            advice: mail.failed_advice.to_owned(),
            button: mail.security.to_owned(),
            ..letter
        },
        StaffNotice::Mentioned { return_number, by } => {
            let by = if by.is_empty() { mail.nobody.to_owned() } else { isolated(by, words) };
            StaffLetter {
                subject: format(mail.mention_title, &[&by, &isolated(return_number, words)]),
                text: mail.mention.to_owned(),
                button: mail.mention_button.to_owned(),
                ..letter
            }
        }
    }
}

fn changed(change: SignInChange, mail: &Mail) -> &'static str {
    match change {
        SignInChange::Password => mail.changed_password,
        SignInChange::AppAdded => mail.changed_app_added,
        SignInChange::AppRemoved => mail.changed_app_removed,
        SignInChange::PasskeyAdded => mail.changed_passkey_added,
        SignInChange::PasskeyRemoved => mail.changed_passkey_removed,
        SignInChange::RecoveryCodes => mail.changed_codes,
        SignInChange::FactorsReset => mail.changed_reset,
    }
}

/// A time in the account's time zone: `Sunday 1 March 2026, 13:00 (Europe/Berlin)`.
fn time_of(account: &Account, at: Timestamp, words: &'static Words) -> String {
    let zone = &account.time_zone;
    let moment = past_moment(at, Calendar { zone, now: at }, words);
    format(words.mail.in_zone, &[&moment.full, &isolated(zone.name(), words)])
}
