//! The portal's sessions. They are stored under the hash of the cookie's value, so that the database alone does not
//! allow anybody to take over a session.

use crate::base::{Result, Retour, Shopper, detached, hash::hash};
use domain::Timestamp;
use std::collections::BTreeSet;
use store::{consumers, sessions};

impl Retour {
    /// Stores a new session; `false` if the id is taken. Stores nothing if one of `shoppers`, whose data the session
    /// may contain, was erased in between.
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

    /// Updates a session, unless it was deleted since the request read it.
    pub async fn save_session(&self, id: String, data: String, expires_at: Timestamp) -> Result<()> {
        let store = self.store.clone();
        detached(async move {
            let mut writing = store.write().await?;
            sessions::update(writing.db(), &hash(&id), &data, expires_at).await?;
            Ok(writing.commit().await?)
        })
        .await
    }

    /// Returns the data of a session and its expiry.
    pub async fn load_session(&self, id: &str) -> Result<Option<(String, Timestamp)>> {
        let mut reading = self.store.read().await?;
        Ok(sessions::find(reading.db(), &hash(id), self.now()).await?)
    }

    /// Deletes a session.
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
