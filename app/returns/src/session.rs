//! The portal's sessions: what a browser's cookie stands for. Kept under the hash of the cookie's value, so that
//! who reads the database cannot become anyone.

use crate::{Result, Retour, credentials::hash, detached};
use domain::Timestamp;
use store::sessions;

impl Retour {
    /// Keeps a new session; `false` when the id is taken.
    pub async fn create_session(&self, id: String, data: String, expires_at: Timestamp) -> Result<bool> {
        let store = self.store.clone();
        detached(async move {
            let mut writing = store.write().await?;
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

    /// Forgets what has expired: sessions, tokens, idempotent answers.
    pub async fn prune(&self) -> Result<()> {
        let (store, now) = (self.store.clone(), self.now());
        detached(async move {
            let mut writing = store.write().await?;
            let sessions = sessions::prune(writing.db(), now).await?;
            let tokens = store::consumers::prune_tokens(writing.db(), now).await?;
            // A while longer than its figures hold, so that whoever comes late is told that it expired.
            store::drafts::expire(writing.db(), now).await?;
            let drafts = store::drafts::prune(writing.db(), now.plus_seconds(-7 * 86_400)).await?;
            let answers = store::idempotency::prune(writing.db(), now).await?;
            writing.commit().await?;
            tracing::debug!(sessions, tokens, drafts, answers, "pruned");
            Ok(())
        })
        .await?;
        self.finish_erasures().await
    }
}
