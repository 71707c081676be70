//! One command works on the import of a shop at a time.
//!
//! A lease lasts some seconds and is renewed in the background. After a crash, the next command waits until it has ended.
//! Each write checks that the lease was not taken over, so a command that was suspended stores nothing.

use super::{ShopImportError, ShopImportStep};
use crate::base::{Result, Retour, again_on_deadlock};
use domain::{AccountId, Timestamp};
use std::time::{Duration, Instant};
use store::shop_imports::{self, ImportKey};
use tokio::{task::AbortHandle, time::sleep};
use uuid::Uuid;

/// How long a lease lasts, in seconds.
const LEASE_SECONDS: i64 = 6;
/// How often it is renewed.
const RENEW_EVERY: Duration = Duration::from_millis(1_500);
/// How often a command that waits looks whether the lease has ended.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How long a command waits for a lease that is not renewed: a little longer than it lasts.
const LONGEST_WAIT: Duration = Duration::from_secs(7);

/// The right to work on an import. It ends some seconds after this is dropped.
#[derive(Debug)]
pub(super) struct ImportLease {
    held: HeldLease,
    renewal: AbortHandle,
}

#[derive(Debug, Clone)]
struct HeldLease {
    retour: Retour,
    account: AccountId,
    shop: String,
    id: Uuid,
}

impl ImportLease {
    /// Claims the import of a shop. If another command has it, waits until its lease ends or is renewed.
    pub async fn claim(
        retour: &Retour,
        account: AccountId,
        shop: String,
        tell: &mut (dyn FnMut(ShopImportStep) + Send + Sync),
    ) -> Result<Self, ShopImportError> {
        let held = HeldLease { retour: retour.clone(), account, shop, id: retour.source.id() };
        let (began, mut first) = (Instant::now(), None);
        while !held.try_claim().await? {
            let until = held.leased_until().await?;
            if began.elapsed() > LONGEST_WAIT || first.is_some_and(|first| first != until) {
                return Err(ShopImportError::Running);
            }
            if first.replace(until).is_none() {
                tell(ShopImportStep::Waiting);
            }
            sleep(LOOK_EVERY).await;
        }
        let renewed = held.clone();
        let renewal = tokio::spawn(async move { renewed.keep_renewing().await }).abort_handle();
        Ok(Self { held, renewal })
    }

    /// The key for statements of this command.
    pub fn key(&self) -> ImportKey<'_> {
        self.held.key()
    }

    /// Ends the lease, so that the next command need not wait.
    pub async fn give_back(self) {
        self.renewal.abort();
        if let Err(error) = self.held.renew_until(Timestamp::from_micros(0)).await {
            tracing::warn!(%error, "the lease of an import was not given back: it ends by itself");
        }
    }
}

impl Drop for ImportLease {
    fn drop(&mut self) {
        self.renewal.abort();
    }
}

impl HeldLease {
    fn key(&self) -> ImportKey<'_> {
        ImportKey { account: self.account, shop: &self.shop, lease_id: self.id }
    }

    fn end(&self) -> Timestamp {
        self.retour.now().plus_seconds(LEASE_SECONDS)
    }

    async fn try_claim(&self) -> Result<bool> {
        again_on_deadlock(|| async {
            let mut writing = self.retour.store.write_in_one().await?;
            let is_claimed = shop_imports::claim(writing.db(), self.key(), self.retour.now(), self.end()).await?;
            writing.commit().await?;
            Ok(is_claimed)
        })
        .await
    }

    async fn leased_until(&self) -> Result<Option<Timestamp>> {
        let mut reading = self.retour.store.read().await?;
        let known = shop_imports::find(reading.db(), self.account, &self.shop).await?;
        Ok(known.map(|known| known.leased_until))
    }

    async fn renew_until(&self, until: Timestamp) -> Result<bool> {
        again_on_deadlock(|| async {
            let mut writing = self.retour.store.write_in_one().await?;
            let is_ours = shop_imports::renew(writing.db(), self.key(), until).await?;
            writing.commit().await?;
            Ok(is_ours)
        })
        .await
    }

    async fn keep_renewing(&self) {
        loop {
            sleep(RENEW_EVERY).await;
            match self.renew_until(self.end()).await {
                Ok(true) => {}
                Ok(false) => return, // another command has it: the next write of this one fails
                Err(error) => tracing::warn!(%error, "the lease of an import was not renewed"),
            }
        }
    }
}
