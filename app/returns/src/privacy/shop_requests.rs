//! What a shop asks about its customers' data: Shopify's privacy topics. A request is carried out in small steps, each of
//! which may be repeated, so that an instance may stop at any time.

use super::{
    erasure::{Erasure, proof_of},
    hashes::keep_out,
};
use crate::base::{Result, Retour, again_on_deadlock, audit};
use domain::{AccountId, ConsumerId, OrderId, audit::AuditAction};
use serde_json::json;
use std::collections::BTreeSet;
use store::{
    accounts, consumers, erasures, orders,
    privacy_requests::{self, PrivacyRequest, PrivacyWork},
    shop_orders,
};

/// The orders of a step.
const STEP: usize = 20;

impl Retour {
    /// Carries out a step of an erasure that a shop asks for. Returns what remains; `None` if all of it is done.
    pub(crate) async fn erase_for_shop(&self, mut request: PrivacyRequest) -> Result<Option<PrivacyRequest>> {
        let account = request.account_id;
        let mut outcomes = Vec::new();
        let is_whole_shop = request.work == PrivacyWork::EraseShop;
        let (step, is_end) = if is_whole_shop {
            let mut reading = self.store.read().await?;
            let most = i64::try_from(STEP).unwrap_or(i64::MAX);
            let found = shop_orders::list_after(reading.db(), account, &request.shop, request.last_order, most).await?;
            request.last_order = found.last().map(|(order, _)| *order).or(request.last_order);
            let is_end = found.len() < STEP;
            (found, is_end)
        } else {
            if !request.email.is_empty() {
                outcomes.extend(self.erase_email_for_shop(account, &request.email).await?);
                request.email.clear();
            }
            let ids: Vec<String> = request.orders.drain(..STEP.min(request.orders.len())).collect();
            (self.buyers_of(account, &request.shop, &ids).await?, request.orders.is_empty())
        };
        for (order, email) in step {
            // The recipient of a gift is another person than the customer, but not than a customer of the shop.
            outcomes.push(self.erase_buyer_of_order(account, order, &email, is_whole_shop).await?);
        }
        if outcomes.contains(&Erasure::Done) {
            self.clean_up(Erasure::Done).await?;
        }
        Ok((!is_end).then_some(request))
    }

    /// Records that a shop asked to erase all of its customers.
    pub(crate) async fn record_erasure_of_shop(&self, account: AccountId) -> Result<()> {
        let mut writing = self.store.write().await?;
        let after = json!({"customers": "all"});
        audit::record_by_shop(&mut writing, account, self.now(), AuditAction::PersonalDataErased, Some(after));
        Ok(writing.commit().await?)
    }

    /// Tells staff that a customer has asked for their data: an entry of the audit log with the consumers whose data they
    /// have to export. Deletes the request in the same transaction.
    pub(crate) async fn report_data_request(&self, request: &PrivacyRequest) -> Result<()> {
        let account = request.account_id;
        let mut reading = self.store.read().await?;
        let mut people: BTreeSet<ConsumerId> = BTreeSet::new();
        let mut stored: BTreeSet<OrderId> = BTreeSet::new();
        if let Ok(email) = proof_of(&request.email) {
            let known = consumers::list_of_email(reading.db(), account, &email).await?;
            people.extend(known.iter().map(|consumer| consumer.id));
            stored.extend(orders::list_of_email(reading.db(), account, &email).await?.iter().map(|order| order.id));
        }
        drop(reading);
        for (order, _) in self.buyers_of(account, &request.shop, &request.orders).await? {
            let mut reading = self.store.read().await?;
            for id in shop_orders::consumers_of(reading.db(), account, order).await? {
                let consumer = consumers::find(reading.db(), account, id).await?;
                people.extend(consumer.filter(|one| !one.credentials.is_gift()).map(|one| one.id));
            }
            stored.insert(order);
        }
        again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            if privacy_requests::delete(writing.db(), request).await? {
                let after = json!({"consumerIds": people, "orders": stored.len(), "reference": request.reference});
                let action = AuditAction::PersonalDataRequested;
                audit::record_by_shop(&mut writing, account, self.now(), action, Some(after));
            }
            Ok(writing.commit().await?)
        })
        .await
    }

    /// The stored orders of a shop with these ids, with the e-mail addresses of their buyers.
    async fn buyers_of(&self, account: AccountId, shop: &str, ids: &[String]) -> Result<Vec<(OrderId, String)>> {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let mut reading = self.store.read().await?;
        let known = shop_orders::list_known(reading.db(), account, shop, &ids).await?;
        let mut buyers = Vec::with_capacity(known.len());
        for order in known {
            let found = orders::find(reading.db(), account, order.id).await?;
            buyers.extend(found.map(|found| (found.id, found.email)));
        }
        Ok(buyers)
    }

    async fn erase_email_for_shop(&self, account: AccountId, email: &str) -> Result<Option<Erasure>> {
        let Ok(email) = proof_of(email) else { return Ok(None) };
        let erased = again_on_deadlock(|| async {
            let writing = self.store.write().await?;
            self.erase_person_of_email(writing, account, &email).await
        });
        Ok(Some(erased.await?))
    }

    /// Erases the buyer of an order, by the e-mail address, and the people who proved the order otherwise.
    async fn erase_buyer_of_order(
        &self,
        account: AccountId,
        order: OrderId,
        email: &str,
        with_recipients: bool,
    ) -> Result<Erasure> {
        let mut outcomes: Vec<Erasure> = self.erase_email_for_shop(account, email).await?.into_iter().collect();
        let mut reading = self.store.read().await?;
        let ids = shop_orders::consumers_of(reading.db(), account, order).await?;
        let people = consumers::list_of_ids(reading.db(), account, &ids).await?;
        drop(reading);
        for consumer in people.iter().filter(|one| with_recipients || !one.credentials.is_gift()) {
            let erased = again_on_deadlock(|| async {
                let writing = self.store.write().await?;
                self.erase_person_of_consumer(writing, account, consumer.id, |_| {}).await
            });
            outcomes.push(erased.await?);
        }
        if outcomes.contains(&Erasure::Waiting) {
            return Ok(Erasure::Waiting); // the order is erased with the person
        }
        again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            accounts::hold(writing.db(), account).await?; // excludes concurrent imports
            let emptied = erasures::scrub_order(writing.db(), account, order).await?;
            keep_out(writing.db(), account, &emptied, self.now()).await?;
            Ok(writing.commit().await?)
        })
        .await?;
        Ok(Erasure::Done)
    }
}
