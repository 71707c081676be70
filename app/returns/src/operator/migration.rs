//! Migrates the database.

use super::handle::OperatorHandle;
use crate::base::{Result, Retour, again_on_deadlock, detached};

impl OperatorHandle<'_> {
    /// Migrates the database while other instances use it. Several programs may do so at once.
    pub async fn migrate(self) -> Result<()> {
        self.retour.store.migrate().await?;
        self.retour.spell_orders().await?;
        self.retour.complete_requests().await
    }
}

impl Retour {
    /// Adds what return requests lack that an instance of the previous version wrote ([`store::stage_ages`]), in small
    /// steps.
    pub(crate) async fn complete_requests(&self) -> Result<()> {
        let mut reading = self.store.read().await?;
        let accounts = store::stage_ages::accounts(reading.db()).await?;
        drop(reading);
        for account in accounts {
            loop {
                let store = self.store.clone();
                let step = detached(async move {
                    again_on_deadlock(|| async {
                        let mut writing = store.write().await?;
                        let most = store::stage_ages::REQUESTS_AT_ONCE;
                        let completed = store::stage_ages::step(writing.db(), account, most).await?;
                        writing.commit().await?;
                        Ok(completed)
                    })
                    .await
                });
                if step.await? == 0 {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Adds spellings to orders that an instance of the previous version imported ([`store::order_spellings`]), in
    /// small steps.
    pub(crate) async fn spell_orders(&self) -> Result<()> {
        let mut reading = self.store.read().await?;
        let accounts = store::accounts::list_unspelled(reading.db()).await?;
        drop(reading);
        for (account, mut last) in accounts {
            loop {
                let store = self.store.clone();
                let step = detached(async move {
                    again_on_deadlock(|| async {
                        let mut writing = store.write().await?;
                        store::accounts::hold(writing.db(), account).await?; // before its orders, as in imports
                        let most = store::order_spellings::ORDERS_AT_ONCE;
                        let seen = store::order_spellings::step(writing.db(), account, last, most).await?;
                        if let Some(seen) = seen {
                            store::accounts::keep_spelled(writing.db(), account, seen).await?;
                        }
                        writing.commit().await?;
                        Ok(seen)
                    })
                    .await
                });
                match step.await? {
                    Some(seen) => last = seen,
                    None => break,
                }
            }
        }
        Ok(())
    }
}
