//! Erases a person's data, and lists it (`/consumers/<id>/data`, `DELETE /consumers/<id>`; GDPR articles 15 and 17). A
//! person is everybody with one e-mail address; a consumer is only one of their orders.

use super::hashes::{email_hash, keep_out, person_hash};
use crate::{
    base::{Error, OrBroken, Result, Retour, Source, again_on_deadlock, detached},
    view::{self, line_of, to_value},
};
use domain::{
    AccountId, ConsumerId, EventId, RefusalCode, ReturnOrderId, Timestamp, address::Address, proof::EmailKey,
    webhook::EventType, withdrawal::Withdrawal,
};
use serde_json::{Value, json};
use std::time::Duration;
use store::webhook_attempts;
use store::{
    Db, Writing,
    consumers::{self, Consumer, Proof},
    drafts,
    erasures::{self, PendingErasure},
    events, found_parcels, mail_links, mail_tasks, pending_evidence, person_locks, receipts, return_orders,
    return_requests, warehouse_steps, withdrawals,
};

/// The maximum length of an e-mail address in orders, in characters.
const MAX_EMAIL_CHARS: usize = 320;
/// The pauses between the attempts to purge the database file, in seconds.
const PURGE_PAUSES: [u64; 3] = [2, 8, 32];
/// Replaces the consumer's id for a buyer who never became a consumer.
const NOBODY: ConsumerId = ConsumerId(uuid::Uuid::nil());

/// The progress of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erasure {
    /// The data is erased.
    Done,
    /// The data will be erased when the last of the person's returns has ended.
    Waiting,
}

impl Retour {
    /// Erases the person of an e-mail address, even if they have never looked up an order. Who asked for it is already in the
    /// transaction's audit log.
    pub(crate) async fn erase_person_of_email(
        &self,
        mut writing: Writing,
        account: AccountId,
        email: &EmailKey,
    ) -> Result<Erasure> {
        store::accounts::hold(writing.db(), account).await?; // excludes concurrent imports
        let email_hash = email_hash(account, email);
        person_locks::hold(writing.db(), &email_hash).await?;
        let people = consumers::list_of_email(writing.db(), account, email).await?;
        match people.first().map(|consumer| consumer.id) {
            Some(consumer) => {
                let pending = PendingErasure { account, consumer, email_hash };
                self.begin_erasure(writing, &pending, &people).await
            }
            None => self.erase_buyer(writing, account, email).await,
        }
    }

    /// Erases the person behind a consumer. `record`: writes who asked for it, unless the person is erased already.
    pub(crate) async fn erase_person_of_consumer(
        &self,
        mut writing: Writing,
        account: AccountId,
        id: ConsumerId,
        record: impl FnOnce(&mut Writing) + Send,
    ) -> Result<Erasure> {
        store::accounts::hold(writing.db(), account).await?; // excludes concurrent imports
        let people = hold_person(&mut writing, account, id).await?;
        if erasures::is_erased(writing.db(), account, id).await? {
            return Ok(Erasure::Done);
        }
        record(&mut writing);
        let pending = PendingErasure { account, consumer: id, email_hash: person_hash(account, &people, id) };
        self.begin_erasure(writing, &pending, &people).await
    }

    async fn begin_erasure(
        &self,
        mut writing: Writing,
        pending: &PendingErasure,
        people: &[Consumer],
    ) -> Result<Erasure> {
        erasures::insert(writing.db(), pending.account, &pending.email_hash, pending.consumer, self.now()).await?;
        let outcome = self.erase_if_over(&mut writing, pending, people).await?;
        writing.commit().await?;
        Ok(outcome)
    }

    /// Erases a buyer who never became a consumer. The caller holds the lock of the person.
    async fn erase_buyer(&self, mut writing: Writing, account: AccountId, email: &EmailKey) -> Result<Erasure> {
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

    /// Finishes the erasures of people whose last return has ended since the request. A worker calls it regularly. An
    /// erasure that fails does not block others.
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

    async fn finish_erasure(&self, pending: &PendingErasure) -> Result<Erasure> {
        let erased = again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            store::accounts::hold(writing.db(), pending.account).await?;
            let people = hold_person(&mut writing, pending.account, pending.consumer).await?;
            if erasures::is_erased(writing.db(), pending.account, pending.consumer).await? {
                // Another instance has finished it, or the person requested it under two addresses.
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

    /// After the rows are erased, deletes the person's files and purges the database file.
    pub(crate) async fn clean_up(&self, outcome: Erasure) -> Result<Erasure> {
        if outcome == Erasure::Done {
            self.delete_unclaimed_files().await?;
            if !self.store.purge().await? {
                self.purge_soon();
            }
        }
        Ok(outcome)
    }

    /// Retries the purge, which readers and writers may have blocked. If all retries fail, `Operator::prune` does it
    /// later.
    fn purge_soon(&self) {
        let store = self.store.clone();
        tokio::spawn(async move {
            for seconds in PURGE_PAUSES {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                if store.is_purged() || store.purge().await.unwrap_or_default() {
                    break;
                }
            }
        });
    }

    /// Starts [`Self::finish_erasures`] in the background: a return has ended, and an erasure may wait for it.
    pub(crate) fn finish_erasures_soon(&self) {
        let retour = self.clone();
        tokio::spawn(async move {
            if let Err(error) = retour.finish_erasures().await {
                tracing::warn!(%error, "an erasure could not be finished; it is retried");
            }
        });
    }

    /// Erases a person if all their returns have ended.
    async fn erase_if_over(
        &self,
        writing: &mut Writing,
        pending: &PendingErasure,
        people: &[Consumer],
    ) -> Result<Erasure> {
        let account = pending.account;
        for consumer in people {
            consumers::hold(writing.db(), account, consumer.id).await?;
        }
        for consumer in people {
            // A concurrent change of a return has read the old texts, and would write them into events.
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
        writing.publish(store::events::Event {
            id: EventId(self.source.id()),
            account_id: account,
            kind: EventType::ConsumerErased,
            stage: None,
            // The event is about no return. The consumer's id orders the events of one consumer for a receiver.
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

/// All consumers with the e-mail address of a consumer; this consumer alone if the address is unknown.
pub(crate) async fn person(mut db: Db<'_>, account: AccountId, id: ConsumerId) -> Result<Vec<Consumer>> {
    let found = consumers::find(db.reborrow(), account, id).await?.ok_or(Error::NotFound)?;
    match EmailKey::new(&found.email) {
        Some(email) => {
            let mut people = consumers::list_of_email(db, account, &email).await?;
            // Older versions may have stored this consumer under another key.
            if people.iter().all(|one| one.id != found.id) {
                people.push(found);
            }
            Ok(people)
        }
        None => Ok(vec![found]),
    }
}

/// The same after all transactions that write this person's data have ended. Later ones wait.
pub(crate) async fn hold_person(writing: &mut Writing, account: AccountId, id: ConsumerId) -> Result<Vec<Consumer>> {
    let mut held = None;
    loop {
        // The e-mail address may have changed, if the person looked up their order since the last pass.
        let people = person(writing.db(), account, id).await?;
        let hash = person_hash(account, &people, id);
        if held.as_ref() == Some(&hash) {
            return Ok(people);
        }
        person_locks::hold(writing.db(), &hash).await?;
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
                receipts::rename(db.reborrow(), account, request.id, &receipt.external_reference, &nameless).await?;
            }
        }
        for (id, data) in events::list_of_return_order(db.reborrow(), account, order.id).await? {
            let mut data: Value = serde_json::from_str(&data).or_broken()?;
            forget_words(&mut data);
            events::keep_data(db.reborrow(), account, id, &data.to_string()).await?;
            webhook_attempts::erase(db.reborrow(), account, id).await?;
        }
        erasures::scrub_return_order(db.reborrow(), account, order.id).await?;
        warehouse_steps::delete_of_return_order(db.reborrow(), account, order.id).await?;
        found_parcels::scrub_of_return_order(db.reborrow(), account, order.id, source.now()).await?;
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
            item.overrides.iter_mut().for_each(|one| one.reason.clear());
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
        // The buyer of a gift is another person than its recipient.
        (None, Proof::Email(_) | Proof::Gift { .. }) => {}
        (None, Proof::PostalCode(code)) => {
            let number = &credentials.order_number;
            let emptied = erasures::scrub_orders_of_postal_code(db.reborrow(), account, number, code).await?;
            keep_out(db.reborrow(), account, &emptied, now).await?;
        }
    }
    // The buyer of a gift is another person, who may return the rest of the order.
    if !credentials.is_gift() {
        let emptied = erasures::scrub_orders_of_returns(db.reborrow(), account, consumer.id).await?;
        keep_out(db, account, &emptied, now).await?;
    }
    Ok(())
}

/// Erases the buyer from the orders of an e-mail address, and all spellings of that address.
async fn erase_orders_of_email(mut db: Db<'_>, account: AccountId, email: &EmailKey, now: Timestamp) -> Result<()> {
    let emptied = erasures::scrub_orders_of_email(db.reborrow(), account, email).await?;
    keep_out(db.reborrow(), account, &emptied, now).await?;
    Ok(erasures::scrub_forms(db, email).await?)
}

/// Erases link requests of an address, and its choice to get no optional mails.
async fn forget_mail(mut db: Db<'_>, account: AccountId, email: &EmailKey) -> Result<()> {
    for spelling in email.spellings() {
        mail_tasks::forget_links(db.reborrow(), account, &spelling).await?;
        mail_links::forget_email(db.reborrow(), account, &spelling).await?;
    }
    Ok(mail_links::accept(db, account, &email_hash(account, email)).await?)
}

/// Clears every field with personal data or free text, at any depth.
fn forget_words(data: &mut Value) {
    const WORDS: [&str; 15] = [
        "email",
        "returnReasonComment",
        "answers",
        "comment",
        "note",
        "text",
        "flags",
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

/// The withdrawals of an e-mail address, and those that are linked to these returns.
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

/// Erases the sender of withdrawals, also from events and stored responses.
async fn erase_withdrawals(
    mut db: Db<'_>,
    account: AccountId,
    withdrawals: &[Withdrawal],
    now: Timestamp,
) -> Result<()> {
    for withdrawal in withdrawals {
        // A concurrent change of a withdrawal has read the old texts, and would store them with a response.
        withdrawals::lock(db.reborrow(), account, withdrawal.id).await?;
        for (id, data) in events::list_of_return_order(db.reborrow(), account, line_of(withdrawal.id)).await? {
            let mut data: Value = serde_json::from_str(&data).or_broken()?;
            for (name, value) in data.as_object_mut().into_iter().flatten() {
                if ["name", "contract", "email", "note"].contains(&name.as_str()) {
                    *value = json!("");
                }
            }
            events::keep_data(db.reborrow(), account, id, &data.to_string()).await?;
            webhook_attempts::erase(db.reborrow(), account, id).await?;
        }
        erasures::scrub_answers(db.reborrow(), account, withdrawal.id.0).await?;
        withdrawals::scrub(db.reborrow(), account, withdrawal.id, now).await?;
    }
    Ok(())
}
