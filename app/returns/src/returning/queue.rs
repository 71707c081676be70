//! Work that a change queues for the workers, in its own transaction.

use super::change::{Change, Returned};
use crate::base::{Result, Retour, guessing::of_today};
use domain::{
    AccountId, OrderId, Refusal, RefusalCode, ReturnOrderId, ReturnRequestId, ShipmentId, TransactionId,
    account::Account, integration::Carrier, party::Actor, policy::Resolution, proof::EmailKey, returning::Shipment,
    shipping::CarrierReference, stage::StageName, withdrawal::Withdrawal,
};
use std::{collections::BTreeSet, fmt::Debug};
use store::{
    Writing, label_requests, mail_tasks, orders,
    parcel_tasks::{self, ParcelWork},
    settlements::{self, Settlement},
    shop_returns::{self, NewShopReturn},
};

impl Change<'_> {
    /// Has a new return appear in its shop, if the account wants that. What consumers keep does not come back.
    pub(crate) async fn queue_shop_returns(&self, writing: &mut Writing, returned: &Returned) -> Result<()> {
        if !self.account.bridge.mirrors_returns() {
            return Ok(());
        }
        let shop = self.account.bridge.shop_key();
        let coming = returned.draft.items.iter().filter(|item| !item.kept);
        let orders: BTreeSet<OrderId> = coming.map(|item| item.order_id).collect();
        for order_id in orders {
            let (id, return_order_id) = (self.retour.source.id(), returned.order.id);
            let new = NewShopReturn { id, return_order_id, order_id, shop: &shop };
            shop_returns::insert(writing.db(), self.account.id, &new, self.now).await?;
        }
        Ok(())
    }

    /// Queues a request to the carrier to void a label, if the carrier can void labels.
    pub async fn queue_label_void(&self, writing: &mut Writing, parcel: &Shipment) -> Result<()> {
        self.queue_parcel_task(writing, parcel.id, ParcelWork::Void, parcel.label.reference(), 0).await
    }

    /// Queues a request to void a label that may exist, because the response to its label request never arrived.
    pub async fn queue_void_of_unconfirmed_label(&self, writing: &mut Writing, parcel: &Shipment) -> Result<()> {
        let found = label_requests::find_of_shipment(writing.db(), self.account.id, parcel.id).await?;
        let can_void = |asked: &str| Account::carrier_kind_of(asked).can_void_unconfirmed_labels();
        let Some(one) = found.filter(|one| can_void(&one.asked_carrier)) else { return Ok(()) };
        // Not while the label request may still be running.
        let due = (self.now.max(one.held_until), self.now);
        let reference = CarrierReference { carrier: one.asked_carrier, id: one.id.0.to_string() };
        let void = (parcel.id, ParcelWork::VoidUnheard, &reference);
        Ok(parcel_tasks::insert(writing.db(), self.account.id, void.0, void.1, void.2, due.0, due.1).await?)
    }

    /// Queues a tracking request to the carrier, in so many seconds.
    pub async fn queue_tracking(&self, writing: &mut Writing, parcel: &Shipment, seconds: i64) -> Result<()> {
        let reference = parcel.label.reference().filter(|_| !parcel.tracking_number.is_empty());
        self.queue_parcel_task(writing, parcel.id, ParcelWork::Follow, reference, seconds).await
    }

    /// Schedules the first move of a parcel whose carrier is simulated.
    pub async fn queue_simulated_step(&self, writing: &mut Writing, parcel: &Shipment) -> Result<()> {
        if self.account.carrier != Carrier::Simulated {
            return Ok(());
        }
        let reference = CarrierReference { carrier: self.account.carrier_key(), id: parcel.sscc.clone() };
        self.queue_parcel_task(writing, parcel.id, ParcelWork::Follow, Some(&reference), SIMULATED_STEP).await
    }

    async fn queue_parcel_task(
        &self,
        writing: &mut Writing,
        parcel: ShipmentId,
        work: ParcelWork,
        reference: Option<&CarrierReference>,
        seconds: i64,
    ) -> Result<()> {
        let Some(reference) = reference else { return Ok(()) };
        let due = (self.now.plus_seconds(seconds), self.now);
        Ok(parcel_tasks::insert(writing.db(), self.account.id, parcel, work, reference, due.0, due.1).await?)
    }
}

/// The time between two steps of a simulated parcel, seconds.
pub const SIMULATED_STEP: i64 = 10;

impl Change<'_> {
    /// Queues a label request to the carrier.
    pub(crate) async fn queue_label(&self, writing: &mut Writing, parcel: ShipmentId) -> Result<()> {
        let transaction = TransactionId(self.retour.source.id());
        Ok(label_requests::insert(writing.db(), self.account.id, transaction, parcel, self.now).await?)
    }
}

impl Change<'_> {
    /// Queues the settlement of a resolution by the shop: one that was just approved, or one that failed and is
    /// retried. Queues nothing if the merchant settles it in another way. A completed resolution leaves the queue.
    pub(crate) async fn queue_settlement(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        index: usize,
        before: Option<StageName>,
    ) -> Result<()> {
        let request = returned.request(index)?;
        let first_asked_at = match request.state.stage.name() {
            StageName::ResolutionCompleted => {
                return Ok(settlements::delete(writing.db(), self.account.id, request.id).await?);
            }
            // Without a named replacement, staff choose it.
            _ if request.requested_resolution == Resolution::Exchange && request.exchange_for.is_none() => {
                return Ok(());
            }
            StageName::ResolutionApproved => None,
            // Only for retries by staff. If the worker has started an approved resolution, its settlement is in the
            // queue already.
            StageName::ResolutionProcessing
                if self.actor == Actor::Merchant && before == Some(StageName::ResolutionFailed) =>
            {
                Some(self.now)
            }
            _ => return Ok(()),
        };
        if !self.account.is_settled_by_its_shop() {
            return Ok(());
        }
        let order_id = returned.item(request.purchase_id)?.order_id;
        if first_asked_at.is_some() {
            self.check_shop(writing, request.id, order_id).await?;
            shop_returns::try_again(writing.db(), self.account.id, returned.order.id, order_id).await?;
        }
        let settlement = Settlement {
            account_id: self.account.id,
            id: TransactionId(self.retour.source.id()),
            return_request_id: request.id,
            order_id,
            tries: 0,
            first_asked_at,
            asked_shop: String::new(),
            held_until: self.now,
        };
        Ok(settlements::insert(writing.db(), &settlement, self.now).await?)
    }

    /// Refuses a resolution that was never sent to a shop, if the order came from another shop than the one that is
    /// connected now.
    async fn check_shop(&self, writing: &mut Writing, request: ReturnRequestId, order: OrderId) -> Result<()> {
        let is_known = settlements::find_of_request(writing.db(), self.account.id, request).await?.is_some();
        if is_known || orders::shop_of(writing.db(), self.account.id, order).await? == self.account.bridge.shop_key() {
            return Ok(());
        }
        let message = "The order comes from a shop that is no longer connected. Carry out the resolution by hand, then \
                       set the stage Resolution: Completed.";
        Err(Refusal::new(RefusalCode::IllegalTransition, message).into())
    }
}

/// How long a mail about a change waits for further changes, in seconds. A shop that settles at once, or an inspection
/// of ten items, results in one mail.
const SETTLES_WITHIN: i64 = 45;
/// The maximum number of withdrawals that are acknowledged to one address a day.
const ACKNOWLEDGED_A_DAY: i64 = 5;

impl Retour {
    /// Whether shoppers of an account get mail.
    pub fn mails(&self, account: &Account) -> bool {
        self.config.mailer.is_some() && account.policy.mail
    }
}

impl Retour {
    /// Queues the acknowledgement of a withdrawal, which the directive requires. The shop's setting for other mails
    /// does not matter.
    pub(crate) async fn queue_acknowledgement(
        &self,
        writing: &mut Writing,
        account: AccountId,
        withdrawal: &Withdrawal,
    ) -> Result<()> {
        if self.config.mailer.is_none() {
            return Ok(());
        }
        // A limit, so that nobody can flood another person's mailbox.
        let (to, at) = (EmailKey::new(&withdrawal.statement.email), withdrawal.created_at);
        let Some(to) = to else { return Ok(()) };
        let subject = ["withdrawal to", &account.to_string(), to.as_str()];
        if of_today(writing, &subject, ACKNOWLEDGED_A_DAY, at).await?.is_some() {
            return Ok(());
        }
        let (id, language) = (withdrawal.id, withdrawal.language.0.as_str());
        Ok(mail_tasks::acknowledge(writing.db(), account, id, language, withdrawal.created_at).await?)
    }
}

/// When to mail the consumer about a change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NotifyWhen<'a> {
    /// At once, in this language: the consumer has just submitted the return.
    AtOnce(&'a str),
    /// After a short wait for further changes.
    Soon,
}

impl Change<'_> {
    /// Queues a mail to the consumer about the state of a return.
    pub(crate) async fn queue_notification(
        &self,
        writing: &mut Writing,
        order: ReturnOrderId,
        when: NotifyWhen<'_>,
    ) -> Result<()> {
        if !self.retour.mails(self.account) {
            return Ok(());
        }
        let (language, wait) = match when {
            NotifyWhen::AtOnce(language) => (language, 0),
            NotifyWhen::Soon => ("", SETTLES_WITHIN),
        };
        let (due_at, account) = (self.now.plus_seconds(wait), self.account.id);
        Ok(mail_tasks::wake(writing.db(), account, order, language, due_at, self.now).await?)
    }

    /// Queues the mail about the state of a return, even if the last mail was about the same state: what it enclosed no longer
    /// holds.
    pub(crate) async fn queue_mail_again(&self, writing: &mut Writing, order: ReturnOrderId) -> Result<()> {
        if self.retour.mails(self.account) {
            let due_at = self.now.plus_seconds(SETTLES_WITHIN);
            mail_tasks::resend(writing.db(), self.account.id, order, due_at).await?;
        }
        Ok(())
    }
}
