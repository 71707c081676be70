//! Leading shoppers to where they pay, and what they have done there.

use crate::{
    base::{Error, Result, Retour},
    integrations::payments::{OTHER_PROVIDER, asked_about, result_of},
    returning::payment::Which,
};
use domain::{
    AccountId, Money, ReturnOrderId,
    account::Account,
    integration::IntegrationOperation,
    payment::{Checkout, Payment, PaymentKind, PaymentRedirect, PaymentState, ProviderTask},
    returning::ReturnOrder,
    shipping::ShippingMethod,
};
use outbound::payments::{NewPaymentPage, PaymentError, Processor};
use std::time::Duration;
use store::accounts;
use tokio::time::sleep;

/// Where the same page is being made for another tab at this moment: how often it is asked for again, and after how long.
const TRIES: u32 = 4;
const BETWEEN: Duration = Duration::from_millis(500);

/// Where somebody is led who wants to pay for a return.
#[derive(Debug, Clone)]
pub enum Pays {
    /// A page of ours, which moves no money.
    Here {
        /// The return's number.
        number: String,
        /// How much.
        amount: Money,
        /// How the return is sent.
        method: Option<ShippingMethod>,
    },
    /// A page of the provider's.
    There(String),
    /// To the return: nothing is waited for there.
    Nothing,
}

impl Retour {
    /// Where somebody is led who wants to pay. Errors: [`Error::PaymentUnavailable`] where the provider cannot be asked.
    /// `at_home`: they are at the shop's own host, and are led back there.
    pub async fn pay(&self, account: AccountId, id: ReturnOrderId, at_home: bool) -> Result<Pays> {
        let (order, payment) = self.payment_of(account, id).await?;
        if self.is_simulated(&payment) {
            let is_due = payment.state == PaymentState::Pending;
            let (number, amount, method) =
                (order.number, payment.amount, order.shipping_option.map(|option| option.method));
            return Ok(if is_due { Pays::Here { number, amount, method } } else { Pays::Nothing });
        }
        let mut reading = self.store.read().await?;
        let account = accounts::find(reading.db(), account).await?.ok_or(Error::NotFound)?;
        drop(reading);
        let Some(processor) = self.processor(&account, payment.kind)? else {
            let which = Which { account: account.id, order: id, wakes: true };
            // Further visits to the page do not count as further failures.
            let note = |payment: &mut Payment, _| {
                if payment.last_error != OTHER_PROVIDER {
                    payment.fail(OTHER_PROVIDER, None);
                }
            };
            self.change_payment(which, note).await?;
            return Err(Error::PaymentUnavailable);
        };
        // Whoever comes again may have paid already.
        let unknown = self.look_at_pages(&processor, account.id, id, &payment).await?;
        self.lead(&processor, &account, at_home, &order, unknown).await
    }

    /// A shopper comes back from the provider's page: what became of it is asked at once.
    pub async fn came_back(&self, account: AccountId, id: ReturnOrderId) -> Result<()> {
        let (_, payment) = self.payment_of(account, id).await?;
        let mut reading = self.store.read().await?;
        let found = accounts::find(reading.db(), account).await?.ok_or(Error::NotFound)?;
        drop(reading);
        match self.processor(&found, payment.kind)? {
            Some(processor) => self.look_at_pages(&processor, account, id, &payment).await.map(drop),
            None => Ok(()),
        }
    }

    /// Asks about every page that may still be paid; what cannot be asked now, the worker asks later. The tries that the
    /// provider does not know.
    async fn look_at_pages(
        &self,
        processor: &Processor,
        account: AccountId,
        order: ReturnOrderId,
        payment: &Payment,
    ) -> Result<Vec<u32>> {
        let mut unknown = Vec::new();
        for todo in payment.provider_tasks() {
            let ProviderTask::Check(number, id) = todo else { continue };
            let asked = asked_about(&self.figures, "look", processor.look(&id, payment.amount, self.now())).await;
            self.record_health((account, IntegrationOperation::PaymentStatus), result_of(&asked), None).await;
            match asked {
                Ok(heard) => {
                    let which = Which { account, order, wakes: true };
                    self.change_payment(which, move |payment, _| payment.apply_report(number, heard.clone())).await?;
                }
                Err(error) => {
                    tracing::warn!(%account, %order, %error, "a payment could not be looked at");
                    unknown.extend((error == PaymentError::Unknown).then_some(number));
                }
            }
        }
        Ok(unknown)
    }

    async fn lead(
        &self,
        processor: &Processor,
        account: &Account,
        at_home: bool,
        order: &ReturnOrder,
        unknown: Vec<u32>,
    ) -> Result<Pays> {
        let which = Which { account: account.id, order: order.id, wakes: true };
        let (payment, leads) = self.change_payment(which, move |payment, now| payment.redirect(&unknown, now)).await?;
        let asked = match leads {
            PaymentRedirect::To(url) => return Ok(Pays::There(url)),
            PaymentRedirect::Unavailable => return Ok(Pays::Nothing),
            PaymentRedirect::NeedsPage(checkout) => checkout,
        };
        let new = self.new_page(account, at_home, order, &payment, &asked);
        let opened = self.ask_for_page(processor, &new).await;
        self.record_health((account.id, IntegrationOperation::Checkout), result_of(&opened), None).await;
        match opened {
            Ok(page) => {
                let url = page.url.clone();
                let opened = move |payment: &mut Payment, _| {
                    payment.page_created(&asked, page.id.clone(), page.url.clone());
                    payment.recover();
                };
                let (payment, ()) = self.change_payment(which, opened).await?;
                Ok(if payment.state == PaymentState::Pending { Pays::There(url) } else { Pays::Nothing })
            }
            Err(error) => {
                tracing::warn!(account = %account.id, order = %order.id, %error, "no page to pay on was made");
                // Stripe answers the same to the same key where it broke: nobody was led to what it may have made.
                let is_over = error.is_refusal() || matches!(error, PaymentError::Unavailable { status: 500.., .. });
                let sentence = error.to_string();
                let not_opened = move |payment: &mut Payment, _| {
                    if is_over {
                        payment.page_refused(&asked);
                    }
                    payment.fail(&sentence, None);
                };
                self.change_payment(which, not_opened).await?;
                Err(Error::PaymentUnavailable)
            }
        }
    }

    async fn ask_for_page(
        &self,
        processor: &Processor,
        new: &NewPaymentPage,
    ) -> Result<outbound::payments::PaymentPage, PaymentError> {
        let mut tries = 1;
        loop {
            let opened = asked_about(&self.figures, "open", processor.open(new, self.now())).await;
            match opened {
                Err(PaymentError::Unavailable { status: 409, .. }) if tries < TRIES => {
                    tries += 1;
                    sleep(BETWEEN).await;
                }
                opened => return opened,
            }
        }
    }

    fn new_page(
        &self,
        account: &Account,
        at_home: bool,
        order: &ReturnOrder,
        payment: &Payment,
        asked: &Checkout,
    ) -> NewPaymentPage {
        let (url, portal) = (&self.config.public_url, self.portal_url(account, at_home));
        let notice = format!("{url}/api/v0/payment-notices/mollie/{}/{}", account.id, order.id);
        NewPaymentPage {
            key: format!("{}-{}-{}", payment.id, asked.number, asked.begun_at.micros()),
            amount: payment.amount,
            description: format!("{} {}", account.name, order.number),
            return_order: order.id.to_string(),
            ends_at: asked.ends_at,
            done_url: format!("{portal}/pay/{}/done", order.id),
            back_url: format!("{portal}/returns/{}", order.id),
            // Nobody outside reaches anything else.
            notice_url: url.starts_with("https://").then_some(notice),
        }
    }
}

impl Retour {
    /// Pays on that page. Paid again, nothing happens.
    pub async fn pay_simulated(&self, account: AccountId, order: ReturnOrderId) -> Result<()> {
        let (_, payment) = self.payment_of(account, order).await?;
        if !self.is_simulated(&payment) {
            return Err(Error::NotFound);
        }
        let which = Which { account, order, wakes: false };
        self.change_payment(which, |payment, _| payment.settle()).await.map(drop)
    }

    pub(crate) fn is_simulated(&self, payment: &Payment) -> bool {
        payment.kind == PaymentKind::Simulated && self.config.simulates_payments
    }
}
