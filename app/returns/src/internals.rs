//! What background jobs need of the other folders. **For the crate `workers` alone**: handlers, pages and commands call the
//! three handles, which check what their party may do. Nothing here does.
//!
//! [`Internals`] is an application with its database, its clock and its connections to other systems. The names beside it are
//! the steps of a return and the calls to other systems that use cases and jobs share.

use crate::{
    base::{Result, Retour, circuit_breakers::CircuitBreakers, clock::Source, parcel_numbers::ParcelNumber},
    returning::printing::PrintedLabel,
};
use domain::{
    AccountId, ReturnOrderId, Timestamp, UserId,
    account::Account,
    integration::{BridgeConnection, IntegrationOperation, RemovedSecrets},
    mail::StaffNotice,
    payment::{Payment, PaymentKind},
    returning::{ReturnOrder, Shipment},
    shipping::LabelFormat,
    webhook::DisabledReason,
};
use outbound::{
    carriers::karrio::Karrio,
    http::Http,
    mail::Mailer,
    payments::Processor,
    shops::shopify::{ChangedOrder, NOTICES_PATH, OrderNow},
};
use std::ops::Deref;
use store::{
    Store, Writing, events::Event, orders::PlacedOrder, privacy_requests::PrivacyRequest,
    webhook_subscriptions::Subscription,
};
use uuid::Uuid;

pub use crate::{
    base::{
        error::OrBroken,
        hash::hash,
        heartbeat::LOST_AFTER,
        transaction::{again_on_deadlock, detached},
    },
    drafting::settings::Settings,
    integrations::{
        health::{CallResult, message_of, problems},
        payments::{OTHER_PROVIDER, asked_about, result_of},
        shops::ShopConnection,
        webhook_exchange::{Exchanged, Receiver},
    },
    privacy::hashes::email_hash,
    returning::{
        change::{Change, Returned},
        events::failed_attempt,
        label_outcome::{LabelAttempts, LabelProblem},
        labels::CARRIER_CHANGED,
        parcels::{LABEL_NOT_VOIDED, return_address},
        payment::Which,
        printing::sender_shown,
        queue::SIMULATED_STEP,
    },
    view::expand::return_order,
};

/// An application as its jobs see it. Clones share it.
#[derive(Debug, Clone)]
pub struct Internals(Retour);

/// What everybody may ask an application, jobs ask as well.
impl Deref for Internals {
    type Target = Retour;

    fn deref(&self) -> &Retour {
        &self.0
    }
}

impl Internals {
    /// The internals of an application.
    pub fn of(retour: &Retour) -> Self {
        Self(retour.clone())
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The source of time, ids and randomness.
    pub fn source(&self) -> &Source {
        &self.0.source
    }

    /// The client for other systems, if there is one.
    pub fn http(&self) -> Option<&Http> {
        self.0.config.http.as_ref()
    }

    /// The mail server, if there is one.
    pub fn mailer(&self) -> Option<&Mailer> {
        self.0.config.mailer.as_ref()
    }

    /// The address of the installation.
    pub fn public_url(&self) -> &str {
        &self.0.config.public_url
    }

    /// The circuit breakers of the systems that accounts connect.
    pub fn breakers(&self) -> &CircuitBreakers {
        &self.0.shops
    }
}

/// Connected systems.
impl Internals {
    /// The connection to an account's shop.
    pub fn shop(&self, account: &Account, connection: &BridgeConnection) -> Result<ShopConnection> {
        self.0.shop(account, connection)
    }

    /// The connection to an account's karrio server, if karrio is its carrier.
    pub fn karrio(&self, account: &Account) -> Result<Option<Karrio>> {
        self.0.karrio(account)
    }

    /// The connection to an account's payment provider, if it is still one of that kind.
    pub fn processor(&self, account: &Account, kind: PaymentKind) -> Result<Option<Processor>> {
        self.0.processor(account, kind)
    }

    /// Writes the result of a call as the last statement of a transaction, and commits.
    pub async fn commit_with_health(
        &self,
        writing: Writing,
        of: (AccountId, IntegrationOperation),
        result: &CallResult,
        next_attempt_at: Option<Timestamp>,
    ) -> Result<()> {
        self.0.commit_with_health(writing, of, result, next_attempt_at).await
    }

    /// Writes the result of a call in a transaction of its own.
    pub async fn record_health(
        &self,
        of: (AccountId, IntegrationOperation),
        result: CallResult,
        next_attempt_at: Option<Timestamp>,
    ) {
        self.0.record_health(of, result, next_attempt_at).await;
    }
}

/// Changes in shops.
impl Internals {
    /// Stores an order as its shop has it now; see [`Retour`]'s look-ups.
    pub async fn keep_refreshed(
        &self,
        writing: &mut Writing,
        account: &Account,
        order: &PlacedOrder,
        now: &OrderNow,
        asked_at: Timestamp,
    ) -> Result<()> {
        self.0.keep_refreshed(writing, account, order, now, asked_at).await
    }

    /// Requests that those of these orders are read again that are stored as they were before their change.
    pub async fn refresh_changed(
        &self,
        writing: &mut Writing,
        account: &Account,
        changed: &[ChangedOrder],
    ) -> Result<()> {
        self.0.refresh_changed(writing, account, changed).await
    }

    /// Carries out a step of an erasure that a shop asks for. Returns what remains; `None` if all of it is done.
    pub async fn erase_for_shop(&self, request: PrivacyRequest) -> Result<Option<PrivacyRequest>> {
        self.0.erase_for_shop(request).await
    }

    /// Tells staff that a customer has asked for their data, and deletes the request.
    pub async fn report_data_request(&self, request: &PrivacyRequest) -> Result<()> {
        self.0.report_data_request(request).await
    }

    /// Records in the audit log that a shop asked to erase all of its customers.
    pub async fn record_erasure_of_shop(&self, account: AccountId) -> Result<()> {
        self.0.record_erasure_of_shop(account).await
    }

    /// Removes the replaced secrets of an account's Shopify app that are no longer valid.
    pub async fn remove_ended_secrets(&self, account: &Account) -> Result<()> {
        self.0.remove_replaced_secrets(account, RemovedSecrets::Ended(self.0.now())).await
    }

    /// The address for the notices of an account's Shopify shop.
    pub fn notices_url(&self, account: AccountId) -> String {
        format!("{}{NOTICES_PATH}{account}", self.public_url())
    }
}

/// Parcels, labels and files.
impl Internals {
    /// A number for a parcel. Call it before the transaction that needs it.
    pub async fn parcel_number(&self, account: AccountId) -> Result<ParcelNumber> {
        self.0.parcel_number(account).await
    }

    /// Moves a parcel of the simulated carrier one step on. Returns whether another step follows.
    pub async fn advance_simulated_parcel(&self, account: &Account, parcel: &Shipment) -> Result<bool> {
        self.0.advance_simulated_parcel(account, parcel).await
    }

    /// Returns the label of a shipment in the first of these formats that is available.
    pub async fn print(
        &self,
        account: Account,
        order: ReturnOrder,
        parcel: Shipment,
        wanted: &[LabelFormat],
    ) -> Result<PrintedLabel> {
        self.0.print(account, order, parcel, wanted).await
    }

    /// Stores a file.
    pub async fn put_file(&self, account: AccountId, id: Uuid, bytes: Vec<u8>) -> Result<()> {
        self.0.with_file(self.0.files.put(account, id, bytes)).await
    }
}

/// Payments.
impl Internals {
    /// Returns a return order and its payment as they are now.
    pub async fn payment_of(&self, account: AccountId, order: ReturnOrderId) -> Result<(ReturnOrder, Payment)> {
        self.0.payment_of(account, order).await
    }

    /// Changes a payment under its return's lock. Returns the payment after the change, and the result of `change`.
    pub async fn change_payment<T: Send + 'static>(
        &self,
        which: Which,
        change: impl Fn(&mut Payment, Timestamp) -> T + Send + Sync + 'static,
    ) -> Result<(Payment, T)> {
        self.0.change_payment(which, change).await
    }

    /// How long an overdue payment is kept open; `None`: it has expired.
    pub async fn may_be_paid_until(
        &self,
        writing: &mut Writing,
        account: AccountId,
        order: ReturnOrderId,
        payment: &Payment,
    ) -> Result<Option<Timestamp>> {
        self.0.may_be_paid_until(writing, account, order, payment).await
    }
}

/// Webhooks, mail and erasure.
impl Internals {
    /// The receiver of a subscription's deliveries, with the secrets that are valid now.
    pub fn receiver(&self, account: AccountId, subscription: &Subscription) -> Result<Receiver> {
        self.0.receiver(account, subscription)
    }

    /// Sends an event to a receiver: one signed POST and its result.
    pub async fn exchange(&self, receiver: &Receiver, event: Event) -> Exchanged {
        self.0.exchange(receiver, event).await
    }

    /// Disables a subscription, and writes the event for the other ones.
    pub async fn disable_subscription(
        &self,
        writing: &mut Writing,
        account: AccountId,
        subscription: Subscription,
        because: DisabledReason,
        since: Timestamp,
    ) -> Result<()> {
        self.0.disable_subscription(writing, account, subscription, because, since).await
    }

    /// Creates the token of a link in a mail. Only its hash is stored.
    pub fn new_link(&self, account: AccountId) -> String {
        self.0.new_link(account)
    }

    /// The link in a mail to a user. A link that sets a password is stored first; `None` if the user was deleted.
    pub async fn link_for_user(
        &self,
        account: AccountId,
        user: UserId,
        notice: &StaffNotice,
    ) -> Result<Option<String>> {
        self.0.link_for_user(account, user, notice).await
    }

    /// Finishes in the background the erasures that waited for a return to end.
    pub fn finish_erasures_soon(&self) {
        self.0.finish_erasures_soon();
    }
}
