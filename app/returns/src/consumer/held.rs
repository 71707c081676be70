//! Proving an order while nobody can forget whose it is.

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

/// The order that is claimed, as [`consumers::prove`] finds it. The erasure of whose it is is over, and then nothing is found, or
/// waits for this transaction, and then empties what this one writes.
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
    // Whose it is, only the order says.
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
