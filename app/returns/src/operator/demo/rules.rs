//! Settings that hold while the demo is played, such as a reason that needs photos.

use super::{play::Play, story::Why};
use crate::base::{OrBroken, Result};
use domain::{
    account::Account,
    integration::Carrier,
    policy::{Policy, reason::EvidenceRule},
};

/// Settings that hold while the demo is played.
impl Play {
    /// Sets the policy, and whether two of the reasons need a review or photos.
    pub(super) async fn set_rules(&self, policy: &Policy, is_strict: bool) -> Result<()> {
        let mut writing = self.retour.store.write().await?;
        for why in [Why::NotAsDescribed, Why::Damaged] {
            let id = self.reason(why.place())?;
            let mut kept = store::return_reasons::find(writing.db(), self.account.id, id).await?.or_broken()?;
            kept.value.rules.review = is_strict && why == Why::NotAsDescribed;
            let needs_photos = is_strict && why == Why::Damaged;
            kept.value.rules.evidence = if needs_photos { EvidenceRule::Required } else { EvidenceRule::None };
            store::return_reasons::update(writing.db(), self.account.id, &kept).await?;
        }
        let account = Account { policy: policy.clone(), ..self.account.clone() };
        store::accounts::update(writing.db(), &account, self.source.now()).await?;
        Ok(writing.commit().await?)
    }

    pub(super) async fn set_policy(&self, policy: &Policy) -> Result<()> {
        self.set_account(&Account { policy: policy.clone(), ..self.account.clone() }).await
    }

    pub(super) async fn set_carrier(&self, carrier: Carrier) -> Result<()> {
        let policy = Policy { gift_returns: true, ..self.account.policy.clone() };
        self.set_account(&Account { carrier, policy, ..self.account.clone() }).await
    }

    async fn set_account(&self, account: &Account) -> Result<()> {
        let mut writing = self.retour.store.write().await?;
        store::accounts::update(writing.db(), account, self.source.now()).await?;
        Ok(writing.commit().await?)
    }
}
