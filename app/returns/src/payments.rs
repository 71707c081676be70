//! Payments of returns: asked for when a return owes something, settled once, given back when it comes to nothing.

use crate::{
    Error, Result, Retour, again_on_deadlock,
    change::{Change, Returned},
    detached,
};
use domain::{
    AccountId, Money, PaymentId, ReturnOrderId,
    order::Account,
    payment::{Payment, PaymentKind, PaymentState},
    returning::{Actor, ReturnOrder},
    stage::{Move, Stage},
    status::ReturnOrderStatus,
};
use store::{accounts, return_orders};

/// A payment, as whoever is to pay it sees it.
#[derive(Debug, Clone)]
pub struct Checkout {
    /// The return that it is for.
    pub number: String,
    /// How much.
    pub amount: Money,
    /// Where it stands.
    pub state: PaymentState,
}

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
        });
    }

    /// The money is here: what waits for it goes on. What comes when nothing waits any more goes back.
    async fn settle_payment(&self, writing: &mut store::Writing, returned: &mut Returned) -> Result<()> {
        let Some(payment) = &mut returned.order.payment else { return Err(Error::Broken) };
        if payment.state == PaymentState::Paid {
            return Ok(());
        }
        payment.settle();
        let (mut sends, mut label_needed) = (false, false);
        for index in 0..returned.requests.len() {
            let state = &returned.request(index)?.state;
            let Stage::SubmittedPaymentPending { label_needed: needed, .. } = state.stage else { continue };
            sends |= !state.kept;
            label_needed |= needed;
            self.go(writing, returned, (index, &Move::PaymentSettled)).await?;
        }
        let made = if sends && label_needed { self.send_off(writing, returned).await? } else { Vec::new() };
        self.follow_up_with(writing, returned, made).await
    }
}

/// Where a return is over, its payment is too: what was not earned goes back. A page of ours gives it back at once.
pub(crate) fn end_payment(order: &mut ReturnOrder) {
    let Some(payment) = &mut order.payment else { return };
    match order.status {
        ReturnOrderStatus::Requested | ReturnOrderStatus::AwaitingPayment | ReturnOrderStatus::Open => {}
        ReturnOrderStatus::Completed => payment.end(order.cost_breakdown.payable_now.minor),
        ReturnOrderStatus::Cancelled | ReturnOrderStatus::Expired | ReturnOrderStatus::Rejected => payment.end(0),
    }
    if payment.kind == PaymentKind::Simulated {
        payment.gave_back();
    }
}

impl Retour {
    /// Who takes an account's payments here.
    pub(crate) fn payment_kind(&self, account: &Account) -> PaymentKind {
        match account.payment.kind {
            PaymentKind::Simulated if !self.simulates_payments => PaymentKind::None,
            kind => kind,
        }
    }

    /// The slugs of accounts whose payments move no money.
    pub async fn accounts_that_simulate_payments(&self) -> Result<Vec<String>> {
        let mut reading = self.store.read().await?;
        Ok(accounts::list_simulating(reading.db()).await?)
    }

    /// A payment on the page of ours that moves no money.
    pub async fn simulated_checkout(&self, account: AccountId, order: ReturnOrderId) -> Result<Checkout> {
        let mut reading = self.store.read().await?;
        let order = return_orders::find(reading.db(), account, order).await?.ok_or(Error::NotFound)?;
        let payment = self.simulated(&order)?;
        Ok(Checkout { number: order.number.clone(), amount: payment.amount, state: payment.state })
    }

    /// Pays on that page. Paid again, nothing happens.
    pub async fn pay_simulated(&self, account: AccountId, order: ReturnOrderId) -> Result<()> {
        let retour = self.clone();
        detached(async move { again_on_deadlock(|| retour.pay_simulated_once(account, order)).await }).await
    }

    async fn pay_simulated_once(&self, account: AccountId, order: ReturnOrderId) -> Result<()> {
        let parcel = Some(self.parcel_number(account).await?);
        let mut writing = self.store.write().await?;
        let mut returned = Returned::lock(&mut writing, account, order).await?.ok_or(Error::NotFound)?;
        self.simulated(&returned.order)?;
        let account = accounts::find(writing.db(), account).await?.ok_or(Error::NotFound)?;
        let (now, actor, comment) = (self.now(), Actor::System, String::new());
        let change = Change { retour: self, account: &account, now, actor, staff: None, comment, parcel };
        change.settle_payment(&mut writing, &mut returned).await?;
        writing.commit().await?;
        Ok(())
    }

    fn simulated<'a>(&self, order: &'a ReturnOrder) -> Result<&'a Payment> {
        let payment = order.payment.as_ref().filter(|payment| payment.kind == PaymentKind::Simulated);
        payment.filter(|_| self.simulates_payments).ok_or(Error::NotFound)
    }
}
