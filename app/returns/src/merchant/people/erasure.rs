//! Access to a person's data, and its erasure (GDPR, articles 15 and 17).

use crate::{
    base::{Result, again_on_deadlock, audit, detached},
    merchant::handle::MerchantHandle,
    privacy::erasure::{Erasure, person, proof_of, withdrawals_of_person},
    view::{self, PersonalData},
};
use domain::{AccountId, ConsumerId, ReturnOrderId, audit::AuditAction, proof::EmailKey};
use store::{
    Reading, Writing,
    consumers::{self, Consumer},
    drafts, orders, pending_evidence, purchases, return_order_notes, return_orders, return_requests, shipments,
    timeline,
};

impl MerchantHandle<'_> {
    /// All stored data of the person behind a consumer.
    pub async fn personal_data(self, id: ConsumerId) -> Result<PersonalData> {
        self.record_export().await?;
        let mut reading = self.retour.store.read().await?;
        let people = person(reading.db(), self.staff.account(), id).await?;
        let email = people.iter().find_map(|consumer| EmailKey::new(&consumer.email));
        gather(reading, self.staff.account(), email.as_ref(), people).await
    }

    /// All stored data of an e-mail address, including orders that nobody has looked up yet.
    pub async fn personal_data_of_email(self, email: &str) -> Result<PersonalData> {
        let email = proof_of(email)?;
        self.record_export().await?;
        let mut reading = self.retour.store.read().await?;
        let people = consumers::list_of_email(reading.db(), self.staff.account(), &email).await?;
        gather(reading, self.staff.account(), Some(&email), people).await
    }

    /// Records an export before it is read. The log does not tell whose data it is.
    async fn record_export(self) -> Result<()> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            let mut writing = retour.store.write().await?;
            let (now, account) = (retour.now(), staff.account());
            audit::record(&mut writing, &staff, now, AuditAction::PersonalDataExported, account, None, None);
            Ok(writing.commit().await?)
        })
        .await
    }

    /// Erases the person behind a consumer: at once, or as soon as none of their returns is open. Erasing them again
    /// changes nothing.
    pub async fn erase_consumer(self, id: ConsumerId) -> Result<Erasure> {
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        detached(async move {
            let erased = again_on_deadlock(|| async {
                let writing = retour.store.write().await?;
                // Without the consumer's id: the log must not tell who was erased.
                let record = |writing: &mut Writing| {
                    audit::record(writing, &staff, retour.now(), AuditAction::PersonalDataErased, account, None, None);
                };
                retour.erase_person_of_consumer(writing, account, id, record).await
            })
            .await?;
            retour.clean_up(erased).await
        })
        .await
    }

    /// Erases the person of an e-mail address, even if they have never looked up an order.
    pub async fn erase_email(self, email: &str) -> Result<Erasure> {
        let (retour, staff, email) = (self.retour.clone(), self.staff, proof_of(email)?);
        let account = staff.account();
        detached(async move {
            let erased = again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                audit::record(&mut writing, &staff, retour.now(), AuditAction::PersonalDataErased, account, None, None);
                retour.erase_person_of_email(writing, account, &email).await
            })
            .await?;
            retour.clean_up(erased).await
        })
        .await
    }
}

/// The stored data of these consumers, and the orders of an e-mail address.
async fn gather(
    mut reading: Reading,
    account: AccountId,
    email: Option<&EmailKey>,
    people: Vec<Consumer>,
) -> Result<PersonalData> {
    let mut data = PersonalData::default();
    if let Some(email) = email {
        for order in orders::list_of_email(reading.db(), account, email).await? {
            let lines = purchases::list_of_order(reading.db(), account, order.id).await?;
            data.orders.push(view::OrderData::new(order, lines));
        }
    }
    for consumer in people {
        let drafts = drafts::list_of_consumer(reading.db(), account, consumer.id).await?;
        data.draft_return_orders.extend(drafts.into_iter().map(Into::into));
        let laid = pending_evidence::list_of_consumer(reading.db(), account, consumer.id).await?;
        data.pending_evidence.extend(laid.into_iter().map(view::PendingEvidenceView::from));
        for order in return_orders::list_all_of_consumer(reading.db(), account, consumer.id).await? {
            let of_it = [order.id];
            let parcels = shipments::list_of_return_orders(reading.db(), account, &of_it).await?;
            let requests = return_requests::list_of_return_orders(reading.db(), account, &of_it).await?;
            let entries = timeline::list_of_return_order(reading.db(), account, order.id).await?;
            let notes = return_order_notes::list_of_return_order(reading.db(), account, order.id).await?;
            data.notes.extend(notes.into_iter().map(view::NoteView::from));
            let mut shown = view::ReturnOrderView::from(order);
            shown.shipments = Some(parcels.into_iter().map(Into::into).collect());
            shown.return_requests = Some(requests.into_iter().map(Into::into).collect());
            data.return_orders.push(shown);
            data.timeline_entries.extend(entries.into_iter().map(view::TimelineEntryView::from));
        }
        data.consumers.push(consumer.into());
    }
    let returns: Vec<ReturnOrderId> = data.return_orders.iter().map(|order| order.id).collect();
    let withdrawn = withdrawals_of_person(reading.db(), account, email, &returns).await?;
    data.withdrawals = withdrawn.into_iter().map(Into::into).collect();
    Ok(data)
}
