//! Asking carriers for labels: whose turn it is, and what comes of it.
//!
//! That a label is needed is written in the transaction that lets the return go. The carrier is asked under one transaction
//! id, as often as it takes to learn how it ended: a program that dies after the label was made asks again, and is given
//! the same one. Only when the carrier says that there is none, another id is used.

use super::{
    ask::LabelCall,
    maker::LabelMaker,
    verdict::{LabelProblem, LabelVerdict},
};
use crate::{
    base::{Result, again_on_deadlock},
    integrations::health::{CallResult, message_of},
    workers::{
        backoff::{Backoff, retry_after},
        handle::Workers,
        job_runner::{Job, jobs_of_table},
    },
};
use domain::{Timestamp, carrier::LabelFile};
use outbound::bridge::{BridgeError, Labelled, Made, Rejected, Unavailable};
use std::{future::Future, time::Instant};
use store::{
    Hold,
    label_requests::{self, LabelRequest},
};
use uuid::Uuid;

/// When a carrier is asked again that could not be: after so many seconds each. Then a person has to look.
const BACK_OFF: Backoff = Backoff::new(&[10, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, LONGEST]);
const LONGEST: i64 = 43_200;
/// Where something of ours is broken, not later than this.
const OF_OURS: i64 = 900;
/// From so many tries on the merchant and the shopper see that it did not work so far…
const PATIENCE: u32 = 4;
/// … or when it will have been longer than this until the next one, seconds.
const LATE_AFTER: i64 = 600;
/// A carrier that is left alone is asked again after so many seconds at least.
const LEFT_ALONE_FOR: i64 = 10;
/// A carrier that says `Pending` is asked again after so many seconds…
const PENDING_EVERY: i64 = 60;
/// … and no longer than this after it was asked first.
const PENDING_FOR: i64 = 24 * 3_600;

impl Workers {
    /// Has carriers make labels until it is told to stop.
    pub async fn make_labels(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<LabelRequest>(stop).await;
    }

    async fn make_label(&self, one: &LabelRequest) -> Result<()> {
        let begun = again_on_deadlock(|| self.begin_label(one)).await?;
        let Some(LabelCall { maker, carrier, asked }) = begun else { return Ok(()) };
        let began = Instant::now();
        let call = maker.get_label(&asked, self.retour.now());
        let answer = self.retour.shops.labels.run(&(one.account_id, carrier), Instant::now, call).await;
        self.retour.figures.labels.count(outcome(&answer), began.elapsed());
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

    /// Keeps the file, before the row that tells of it: under a name of its own, so that a program that comes late
    /// replaces nothing.
    async fn keep_file(&self, one: &LabelRequest, made: &Made) -> Result<Option<LabelFile>> {
        let Some((format, bytes)) = made.file.clone() else { return Ok(None) };
        let (account, id) = (one.account_id, self.retour.source.id());
        let mut writing = self.retour.store.write().await?;
        store::files::announce(writing.db(), account, id, self.retour.now()).await?;
        writing.commit().await?;
        self.retour.with_file(self.retour.files.put(account, id, bytes)).await?;
        Ok(Some(LabelFile { id, format }))
    }

    /// Something of ours is broken: it is tried again, less and less.
    async fn postpone_label(&self, one: &LabelRequest) -> Result<()> {
        let at = self.retour.now().plus_seconds(BACK_OFF.pause_or(one.tries, LONGEST).min(OF_OURS));
        let mut writing = self.retour.store.write().await?;
        label_requests::later(writing.db(), one, Some(at), (one.tries.saturating_add(1), Hold::Stays)).await?;
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
        let message = "The carrier has said for 24 hours that it is still at it.".to_owned();
        return LabelVerdict::Unclear(LabelProblem { code: "CarrierPending".to_owned(), message });
    }
    let at = now.plus_seconds(PENDING_EVERY);
    LabelVerdict::Again { at, tries: 0, hold: Hold::Ends, trouble: None, is_late: false }
}

/// The carrier made none, and may be of another mind in a while: people see why from the second time on.
fn not_now(one: &LabelRequest, now: Timestamp, mut trouble: LabelProblem) -> LabelVerdict {
    if trouble.code.is_empty() {
        "CarrierRefused".clone_into(&mut trouble.code);
    }
    let Some(seconds) = BACK_OFF.pause(one.tries) else { return LabelVerdict::Failed(trouble) };
    let (at, tries) = (now.plus_seconds(seconds), one.tries.saturating_add(1));
    LabelVerdict::Again { at, tries, hold: Hold::Ends, trouble: Some(trouble), is_late: tries > 1 }
}

/// There was no answer that says how it ended.
fn later(maker: &LabelMaker, error: &BridgeError, one: &LabelRequest, now: Timestamp) -> LabelVerdict {
    let trouble = LabelProblem { code: format!("Carrier{}", error.name()), message: message_of(error, maker.who()) };
    let (seconds, tries) = match error {
        // It was not asked, so that it is none of its tries.
        BridgeError::Unavailable(Unavailable::LeftAlone { wait }) => {
            (i64::try_from(wait.as_secs()).unwrap_or(0).max(LEFT_ALONE_FOR), one.tries)
        }
        error => match BACK_OFF.pause(one.tries) {
            Some(seconds) => (seconds.max(retry_after(error, LONGEST)), one.tries.saturating_add(1)),
            None => return LabelVerdict::Unclear(trouble),
        },
    };
    let at = now.plus_seconds(seconds);
    // What is refused, or answered with nonsense, is mended by people.
    let is_theirs = matches!(
        error,
        BridgeError::Rejected(Rejected { .. }) | BridgeError::BadAnswer(_) | BridgeError::KeyRefused(_)
    );
    let is_long = at > one.first_asked_at.unwrap_or(now).plus_seconds(LATE_AFTER);
    let is_late = is_theirs || is_long || tries >= PATIENCE;
    // While it may be at it, nobody asks again.
    let hold = if maker.may_be_at_it(error) { Hold::Stays } else { Hold::Ends };
    LabelVerdict::Again { at, tries, hold, trouble: Some(trouble), is_late }
}
