//! The content of mails about returns, links to orders, withdrawals and sign-ins of users, and the trait that words
//! them.

use super::{
    consumer::ReturnAddress,
    returns::{ReturnOrderView, TimelineEntryView},
    withdrawals::Withdrawal,
};
use domain::{Locale, Timestamp, account::Account, mail::StaffNotice};
use outbound::mail::InlineImage;
use std::fmt::Debug;

/// Words the mails. The logo's URL in the accounts that it gets is absolute, so that mail clients can show it.
pub trait MailTemplates: Debug + Send + Sync {
    /// Chooses the next mail about a return, by the last one that was sent.
    fn of_return(&self, news: &ReturnMailContext) -> NextNotification;
    /// Words the mail with the link to a shopper's orders, which the shopper requested.
    fn of_link(&self, account: &Account, language: &str, link: &str) -> Words;
    /// Words the mail with the link to a draft that staff prepared.
    fn of_draft(&self, account: &Account, language: &str, link: &str) -> Words;
    /// Words the acknowledgement of a withdrawal: that it has arrived, its content and its time. Also returns the same
    /// as a text file. `way` leads to the orders that the withdrawal names, if they are known.
    fn of_withdrawal(&self, account: &Account, withdrawal: &Withdrawal, way: WayBack<'_>) -> (Words, String);
    /// Words a mail to a user, in their language. `link` sets a password, or opens what the mail is about.
    fn of_staff(&self, account: &Account, language: &Locale, notice: &StaffNotice, at: Timestamp, link: &str) -> Words;
}

/// The link in the acknowledgement of a withdrawal, with which the person returns the items.
#[derive(Debug, Clone, Copy)]
pub enum WayBack<'a> {
    /// A link that opens the person's orders.
    Orders(&'a str),
    /// The portal's page on which to look up an order.
    LookUp(&'a str),
}

/// A return and its context, as far as the recipient of the mail may know them.
#[derive(Debug)]
pub struct ReturnMailContext {
    /// The merchant's account.
    pub account: Account,
    /// The recipient's language, BCP 47; empty: the account's language.
    pub language: String,
    /// The current time.
    pub now: Timestamp,
    /// The return with its requests and shipments, as its consumer sees it.
    pub order: ReturnOrderView,
    /// The timeline of the return, oldest entry first.
    pub timeline: Vec<TimelineEntryView>,
    /// The address to send the return to, if the consumer chooses the carrier.
    pub return_address: Option<ReturnAddress>,
    /// The shipping options that the shop offers today.
    pub options: Vec<domain::shipping::ShippingOption>,
    /// The return reasons that the shop offers today.
    pub reasons: Vec<domain::policy::reason::ReturnReason>,
    /// The last mail that was sent, as in [`Notification::about`]; empty: none.
    pub last_mail: String,
    /// The link that opens the return.
    pub link: String,
    /// The link with which the recipient declines optional mails.
    pub decline: String,
}

/// The next mail about a return, if there is one.
#[derive(Debug)]
pub enum NextNotification {
    /// No mail is due. Check again at this time, or when the return changes.
    Nothing(Option<Timestamp>),
    /// This mail is due.
    Send(Box<Notification>),
}

/// A mail about a return.
#[derive(Debug)]
pub struct Notification {
    /// The kind of mail, in a word. The same kind is not sent twice in a row.
    pub about: &'static str,
    /// The text of the mail.
    pub words: Words,
    /// Whether the mail is also sent to recipients who declined optional mails.
    pub is_needed: bool,
    /// Whether labels are attached.
    pub has_labels: bool,
}

/// The texts of a mail to a user, in the order of the mail. Empty ones are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaffLetter {
    /// The language of the texts, BCP 47.
    pub language: String,
    /// The subject line, which is also the title.
    pub subject: String,
    /// What has happened.
    pub text: String,
    /// Labels with their values.
    pub facts: Vec<(String, String)>,
    /// What the reader may do about it.
    pub advice: String,
    /// The text of the button.
    pub button: String,
    /// The address that the button opens.
    pub link: String,
    /// What stands below the button.
    pub below: String,
    /// The last line.
    pub foot: String,
}

/// A mail without its envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// The subject line.
    pub subject: String,
    /// The body as plain text.
    pub text: String,
    /// The body as HTML.
    pub html: String,
    /// Pictures that the HTML refers to by `cid:`.
    pub pictures: Vec<InlineImage>,
}
