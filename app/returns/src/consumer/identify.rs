//! Proving an order (`POST /auth/consumer`).

use super::held::prove_held;
use crate::{
    base::{
        Error, Result, Retour, Shopper, again_on_deadlock, detached,
        guessing::{Guess, Prover, count_gift_recipient, delay_failure},
        hash::hash,
    },
    orders::look_up::TypedOrder,
    returning::withdrawals,
    view,
};
use domain::{
    AccountId, ConsumerId, RefusalCode, Timestamp,
    account::Account,
    integration::Bridge,
    is_email,
    policy::LookUpBy,
    proof::{ClaimedProof, EmailKey, OrderClaim, ProofKey, TypedOrderNumber, TypedPostalCode, email, order_number},
};
use outbound::bridge::contract;
use store::{
    Lookup, Writing,
    consumers::{self, Consumer, Credentials, ProvedOrder},
};

/// Longer than any real order number or address.
const MAX_CHARS: usize = 320;
/// The field with a gift recipient's e-mail address.
const RECIPIENT: &str = "giftRecipientEmail";

/// The error for text that is not an e-mail address. It is a typing mistake, and does not count as a guess.
const NO_EMAIL: &str = "expected an e-mail address, such as ada@example.com";

/// What proves an order, besides its number.
#[derive(Debug, Clone)]
pub enum Proof {
    /// The e-mail address of the order.
    Email(String),
    /// The postal code that the order was delivered to.
    PostalCode(String),
    /// The postal code, entered by a gift recipient.
    Gift {
        /// The postal code that the order was delivered to.
        postal_code: String,
        /// The recipient's own e-mail address. The return belongs to the recipient, who gets its mails.
        recipient: String,
    },
}

/// A consumer who has proved an order.
#[derive(Debug)]
pub struct Identified {
    /// The consumer, for further calls.
    pub shopper: Shopper,
    /// The consumer, for the response.
    pub consumer: view::Consumer,
    /// The consumer's token.
    pub token: String,
    /// When the token expires.
    pub expires_at: Timestamp,
    /// Whether these credentials were used for the first time.
    pub is_new: bool,
}

impl Retour {
    /// Proves an order, and issues a token. The same credentials always return the same consumer.
    pub async fn identify(
        &self,
        account: &Account,
        order_number: &str,
        proof: Proof,
        prover: impl Into<Prover>,
    ) -> Result<Identified> {
        let (token, expires_at) = self.new_token(account.id);
        let new = Some(NewToken { hash: hash(&token), expires_at });
        let Recognised { shopper, consumer, is_new } =
            self.prove(account, order_number, proof, prover.into(), new).await?;
        Ok(Identified { shopper, consumer: view::Consumer::proved(consumer), token, expires_at, is_new })
    }

    /// Proves an order without a token, for a caller that remembers the shopper, as the portal's sessions do.
    pub async fn identify_without_token(
        &self,
        account: &Account,
        order_number: &str,
        proof: Proof,
        prover: impl Into<Prover>,
    ) -> Result<Shopper> {
        Ok(self.prove(account, order_number, proof, prover.into(), None).await?.shopper)
    }

    async fn prove(
        &self,
        account: &Account,
        order_number: &str,
        proof: Proof,
        prover: Prover,
        token: Option<NewToken>,
    ) -> Result<Recognised> {
        let claim = match claim(account, order_number, &proof) {
            Err(error @ Error::Invalid(_)) => return Err(error), // reveals nothing about any order
            parsed => parsed,
        };
        let proved = delay_failure(async {
            let (retour, account) = (self.clone(), account.clone());
            let proving = Proving { claim: claim?, recipient: recipient(&proof), prover, token };
            let asked = asked(order_number, proof);
            // Detached, so that a guess that could not be evaluated is given back even if the shopper disconnects.
            let proved = detached(async move {
                match account.bridge {
                    Bridge::Catalog => again_on_deadlock(|| retour.identify_here(account.id, &proving)).await,
                    _ => retour.identify_at_shop(&account, &proving, asked).await,
                }
            })
            .await;
            match proved {
                Err(missing @ Error::InvalidOrderCredentials) => self.found(None, Lookup::ForOrder, missing).await,
                proved => proved,
            }
        })
        .await;
        proved.map_err(|error| self.offer_link(account, error))
    }

    /// After too many wrong guesses, offers what is left: a link by mail, if the account sends mails.
    pub(crate) fn offer_link(&self, account: &Account, error: Error) -> Error {
        match error {
            Error::TooManyGuesses { seconds, .. } if self.sends_links(account) => {
                let portal = self.portal_url(account, account.domain.is_some());
                Error::TooManyGuesses { seconds, link: Some(format!("{portal}/link")) }
            }
            error => error,
        }
    }

    /// Proves an order in the database, in one transaction, which counts a wrong guess before the response is sent.
    async fn identify_here(&self, account: AccountId, proving: &Proving) -> Result<Recognised> {
        let mut writing = self.store.write().await?;
        let guess = proving.guess(account, self.now()).check(&mut writing).await?;
        let Some(proved) = prove_held(&mut writing, account, &proving.claim, "").await? else {
            guess.was_wrong(&mut writing).await?;
            writing.commit().await?;
            return Err(Error::InvalidOrderCredentials);
        };
        guess.was_right(&mut writing).await?;
        self.recognise(writing, account, proving, proved).await
    }

    /// Asks the account's shop for the order, and stores the answer. The guess counts before the call, because the call
    /// reveals whether it is right. If the shop cannot be asked, the guess is given back.
    async fn identify_at_shop(&self, account: &Account, proving: &Proving, asked: TypedOrder) -> Result<Recognised> {
        let (writing, counted) = again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            let counted = proving.guess(account.id, self.now()).count(&mut writing).await?;
            Ok((writing, counted))
        })
        .await?;
        // Other guesses with the same counters wait until this commit. The shop can be asked during the commit.
        let (on_disk, fetched) =
            tokio::join!(writing.commit(), self.fetch_order(account, asked, proving.prover.address()));
        on_disk?;
        let proved = match fetched {
            Ok(Some(answer)) => {
                again_on_deadlock(|| async {
                    let mut writing = self.store.write().await?;
                    let shop = account.bridge.shop_key();
                    self.keep(&mut writing, account.id, &shop, &answer).await?;
                    let Some(proved) = prove_held(&mut writing, account.id, &proving.claim, &shop).await? else {
                        writing.commit().await?;
                        return Err(Error::InvalidOrderCredentials);
                    };
                    counted.was_right(&mut writing).await?;
                    self.recognise(writing, account.id, proving, proved).await
                })
                .await
            }
            Ok(None) => Err(Error::InvalidOrderCredentials),
            Err(error) => Err(error),
        };
        if matches!(proved, Ok(_) | Err(Error::InvalidOrderCredentials)) {
            return proved;
        }
        again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            counted.give_back(&mut writing).await?;
            Ok(writing.commit().await?)
        })
        .await?;
        proved
    }

    /// Creates the consumer after a proof, and stores the token if there is one.
    async fn recognise(
        &self,
        mut writing: Writing,
        account: AccountId,
        proving: &Proving,
        proved: ProvedOrder,
    ) -> Result<Recognised> {
        let now = self.now();
        let id = ConsumerId(self.source.id());
        // The buyer gets no mail about a gift's return, and the recipient does not see the buyer's data.
        let ProvedOrder { credentials, email, address } = proved;
        let email = proving.recipient.clone().unwrap_or(email);
        let new = Consumer { id, credentials, email, address, created_at: now };
        let (consumer, is_new) = consumers::insert_or_find(writing.db(), account, &new).await?;
        if is_new && consumer.credentials.is_gift() {
            count_gift_recipient(&mut writing, account, &consumer.credentials, proving.prover, now).await?;
        }
        withdrawals::recognise(&mut writing, account, &consumer, now).await?;
        if let Some(NewToken { hash, expires_at }) = &proving.token {
            consumers::insert_token(writing.db(), account, hash, consumer.id, *expires_at).await?;
        }
        writing.commit().await?;
        Ok(Recognised { shopper: Shopper { account, consumer: consumer.id }, consumer, is_new })
    }
}

/// An attempt to prove an order.
struct Proving {
    claim: OrderClaim,
    /// A gift recipient's own e-mail address, in the recipient's spelling.
    recipient: Option<String>,
    prover: Prover,
    /// The token to issue; `None`: the caller needs none.
    token: Option<NewToken>,
}

/// A token that is not stored yet.
struct NewToken {
    hash: Vec<u8>,
    expires_at: Timestamp,
}

/// A consumer whose proof was right.
struct Recognised {
    shopper: Shopper,
    consumer: Consumer,
    /// Whether these credentials were used for the first time.
    is_new: bool,
}

impl Proving {
    fn guess(&self, account: AccountId, now: Timestamp) -> Guess {
        Guess::at_order(account, &counted(&self.claim), self.prover, now)
    }
}

fn recipient(proof: &Proof) -> Option<String> {
    match proof {
        Proof::Gift { recipient, .. } => Some(email::cleaned(recipient)),
        Proof::Email(_) | Proof::PostalCode(_) => None,
    }
}

/// The request to the shop: in the shopper's spelling, without prefixes of the number and invisible characters. It does
/// not contain the gift recipient.
fn asked(order_number: &str, proof: Proof) -> TypedOrder {
    let proof = match proof {
        Proof::Email(email) => contract::Proof::Email(email::cleaned(&email)),
        Proof::PostalCode(code) | Proof::Gift { postal_code: code, .. } => {
            contract::Proof::PostalCode(code.trim().to_owned())
        }
    };
    TypedOrder { order_number: order_number::cleaned(order_number), proof }
}

/// The claim in the form in which it is compared. A field that is empty, too long or not in the account's `lookUpBy`
/// proves nothing.
fn claim(account: &Account, order_number: &str, proof: &Proof) -> Result<OrderClaim> {
    check_asked_for(account, proof)?;
    let short = |text: &&str| text.chars().count() <= MAX_CHARS;
    let email = |text: &str| Some(text).filter(short).and_then(EmailKey::new);
    let code = |text: &str| Some(text).filter(short).and_then(TypedPostalCode::new);
    let number = Some(order_number).filter(short).and_then(TypedOrderNumber::new);
    let proof = match proof {
        Proof::Email(typed) => {
            let email = email(typed);
            if email.as_ref().is_some_and(|email| !email.as_str().contains('@')) {
                return Err(Error::invalid("email", RefusalCode::NotAllowed, NO_EMAIL));
            }
            email.map(ClaimedProof::Email)
        }
        Proof::PostalCode(typed) => code(typed).map(ClaimedProof::PostalCode),
        Proof::Gift { postal_code, recipient } => {
            let recipient = Some(recipient.as_str()).filter(short).map(EmailKey::stored);
            let recipient = recipient.and_then(|recipient| ProofKey::new(&recipient));
            let claimed = |(postal_code, recipient)| ClaimedProof::Gift { postal_code, recipient };
            code(postal_code).zip(recipient).map(claimed)
        }
    };
    let (Some(number), Some(proof)) = (number, proof) else {
        return Err(Error::InvalidOrderCredentials);
    };
    Ok(OrderClaim { number, proof })
}

/// The credentials by which wrong guesses at a claim are counted: the same for every spelling that may prove the same
/// order.
fn counted(claim: &OrderClaim) -> Credentials {
    let order_number = claim.number.attempt_key();
    let proof = match &claim.proof {
        ClaimedProof::Email(email) => consumers::Proof::Email(email.attempt_key()),
        ClaimedProof::PostalCode(code) => consumers::Proof::PostalCode(code.attempt_key()),
        ClaimedProof::Gift { postal_code, recipient } => {
            consumers::Proof::Gift { postal_code: postal_code.attempt_key(), recipient: recipient.clone() }
        }
    };
    Credentials { order_number, proof }
}

/// Refuses a kind of proof that the shop does not accept. The error is the same for every order.
fn check_asked_for(account: &Account, proof: &Proof) -> Result<()> {
    let policy = &account.policy;
    let refused = |field, message| Err(Error::invalid(field, RefusalCode::NotAllowed, message));
    let elsewise = "This shop does not look up orders by this field.";
    match proof {
        Proof::Email(_) if !policy.look_up_by.contains(&LookUpBy::Email) => refused("email", elsewise),
        Proof::PostalCode(_) if !policy.look_up_by.contains(&LookUpBy::PostalCode) => refused("postalCode", elsewise),
        Proof::Gift { .. } if !policy.gift_returns => refused(RECIPIENT, "This shop does not accept gift returns."),
        Proof::Gift { recipient, .. } if !is_email(&email::cleaned(recipient)) => {
            refused(RECIPIENT, "expected an e-mail address of your own, such as ada@example.com")
        }
        _ => Ok(()),
    }
}
