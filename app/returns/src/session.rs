//! The portal's sessions: what a browser's cookie stands for. Kept under the hash of the cookie's value, so that
//! who reads the database cannot become anyone.

use crate::{Result, Retour, Shopper, again_on_deadlock, credentials::hash, detached};
use domain::{Timestamp, returning::DRAFT_LIFE_HOURS};
use std::collections::BTreeSet;
use store::{consumers, sessions};

/// How long events, their deliveries and attempts are kept.
const EVENTS_KEPT_SECONDS: i64 = 30 * 86_400;
/// How long it is known what became of mail.
const MAILS_KEPT_SECONDS: i64 = 180 * 86_400;

impl Retour {
    /// Keeps a new session; `false` when the id is taken. Of somebody who was erased in between nothing is kept: `shoppers` are
    /// all whose words may be in it.
    pub async fn create_session(
        &self,
        id: String,
        (data, shoppers): (String, BTreeSet<Shopper>),
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

    /// Forgets what has expired: sessions, tokens, drafts, idempotent answers, guesses. In small steps, so that nobody
    /// waits long for any of them.
    pub async fn prune(&self) -> Result<()> {
        let now = self.now();
        // A while longer than its figures hold, so that whoever comes late is told that it expired.
        let old = now.plus_seconds(-7 * 86_400);
        // Twice as long as a draft: one that is made a day after the photos is sent in a day later at most.
        let left = now.plus_seconds(-2 * i64::from(DRAFT_LIFE_HOURS) * 3_600);
        macro_rules! prune {
            ($($prune:ident::$function:ident($before:expr)),+ $(,)?) => {$(
                loop {
                    let store = self.store.clone();
                    let pruned = detached(async move {
                        again_on_deadlock(|| async {
                            let mut writing = store.write().await?;
                            store::pruning::take_turn(writing.db()).await?;
                            let pruned = store::$prune::$function(writing.db(), $before).await?;
                            writing.commit().await?;
                            Ok(pruned)
                        })
                        .await
                    })
                    .await?;
                    if pruned == 0 {
                        break;
                    }
                    tracing::debug!(pruned, what = stringify!($prune), "pruned");
                }
            )+};
        }
        prune!(
            sessions::prune(now),
            consumers::prune_tokens(now),
            users::prune_tokens(now),
            drafts::expire(now),
            drafts::prune(old),
            pending_evidence::prune(left),
            idempotency::prune(now),
            guesses::prune(now),
            guesses::prune_trusted(now),
            mail_links::prune(now),
            mails::prune(now.plus_seconds(-MAILS_KEPT_SECONDS)),
            events::prune(now.plus_seconds(-EVENTS_KEPT_SECONDS)),
        );
        self.spell_orders().await?;
        // Neither is in the way of the other.
        let deleted = self.delete_unclaimed_files().await;
        let erased = self.finish_erasures().await;
        if !self.store.is_scoured() {
            self.store.scour().await?;
        }
        erased.and(deleted)
    }
}
