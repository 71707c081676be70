//! Payments of returns: asked for when a return owes something, settled once, given back when it comes to nothing.
//!
//! A payment stands on its return order and changes with it, under its lock. Where a provider takes it, [`pages`] lead
//! shoppers to its pages, and the [`worker`] asks it what became of them; its [`notices`] only wake the worker.

use super::{
    change::{Change, Returned},
    events::failed_attempt,
};
use crate::base::{Error, OrBroken, Result, Retour, again_on_deadlock, detached};
use domain::{
    AccountId, PaymentId, ReturnOrderId, Timestamp,
    order::Account,
    payment::{Payment, PaymentKind, PaymentState},
    returning::{Actor, ReturnOrder},
    stage::{Move, Stage},
    status::ReturnOrderStatus,
};
use store::{Writing, accounts, payment_tasks, return_orders};

/// How long a provider that does not answer is waited for before a payment that is due is given up.
const PATIENCE_HOURS: u32 = 6;
/// How long the return waits at a time for a payment that is on its way, seconds.
const ON_ITS_WAY_FOR: i64 = 3_600;
/// How long the worker has to ask once more about a payment that is due, seconds.
const ASKED_WITHIN: i64 = 60;

impl Change<'_> {
    /// Writes down what is to be paid, once, where a request waits for it.
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
            trouble: String::new(),
            failed_attempts: 0,
            next_attempt_at: None,
        });
    }

    /// The money is here: what waits for it goes on.
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

    /// Where a return is over, its payment is too: what was not earned goes back. A page of ours gives it back at once; a
    /// provider is asked to.
    pub(crate) async fn close_payment(&self, writing: &mut Writing, order: &mut ReturnOrder) -> Result<()> {
        let Some(payment) = &mut order.payment else { return Ok(()) };
        let before = payment.clone();
        match order.status {
            ReturnOrderStatus::Requested | ReturnOrderStatus::AwaitingPayment | ReturnOrderStatus::Open => {}
            ReturnOrderStatus::Completed => payment.end(order.cost_breakdown.payable_now.minor),
            ReturnOrderStatus::Cancelled | ReturnOrderStatus::Expired | ReturnOrderStatus::Rejected => payment.end(0),
        }
        if payment.kind == PaymentKind::Simulated {
            payment.gave_back();
        }
        if *payment != before && !payment.todos().is_empty() {
            payment_tasks::wake(writing.db(), self.account.id, order.id, (self.now, self.now)).await?;
        }
        Ok(())
    }
}

impl Retour {
    /// Who takes an account's payments here.
    pub(crate) fn payment_kind(&self, account: &Account) -> PaymentKind {
        match account.payment.kind() {
            PaymentKind::Simulated if !self.config.simulates_payments => PaymentKind::None,
            kind => kind,
        }
    }

    /// Until when a payment that is due is waited for all the same: one that is on its way, and one that may have been made
    /// since its provider was asked last, who is asked again. `None`: it is waited for no more.
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
        payment_tasks::wake(writing.db(), account, order, (now, now)).await?;
        Ok(Some(now.plus_seconds(ASKED_WITHIN)))
    }

    /// A return order with its payment, as it is now.
    pub(crate) async fn payment_of(&self, account: AccountId, order: ReturnOrderId) -> Result<(ReturnOrder, Payment)> {
        let mut reading = self.store.read().await?;
        let order = return_orders::find(reading.db(), account, order).await?.ok_or(Error::NotFound)?;
        let payment = order.payment.clone().ok_or(Error::NotFound)?;
        Ok((order, payment))
    }

    /// Changes a payment under its return's lock; where that settles it, what waits for it goes on. The payment as it is
    /// then, and what `change` says.
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
        let parcel = Some(self.parcel_number(account).await?); // what is paid gets its label
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
                return Err(Error::broken()); // it is locked: nobody else can have changed it
            }
        }
        let payment = returned.order.payment.or_broken()?;
        if !payment.trouble.is_empty() && payment.trouble != before.trouble {
            for request in &returned.requests {
                writing.note(failed_attempt(account, request, now, &payment.trouble));
            }
        }
        if let Some(due_at) = payment.next_look(&[], now).filter(|_| wakes) {
            payment_tasks::wake(writing.db(), account, order, (due_at, now)).await?;
        }
        writing.commit().await?;
        Ok((payment, said))
    }
}

/// Which payment is changed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Which {
    pub(crate) account: AccountId,
    pub(crate) order: ReturnOrderId,
    /// Whether the worker is to see to what follows: not where it is the worker's own doing.
    pub(crate) wakes: bool,
}
