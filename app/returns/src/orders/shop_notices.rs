//! Notices of shops: Shopify's webhooks.
//!
//! A notice is only a hint that something has changed. A worker then reads the truth from the shop. So lost, late, repeated
//! and reordered notices are harmless. A notice writes at most one row, so that it is answered within milliseconds.

use crate::{
    base::{Error, OrBroken, Result, Retour, audit, hash},
    integrations::{health::CallResult, shops::ShopConnection},
};
use domain::{
    AccountId, Timestamp,
    account::Account,
    audit::AuditAction,
    integration::{BridgeConnection, IntegrationOperation, RemovedSecrets},
};
use outbound::shops::shopify::{NotJson, NoticedCustomer, ShopNotice, is_signed, notice_of};
use store::{
    accounts, order_refreshes,
    privacy_requests::{self, PrivacyRequest, PrivacyWork},
    shop_orders, shop_reconciliations, shop_returns,
};
use uuid::Uuid;

/// An order is read again this long after its first notice, seconds: one change leads to several notices.
const GATHERED_FOR: i64 = 5;
/// Retour calls the shop so soon after the notice that the app was uninstalled, seconds.
const PROBED_AFTER: i64 = 60;
/// What takes the place of a secret where there is none, so that the answer takes as long.
const NO_SECRET: &str = "no secret";
const UNINSTALLED: &str = "Shopify reports that the app was uninstalled from the shop. Install it again in the shop, or connect \
    the shop with another app.";

/// A notice as it arrived.
#[derive(Debug, Clone, Copy)]
pub struct ShopifyNotice<'a> {
    /// `X-Shopify-Hmac-Sha256`.
    pub signature: &'a str,
    /// `X-Shopify-Topic`.
    pub topic: &'a str,
    /// `X-Shopify-Shop-Domain`.
    pub shop_domain: &'a str,
    /// The raw body.
    pub body: &'a [u8],
}

/// Why a notice of a shop is refused.
#[derive(Debug, thiserror::Error)]
pub enum ShopNoticeRefused {
    /// The account does not exist or has no such shop, or the signature is missing or wrong.
    #[error("the signature does not match")]
    NotBelieved,
    /// The body is no JSON.
    #[error(transparent)]
    NotJson(#[from] NotJson),
    /// Retour failed. The shop sends the notice again.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl Retour {
    /// Receives a notice of an account's Shopify shop.
    pub async fn shopify_notice(&self, account: AccountId, notice: ShopifyNotice<'_>) -> Result<(), ShopNoticeRefused> {
        let mut reading = self.store.read().await.map_err(Error::from)?;
        let found = accounts::find(reading.db(), account).await.map_err(Error::from)?;
        drop(reading);
        let secrets = found.as_ref().map(|account| self.notice_secrets(account)).transpose()?.unwrap_or_default();
        let signed_by = signer(&secrets, &notice);
        let Some(account) = found.filter(|_| signed_by.is_some()) else { return Err(ShopNoticeRefused::NotBelieved) };
        if signed_by == Some(Signer::Current) {
            // Shopify signs with a new secret once all previous ones are revoked, so nobody can sign with those any more.
            self.remove_replaced_secrets(&account, RemovedSecrets::All).await?;
        }
        let says = notice_of(notice.topic, notice.body)?;
        let connection = account.bridge.connection().or_broken()?;
        // An app may be installed in several shops, and signs all of their notices with one secret.
        let is_ours = |domain: &str| domain.eq_ignore_ascii_case(domain_of(connection));
        let named = match &says {
            ShopNotice::EraseCustomer(customer) | ShopNotice::Export(customer) => customer.shop_domain.as_str(),
            ShopNotice::EraseShop { shop_domain } => shop_domain.as_str(),
            ShopNotice::Order(_) | ShopNotice::Return(_) | ShopNotice::Uninstalled | ShopNotice::Other => {
                notice.shop_domain
            }
        };
        if !is_ours(notice.shop_domain) || !is_ours(named) {
            tracing::info!(account = %account.id, ?says, "ignored a notice of another Shopify shop");
            return Ok(());
        }
        match says {
            ShopNotice::Order(id) => self.order_has_changed(&account, &id, false).await?,
            ShopNotice::Return(id) => self.order_has_changed(&account, &id, true).await?,
            ShopNotice::Uninstalled => self.app_was_uninstalled(&account, connection).await?,
            ShopNotice::EraseCustomer(customer) => {
                self.add_privacy_request(&account, PrivacyWork::EraseCustomer, Some(customer), &notice).await?;
            }
            ShopNotice::Export(customer) => {
                self.add_privacy_request(&account, PrivacyWork::Export, Some(customer), &notice).await?;
            }
            ShopNotice::EraseShop { .. } => {
                self.add_privacy_request(&account, PrivacyWork::EraseShop, None, &notice).await?;
            }
            ShopNotice::Other => {}
        }
        Ok(())
    }

    /// The secrets with which Shopify may sign, the current one first; none for an account without such a shop.
    fn notice_secrets(&self, account: &Account) -> Result<Vec<String>> {
        let Some(shopify) = account.bridge.shopify() else { return Ok(Vec::new()) };
        let current = self.open_bridge_secret(account.id, &shopify.connection.secret)?;
        // The key that encrypts a previous secret may be gone.
        let previous = shopify.previous_secrets(self.now());
        let previous = previous.filter_map(|previous| self.open_bridge_secret(account.id, &previous.secret).ok());
        Ok(std::iter::once(current).chain(previous).collect())
    }

    /// Requests that an order is read again, if it is stored, and with a notice of a return that its returns are compared.
    async fn order_has_changed(&self, account: &Account, external_id: &str, is_of_return: bool) -> Result<()> {
        let mut reading = self.store.read().await?;
        let known =
            shop_orders::list_known(reading.db(), account.id, &account.bridge.shop_key(), &[external_id]).await?;
        drop(reading);
        let Some(order) = known.first() else { return Ok(()) };
        let now = self.now();
        let mut writing = self.store.write().await?;
        let due_at = now.plus_seconds(GATHERED_FOR);
        order_refreshes::insert(writing.db(), account.id, order.id, due_at, now).await?;
        if is_of_return {
            shop_returns::wake_of_order(writing.db(), account.id, order.id, due_at).await?;
        }
        Ok(writing.commit().await?)
    }

    /// Shows staff that the app was uninstalled. A call to the shop soon shows whether that is still so: the notice may be old.
    async fn app_was_uninstalled(&self, account: &Account, connection: &BridgeConnection) -> Result<()> {
        tracing::warn!(account = %account.id, "Shopify reports that the app was uninstalled");
        if self.config.http.is_some()
            && let ShopConnection::Shopify(shopify) = self.shop(account, connection)?
        {
            shopify.forget_token();
        }
        let probe_at = self.now().plus_seconds(PROBED_AFTER);
        let result = CallResult::Failed(UNINSTALLED.to_owned());
        self.record_health((account.id, IntegrationOperation::LookUp), result, Some(probe_at)).await;
        let mut writing = self.store.write().await?;
        shop_reconciliations::wake(writing.db(), account.id, probe_at).await?;
        Ok(writing.commit().await?)
    }

    /// Queues a request about people. A repeated one changes nothing while the first one waits.
    async fn add_privacy_request(
        &self,
        account: &Account,
        work: PrivacyWork,
        customer: Option<NoticedCustomer>,
        notice: &ShopifyNotice<'_>,
    ) -> Result<()> {
        let now = self.now();
        let (email, orders, reference) = match customer {
            Some(NoticedCustomer { email, orders, reference, shop_domain: _ }) => (email, orders, reference),
            None => (String::new(), Vec::new(), String::new()),
        };
        let request = PrivacyRequest {
            account_id: account.id,
            id: id_of(work, notice.body)?,
            shop: account.bridge.shop_key(),
            work,
            email,
            orders,
            reference,
            last_order: None,
            tries: 0,
            created_at: now,
            held_until: Timestamp::from_micros(0),
        };
        let mut writing = self.store.write().await?;
        if privacy_requests::insert(writing.db(), &request).await? && work == PrivacyWork::EraseCustomer {
            // Without the customer: the log must not tell who was erased.
            audit::record_by_shop(&mut writing, account.id, now, AuditAction::PersonalDataErased, None);
        }
        Ok(writing.commit().await?)
    }
}

/// Which secret has signed a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signer {
    Current,
    Previous,
}

/// Tries all secrets, so that the time does not tell which one has signed.
fn signer(secrets: &[String], notice: &ShopifyNotice<'_>) -> Option<Signer> {
    let none = [NO_SECRET.to_owned()];
    let tried = if secrets.is_empty() { none.as_slice() } else { secrets };
    let fits: Vec<bool> = tried.iter().map(|secret| is_signed(secret, notice.signature, notice.body)).collect();
    match fits.iter().position(|fits| *fits) {
        Some(_) if secrets.is_empty() => None,
        Some(0) => Some(Signer::Current),
        Some(_) => Some(Signer::Previous),
        None => None,
    }
}

/// The shop's domain at Shopify; for a stand-in, its address and port.
fn domain_of(connection: &BridgeConnection) -> &str {
    let (_, rest) = connection.url.split_once("://").unwrap_or(("", &connection.url));
    rest.trim_end_matches('/')
}

/// An id that is the same for the same request.
fn id_of(work: PrivacyWork, body: &[u8]) -> Result<Uuid> {
    let hashed = hash::hash(&format!("{}\n{}", work.name(), String::from_utf8_lossy(body)));
    Ok(Uuid::from_bytes(*hashed.first_chunk().or_broken()?))
}
