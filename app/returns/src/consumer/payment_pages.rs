//! Redirects shoppers to the page where they pay, and checks the payment afterwards.

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

/// How often, and at which interval, to retry while another tab is creating the same page.
const TRIES: u32 = 4;
const BETWEEN: Duration = Duration::from_millis(500);

/// Where to redirect a shopper who wants to pay for a return.
#[derive(Debug, Clone)]
pub enum Pays {
    /// To Retour's own page, which moves no money.
    Here {
        /// The return's number.
        number: String,
        /// The amount to pay.
        amount: Money,
        /// The shipping method of the return.
        method: Option<ShippingMethod>,
    },
    /// To the provider's page, at this URL.
    There(String),
    /// To the return: no payment is due.
    Nothing,
}

impl Retour {
    /// Where to redirect a shopper who wants to pay. Fails with [`Error::PaymentUnavailable`] if the provider cannot be
    /// reached. `at_home`: the shopper is on the shop's own host, and the provider redirects back there.
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
            // Only the first visit to the page counts as a failure.
            let note = |payment: &mut Payment, _| {
                if payment.last_error != OTHER_PROVIDER {
                    payment.fail(OTHER_PROVIDER, None);
                }
            };
            self.change_payment(which, note).await?;
            return Err(Error::PaymentUnavailable);
        };
        // A shopper who returns may have paid already.
        let unknown = self.look_at_pages(&processor, account.id, id, &payment).await?;
        self.lead(&processor, &account, at_home, &order, unknown).await
    }

    /// Checks the payment at once when a shopper returns from the provider's page.
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

    /// Asks the provider about each page that may still be paid. The worker repeats calls that fail. Returns the
    /// numbers of the checkouts that the provider does not know.
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
                    tracing::warn!(%account, %order, %error, "the status of a payment could not be read");
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
                tracing::warn!(account = %account.id, order = %order.id, %error, "no payment page could be created");
                // After a server error, Stripe repeats the same response for the same key. No shopper was redirected to
                // a page that it may have created, so a new checkout is safe.
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
            // The provider can reach only public HTTPS URLs.
            notice_url: url.starts_with("https://").then_some(notice),
        }
    }
}

impl Retour {
    /// Pays on Retour's simulated page. A second payment has no effect.
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
