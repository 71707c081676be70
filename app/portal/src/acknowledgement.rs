//! The acknowledgement of a withdrawal: for the page, the file and the mail.

use crate::words::Words;
use domain::{
    order::Account,
    withdrawal::{DAYS_TO_SEND_BACK, Statement},
};
use returns::view;
use ui::{
    dates::{Calendar, day, moment},
    text::format,
};

/// A withdrawal that has arrived.
#[derive(Debug, Clone)]
pub struct Acknowledgement {
    /// Its number.
    pub number: String,
    /// Whom it was sent to.
    pub shop: String,
    /// When, in words.
    pub at: String,
    /// What was stated.
    pub statement: Statement,
    /// The last day to send things back.
    pub send_back_by: String,
    /// Whether the same comes by mail.
    pub mail_follows: bool,
}

impl Acknowledgement {
    /// What it is about, beside what was stated.
    pub fn facts(&self, words: &Words) -> [(&'static str, String); 3] {
        [
            (words.withdraw_number, self.number.clone()),
            (words.withdraw_at, self.at.clone()),
            (words.withdraw_shop, self.shop.clone()),
        ]
    }

    /// What was stated.
    pub fn stated(&self, words: &Words) -> [(&'static str, &String); 3] {
        let Statement { name, contract, email } = &self.statement;
        [(words.withdraw_name, name), (words.withdraw_contract, contract), (words.email, email)]
    }

    /// As a file that every device opens. The mark at its beginning tells old programs that it is UTF-8.
    pub fn file(&self, words: &Words) -> String {
        let stated = self.stated(words);
        let mut lines = vec![words.withdraw_done_title.to_owned(), String::new()];
        let mut tell = |label: &str, value: &str| {
            lines.push(label.to_owned());
            lines.extend(value.lines().map(|line| format!("    {line}")));
        };
        for (label, value) in self.facts(words) {
            tell(label, &value);
        }
        tell("", "");
        tell(words.withdraw_sentence, "");
        tell("", "");
        for (label, value) in stated {
            tell(label, value);
        }
        format!("\u{feff}{}\r\n", lines.join("\r\n"))
    }
}

/// What a withdrawal says and when it arrived, in words.
pub fn acknowledged(
    account: &Account,
    sent: &view::Withdrawal,
    words: &'static Words,
    mail_follows: bool,
) -> Acknowledgement {
    let (zone, at) = (&account.time_zone, sent.created_at);
    let stated = moment(at, zone, words);
    let (name, contract, email) = (sent.name.clone(), sent.contract.clone(), sent.email.clone());
    Acknowledgement {
        number: sent.number.clone(),
        shop: account.name.clone(),
        at: format(words.withdraw_moment, &[&stated.day, &stated.time, &stated.offset]),
        statement: Statement { name, contract, email },
        send_back_by: day(zone.end_of_day(at, DAYS_TO_SEND_BACK), Calendar { zone, now: at }, words),
        mail_follows,
    }
}
