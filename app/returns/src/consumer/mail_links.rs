//! Links in mails. One kind opens a return for half a year; the other opens the orders of the person who requested it,
//! once.

use super::held::prove_held;
use crate::{
    base::{
        Error, Result, Retour, Shopper, again_on_deadlock, client_address::ClientAddress, detached, guessing::of_today,
        hash::hash, tokens::account_of_link,
    },
    privacy::hashes::email_hash,
    returning::withdrawals,
};
use domain::{
    AccountId, ConsumerId, DraftReturnOrderId, ReturnOrderId, Timestamp,
    account::Account,
    is_email,
    mail::MailStatus,
    policy::LookUpBy,
    proof::{ClaimedProof, EmailKey, OrderClaim, TypedOrderNumber},
};
use store::{
    consumers::{self, Consumer, ProvedOrder},
    mail_links::{self, LinkTarget},
    mail_tasks, mails, orders, person_locks,
};

/// Links a day to one e-mail address that one network may request.
const TO_EMAIL_OF_CLIENT: i64 = 5;
/// Links a day to one e-mail address from all networks. It is higher, so that strangers do not use up the addressee's
/// links.
const TO_EMAIL: i64 = 20;
/// Links a day that one network may request. Beyond this number, each e-mail address still gets its first link of the
/// day, because one network may be many people.
const OF_CLIENT: i64 = 30;
/// The maximum number of orders that a link opens: the newest.
const MAX_ORDERS: usize = 50;

/// What a link opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// A return of the consumer.
    Return(Shopper, ReturnOrderId),
    /// A draft that staff prepared for the consumer.
    Draft(Shopper, DraftReturnOrderId),
    /// The person's orders, newest first, to choose from.
    Orders(Vec<OrderToOpen>),
}

/// An order of the person who requested a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderToOpen {
    /// The order's number.
    pub number: String,
    /// When the order was placed.
    pub ordered_at: Timestamp,
}

impl Retour {
    /// Whether an account's shoppers can request a link: only if an e-mail address proves orders there.
    pub fn sends_links(&self, account: &Account) -> bool {
        self.mails(account) && account.policy.look_up_by.contains(&LookUpBy::Email)
    }

    /// Mails a link to the orders of an e-mail address. Only the mail shows whether there are any: the response and its
    /// duration are the same in all cases, also if the address had enough mails today. So no network is refused.
    pub async fn ask_for_link(
        &self,
        account: &Account,
        email: &str,
        language: &str,
        from: ClientAddress,
    ) -> Result<()> {
        let key = EmailKey::new(email).filter(|key| is_email(key.as_str())).ok_or(Error::InvalidOrderCredentials)?;
        if !self.sends_links(account) {
            return Err(Error::NotFound);
        }
        let (retour, account, language) = (self.clone(), account.id, language.to_owned());
        detached(async move { again_on_deadlock(|| retour.ask_for_link_once(account, &key, &language, from)).await })
            .await
    }

    async fn ask_for_link_once(
        &self,
        account: AccountId,
        email: &EmailKey,
        language: &str,
        from: ClientAddress,
    ) -> Result<()> {
        let now = self.now();
        let (client, account_id) = (from.network().to_string(), account.to_string());
        let mut writing = self.store.write().await?;
        // Only requests from before an erasure are erased, so the two must not overlap.
        person_locks::share(writing.db(), &[email_hash(account, email)]).await?;
        let is_over = of_today(&mut writing, &["links from", &client], OF_CLIENT, now).await?.is_some();
        let to_email = if is_over { 1 } else { TO_EMAIL };
        let of_client = ["links from to", &account_id, &client, email.as_str()];
        if of_today(&mut writing, &of_client, TO_EMAIL_OF_CLIENT, now).await?.is_none()
            && of_today(&mut writing, &["links to", &account_id, email.as_str()], to_email, now).await?.is_none()
        {
            mail_tasks::ask(writing.db(), account, self.source.id(), email.as_str(), language, now).await?;
        }
        Ok(writing.commit().await?)
    }

    /// Returns what a link opens, without using it up.
    pub async fn open_link(&self, account: &Account, token: &str) -> Result<Opened> {
        let mut reading = self.store.read().await?;
        let opens = mail_links::find(reading.db(), account.id, &token_hash(account.id, token)?, self.now()).await?;
        match opens.ok_or(Error::NotFound)? {
            LinkTarget::Return(consumer, order) => Ok(Opened::Return(Shopper { account: account.id, consumer }, order)),
            LinkTarget::Draft(consumer, draft) => Ok(Opened::Draft(Shopper { account: account.id, consumer }, draft)),
            LinkTarget::Orders(email) => {
                let email = EmailKey::new(&email).ok_or(Error::NotFound)?;
                let placed = orders::list_of_email(reading.db(), account.id, &email).await?;
                let newest = placed.into_iter().rev().take(MAX_ORDERS);
                let order =
                    |placed: orders::PlacedOrder| OrderToOpen { number: placed.number, ordered_at: placed.ordered_at };
                Ok(Opened::Orders(newest.map(order).collect()))
            }
        }
    }

    /// Uses up a link, and returns the shopper who has proved the chosen order.
    pub async fn open_order(&self, account: &Account, token: &str, number: &str) -> Result<Shopper> {
        let (retour, account, token, number) = (self.clone(), account.clone(), token.to_owned(), number.to_owned());
        detached(async move { again_on_deadlock(|| retour.open_order_once(&account, &token, &number)).await }).await
    }

    async fn open_order_once(&self, account: &Account, token: &str, number: &str) -> Result<Shopper> {
        let (now, token_hash) = (self.now(), token_hash(account.id, token)?);
        let mut writing = self.store.write().await?;
        let opens = mail_links::find(writing.db(), account.id, &token_hash, now).await?;
        let Some(LinkTarget::Orders(email)) = opens else { return Err(Error::NotFound) };
        let (Some(number), Some(email)) = (TypedOrderNumber::new(number), EmailKey::new(&email)) else {
            return Err(Error::NotFound);
        };
        let claim = OrderClaim { number, proof: ClaimedProof::Email(email) };
        let shop = account.bridge.shop_key();
        let proved = prove_held(&mut writing, account.id, &claim, &shop).await?;
        let ProvedOrder { credentials, email, address } = proved.ok_or(Error::NotFound)?;
        if !mail_links::delete(writing.db(), account.id, &token_hash, now).await? {
            return Err(Error::NotFound); // another request has used it just now
        }
        let new = Consumer { id: ConsumerId(self.source.id()), credentials, email, address, created_at: now };
        let (consumer, _) = consumers::insert_or_find(writing.db(), account.id, &new).await?;
        withdrawals::recognise(&mut writing, account.id, &consumer, now).await?;
        writing.commit().await?;
        Ok(Shopper { account: account.id, consumer: consumer.id })
    }

    /// Stops, or resumes, optional mails to the recipient of a mail.
    pub async fn decline_mail(&self, account: &Account, token: &str, declines: bool) -> Result<()> {
        let (store, account, now) = (self.store.clone(), account.id, self.now());
        let token_hash = token_hash(account, token)?;
        detached(async move {
            let mut writing = store.write().await?;
            let opens = mail_links::find(writing.db(), account, &token_hash, now).await?;
            let Some(LinkTarget::Return(consumer, _)) = opens else { return Err(Error::NotFound) };
            if !consumers::hold(writing.db(), account, consumer).await? {
                return Err(Error::NotFound);
            }
            let consumer = consumers::find(writing.db(), account, consumer).await?.ok_or(Error::NotFound)?;
            let hash = email_hash(account, &EmailKey::new(&consumer.email).ok_or(Error::NotFound)?);
            if declines {
                mail_links::decline(writing.db(), account, &hash, now).await?;
            } else {
                mail_links::accept(writing.db(), account, &hash).await?;
            }
            Ok(writing.commit().await?)
        })
        .await
    }
}

/// The stored hash of a link's token, if the link belongs to this account.
fn token_hash(account: AccountId, token: &str) -> Result<Vec<u8>> {
    if account_of_link(token) == Some(account) { Ok(hash(token)) } else { Err(Error::NotFound) }
}

impl Retour {
    /// Whether Retour mails about a return, and did not give up the last mail. The caller knows that the consumer has
    /// an e-mail address.
    pub async fn mails_about(&self, account: &Account, order: ReturnOrderId) -> Result<bool> {
        if !self.mails(account) {
            return Ok(false);
        }
        let mut reading = self.store.read().await?;
        Ok(mails::last_status(reading.db(), account.id, order).await? != Some(MailStatus::Failed))
    }
}

impl Retour {
    /// Whether Retour acknowledges withdrawals by mail.
    pub fn acknowledges_withdrawals(&self) -> bool {
        self.config.mailer.is_some()
    }
}
