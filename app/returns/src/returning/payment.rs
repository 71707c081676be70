//! Payments of returns: created when a return owes something, settled once, refunded if the return ends without the
//! charge.
//!
//! A payment is part of its return order, and changes under the return order's lock. With a payment provider,
//! `consumer/payment_pages.rs` redirects shoppers to the provider's pages, `app/workers/src/payments.rs` asks the provider for
//! the result, and `notices.rs` only wakes that worker.

use super::{
    change::{Change, Returned},
    events::failed_attempt,
};
use crate::base::{Error, OrBroken, Result, Retour, again_on_deadlock, detached};
use domain::{
    AccountId, PaymentId, ReturnOrderId, Timestamp,
    account::Account,
    party::Actor,
    payment::{Payment, PaymentKind, PaymentState},
    returning::{ReturnOrder, ReturnOrderStatus},
    stage::{Move, Stage},
};
use store::{Writing, accounts, payment_tasks, return_orders};

/// How long an overdue payment is kept open while its provider does not answer.
const PATIENCE_HOURS: u32 = 6;
/// How long the return waits at a time for a payment that is under way, in seconds.
const ON_ITS_WAY_FOR: i64 = 3_600;
/// How long the worker has to ask once more about an overdue payment, in seconds.
const ASKED_WITHIN: i64 = 60;

impl Change<'_> {
    /// Creates the payment, once, if a request waits for it.
    pub(crate) fn ask_for_payment(&self, returned: &mut Returned, kind: PaymentKind) {
        let Returned { order, requests, .. } = returned;
        let due = requests.iter().find_map(|request| match request.state.stage {
            Stage::SubmittedPaymentPending { due, .. } => Some(due),
            _ => None,
        });
        let Some(due) = due.filter(|_| order.payment.is_none()) else { return };
        order.payment = Some(Payment {
            id: PaymentId(self.retour.source.id()),
            kind,
            amount: order.cost_breakdown.payable_now,
            state: PaymentState::Pending,
            refund_due: 0,
            refunded: 0,
            due,
            checkout: format!("/{}/pay/{}", self.account.slug, order.id),
            created_at: self.now,
            checkouts: Vec::new(),
            settled_by: None,
            last_error: String::new(),
            failed_attempts: 0,
            next_attempt_at: None,
        });
    }

    /// Continues the requests that waited for the payment.
    async fn continue_paid(&self, writing: &mut Writing, returned: &mut Returned) -> Result<()> {
        let (mut sends, mut label_needed) = (false, false);
        for index in 0..returned.requests.len() {
            let state = &returned.request(index)?.state;
            let Stage::SubmittedPaymentPending { label_needed: needed, .. } = state.stage else { continue };
            sends |= !state.kept;
            label_needed |= needed;
            self.make_move(writing, returned, index, &Move::PaymentSettled).await?;
        }
        let packed = if sends && label_needed { Some(self.start_parcel(writing, returned).await?) } else { None };
        let made = self.store_parcel(writing, packed).await?;
        self.follow_up_with_labels(writing, returned, made.into_iter().collect()).await
    }

    /// Ends the payment of a return that has ended, and refunds what was not earned. A simulated payment is refunded at
    /// once, others by their provider.
    pub(crate) async fn close_payment(&self, writing: &mut Writing, order: &mut ReturnOrder) -> Result<()> {
        let Some(payment) = &mut order.payment else { return Ok(()) };
        let before = payment.clone();
        match order.status {
            ReturnOrderStatus::Requested | ReturnOrderStatus::AwaitingPayment | ReturnOrderStatus::Open => {}
            ReturnOrderStatus::Completed => payment.end(order.cost_breakdown.payable_now.minor),
            ReturnOrderStatus::Cancelled | ReturnOrderStatus::Expired | ReturnOrderStatus::Rejected => payment.end(0),
        }
        if payment.kind == PaymentKind::Simulated {
            payment.refund_completed();
        }
        if *payment != before && !payment.provider_tasks().is_empty() {
            payment_tasks::wake(writing.db(), self.account.id, order.id, self.now, self.now).await?;
        }
        Ok(())
    }
}

impl Retour {
    /// The payment provider of an account on this installation.
    pub(crate) fn payment_kind(&self, account: &Account) -> PaymentKind {
        match account.payment.kind() {
            PaymentKind::Simulated if !self.config.simulates_payments => PaymentKind::None,
            kind => kind,
        }
    }

    /// How long an overdue payment is kept open: if it is being processed, or if it may have been made since the last
    /// call to its provider, which is then asked again. `None`: the payment has expired.
    pub(crate) async fn may_be_paid_until(
        &self,
        writing: &mut Writing,
        account: AccountId,
        order: ReturnOrderId,
        payment: &Payment,
    ) -> Result<Option<Timestamp>> {
        let now = self.now();
        if payment.is_on_its_way(now) {
            return Ok(Some(now.plus_seconds(ON_ITS_WAY_FOR)));
        }
        if now < payment.due || now >= payment.due.plus_hours(PATIENCE_HOURS) || !payment.has_open_page() {
            return Ok(None);
        }
        let asked_at = payment_tasks::asked_at(writing.db(), account, order).await?;
        if asked_at.is_some_and(|at| at >= payment.due) {
            return Ok(None);
        }
        payment_tasks::wake(writing.db(), account, order, now, now).await?;
        Ok(Some(now.plus_seconds(ASKED_WITHIN)))
    }

    /// Returns a return order and its payment as they are now.
    pub(crate) async fn payment_of(&self, account: AccountId, order: ReturnOrderId) -> Result<(ReturnOrder, Payment)> {
        let mut reading = self.store.read().await?;
        let order = return_orders::find(reading.db(), account, order).await?.ok_or(Error::NotFound)?;
        let payment = order.payment.clone().ok_or(Error::NotFound)?;
        Ok((order, payment))
    }

    /// Changes a payment under its return's lock, and continues the requests that wait for it if it is settled now.
    /// Returns the payment after the change, and the result of `change`.
    pub(crate) async fn change_payment<T: Send + 'static>(
        &self,
        which: Which,
        change: impl Fn(&mut Payment, Timestamp) -> T + Send + Sync + 'static,
    ) -> Result<(Payment, T)> {
        let retour = self.clone();
        detached(async move { again_on_deadlock(|| retour.change_payment_once(which, &change)).await }).await
    }

    async fn change_payment_once<T>(
        &self,
        Which { account, order, wakes }: Which,
        change: &(impl Fn(&mut Payment, Timestamp) -> T + Sync),
    ) -> Result<(Payment, T)> {
        let parcel = Some(self.parcel_number(account).await?); // a paid return may need a parcel for its label
        let mut writing = self.store.write().await?;
        let mut returned = Returned::lock(&mut writing, account, order).await?.ok_or(Error::NotFound)?;
        let payment = returned.order.payment.as_mut().ok_or(Error::NotFound)?;
        let (before, now) = (payment.clone(), self.now());
        let said = change(payment, now);
        if *payment == before {
            return Ok((before, said));
        }
        if payment.state == PaymentState::Paid && before.state != PaymentState::Paid {
            let account = accounts::find(writing.db(), account).await?.ok_or(Error::NotFound)?;
            let (actor, comment) = (Actor::System, String::new());
            let change = Change { retour: self, account: &account, now, actor, staff: None, comment, parcel };
            change.continue_paid(&mut writing, &mut returned).await?;
        } else {
            returned.order.updated_at = now;
            if !return_orders::update(writing.db(), account, &returned.order).await? {
                return Err(Error::broken()); // it is locked, so no other transaction can have changed it
            }
        }
        let payment = returned.order.payment.or_broken()?;
        if !payment.last_error.is_empty() && payment.last_error != before.last_error {
            for request in &returned.requests {
                writing.add_timeline_entry(failed_attempt(account, request, now, &payment.last_error));
            }
        }
        if let Some(due_at) = payment.next_check(&[], now).filter(|_| wakes) {
            payment_tasks::wake(writing.db(), account, order, due_at, now).await?;
        }
        writing.commit().await?;
        Ok((payment, said))
    }
}

/// The payment to change.
#[derive(Debug, Clone, Copy)]
pub struct Which {
    /// Its account.
    pub account: AccountId,
    /// Its return.
    pub order: ReturnOrderId,
    /// Whether to wake the worker for what follows. Not if the worker itself makes the change.
    pub wakes: bool,
}
