//! What is held of a person, and forgetting it (design: `/consumers/<id>/data`, `DELETE /consumers/<id>`; GDPR
//! articles 15 and 17). A person is everybody of one e-mail address: a consumer is only one of their orders.

use super::hashes::{email_hash, keep_out, person_hash};
use crate::{
    base::{Error, OrBroken, Result, Retour, Source, again_on_deadlock, detached},
    view::{self, line_of, to_value},
};
use domain::{
    AccountId, ConsumerId, EventId, RefusalCode, ReturnOrderId, Timestamp, order::EmailKey, policy::Address,
    webhook::EventType, withdrawal::Withdrawal,
};
use serde_json::{Value, json};
use std::time::Duration;
use store::{
    Db, Writing,
    consumers::{self, Consumer, Proof},
    drafts,
    erasures::{self, Pending},
    events, mail_links, mail_tasks, pending_evidence, people, receipts, return_orders, return_requests,
    webhook_deliveries, withdrawals,
};

/// Orders have no longer e-mail addresses, characters.
const MAX_EMAIL_CHARS: usize = 320;
/// The pauses between the attempts to purge the database file, seconds.
const PURGE_PAUSES: [u64; 3] = [2, 8, 32];
/// In place of a consumer, where somebody never was one.
const NOBODY: ConsumerId = ConsumerId(uuid::Uuid::nil());

/// Whether somebody is forgotten yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erasure {
    /// It is done.
    Done,
    /// It will be, when the last of their returns has ended.
    Waiting,
}

impl Retour {
    pub(crate) async fn begin_erasure(
        &self,
        mut writing: Writing,
        pending: &Pending,
        people: &[Consumer],
    ) -> Result<Erasure> {
        erasures::insert(writing.db(), pending.account, &pending.email_hash, pending.consumer, self.now()).await?;
        let outcome = self.erase_if_over(&mut writing, pending, people).await?;
        writing.commit().await?;
        Ok(outcome)
    }

    /// Forgets somebody of whom there is nothing but orders, and whose lock is held.
    pub(crate) async fn erase_buyer(
        &self,
        mut writing: Writing,
        account: AccountId,
        email: &EmailKey,
    ) -> Result<Erasure> {
        let (hash, now) = (email_hash(account, email), self.now());
        erasures::insert(writing.db(), account, &hash, NOBODY, now).await?;
        erase_orders_of_email(writing.db(), account, email, now).await?;
        let withdrawn = withdrawals_of_person(writing.db(), account, Some(email), &[]).await?;
        erase_withdrawals(writing.db(), account, &withdrawn, now).await?;
        forget_mail(writing.db(), account, email).await?;
        erasures::complete(writing.db(), account, &hash, now).await?;
        writing.commit().await?;
        Ok(Erasure::Done)
    }

    /// Forgets those whose last return has ended since they asked for it. Called now and then. One who cannot be
    /// forgotten is not in the way of the others.
    pub(crate) async fn finish_erasures(&self) -> Result<()> {
        let retour = self.clone();
        detached(async move {
            let mut reading = retour.store.read().await?;
            let waiting = erasures::list_pending(reading.db()).await?;
            drop(reading);
            let mut outcome = Ok(());
            for pending in waiting {
                if let Err(error) = retour.finish_erasure(&pending).await {
                    outcome = Err(error);
                }
            }
            outcome
        })
        .await
    }

    async fn finish_erasure(&self, pending: &Pending) -> Result<Erasure> {
        let erased = again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            store::accounts::hold(writing.db(), pending.account).await?;
            let people = hold_person(&mut writing, pending.account, pending.consumer).await?;
            if erasures::is_erased(writing.db(), pending.account, pending.consumer).await? {
                // Another program has finished it, or it was asked for under two addresses.
                erasures::complete(writing.db(), pending.account, &pending.email_hash, self.now()).await?;
                writing.commit().await?;
                return Ok(Erasure::Done);
            }
            let outcome = self.erase_if_over(&mut writing, pending, &people).await?;
            writing.commit().await?;
            Ok(outcome)
        })
        .await?;
        self.clean_up(erased).await
    }

    /// What is left of somebody outside the rows, once those are empty.
    pub(crate) async fn clean_up(&self, outcome: Erasure) -> Result<Erasure> {
        if outcome == Erasure::Done {
            self.delete_unclaimed_files().await?;
            if !self.store.scour().await? {
                self.purge_soon();
            }
        }
        Ok(outcome)
    }

    /// Tries again where others read or wrote at that moment. What these tries do not do, [`Self::prune`] does.
    fn purge_soon(&self) {
        let store = self.store.clone();
        tokio::spawn(async move {
            for seconds in PURGE_PAUSES {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                if store.is_scoured() || store.scour().await.unwrap_or_default() {
                    break;
                }
            }
        });
    }

    /// The same, soon: a return has ended, and somebody may wait for it.
    pub(crate) fn finish_erasures_soon(&self) {
        let retour = self.clone();
        tokio::spawn(async move {
            if let Err(error) = retour.finish_erasures().await {
                tracing::warn!(%error, "people who asked to be forgotten are not yet; it is tried again");
            }
        });
    }

    /// Whether it is done.
    async fn erase_if_over(&self, writing: &mut Writing, pending: &Pending, people: &[Consumer]) -> Result<Erasure> {
        let account = pending.account;
        for consumer in people {
            consumers::hold(writing.db(), account, consumer.id).await?;
        }
        for consumer in people {
            // Who is changing a return has read its words, and writes them into events.
            return_orders::lock_of_consumer(writing.db(), account, consumer.id).await?;
            if return_orders::has_open(writing.db(), account, consumer.id).await? {
                return Ok(Erasure::Waiting);
            }
        }
        let now = self.now();
        for consumer in people {
            erase(writing.db(), account, consumer, &self.source).await?;
        }
        erasures::complete(writing.db(), account, &pending.email_hash, now).await?;
        writing.tell(store::events::Event {
            id: EventId(self.source.id()),
            account_id: account,
            kind: EventType::ConsumerErased,
            stage: None,
            // Not about a return: a receiver sees the events of one consumer in order.
            return_order_id: ReturnOrderId(pending.consumer.0),
            data: to_value(&view::ConsumerErasedEventData {
                consumer_ids: people.iter().map(|consumer| consumer.id).collect(),
            })?
            .to_string(),
            created_at: now,
        });
        Ok(Erasure::Done)
    }
}

pub(crate) fn proof_of(email: &str) -> Result<EmailKey> {
    EmailKey::new(email)
        .filter(|key| key.as_str().contains('@') && email.chars().count() <= MAX_EMAIL_CHARS)
        .ok_or_else(|| Error::invalid("email", RefusalCode::OutOfRange, "expected an e-mail address"))
}

/// Everybody who has the e-mail address of a consumer; themselves alone, where that is not known.
pub(crate) async fn person(mut db: Db<'_>, account: AccountId, id: ConsumerId) -> Result<Vec<Consumer>> {
    let found = consumers::find(db.reborrow(), account, id).await?.ok_or(Error::NotFound)?;
    match EmailKey::new(&found.email) {
        Some(email) => {
            let mut people = consumers::list_of_email(db, account, &email).await?;
            // The version before may have kept it under a key of its own.
            if people.iter().all(|one| one.id != found.id) {
                people.push(found);
            }
            Ok(people)
        }
        None => Ok(vec![found]),
    }
}

/// The same, once all that writes of them has ended; what begins later waits.
pub(crate) async fn hold_person(writing: &mut Writing, account: AccountId, id: ConsumerId) -> Result<Vec<Consumer>> {
    let mut held = None;
    loop {
        // Under another e-mail address, where they looked their order up in between.
        let people = person(writing.db(), account, id).await?;
        let hash = person_hash(account, &people, id);
        if held.as_ref() == Some(&hash) {
            return Ok(people);
        }
        people::hold(writing.db(), &hash).await?;
        held = Some(hash);
    }
}

async fn erase(mut db: Db<'_>, account: AccountId, consumer: &Consumer, source: &Source) -> Result<()> {
    let returns = return_orders::list_all_of_consumer(db.reborrow(), account, consumer.id).await?;
    let (email, ids) = (EmailKey::new(&consumer.email), returns.iter().map(|order| order.id).collect::<Vec<_>>());
    let withdrawn = withdrawals_of_person(db.reborrow(), account, email.as_ref(), &ids).await?;
    erase_withdrawals(db.reborrow(), account, &withdrawn, source.now()).await?;
    for order in returns {
        for request in return_requests::list_of_return_orders(db.reborrow(), account, &[order.id]).await? {
            return_requests::scrub(db.reborrow(), account, &request).await?;
            erasures::scrub_answers(db.reborrow(), account, request.id.0).await?;
            for receipt in receipts::list_of_return_request(db.reborrow(), account, request.id).await? {
                let nameless = source.id().to_string();
                receipts::rename(db.reborrow(), account, request.id, (&receipt.external_reference, &nameless)).await?;
            }
        }
        for (id, data) in events::list_of_return_order(db.reborrow(), account, order.id).await? {
            let mut data: Value = serde_json::from_str(&data).or_broken()?;
            forget_words(&mut data);
            events::keep_data(db.reborrow(), account, id, &data.to_string()).await?;
            webhook_deliveries::erase(db.reborrow(), account, id).await?;
        }
        erasures::scrub_return_order(db.reborrow(), account, order.id).await?;
    }
    pending_evidence::forget(db.reborrow(), account, consumer.id).await?;
    mail_tasks::forget_returns(db.reborrow(), account, consumer.id).await?;
    mail_links::forget(db.reborrow(), account, consumer.id).await?;
    if let Some(email) = EmailKey::new(&consumer.email) {
        forget_mail(db.reborrow(), account, &email).await?;
    }
    for mut draft in drafts::list_of_consumer(db.reborrow(), account, consumer.id).await? {
        for item in &mut draft.items {
            item.return_reason_comment.clear();
            item.answers.clear();
        }
        drafts::keep_items(db.reborrow(), account, &draft).await?;
    }
    erase_orders(db.reborrow(), account, consumer, source.now()).await?;
    erasures::scrub_consumer(db, account, consumer, source.now()).await?;
    Ok(())
}

async fn erase_orders(mut db: Db<'_>, account: AccountId, consumer: &Consumer, now: Timestamp) -> Result<()> {
    let credentials = &consumer.credentials;
    match (EmailKey::new(&consumer.email), &credentials.proof) {
        (Some(email), _) => erase_orders_of_email(db.reborrow(), account, &email, now).await?,
        // Of what was given to them somebody else is the buyer.
        (None, Proof::Email(_) | Proof::Gift { .. }) => {}
        (None, Proof::PostalCode(code)) => {
            let number = &credentials.order_number;
            let emptied = erasures::scrub_orders_of_postal_code(db.reborrow(), account, number, code).await?;
            keep_out(db.reborrow(), account, &emptied, now).await?;
        }
    }
    // Somebody else has ordered what they were given, and may return the rest of it.
    if !credentials.is_gift() {
        let emptied = erasures::scrub_orders_of_returns(db.reborrow(), account, consumer.id).await?;
        keep_out(db, account, &emptied, now).await?;
    }
    Ok(())
}

/// Forgets who placed the orders of an e-mail address, and forms in which it was typed.
async fn erase_orders_of_email(mut db: Db<'_>, account: AccountId, email: &EmailKey, now: Timestamp) -> Result<()> {
    let emptied = erasures::scrub_orders_of_email(db.reborrow(), account, email).await?;
    keep_out(db.reborrow(), account, &emptied, now).await?;
    Ok(erasures::scrub_forms(db, email).await?)
}

/// Forgets what was asked for under an address, and that it wants no mail.
async fn forget_mail(mut db: Db<'_>, account: AccountId, email: &EmailKey) -> Result<()> {
    for spelling in email.spellings() {
        mail_tasks::forget_links(db.reborrow(), account, &spelling).await?;
        mail_links::forget_email(db.reborrow(), account, &spelling).await?;
    }
    Ok(mail_links::accept(db, account, &email_hash(account, email)).await?)
}

/// Empties every field that holds what identifies a person or what people wrote, however deep it lies.
fn forget_words(data: &mut Value) {
    const WORDS: [&str; 13] = [
        "email",
        "returnReasonComment",
        "answers",
        "comment",
        "note",
        "denialReason",
        "explanation",
        "errorMessage",
        "evidence",
        "trackingNumber",
        "trackingUrl",
        "labelBarcode",
        "qrCode",
    ];
    match data {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                if name == "address" || name == "sender" {
                    *value = to_value(&Address::default()).unwrap_or(Value::Null);
                } else if WORDS.contains(&name.as_str()) {
                    *value = match value {
                        Value::String(_) => json!(""),
                        Value::Array(_) => json!([]),
                        _ => Value::Null,
                    };
                } else {
                    forget_words(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(forget_words),
        _ => {}
    }
}

/// The withdrawals of an e-mail address, and those that returns came of.
pub(crate) async fn withdrawals_of_person(
    mut db: Db<'_>,
    account: AccountId,
    email: Option<&EmailKey>,
    returns: &[ReturnOrderId],
) -> Result<Vec<Withdrawal>> {
    let mut found = match email {
        Some(email) => withdrawals::list_of_email(db.reborrow(), account, email).await?,
        None => Vec::new(),
    };
    for order in returns {
        for withdrawal in withdrawals::list_of_return_order(db.reborrow(), account, *order).await? {
            if found.iter().all(|known| known.id != withdrawal.id) {
                found.push(withdrawal);
            }
        }
    }
    Ok(found)
}

/// Forgets who withdrew, wherever it was told.
async fn erase_withdrawals(
    mut db: Db<'_>,
    account: AccountId,
    withdrawals: &[Withdrawal],
    now: Timestamp,
) -> Result<()> {
    for withdrawal in withdrawals {
        // Who is changing it has read its words, and keeps them with an answer.
        withdrawals::lock(db.reborrow(), account, withdrawal.id).await?;
        for (id, data) in events::list_of_return_order(db.reborrow(), account, line_of(withdrawal.id)).await? {
            let mut data: Value = serde_json::from_str(&data).or_broken()?;
            for (name, value) in data.as_object_mut().into_iter().flatten() {
                if ["name", "contract", "email", "note"].contains(&name.as_str()) {
                    *value = json!("");
                }
            }
            events::keep_data(db.reborrow(), account, id, &data.to_string()).await?;
            webhook_deliveries::erase(db.reborrow(), account, id).await?;
        }
        erasures::scrub_answers(db.reborrow(), account, withdrawal.id.0).await?;
        withdrawals::scrub(db.reborrow(), account, withdrawal.id, now).await?;
    }
    Ok(())
}
