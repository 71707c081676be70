//! Secrets that a page shows once, such as a new API key. A form that makes one leads to the page that shows it, so the
//! secret waits in between: encrypted with a token that only the address of that page has, for a few minutes.

use super::{
    cipher,
    credentials::Staff,
    error::{OrBroken, Result},
    hash::{hash, hex},
    retour::Retour,
    transaction::detached,
};
use sha2::{Digest, Sha256};
use store::sessions;

/// How long a secret waits to be shown.
const WAITS_SECONDS: i64 = 300;
/// The prefix of a waiting secret among the sessions. No key of a session has it.
const PREFIX: &str = "shown once:";

impl Retour {
    /// Keeps a secret until a page shows it to the same member of the staff. Returns the token that opens it.
    pub async fn keep_to_show(&self, staff: &Staff, secret: &str) -> Result<String> {
        let token = hex(&self.source.random::<16>());
        let sealed = cipher::seal(&key_of(&token), self.source.random(), &purpose(staff), secret).or_broken()?;
        let (store, id, until) = (self.store.clone(), id_of(&token), self.now().plus_seconds(WAITS_SECONDS));
        detached(async move {
            let mut writing = store.write().await?;
            sessions::insert(writing.db(), &id, &sealed, until).await?;
            Ok(writing.commit().await?)
        })
        .await?;
        Ok(token)
    }

    /// Returns a secret that waits, and forgets it. `None` if it was shown, has waited too long, or belongs to somebody
    /// else.
    pub async fn show_once(&self, staff: &Staff, token: &str) -> Result<Option<String>> {
        let (store, id, now) = (self.store.clone(), id_of(token), self.now());
        let found = detached(async move {
            let mut writing = store.write().await?;
            let found = sessions::find(writing.db(), &id, now).await?;
            sessions::delete(writing.db(), &id).await?;
            writing.commit().await?;
            Ok(found)
        })
        .await?;
        Ok(found.and_then(|(sealed, _)| cipher::open(&key_of(token), &purpose(staff), &sealed).ok()))
    }
}

fn id_of(token: &str) -> Vec<u8> {
    hash(&format!("{PREFIX}{token}"))
}

/// The token holds 128 random bits, so one hash is enough to derive a key. The prefix separates it from the hash by
/// which the secret is found.
fn key_of(token: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"retour: secrets that are shown once\0");
    hash.update(token.as_bytes());
    hash.finalize().into()
}

fn purpose(staff: &Staff) -> Vec<u8> {
    [staff.account().0.as_bytes().as_slice(), staff.id().as_bytes().as_slice()].concat()
}
