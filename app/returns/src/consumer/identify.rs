//! Proving an order (`POST /auth/consumer`).

use crate::{Error, Result, Retour, Shopper, credentials::hash, detached, view};
use domain::{
    ConsumerId, RefusalCode, Timestamp,
    order::{Account, OrderNumberKey, ProofKey},
    policy::LookUpBy,
};
use std::time::Duration;
use store::consumers::{self, Consumer, Credentials};

/// Every failure answers after this long, whatever it was, so that nothing can be read from the time it took.
const FAILURE_TAKES: Duration = Duration::from_secs(1);
/// Longer than any order number or address that there is.
const MAX_CHARS: usize = 320;

/// What a consumer proves an order with.
#[derive(Debug, Clone)]
pub enum Proof {
    /// The e-mail address of the order.
    Email(String),
    /// The postal code it was sent to.
    PostalCode(String),
}

/// A consumer who has proved an order.
#[derive(Debug)]
pub struct Identified {
    /// Who they are from now on.
    pub shopper: Shopper,
    /// The same for the API.
    pub consumer: view::Consumer,
    /// Their token.
    pub token: String,
    /// When it ends.
    pub expires_at: Timestamp,
    /// Whether these credentials were seen for the first time.
    pub is_new: bool,
}

impl Retour {
    /// Proves an order. The same credentials always give the same consumer.
    pub async fn identify(&self, account: &Account, order_number: &str, proof: Proof) -> Result<Identified> {
        let answer_no_sooner_than = tokio::time::Instant::now() + FAILURE_TAKES;
        let outcome = self.try_identify(account, order_number, proof).await;
        if outcome.is_err() {
            tokio::time::sleep_until(answer_no_sooner_than).await;
        }
        outcome
    }

    async fn try_identify(&self, account: &Account, order_number: &str, proof: Proof) -> Result<Identified> {
        let credentials = credentials(account, order_number, &proof)?;
        let (retour, account) = (self.clone(), account.id);
        detached(async move {
            let mut reading = retour.store.read().await?;
            let proved = consumers::prove(reading.db(), account, &credentials).await?;
            drop(reading);
            let (email, address) = proved.ok_or(Error::InvalidOrderCredentials)?;
            let id = ConsumerId(retour.source.id());
            let new = Consumer { id, credentials, email, address, created_at: retour.now() };
            let (token, expires_at) = retour.new_token(account);
            let mut writing = retour.store.write().await?;
            let (consumer, is_new) = consumers::insert_or_find(writing.db(), account, &new).await?;
            consumers::insert_token(writing.db(), account, &hash(&token), consumer.id, expires_at).await?;
            writing.commit().await?;
            let shopper = Shopper { account, consumer: consumer.id };
            Ok(Identified { shopper, consumer: view::Consumer::proved(consumer), token, expires_at, is_new })
        })
        .await
    }
}

/// The credentials in the form they are compared in. What is empty, too long or not asked for proves nothing.
fn credentials(account: &Account, order_number: &str, proof: &Proof) -> Result<Credentials> {
    let (kind, field, text) = match proof {
        Proof::Email(email) => (LookUpBy::Email, "email", email),
        Proof::PostalCode(code) => (LookUpBy::PostalCode, "postalCode", code),
    };
    if !account.policy.look_up_by.contains(&kind) {
        let message = "this shop does not look up orders by it";
        return Err(Error::invalid(field, RefusalCode::NotAllowed, message));
    }
    let short = |text: &&str| text.chars().count() <= MAX_CHARS;
    let order_number = Some(order_number).filter(short).and_then(OrderNumberKey::new);
    let proof = Some(text.as_str()).filter(short).and_then(ProofKey::new);
    let (Some(order_number), Some(proof)) = (order_number, proof) else {
        return Err(Error::InvalidOrderCredentials);
    };
    Ok(Credentials { order_number, kind, proof })
}
