//! Writes and sends due mails.
//!
//! A mail that the server has accepted is not sent again, unless the instance crashes before it records the result.
//! Then the copy has the same `Message-ID`.

use super::logo::logo_in_mail;
use crate::{
    backoff::Backoff,
    handle::Workers,
    job_runner::{Job, jobs_of_table},
};
use domain::{
    AccountId, MailId, ReturnOrderId, Timestamp, WithdrawalId,
    account::Account,
    mail::{Mail, MailStatus},
    party::Party,
    proof::EmailKey,
    returning::ReturnOrder,
    shipping::LabelFormat,
    withdrawal::DAYS_TO_SEND_BACK,
};
use outbound::mail::{MailAttachment, MailError, Mailer, OutgoingMail};
use returns::{
    Expand, MailTemplates, NextNotification, Notification, PrintedLabel, Result, ReturnMailContext, WayBack, Words,
    internals::{OrBroken, Settings, detached, email_hash, hash, return_address, return_order, sender_shown},
    view,
};
use std::{
    future::Future,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{
    Db,
    consumers::{self, Consumer},
    mail_links::{self, LinkTarget},
    mail_tasks::{self, MailSubject, MailTask},
    mails, orders, person_locks, return_orders, shipments, timeline, withdrawals,
};
use uuid::Uuid;

/// The pause if a mail could not be written after all other attempts, seconds.
const LONGEST: i64 = 86_400;
/// The pauses between attempts, seconds: one day in total.
const BACK_OFF: Backoff = Backoff::new(&[60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]);
/// The most bytes of attachments. With encoding, every mail server accepts this size. Further labels are behind the
/// link.
const MOST_ENCLOSED: usize = 6_000_000;
/// The pauses between the attempts to write that a mail was sent, seconds. If none succeeds, the mail is sent again.
const CONCLUDE_PAUSES: [u64; 5] = [1, 2, 4, 8, 16];
/// How long a link in a mail opens a return.
const LINK_DAYS: u32 = 180;

/// The mail server and the templates.
pub(super) struct Post<'a> {
    mailer: &'a Mailer,
    pub(super) letters: &'a dyn MailTemplates,
}

/// A link in a mail: its token, its target and its expiry.
pub(super) struct NewLink {
    pub(super) token: String,
    pub(super) opens: LinkTarget,
    pub(super) until: Timestamp,
}

/// A mail to send.
pub(super) struct Outgoing {
    pub(super) letter: OutgoingMail,
    pub(super) about: &'static str,
    pub(super) order: Option<ReturnOrderId>,
    pub(super) link: Option<NewLink>,
}

/// The result of a task.
pub(super) enum MailOutcome {
    /// There is nothing to send. Check again at this time or after the next event: a finished return can get another
    /// timeline entry.
    Nothing(Option<Timestamp>),
    /// There will never be anything to send.
    Over,
    /// This mail was sent, or will never be.
    Settled(&'static str, Box<Mail>, bool),
    /// The task is tried again.
    Again,
}

impl Workers {
    fn post(&self) -> Option<Post<'_>> {
        Some(Post { mailer: self.retour.mailer()?, letters: self.letters.as_deref()? })
    }

    /// Sends due mails until `stop` is ready. Without a mail server it only waits for `stop`.
    pub async fn send_mail(&self, stop: impl Future<Output = ()>) {
        if self.post().is_none() {
            return stop.await;
        }
        self.run_jobs::<MailTask>(stop).await;
    }

    async fn tell(&self, task: &MailTask) -> Result<MailOutcome> {
        let Some(post) = &self.post() else { return Ok(MailOutcome::Nothing(None)) };
        let mut reading = self.retour.store().read().await?;
        let mut account = store::accounts::find(reading.db(), task.account_id).await?.or_broken()?;
        drop(reading);
        account.branding.logo_url =
            account.branding.logo_url.and_then(|url| logo_in_mail(&url, self.retour.public_url()));
        match &task.about {
            MailSubject::Return(order) => Box::pin(self.tell_of_return(post, task, account, *order)).await,
            MailSubject::Link(email) => self.tell_of_link(post, task, account, email).await,
            MailSubject::Withdrawal(id) => self.tell_of_withdrawal(post, task, account, *id).await,
            MailSubject::Staff(user, notice) => self.tell_user(post, task, account, *user, notice).await,
            MailSubject::Draft(id) => self.tell_of_draft(post, task, account, *id).await,
        }
    }

    async fn tell_of_return(
        &self,
        post: &Post<'_>,
        task: &MailTask,
        account: Account,
        id: ReturnOrderId,
    ) -> Result<MailOutcome> {
        let mut reading = self.retour.store().read().await?;
        let Some(order) = return_orders::find(reading.db(), account.id, id).await? else {
            return Ok(MailOutcome::Over);
        };
        let consumer = consumers::find(reading.db(), account.id, order.consumer_id).await?.or_broken()?;
        if !account.policy.mail || consumer.email.is_empty() {
            return Ok(MailOutcome::Nothing(None));
        }
        drop(reading);
        let token = self.retour.new_link(account.id);
        let news = self.news(&account, order.clone(), &consumer, task, &token).await?;
        let Notification { about, words, is_needed, has_labels } = match post.letters.of_return(&news) {
            NextNotification::Nothing(again) => return Ok(MailOutcome::Nothing(again)),
            NextNotification::Send(news) => *news,
        };
        if !is_needed && self.declines(&account, &consumer).await? {
            return Ok(MailOutcome::Settled(about, Box::new(self.unsent(task, about, Some(id))), false));
        }
        let files = if has_labels { self.label_files(&account, &order, &consumer).await? } else { Vec::new() };
        let mut letter = letter(&account, consumer.email, task, about, words);
        // A return that re-enters a stage gets the same mail again, so the time is part of its id.
        let since = news.timeline.last().map_or(0, |entry| entry.at.micros());
        letter.id = format!("{}-{since}", letter.id);
        // Mail clients show a second mail with the same id only once.
        if task.resent > 0 {
            letter.id = format!("{}-{}", letter.id, task.resent);
        }
        letter.files = files;
        letter.decline = (!is_needed).then_some(news.decline);
        let opens = LinkTarget::Return(order.consumer_id, id);
        let link = NewLink { token, opens, until: self.retour.now().plus_days(LINK_DAYS) };
        self.hand_over(post, task, Outgoing { letter, about, order: Some(id), link: Some(link) }).await
    }

    async fn news(
        &self,
        account: &Account,
        order: ReturnOrder,
        consumer: &Consumer,
        task: &MailTask,
        token: &str,
    ) -> Result<ReturnMailContext> {
        let mut reading = self.retour.store().read().await?;
        let id = order.id;
        let entries = timeline::list_of_return_order(reading.db(), account.id, id).await?;
        let Settings { options, reasons, .. } = Settings::of_account(&self.retour, reading.db(), account.id).await?;
        let shown = [Expand::Shipments, Expand::ReturnRequests];
        let portal = self.retour.portal_url(account, account.domain.is_some());
        let return_address = return_address(reading.db(), account, &order, consumer).await?;
        Ok(ReturnMailContext {
            account: account.clone(),
            language: task.language.clone(),
            now: self.retour.now(),
            order: return_order(reading.db(), account.id, order, &shown, Party::Consumer(consumer)).await?,
            timeline: entries.into_iter().filter(|entry| !entry.is_for_staff()).map(Into::into).collect(),
            return_address,
            options: Arc::unwrap_or_clone(options),
            reasons: Arc::unwrap_or_clone(reasons),
            last_mail: task.last_mail.clone(),
            link: format!("{portal}/mail/{token}"),
            decline: format!("{portal}/mail/{token}/stop"),
        })
    }

    async fn declines(&self, account: &Account, consumer: &Consumer) -> Result<bool> {
        let Some(email) = EmailKey::new(&consumer.email) else { return Ok(true) };
        let mut reading = self.retour.store().read().await?;
        Ok(mail_links::has_declined(reading.db(), account.id, &email_hash(account.id, &email)).await?)
    }

    /// The labels of a return as files. The others are behind the link.
    async fn label_files(
        &self,
        account: &Account,
        order: &ReturnOrder,
        consumer: &Consumer,
    ) -> Result<Vec<MailAttachment>> {
        let mut reading = self.retour.store().read().await?;
        let parcels = shipments::list_of_return_orders(reading.db(), account.id, &[order.id]).await?;
        drop(reading);
        let has_label =
            |one: &domain::returning::Shipment| one.check_label().is_ok() && !one.label.formats().is_empty();
        let mut files = Vec::new();
        for mut parcel in parcels.into_iter().filter(has_label) {
            parcel.sender = sender_shown(&parcel, order, consumer);
            let wanted = [LabelFormat::Pdf, LabelFormat::Png];
            let number = if files.is_empty() { String::new() } else { format!("-{}", files.len() + 1) };
            let printed = self.retour.print(account.clone(), order.clone(), parcel, &wanted).await;
            let so_far: usize = files.iter().map(|file: &MailAttachment| file.bytes.len()).sum();
            if let Ok(PrintedLabel::File { format, bytes }) = printed
                && so_far + bytes.len() <= MOST_ENCLOSED
            {
                let name = format!("return-{}{number}.{}", order.number, format.extension());
                files.push(MailAttachment { name, media_type: format.media_type(), bytes });
            }
        }
        Ok(files)
    }

    /// The acknowledgement, on the durable medium that the directive asks for (2011/83/EU, article 11a).
    async fn tell_of_withdrawal(
        &self,
        post: &Post<'_>,
        task: &MailTask,
        account: Account,
        id: WithdrawalId,
    ) -> Result<MailOutcome> {
        let mut reading = self.retour.store().read().await?;
        let found = withdrawals::find(reading.db(), account.id, id).await?;
        drop(reading);
        // Nothing is left of a withdrawal whose consumer was erased.
        let Some(key) = found.as_ref().and_then(|found| EmailKey::new(&found.statement.email)) else {
            return Ok(MailOutcome::Over);
        };
        let withdrawal = view::Withdrawal::from(found.or_broken()?);
        // The named orders belong to this address, so the owner of the mailbox may see them.
        let token = self.retour.new_link(account.id);
        let opens =
            (!withdrawal.purchase_order_numbers.is_empty()).then(|| LinkTarget::Orders(key.as_str().to_owned()));
        let portal = self.retour.portal_url(&account, account.domain.is_some());
        let href = format!("{portal}/mail/{token}");
        let way = if opens.is_some() { WayBack::Orders(&href) } else { WayBack::LookUp(&portal) };
        let (words, file) = post.letters.of_withdrawal(&account, &withdrawal, way);
        let mut letter = letter(&account, withdrawal.email, task, WITHDRAWAL, words);
        letter.files = vec![MailAttachment {
            name: format!("withdrawal-{}.txt", withdrawal.number),
            media_type: "text/plain; charset=utf-8",
            bytes: file.into_bytes(),
        }];
        let ends = account.time_zone.end_of_day(self.retour.now(), DAYS_TO_SEND_BACK);
        let link = opens.map(|opens| NewLink { token, opens, until: ends });
        self.hand_over(post, task, Outgoing { letter, about: WITHDRAWAL, order: None, link }).await
    }

    pub(super) async fn hand_over(&self, post: &Post<'_>, task: &MailTask, mail: Outgoing) -> Result<MailOutcome> {
        let account = task.account_id;
        if let Some(link) = mail.link
            && !self.keep_link(account, link).await?
        {
            return Ok(MailOutcome::Over);
        }
        let began = Instant::now();
        let sent = post.mailer.send(mail.letter).await;
        let outcome = match &sent {
            Ok(()) => "sent",
            Err(MailError::Refused(_)) => "refused",
            Err(MailError::Unavailable(_)) => "unavailable",
        };
        self.retour.figures().mails.count(outcome, began.elapsed());
        let is_last = BACK_OFF.pause(task.tries).is_none();
        let mut kept = self.unsent(task, mail.about, mail.order);
        match sent {
            Ok(()) => kept.status = MailStatus::Sent,
            Err(MailError::Refused(code)) => kept.error_code = code,
            Err(MailError::Unavailable(code)) if is_last => kept.error_code = code,
            Err(error) => {
                tracing::warn!(%account, %error, tries = task.tries, "a mail could not be sent; Retour tries again");
                return Ok(MailOutcome::Again);
            }
        }
        Ok(MailOutcome::Settled(mail.about, Box::new(kept), true))
    }

    /// Stores a link before it is sent. `false` if the person was erased.
    async fn keep_link(&self, account: AccountId, link: NewLink) -> Result<bool> {
        let NewLink { token, opens, until } = link;
        let (store, token_hash) = (self.retour.store().clone(), hash(&token));
        detached(async move {
            let mut writing = store.write().await?;
            let is_known = match &opens {
                LinkTarget::Return(consumer, _) | LinkTarget::Draft(consumer, _) => {
                    consumers::hold(writing.db(), account, *consumer).await?
                }
                LinkTarget::Orders(email) => match EmailKey::new(email) {
                    Some(email) => {
                        person_locks::share(writing.db(), &[email_hash(account, &email)]).await?;
                        !orders::list_of_email(writing.db(), account, &email).await?.is_empty()
                    }
                    None => false,
                },
            };
            if is_known {
                mail_links::insert(writing.db(), account, &token_hash, &opens, until).await?;
                writing.commit().await?;
            }
            Ok(is_known)
        })
        .await
    }

    /// A mail whose result is not known to be good.
    fn unsent(&self, task: &MailTask, about: &str, order: Option<ReturnOrderId>) -> Mail {
        Mail {
            id: MailId(self.retour.source().id()),
            about: about.to_owned(),
            return_order_id: order,
            language: task.language.clone(),
            status: MailStatus::Failed,
            attempts: task.tries.saturating_add(1),
            error_code: None,
            created_at: self.retour.now(),
        }
    }

    /// Records the result of a task. Until then, the mail could be sent again.
    async fn conclude_mail(&self, task: &MailTask, outcome: MailOutcome) -> Result<()> {
        let (workers, task) = (self.clone(), task.clone());
        detached(async move {
            for wait in CONCLUDE_PAUSES {
                match workers.conclude_mail_once(&task, &outcome).await {
                    Ok(()) => return Ok(()),
                    Err(error) => tracing::info!(%error, "the result of a mail was not recorded; Retour tries again"),
                }
                tokio::time::sleep(Duration::from_secs(wait)).await;
            }
            workers.conclude_mail_once(&task, &outcome).await
        })
        .await
    }

    async fn conclude_mail_once(&self, task: &MailTask, outcome: &MailOutcome) -> Result<()> {
        let now = self.retour.now();
        let mut writing = self.retour.store().write().await?;
        let last_mail = task.last_mail.as_str();
        match outcome {
            MailOutcome::Nothing(again) => mail_tasks::later(writing.db(), task, *again, 0, last_mail).await?,
            MailOutcome::Over => forget(writing.db(), task, now).await?,
            MailOutcome::Again => {
                let at = now.plus_seconds(BACK_OFF.pause_or(task.tries, LONGEST));
                mail_tasks::later(writing.db(), task, Some(at), task.tries.saturating_add(1), last_mail).await?;
            }
            MailOutcome::Settled(about, mail, is_kept) => {
                if *is_kept {
                    mails::insert(writing.db(), task.account_id, mail).await?;
                }
                match task.about {
                    // The task is due again at once, to find the next mail.
                    MailSubject::Return(_) => mail_tasks::later(writing.db(), task, Some(now), 0, about).await?,
                    MailSubject::Link(_)
                    | MailSubject::Withdrawal(_)
                    | MailSubject::Draft(_)
                    | MailSubject::Staff(..) => {
                        forget(writing.db(), task, now).await?;
                    }
                }
            }
        }
        Ok(writing.commit().await?)
    }
}

/// The name of the mail that acknowledges a withdrawal.
const WITHDRAWAL: &str = "Withdrawal";

/// Deletes the task. If something happened during the run, the task is due again instead.
async fn forget(mut db: Db<'_>, task: &MailTask, now: Timestamp) -> store::Result<()> {
    if !mail_tasks::delete(db.reborrow(), task).await? {
        mail_tasks::later(db, task, Some(now), 0, &task.last_mail).await?;
    }
    Ok(())
}

pub(super) fn letter(account: &Account, to: String, task: &MailTask, about: &str, words: Words) -> OutgoingMail {
    OutgoingMail {
        id: format!("{}-{about}", task.id),
        from_name: account.name.clone(),
        to,
        reply_to: account.branding.reply_address().map(str::to_owned),
        subject: words.subject,
        text: words.text,
        html: words.html,
        pictures: words.pictures,
        files: Vec::new(),
        decline: None,
    }
}

impl Job for MailTask {
    const NAME: &'static str = "mails";
    const CLAIMED_IN_ONE: bool = true;
    /// Some mail servers are slow at each step of the conversation.
    const HELD_FOR: i64 = 180;

    jobs_of_table!(mail_tasks);

    fn id(&self) -> Uuid {
        self.id
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        let outcome = workers.tell(self).await.unwrap_or_else(|error| {
            tracing::warn!(account = %self.account_id, %error, "a mail could not be written; Retour tries again");
            MailOutcome::Again
        });
        workers.conclude_mail(self, outcome).await
    }

    async fn postpone(&self, _workers: &Workers) -> Result<()> {
        // The lease ends by itself, and the task is due then.
        Ok(())
    }
}
