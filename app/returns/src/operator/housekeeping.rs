//! Deletes expired data.

use super::handle::OperatorHandle;
use crate::{
    base::{Result, again_on_deadlock, detached},
    merchant::returns::{bulk::RUNS_KEPT_SECONDS, visits::VISITS_SHOWN_SECONDS},
};
use domain::returning::DRAFT_LIFE_HOURS;

/// How long events, their deliveries and their attempts are kept.
const EVENTS_KEPT_SECONDS: i64 = 30 * 86_400;
/// How long the status of a mail is kept.
const MAILS_KEPT_SECONDS: i64 = 180 * 86_400;

/// How long the audit log is kept: two years.
const AUDIT_KEPT_SECONDS: i64 = 730 * 86_400;
/// How long receipts and inspections can be taken back.
const WAREHOUSE_STEPS_KEPT_SECONDS: i64 = 90 * 86_400;
/// How long staff find the returns again that they worked on.
const WORK_KEPT_SECONDS: i64 = 90 * 86_400;

/// How long drafts are kept. Their figures hold for a day; after that, the API says that they have expired.
const DRAFTS_KEPT_SECONDS: i64 = 7 * 86_400;
/// How long pending evidence is kept: twice the life of a draft, as a draft may be made a day after the photos.
const PENDING_EVIDENCE_KEPT_SECONDS: i64 = 2 * DRAFT_LIFE_HOURS as i64 * 3_600;

impl OperatorHandle<'_> {
    /// Completes requested erasures of people whose last return has ended.
    pub async fn finish_erasures(self) -> Result<()> {
        self.retour.finish_erasures().await
    }

    /// Deletes expired sessions, tokens, drafts, idempotent answers and guesses. Each step is small, so that other
    /// writers never wait long.
    pub async fn prune(self) -> Result<()> {
        let now = self.retour.now();
        let old = now.plus_seconds(-DRAFTS_KEPT_SECONDS);
        let left = now.plus_seconds(-PENDING_EVIDENCE_KEPT_SECONDS);
        macro_rules! prune {
            ($($prune:ident::$function:ident($before:expr)),+ $(,)?) => {$(
                loop {
                    let store = self.retour.store.clone();
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
            passkeys::prune_challenges(now),
            drafts::expire(now),
            drafts::prune(old),
            pending_evidence::prune(left),
            return_order_visits::prune(now.plus_seconds(-VISITS_SHOWN_SECONDS)),
            idempotency::prune(now),
            guesses::prune(now),
            guesses::prune_trusted(now),
            mail_links::prune(now),
            mails::prune(now.plus_seconds(-MAILS_KEPT_SECONDS)),
            warehouse_steps::prune(now.plus_seconds(-WAREHOUSE_STEPS_KEPT_SECONDS)),
            worked_return_orders::prune(now.plus_seconds(-WORK_KEPT_SECONDS)),
            bulk_runs::prune(now.plus_seconds(-RUNS_KEPT_SECONDS)),
            events::prune(now.plus_seconds(-EVENTS_KEPT_SECONDS)),
            audit::prune(now.plus_seconds(-AUDIT_KEPT_SECONDS)),
        );
        self.retour.spell_orders().await?;
        self.retour.complete_requests().await?;
        // The two are independent: if one fails, the other still runs.
        let deleted = self.retour.delete_unclaimed_files().await;
        let erased = self.retour.finish_erasures().await;
        if !self.retour.store.is_purged() {
            self.retour.store.purge().await?;
        }
        erased.and(deleted)
    }
}
