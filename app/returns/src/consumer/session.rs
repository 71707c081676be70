//! The portal's sessions: what a browser's cookie stands for. Kept under the hash of the cookie's value, so that
//! who reads the database cannot become anyone.

use crate::base::{Result, Retour, Shopper, detached, hash::hash};
use domain::Timestamp;
use std::collections::BTreeSet;
use store::{consumers, sessions};

impl Retour {
    /// Keeps a new session; `false` when the id is taken. Of somebody who was erased in between nothing is kept: `shoppers` are
    /// all whose words may be in it.
    pub async fn create_session(
        &self,
        id: String,
        data: String,
        shoppers: BTreeSet<Shopper>,
        expires_at: Timestamp,
    ) -> Result<bool> {
        let store = self.store.clone();
        detached(async move {
            let mut writing = store.write().await?;
            for shopper in shoppers {
                if !consumers::hold(writing.db(), shopper.account, shopper.consumer).await? {
                    return Ok(true);
                }
            }
            let created = sessions::insert(writing.db(), &hash(&id), &data, expires_at).await?;
            writing.commit().await?;
            Ok(created)
        })
        .await
    }

    /// Keeps a session as it is now, unless it was forgotten meanwhile.
    pub async fn save_session(&self, id: String, data: String, expires_at: Timestamp) -> Result<()> {
        let store = self.store.clone();
        detached(async move {
            let mut writing = store.write().await?;
            sessions::update(writing.db(), &hash(&id), &data, expires_at).await?;
            Ok(writing.commit().await?)
        })
        .await
    }

    /// The data of a session, and when it ends.
    pub async fn load_session(&self, id: &str) -> Result<Option<(String, Timestamp)>> {
        let mut reading = self.store.read().await?;
        Ok(sessions::find(reading.db(), &hash(id), self.now()).await?)
    }

    /// Forgets a session.
    pub async fn delete_session(&self, id: String) -> Result<()> {
        let store = self.store.clone();
        detached(async move {
            let mut writing = store.write().await?;
            sessions::delete(writing.db(), &hash(&id)).await?;
            Ok(writing.commit().await?)
        })
        .await
    }
}
