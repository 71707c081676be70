//! Proving an order while nobody can forget whose it is.

use crate::{Result, merchant::people_of};
use domain::{AccountId, order::ProofKey, policy::Address};
use store::{
    Writing,
    consumers::{self, Credentials, Proof},
    people,
};

/// E-mail and address of the order that these credentials prove, as [`consumers::prove`] finds them. The erasure of whose they
/// are is over, and then nothing is found, or waits for this transaction, and then empties what this one writes.
pub(crate) async fn prove_held(
    writing: &mut Writing,
    account: AccountId,
    credentials: &Credentials,
    shop: &str,
) -> Result<Option<(String, Address)>> {
    if let Proof::Email(email) = &credentials.proof {
        people::share(writing.db(), &people_of(account, credentials, email.as_str())).await?;
        return Ok(consumers::prove(writing.db(), account, credentials, shop).await?);
    }
    // Whose it is, only the order says.
    let mut found = consumers::prove(writing.db(), account, credentials, shop).await?;
    while let Some((email, _)) = &found {
        if !people::share(writing.db(), &people_of(account, credentials, email)).await? {
            break;
        }
        let again = consumers::prove(writing.db(), account, credentials, shop).await?;
        let is_same = again.as_ref().is_some_and(|(again, _)| ProofKey::new(again) == ProofKey::new(email));
        found = again;
        if is_same {
            break;
        }
    }
    Ok(found)
}
