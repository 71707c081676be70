//! What mail tells: a return, a link to orders, a withdrawal; and who words it.

use super::{
    returns::{ReturnOrderView, TimelineEntryView},
    withdrawals::Withdrawal,
};
use domain::{Timestamp, account::Account};
use outbound::mail::InlineImage;
use std::fmt::Debug;

/// Who finds words for what is to be told. The accounts that they get have the whole address of their logo, where mail can
/// show it.
pub trait MailTemplates: Debug + Send + Sync {
    /// What there is to tell of a return, by what was told last.
    fn of_return(&self, news: &ReturnMailContext) -> NextNotification;
    /// The way to somebody's orders, which they asked for.
    fn of_link(&self, account: &Account, language: &str, link: &str) -> Words;
    /// That a withdrawal has arrived, what it says and when, and the same as a file. With the way back: to the
    /// orders that it names, where they are known.
    fn of_withdrawal(&self, account: &Account, withdrawal: &Withdrawal, way: WayBack<'_>) -> (Words, String);
}

/// Where whoever withdrew from a contract can send things back.
#[derive(Debug, Clone, Copy)]
pub enum WayBack<'a> {
    /// A link opens their orders.
    Orders(&'a str),
    /// They look their order up there.
    LookUp(&'a str),
}

/// A return, as far as somebody may be told of it.
#[derive(Debug)]
pub struct ReturnMailContext {
    /// Whose.
    pub account: Account,
    /// In which language, BCP 47; empty: the account's.
    pub language: String,
    /// The moment.
    pub now: Timestamp,
    /// The return with its requests and parcels, as its consumer sees it.
    pub order: ReturnOrderView,
    /// What happened, oldest first.
    pub timeline: Vec<TimelineEntryView>,
    /// Ways of sending that the shop offers today.
    pub options: Vec<domain::shipping::ShippingOption>,
    /// Reasons that it offers today.
    pub reasons: Vec<domain::policy::reason::ReturnReason>,
    /// What was told last; empty: nothing.
    pub told: String,
    /// Opens the return.
    pub link: String,
    /// Where mail that is not needed can be declined.
    pub decline: String,
}

/// What is to be done about a return.
#[derive(Debug)]
pub enum NextNotification {
    /// There is nothing new. It is looked at again then, or when something happens.
    Nothing(Option<Timestamp>),
    /// This is.
    Send(Box<Notification>),
}

/// Something to tell.
#[derive(Debug)]
pub struct Notification {
    /// What, in a word: it is not told twice in a row.
    pub about: &'static str,
    /// How.
    pub words: Words,
    /// Whether it goes to those as well who want no mail that is not needed.
    pub is_needed: bool,
    /// Whether labels go with it.
    pub has_labels: bool,
}

/// A mail without its envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// What it is about.
    pub subject: String,
    /// As plain text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// Pictures that the HTML shows by `cid:`.
    pub pictures: Vec<InlineImage>,
}
