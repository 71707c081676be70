//! Hashes that identify erased people, so that a later import of their orders does not restore their data.

use crate::base::{Result, Retour, hash::hash};
use domain::{
    AccountId, ConsumerId, Timestamp,
    address::Address,
    order::NewOrder,
    proof::{EmailKey, OrderNumberKey, ProofKey},
};
use std::collections::{HashMap, HashSet};
use store::{
    Db,
    consumers::{Consumer, Credentials, Proof},
    erasures::{self, ScrubbedOrder},
};

/// The hash that identifies a person: of the e-mail address or, if unknown, of the credentials that prove the order.
pub(crate) fn person_hash(account: AccountId, people: &[Consumer], id: ConsumerId) -> Vec<u8> {
    let email = people.iter().find_map(|consumer| EmailKey::new(&consumer.email));
    let credentials = people.iter().find(|consumer| consumer.id == id).map(|consumer| &consumer.credentials);
    match (email, credentials) {
        (Some(email), _) => email_hash(account, &email),
        (None, Some(Credentials { order_number, proof: Proof::Email(key) | Proof::PostalCode(key) })) => {
            order_hash(account, order_number.as_str(), key.as_str())
        }
        // A gift recipient always has an e-mail address.
        (None, Some(Credentials { proof: Proof::Gift { .. }, .. }) | None) => Vec::new(),
    }
}

/// The hash of an e-mail address within an account.
pub fn email_hash(account: AccountId, email: &EmailKey) -> Vec<u8> {
    hash(&format!("{account} {}", email.as_str()))
}

/// The hash for a person without a known e-mail address: of what they proved.
fn order_hash(account: AccountId, number: &str, postal_code: &str) -> Vec<u8> {
    hash(&format!("{account} {number} {postal_code}"))
}

/// The hash of an order's id in the shop.
fn id_hash(account: AccountId, external_id: &str) -> Vec<u8> {
    hash(&format!("{account}\nid\n{external_id}"))
}

/// The hash of an order without an e-mail address, by number and postal code. With an e-mail address, another order
/// with the same number and postal code may belong to another person.
fn nameless_hash(account: AccountId, number: &str, postal_code: &str) -> Vec<u8> {
    hash(&format!("{account}\nnumber\n{number}\n{postal_code}"))
}

/// All hashes by which an order and its buyer may be known, since the buyer may have proved it in any way.
fn hashes_of(account: AccountId, order: &NewOrder) -> Vec<Vec<u8>> {
    let mut hashes = vec![id_hash(account, &order.external_id)];
    let email = EmailKey::new(&order.email);
    let number = OrderNumberKey::new(&order.number);
    let codes = [&order.address.postal_code, &order.billing_postal_code].map(|code| ProofKey::new(code));
    for (number, code) in number.iter().flat_map(|number| codes.iter().flatten().map(move |code| (number, code))) {
        hashes.push(order_hash(account, number.as_str(), code.as_str()));
        if email.is_none() {
            hashes.push(nameless_hash(account, number.as_str(), code.as_str()));
        }
    }
    if let Some(email) = email {
        // Older versions stored an address under the domain's spelling in the shop.
        let spellings = email.spellings().map(|spelling| hash(&format!("{account} {spelling}")));
        hashes.extend(spellings);
    }
    hashes
}

/// The people whose erasure would clear the data that these credentials prove, if `email` is the order's address.
pub(crate) fn people_of(account: AccountId, credentials: &Credentials, email: &str) -> Vec<Vec<u8>> {
    let number = credentials.order_number.as_str();
    let of_order = match &credentials.proof {
        Proof::Email(_) => None,
        Proof::PostalCode(code) => Some(order_hash(account, number, code.as_str())),
        Proof::Gift { recipient, .. } => EmailKey::new(recipient.as_str()).map(|email| email_hash(account, &email)),
    };
    let of_email = EmailKey::new(email).map(|email| email_hash(account, &email));
    of_order.into_iter().chain(of_email).collect()
}

/// Keeps these orders without personal data when their shop sends them again: under the same id in any case, under
/// another id if the shop leaves out the e-mail address.
pub(crate) async fn keep_out(
    mut db: Db<'_>,
    account: AccountId,
    emptied: &[ScrubbedOrder],
    now: Timestamp,
) -> Result<()> {
    for order in emptied {
        let mut hashes = vec![id_hash(account, &order.external_id)];
        if !order.postal_code_key.is_empty() {
            hashes.push(nameless_hash(account, &order.number_key, &order.postal_code_key));
        }
        for hash in hashes {
            erasures::keep_out(db.reborrow(), account, &hash, now).await?;
        }
    }
    Ok(())
}

impl Retour {
    /// Clears the buyer of these orders if that person requested erasure after placing them, so that an import does not
    /// restore the data.
    pub(crate) async fn forget_erased<'a>(
        mut db: Db<'_>,
        account: AccountId,
        orders: impl Iterator<Item = &'a mut NewOrder>,
    ) -> Result<()> {
        if !erasures::has_any(db.reborrow(), account).await? {
            return Ok(());
        }
        let orders: Vec<(Vec<Vec<u8>>, &mut NewOrder)> =
            orders.map(|order| (hashes_of(account, order), order)).collect();
        let hashes: HashSet<&Vec<u8>> = orders.iter().flat_map(|(hashes, _)| hashes).collect();
        let hashes: Vec<Vec<u8>> = hashes.into_iter().cloned().collect();
        let erased: HashMap<Vec<u8>, Timestamp> = erasures::find(db, account, &hashes).await?.into_iter().collect();
        for (hashes, order) in orders {
            if hashes.iter().filter_map(|hash| erased.get(hash)).any(|&asked_at| order.ordered_at <= asked_at) {
                order.email.clear();
                order.address = Address::default();
                order.billing_postal_code.clear();
            }
        }
        Ok(())
    }
}
