//! Proves an order while the erasure of its buyer is locked out.

use crate::{
    base::Result,
    privacy::hashes::{email_hash, people_of},
};
use domain::{
    AccountId,
    proof::{ClaimedProof, EmailKey, OrderClaim},
};
use store::{
    Writing,
    consumers::{self, ProvedOrder},
    person_locks,
};

/// Returns the claimed order, as [`consumers::prove`] finds it. An erasure of its buyer has either ended, and nothing
/// is found, or waits for this transaction, and then clears what this transaction writes.
pub(crate) async fn prove_held(
    writing: &mut Writing,
    account: AccountId,
    claim: &OrderClaim,
    shop: &str,
) -> Result<Option<ProvedOrder>> {
    if let ClaimedProof::Email(email) = &claim.proof {
        person_locks::share(writing.db(), &[email_hash(account, email)]).await?;
        return Ok(consumers::prove(writing.db(), account, claim, shop).await?);
    }
    // The buyer is known only after the order was read.
    let mut found = consumers::prove(writing.db(), account, claim, shop).await?;
    while let Some(proved) = &found {
        if !person_locks::share(writing.db(), &people_of(account, &proved.credentials, &proved.email)).await? {
            break;
        }
        let again = consumers::prove(writing.db(), account, claim, shop).await?;
        let is_same = again.as_ref().is_some_and(|again| {
            again.credentials == proved.credentials && EmailKey::new(&again.email) == EmailKey::new(&proved.email)
        });
        found = again;
        if is_same {
            break;
        }
    }
    Ok(found)
}
