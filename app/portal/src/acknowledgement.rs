//! The acknowledgement of a withdrawal: for the page, the file and the mail.

use crate::words::Words;
use domain::{
    account::Account,
    withdrawal::{DAYS_TO_SEND_BACK, Statement},
};
use returns::view;
use ui::{
    dates::{Calendar, day, moment},
    text::format,
};

/// The acknowledgement of a withdrawal.
#[derive(Debug, Clone)]
pub struct Acknowledgement {
    pub number: String,
    /// The shop that received it.
    pub shop: String,
    /// When it arrived, in words.
    pub at: String,
    pub statement: Statement,
    /// The last day to send items back.
    pub send_back_by: String,
    /// Whether the acknowledgement also comes by mail.
    pub mail_follows: bool,
}

impl Acknowledgement {
    /// Number, moment and receiver.
    pub fn facts(&self, words: &Words) -> [(&'static str, String); 3] {
        [
            (words.withdraw_number, self.number.clone()),
            (words.withdraw_at, self.at.clone()),
            (words.withdraw_shop, self.shop.clone()),
        ]
    }

    /// The statement, field by field.
    pub fn stated(&self, words: &Words) -> [(&'static str, &String); 3] {
        let Statement { name, contract, email } = &self.statement;
        [(words.withdraw_name, name), (words.withdraw_contract, contract), (words.email, email)]
    }

    /// The acknowledgement as a text file. Its byte order mark tells old programs that it is UTF-8.
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

/// The acknowledgement of a withdrawal that was sent, in the words of a page.
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
