//! Mails to users about their sign-ins, in English, as the desk is.

use crate::{
    mail::{letter::Letter, written::written},
    words::Words,
};
use domain::{
    Timestamp,
    account::Account,
    mail::{SignInChange, StaffNotice},
};
use ui::language::Language;

/// What to do about something that the reader did not do.
const NOT_YOU: &str = "If that was not you, change your password now and end all other sessions. Then tell an \
                       administrator of your account.";
const SECURITY: &str = "Check your sign-ins";

/// Writes a mail to a user. `link` sets a password, or opens the user's security.
pub fn write(account: &Account, notice: &StaffNotice, at: Timestamp, link: &str) -> returns::Words {
    let shop = &account.name;
    let when = time_of(account, at);
    let (subject, letter) = match notice {
        StaffNotice::Invitation => {
            let subject = format!("Your invitation to the desk of {shop}");
            let letter = Letter::default()
                .title(&subject)
                .text("The desk is where the shop\u{2019}s staff work on returns. Set a password to sign in.")
                .button("Set your password", link)
                .text("The link works once, for 7 days.")
                .foot("If you do not work for this shop, ignore this mail.", None);
            (subject, letter)
        }
        StaffNotice::PasswordReset => {
            let subject = format!("Set a new password for {shop}");
            let letter = Letter::default()
                .title(&subject)
                .text("Somebody asked for a new password for this address.")
                .button("Set a new password", link)
                .text("The link works once, for one hour.")
                .foot("If that was not you, ignore this mail: your password stays as it is.", None);
            (subject, letter)
        }
        StaffNotice::NewDevice { device, network } => {
            let subject = format!("New sign-in at {shop}");
            let facts = [("When", when.as_str()), ("Device", device), ("Network", network)];
            let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
            let letter = Letter::default()
                .title(&subject)
                .text("You signed in from a device or network that is new to us.")
                .facts("", facts.map(|(label, value)| (label.to_owned(), value.to_owned())).collect())
                .text(NOT_YOU)
                .button(SECURITY, link);
            (subject, letter)
        }
        StaffNotice::Changed(change) => {
            let subject = format!("{} at {shop}", changed(*change));
            let letter = Letter::default()
                .title(&subject)
                .facts("", vec![("When".to_owned(), when)])
                .text(NOT_YOU)
                .button(SECURITY, link);
            (subject, letter)
        }
        StaffNotice::FailedSignIns { count } => {
            let subject = format!("Failed sign-ins at {shop}");
            let letter = Letter::default()
                .title(&subject)
                .text(&format!("{count} sign-ins with your e-mail address failed since the last one that succeeded."))
                .text("If that was you, there is nothing to do. If not, make sure that you use this password nowhere else.")
                .button(SECURITY, link);
            (subject, letter)
        }
    };
    written(subject, &letter, account, Words::of(Language::En))
}

fn changed(change: SignInChange) -> &'static str {
    match change {
        SignInChange::Password => "Your password was changed",
        SignInChange::AppAdded => "An authenticator app was set up",
        SignInChange::AppRemoved => "Your authenticator app was removed",
        SignInChange::PasskeyAdded => "A passkey was added",
        SignInChange::PasskeyRemoved => "A passkey of yours was removed",
        SignInChange::RecoveryCodes => "You have new recovery codes",
        SignInChange::FactorsReset => "An administrator removed your second factor",
    }
}

/// A time in the account's time zone: `2026-03-01 13:00 (Europe/Berlin)`.
fn time_of(account: &Account, at: Timestamp) -> String {
    let local = account.time_zone.local(at);
    let (date, hour, minute) = (local.date(), local.hour(), local.minute());
    format!("{date} {hour:02}:{minute:02} ({})", account.time_zone.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::sample::account;

    const AT: Timestamp = Timestamp::from_seconds(1_772_366_400);

    #[test]
    fn a_link_that_sets_a_password_is_in_both_formats() {
        for notice in [StaffNotice::Invitation, StaffNotice::PasswordReset] {
            let link = "https://returns.example/desk/password?token=rti_1";
            let mail = write(&account(), &notice, AT, link);
            assert!(mail.text.contains(link) && mail.html.contains(link), "{}", mail.text);
            assert!(mail.subject.contains("Ash & Alder"), "{}", mail.subject);
        }
    }

    #[test]
    fn a_new_device_is_named_with_its_time_and_network() {
        let notice = StaffNotice::NewDevice { device: "Firefox on Linux".into(), network: "203.0.113.0/24".into() };
        let mail = write(&account(), &notice, AT, "https://returns.example/desk/me");
        for part in ["2026-03-01 12:00 (UTC)", "Firefox on Linux", "203.0.113.0/24", "not you"] {
            assert!(mail.text.contains(part), "{part}: {}", mail.text);
        }
    }

    #[test]
    fn each_change_says_what_changed() {
        let changes = [
            SignInChange::Password,
            SignInChange::AppAdded,
            SignInChange::AppRemoved,
            SignInChange::PasskeyAdded,
            SignInChange::PasskeyRemoved,
            SignInChange::RecoveryCodes,
            SignInChange::FactorsReset,
        ];
        let subjects: std::collections::BTreeSet<String> =
            changes.iter().map(|change| write(&account(), &StaffNotice::Changed(*change), AT, "x").subject).collect();
        assert_eq!(subjects.len(), changes.len());
        let failed = write(&account(), &StaffNotice::FailedSignIns { count: 5 }, AT, "x");
        assert!(failed.text.contains("5 sign-ins"), "{}", failed.text);
    }
}
