//! Calls carriers for labels.
//!
//! The transaction that releases a return also queues its label. The carrier is called with one transaction id until
//! the result is known: if an instance crashes after the label was made, the next call gets the same label. A new id is
//! used only after the carrier has reported that there is no label.

use super::{ask::LabelCall, maker::LabelMaker, verdict::LabelVerdict};
use crate::{
    backoff::{Backoff, retry_after},
    handle::Workers,
    job_runner::{Job, jobs_of_table},
};
use domain::{Timestamp, shipping::LabelFile};
use outbound::bridge::{BridgeError, CarrierLabel, Labelled, Rejected, Unavailable};
use returns::{
    Result,
    internals::{CallResult, LabelProblem, again_on_deadlock, message_of},
};
use std::{future::Future, time::Instant};
use store::{
    Lease,
    label_requests::{self, LabelRequest},
};
use uuid::Uuid;

/// The pauses between failed calls, seconds. After the last one, staff have to act.
const BACK_OFF: Backoff = Backoff::new(&[10, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, LONGEST]);
const LONGEST: i64 = 43_200;
/// The longest pause after a fault of Retour, seconds.
const OF_OURS: i64 = 900;
/// After so many attempts the merchant and the shopper see that the label is late…
const PATIENCE: u32 = 4;
/// … or if the next attempt is later than this after the first one, seconds.
const LATE_AFTER: i64 = 600;
/// The shortest pause while calls to a carrier are suspended, seconds.
const LEFT_ALONE_FOR: i64 = 10;
/// The interval of calls to a carrier that answers `Pending`, seconds…
const PENDING_EVERY: i64 = 60;
/// … and the time after the first call at which they end.
const PENDING_FOR: i64 = 24 * 3_600;

impl Workers {
    /// Requests labels from carriers until `stop` is ready.
    pub async fn make_labels(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<LabelRequest>(stop).await;
    }

    async fn make_label(&self, one: &LabelRequest) -> Result<()> {
        let begun = again_on_deadlock(|| self.begin_label(one)).await?;
        let Some(LabelCall { maker, carrier, asked }) = begun else { return Ok(()) };
        let began = Instant::now();
        let call = maker.get_label(&asked, self.retour.now());
        let answer = self.retour.breakers().labels.run(&(one.account_id, carrier), Instant::now, call).await;
        self.retour.figures().labels.count(outcome(&answer), began.elapsed());
        if let Err(error) = &answer {
            let error = message_of(error, maker.who());
            tracing::warn!(account = %one.account_id, transaction = %one.id, %error, "a label was not made");
        }
        let result = CallResult::of(&answer, maker.who());
        let verdict = match answer {
            Ok(Labelled::Created(made)) => {
                let file = self.keep_file(one, &made).await?;
                LabelVerdict::Made(made, file)
            }
            Ok(Labelled::Failed { code, reason }) => {
                let code = if code.is_empty() { "CarrierFailed".to_owned() } else { code };
                LabelVerdict::Failed(LabelProblem { code, message: reason })
            }
            Ok(Labelled::NotNow { code, reason }) => {
                not_now(one, self.retour.now(), LabelProblem { code, message: reason })
            }
            Ok(Labelled::Pending) => pending(one, self.retour.now()),
            Err(error) => later(&maker, &error, one, self.retour.now()),
        };
        again_on_deadlock(|| self.conclude_label(one, &verdict, &result)).await
    }

    /// Stores the file before the row that refers to it. Its name is unique, so a late instance overwrites nothing.
    async fn keep_file(&self, one: &LabelRequest, made: &CarrierLabel) -> Result<Option<LabelFile>> {
        let Some((format, bytes)) = made.file.clone() else { return Ok(None) };
        let (account, id) = (one.account_id, self.retour.source().id());
        let mut writing = self.retour.store().write().await?;
        store::files::announce(writing.db(), account, id, self.retour.now()).await?;
        writing.commit().await?;
        self.retour.put_file(account, id, bytes).await?;
        Ok(Some(LabelFile { id, format }))
    }

    /// Postpones a label after a fault of Retour, with growing pauses.
    async fn postpone_label(&self, one: &LabelRequest) -> Result<()> {
        let at = self.retour.now().plus_seconds(BACK_OFF.pause_or(one.tries, LONGEST).min(OF_OURS));
        let mut writing = self.retour.store().write().await?;
        label_requests::later(writing.db(), one, Some(at), one.tries.saturating_add(1), Lease::Stays).await?;
        Ok(writing.commit().await?)
    }
}

impl Job for LabelRequest {
    const NAME: &'static str = "labels";
    const CLAIMED_IN_ONE: bool = true;

    jobs_of_table!(label_requests);

    fn id(&self) -> Uuid {
        self.id.0
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        Box::pin(workers.make_label(self)).await
    }

    async fn postpone(&self, workers: &Workers) -> Result<()> {
        workers.postpone_label(self).await
    }
}

fn outcome(answer: &Result<Labelled, BridgeError>) -> &'static str {
    match answer {
        Ok(Labelled::Created(_)) => "Created",
        Ok(Labelled::Pending) => "Pending",
        Ok(Labelled::NotNow { .. }) => "NotNow",
        Ok(Labelled::Failed { .. }) => "Failed",
        Err(error) => error.name(),
    }
}

fn pending(one: &LabelRequest, now: Timestamp) -> LabelVerdict {
    if now >= one.first_asked_at.unwrap_or(now).plus_seconds(PENDING_FOR) {
        let message = "The label has been pending at the carrier for 24 hours.".to_owned();
        return LabelVerdict::Unclear(LabelProblem { code: "CarrierPending".to_owned(), message });
    }
    let at = now.plus_seconds(PENDING_EVERY);
    LabelVerdict::Again { at, tries: 0, hold: Lease::Ends, trouble: None, is_late: false }
}

/// The carrier refused for now and may accept later. Staff see the reason from the second attempt on.
fn not_now(one: &LabelRequest, now: Timestamp, mut trouble: LabelProblem) -> LabelVerdict {
    if trouble.code.is_empty() {
        "CarrierRefused".clone_into(&mut trouble.code);
    }
    let Some(seconds) = BACK_OFF.pause(one.tries) else { return LabelVerdict::Failed(trouble) };
    let (at, tries) = (now.plus_seconds(seconds), one.tries.saturating_add(1));
    LabelVerdict::Again { at, tries, hold: Lease::Ends, trouble: Some(trouble), is_late: tries > 1 }
}

/// The call gave no result.
fn later(maker: &LabelMaker, error: &BridgeError, one: &LabelRequest, now: Timestamp) -> LabelVerdict {
    let trouble = LabelProblem { code: format!("Carrier{}", error.name()), message: message_of(error, maker.who()) };
    let (seconds, tries) = match error {
        // The carrier was not called, so this does not count as an attempt.
        BridgeError::Unavailable(Unavailable::LeftAlone { wait }) => {
            (i64::try_from(wait.as_secs()).unwrap_or(0).max(LEFT_ALONE_FOR), one.tries)
        }
        error => match BACK_OFF.pause(one.tries) {
            Some(seconds) => (seconds.max(retry_after(error, LONGEST)), one.tries.saturating_add(1)),
            None => return LabelVerdict::Unclear(trouble),
        },
    };
    let at = now.plus_seconds(seconds);
    // Staff have to correct requests that are rejected, and components that answer nonsense.
    let is_theirs = matches!(
        error,
        BridgeError::Rejected(Rejected { .. }) | BridgeError::BadAnswer(_) | BridgeError::KeyRefused(_)
    );
    let is_long = at > one.first_asked_at.unwrap_or(now).plus_seconds(LATE_AFTER);
    let is_late = is_theirs || is_long || tries >= PATIENCE;
    // While the carrier may still be working on it, no other call is made.
    let hold = if maker.may_still_be_working(error) { Lease::Stays } else { Lease::Ends };
    LabelVerdict::Again { at, tries, hold, trouble: Some(trouble), is_late }
}
