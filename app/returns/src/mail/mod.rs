//! Mail to shoppers: where a return stands, and the way back to it.
//!
//! A task of each return says that something happened; what is told follows from where the return stands when the
//! [`worker`] looks, in the words of whoever [`Letters`] are by. What was told last is kept with the task, so that
//! nothing is told twice and what changes quickly is told once. [`links`] in mail open a return, or the orders of whoever
//! asked for one.

mod links;
mod logo;
mod worker;

pub use links::{Opened, OrderToOpen};

use crate::{Listing, Result, Retour, Staff, change::Change, guessing::of_today, view};
use domain::{
    AccountId, ReturnOrderId, Timestamp,
    mail::MailStatus,
    order::{Account, EmailKey},
    withdrawal::Withdrawal,
};
use outbound::mail::{Mailer, Picture};
use std::{fmt::Debug, sync::Arc};
use store::{Writing, mail_tasks, mails};

/// How long it is waited for what happens next before a change is told, seconds: a shop that settles at once, or an
/// inspection of ten things, is one piece of news.
const SETTLES_WITHIN: i64 = 45;
/// Withdrawals that one address is told of a day.
const ACKNOWLEDGED_A_DAY: i64 = 5;

/// Who finds words for what is to be told. The accounts that they get have the whole address of their logo, where mail can
/// show it.
pub trait Letters: Debug + Send + Sync {
    /// What there is to tell of a return, by what was told last.
    fn of_return(&self, news: &ReturnNews) -> Telling;
    /// The way to somebody's orders, which they asked for.
    fn of_link(&self, account: &Account, language: &str, link: &str) -> Words;
    /// That a withdrawal has arrived, what it says and when, and the same as a file. With the way back: to the
    /// orders that it names, where they are known.
    fn of_withdrawal(&self, account: &Account, withdrawal: &view::Withdrawal, way: WayBack<'_>) -> (Words, String);
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
pub struct ReturnNews {
    /// Whose.
    pub account: Account,
    /// In which language, BCP 47; empty: the account's.
    pub language: String,
    /// The moment.
    pub now: Timestamp,
    /// The return with its requests and parcels, as its consumer sees it.
    pub order: view::ReturnOrderView,
    /// What happened, oldest first.
    pub timeline: Vec<view::TimelineEntryView>,
    /// Ways of sending that the shop offers today.
    pub options: Vec<domain::shipping::ShippingOption>,
    /// Reasons that it offers today.
    pub reasons: Vec<domain::reason::ReturnReason>,
    /// What was told last; empty: nothing.
    pub told: String,
    /// Opens the return.
    pub link: String,
    /// Where mail that is not needed can be declined.
    pub decline: String,
}

/// What is to be done about a return.
#[derive(Debug)]
pub enum Telling {
    /// There is nothing new. It is looked at again then, or when something happens.
    Nothing(Option<Timestamp>),
    /// This is.
    News(Box<News>),
}

/// Something to tell.
#[derive(Debug)]
pub struct News {
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
    pub pictures: Vec<Picture>,
}

/// How mail goes out.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    mailer: Mailer,
    letters: Arc<dyn Letters>,
}

impl Retour {
    /// The same with a server for mail, and somebody who writes it. Without, nobody is sent any.
    #[must_use]
    pub fn sending_mail_by(self, mailer: Mailer, letters: Arc<dyn Letters>) -> Self {
        Self { post: Some(Post { mailer, letters }), ..self }
    }

    /// Whether shoppers of an account get mail.
    pub fn mails(&self, account: &Account) -> bool {
        self.post.is_some() && account.policy.mail
    }

    /// Whether mail about a return goes out, and the last one was not given up. The caller knows that the consumer has an
    /// address.
    pub async fn mails_about(&self, account: &Account, order: ReturnOrderId) -> Result<bool> {
        if !self.mails(account) {
            return Ok(false);
        }
        let mut reading = self.store.read().await?;
        Ok(mails::last_status(reading.db(), account.id, order).await? != Some(MailStatus::Failed))
    }

    /// What became of an account's mail.
    pub async fn sent_mails(&self, staff: &Staff, listing: &Listing) -> Result<view::List<view::MailView>> {
        let mut reading = self.store.read().await?;
        let rows = mails::list(reading.db(), staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }
}

impl Retour {
    /// Has whoever withdrew from a contract sent what they stated and when, as the directive asks: also where a shop wants
    /// no other mail sent.
    pub(crate) async fn have_acknowledged(
        &self,
        writing: &mut Writing,
        account: AccountId,
        withdrawal: &Withdrawal,
    ) -> Result<()> {
        if self.post.is_none() {
            return Ok(());
        }
        // Nobody is flooded with what others write.
        let (to, at) = (EmailKey::new(&withdrawal.statement.email), withdrawal.created_at);
        let Some(to) = to else { return Ok(()) };
        let subject = ["withdrawal to", &account.to_string(), to.as_str()];
        if of_today(writing, &subject, ACKNOWLEDGED_A_DAY, at).await?.is_some() {
            return Ok(());
        }
        let (id, language) = (withdrawal.id, withdrawal.language.0.as_str());
        Ok(mail_tasks::acknowledge(writing.db(), account, (id, language), withdrawal.created_at).await?)
    }

    /// Whether withdrawals are acknowledged by mail.
    pub fn acknowledges_withdrawals(&self) -> bool {
        self.post.is_some()
    }
}

/// When somebody is told of a change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Told<'a> {
    /// At once, in this language: they have just sent the return in.
    AtOnce(&'a str),
    /// When it has settled.
    Soon,
}

impl Change<'_> {
    /// Has whoever sends a return told where it stands.
    pub(crate) async fn have_told(&self, writing: &mut Writing, order: ReturnOrderId, when: Told<'_>) -> Result<()> {
        if !self.retour.mails(self.account) {
            return Ok(());
        }
        let (language, wait) = match when {
            Told::AtOnce(language) => (language, 0),
            Told::Soon => ("", SETTLES_WITHIN),
        };
        let (due_at, account) = (self.now.plus_seconds(wait), self.account.id);
        Ok(mail_tasks::wake(writing.db(), account, (order, language), (due_at, self.now)).await?)
    }
}
