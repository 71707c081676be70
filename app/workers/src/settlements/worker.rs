//! Calls shops to carry out settlements.
//!
//! The transaction that approves a resolution writes its settlement, and the one that completes it deletes the
//! settlement. In between, the shop is called with one transaction id until the result is known: if an instance crashes
//! after the shop has paid, the next call gets the answer that the refund is done.

use super::begin::{SettlementCall, SettlementWay};
use crate::{
    backoff::{Backoff, retry_after},
    handle::Workers,
    job_runner::{Job, jobs_of_table},
};
use domain::{
    Timestamp,
    integration::{FailedAttempts, IntegrationOperation},
    stage::Move,
};
use outbound::{
    bridge::{BridgeError, Resolved, Unavailable},
    http::CallError,
};
use returns::{
    Result,
    internals::{CallResult, ShopConnection, again_on_deadlock, message_of, problems},
};
use std::{future::Future, time::Instant};
use store::{
    Lease, Writing,
    settlements::{self, Settlement},
};
use uuid::Uuid;

/// The pauses between failed calls, seconds. After the last one, staff have to act.
const BACK_OFF: Backoff = Backoff::new(&[60, 300, 900, 3_600, 10_800, 21_600, 43_200, LONGEST]);
/// The pause before an extra attempt if the connection of the first one broke, seconds: usually the shop or its proxy
/// restarts. The extra attempt repeats the same request with the same transaction id.
const BROKEN: i64 = 5;
const LONGEST: i64 = 86_400;
/// The shortest pause while calls to a shop are suspended, seconds.
const LEFT_ALONE_FOR: i64 = 10;
/// The interval of calls to a shop that answers `Pending`, seconds…
const PENDING_EVERY: i64 = 300;
/// … and the time after the first call at which they end.
const PENDING_FOR: i64 = 72 * 3_600;
/// The interval of looks whether the shop has its own return by now, seconds.
const RETURN_EVERY: i64 = 20;
/// What to do after the call.
#[derive(Debug)]
enum SettlementVerdict {
    Completed {
        external_reference: Option<String>,
    },
    /// Staff have to act.
    Failed {
        reason: String,
        /// `Ends` if the shop reports that it gave nothing.
        hold: Lease,
    },
    Again {
        at: Timestamp,
        tries: u32,
        hold: Lease,
        heard: AttemptsUpdate,
    },
}

/// How the last call changes the failed attempts of a settlement that is to be tried again.
#[derive(Debug)]
enum AttemptsUpdate {
    /// The call failed, with this reason.
    Failed(String),
    /// There was no call, so they stay the same.
    Nothing,
    /// The shop gave a usable answer, so there are none.
    Usable,
}

/// A settlement with the shop that was called.
struct AskedSettlement<'a> {
    one: &'a Settlement,
    /// The subject of a sentence about the shop.
    who: &'static str,
    /// The end of the settlement's lease, if the lease stays.
    held_until: Timestamp,
}

impl Workers {
    /// Carries out approved resolutions until `stop` is ready.
    pub async fn settle_returns(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<Settlement>(stop).await;
    }

    async fn settle(&self, one: &Settlement) -> Result<()> {
        let begun = again_on_deadlock(|| self.begin_settlement(one)).await?;
        let Some(SettlementCall { shop, name, asked, held_until, way }) = begun else { return Ok(()) };
        if let SettlementWay::AfterReturn(problem) = way {
            let verdict = before_return(one, problem, self.retour.now());
            return again_on_deadlock(|| self.conclude_settlement(one, &verdict, &CallResult::NotCalled)).await;
        }
        let began = Instant::now();
        let call = resolve(&shop, &asked, &way, self.retour.now());
        let answer = self.retour.breakers().settling.run(&(one.account_id, name), Instant::now, call).await;
        self.retour.figures().resolutions.count(outcome(&answer), began.elapsed());
        if let Err(error) = &answer {
            let problems = problems(error);
            tracing::warn!(account = %one.account_id, transaction = %one.id, %error, ?problems, "a resolution was not carried out");
        }
        let result = CallResult::of(&answer, shop.who());
        let verdict = judge(answer, &AskedSettlement { one, who: shop.who(), held_until }, self.retour.now());
        again_on_deadlock(|| self.conclude_settlement(one, &verdict, &result)).await
    }

    async fn conclude_settlement(
        &self,
        one: &Settlement,
        verdict: &SettlementVerdict,
        result: &CallResult,
    ) -> Result<()> {
        let mut writing = self.retour.store().write().await?;
        let mut next_attempt_at = None;
        match verdict {
            SettlementVerdict::Again { at, tries, hold, heard } => {
                self.write_attempts(&mut writing, one, *at, heard).await?;
                settlements::later(writing.db(), one, Some(*at), *tries, *hold).await?;
                next_attempt_at = Some(*at);
            }
            SettlementVerdict::Completed { external_reference } => {
                let completed = Move::CompleteResolution { external_reference: external_reference.clone() };
                if !self.end_settlement(&mut writing, one, &completed).await? {
                    tracing::warn!(transaction = %one.id, "a shop has carried out a resolution that staff settled during the call");
                }
            }
            SettlementVerdict::Failed { reason, hold } => {
                self.end_settlement(&mut writing, one, &Move::FailResolution { reason: reason.clone() }).await?;
                match hold {
                    Lease::Ends => settlements::nothing_given(writing.db(), one).await?,
                    hold => settlements::later(writing.db(), one, None, 0, *hold).await?,
                }
            }
        }
        let operation = (one.account_id, IntegrationOperation::Resolution);
        self.retour.commit_with_health(writing, operation, result, next_attempt_at).await
    }

    /// Updates the failed attempts of the request. Without a failed attempt, it reads nothing.
    async fn write_attempts(
        &self,
        writing: &mut Writing,
        one: &Settlement,
        next_at: Timestamp,
        heard: &AttemptsUpdate,
    ) -> Result<()> {
        let failed = |count, message: &str| FailedAttempts { count, message: message.to_owned(), next_at };
        match heard {
            AttemptsUpdate::Failed(message) => {
                let attempts = failed(one.tries.saturating_add(1), message);
                self.set_failed_attempts(writing, one, |_| Some(attempts)).await
            }
            _ if one.tries == 0 => Ok(()),
            AttemptsUpdate::Nothing => {
                let later = |before: &FailedAttempts| failed(before.count, &before.message);
                self.set_failed_attempts(writing, one, |before| before.map(later)).await
            }
            AttemptsUpdate::Usable => self.set_failed_attempts(writing, one, |_| None).await,
        }
    }

    /// Postpones a settlement after a fault of Retour, with growing pauses.
    async fn put_off(&self, one: &Settlement) -> Result<()> {
        let seconds = BACK_OFF.pause_or(one.tries, LONGEST);
        let at = self.retour.now().plus_seconds(seconds);
        let mut writing = self.retour.store().write().await?;
        settlements::later(writing.db(), one, Some(at), one.tries.saturating_add(1), Lease::Stays).await?;
        Ok(writing.commit().await?)
    }
}

impl Job for Settlement {
    const NAME: &'static str = "resolutions";

    jobs_of_table!(settlements);

    fn id(&self) -> Uuid {
        self.id.0
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        workers.settle(self).await
    }

    async fn postpone(&self, workers: &Workers) -> Result<()> {
        workers.put_off(self).await
    }
}

/// The pause after an error in seconds, and what happens to the lease. `None`: no further attempt.
fn wait_after(error: &BridgeError, tries: u32) -> Option<(i64, Lease)> {
    let is_broken = matches!(
        error,
        BridgeError::Unavailable(Unavailable::NoAnswer(CallError::BrokenOff | CallError::NotConnected))
    );
    if !is_broken {
        return BACK_OFF.pause(tries).map(|seconds| (seconds.max(retry_after(error, LONGEST)), Lease::Stays));
    }
    match tries.checked_sub(1) {
        // Every kind of shop accepts a repeated call at any time after the first one has returned.
        None => Some((BROKEN, Lease::Ends)),
        Some(tries) => BACK_OFF.pause(tries).map(|seconds| (seconds, Lease::Stays)),
    }
}

/// What follows while the shop does not have its own return yet. It gave nothing.
fn before_return(one: &Settlement, problem: Option<String>, now: Timestamp) -> SettlementVerdict {
    match problem {
        None => SettlementVerdict::Again {
            at: now.plus_seconds(RETURN_EVERY),
            tries: one.tries,
            hold: Lease::Ends,
            heard: AttemptsUpdate::Nothing,
        },
        Some(problem) => SettlementVerdict::Failed {
            reason: format!("The shop does not have the return yet, so nothing was refunded. {problem}"),
            hold: Lease::Ends,
        },
    }
}

async fn resolve(
    shop: &ShopConnection,
    asked: &outbound::bridge::contract::ResolveReturn,
    way: &SettlementWay,
    now: Timestamp,
) -> Result<Resolved, BridgeError> {
    match shop {
        ShopConnection::Http(bridge) => bridge.resolve_return(asked, now).await,
        ShopConnection::Vendure(vendure) => vendure.resolve_return(asked, now).await,
        ShopConnection::Medusa(medusa) => medusa.resolve_return(asked, now).await,
        ShopConnection::Shopify(shopify) => match way {
            SettlementWay::ByReturn(id) => Box::pin(shopify.resolve_mirrored_return(asked, id, now)).await,
            SettlementWay::Alone | SettlementWay::AfterReturn(_) => Box::pin(shopify.resolve_return(asked, now)).await,
        },
    }
}

fn outcome(answer: &Result<Resolved, BridgeError>) -> &'static str {
    match answer {
        Ok(Resolved::Completed { .. }) => "Completed",
        Ok(Resolved::Pending { .. }) => "Pending",
        Ok(Resolved::Failed { .. }) => "Failed",
        Ok(Resolved::Unclear { .. }) => "Unclear",
        Err(error) => error.name(),
    }
}

fn judge(answer: Result<Resolved, BridgeError>, asked: &AskedSettlement<'_>, now: Timestamp) -> SettlementVerdict {
    let one = asked.one;
    match answer {
        Ok(Resolved::Completed { external_reference }) => SettlementVerdict::Completed { external_reference },
        Ok(Resolved::Failed { reason, external_reference }) => {
            SettlementVerdict::Failed { reason: with_reference(reason, external_reference), hold: Lease::Ends }
        }
        Ok(Resolved::Unclear { reason, external_reference }) => {
            SettlementVerdict::Failed { reason: with_reference(reason, external_reference), hold: Lease::Stays }
        }
        Ok(Resolved::Pending { .. }) => {
            let first = one.first_asked_at.unwrap_or(now);
            if now >= first.plus_seconds(PENDING_FOR) {
                let reason = "The resolution has been pending at the shop for 72 hours.".to_owned();
                return SettlementVerdict::Failed { reason, hold: Lease::Stays };
            }
            let at = now.plus_seconds(PENDING_EVERY);
            SettlementVerdict::Again { at, tries: 0, hold: Lease::Until(at), heard: AttemptsUpdate::Usable }
        }
        // The shop was not called, so this does not count as an attempt.
        Err(BridgeError::Unavailable(Unavailable::LeftAlone { wait })) => {
            let wait = i64::try_from(wait.as_secs()).unwrap_or(0).max(LEFT_ALONE_FOR);
            let at = now.plus_seconds(wait);
            SettlementVerdict::Again { at, tries: one.tries, hold: Lease::Ends, heard: AttemptsUpdate::Nothing }
        }
        Err(error) => {
            let message = message_of(&error, asked.who);
            let Some((seconds, hold)) = wait_after(&error, one.tries) else {
                return SettlementVerdict::Failed { reason: message, hold: Lease::Stays };
            };
            let at = now.plus_seconds(seconds);
            let at = if matches!(hold, Lease::Stays) { at.max(asked.held_until) } else { at };
            SettlementVerdict::Again {
                at,
                tries: one.tries.saturating_add(1),
                hold,
                heard: AttemptsUpdate::Failed(message),
            }
        }
    }
}

/// Adds the reference, by which staff find the transaction in the shop.
fn with_reference(reason: String, external_reference: Option<String>) -> String {
    match external_reference {
        Some(reference) => format!("{reason} ({reference})"),
        None => reason,
    }
}
