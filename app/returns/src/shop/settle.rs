//! Carrying out what was approved: whose turn it is, and what comes of it.
//!
//! A settlement is written in the transaction that approves a resolution, and goes in the one that completes it. Between
//! them the shop is asked under one transaction id, as often as it takes to learn how it ended: a program that dies
//! after the shop has paid asks again, and the shop says that it is done.

use super::{Shop, begin::Begun};
use crate::{
    Result, Retour, again_on_deadlock,
    turns::{Shares, Work},
};
use domain::{AccountId, Timestamp, stage::Move};
use outbound::bridge::{BridgeError, Resolved, Unavailable};
use std::{future::Future, time::Instant};
use store::{
    Db, Hold, IsEnough,
    settlements::{self, Settlement},
};

/// When a shop is asked again that could not be: after so many seconds each. Then a person has to look.
const BACK_OFF: [i64; 8] = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, LONGEST];
const LONGEST: i64 = 86_400;
/// A shop that is left alone is asked again after so many seconds at least.
const LEFT_ALONE_FOR: i64 = 10;
/// A shop that says `Pending` is asked again after so many seconds…
const PENDING_EVERY: i64 = 300;
/// … and no longer than this after it was asked first (design 5).
const PENDING_FOR: i64 = 72 * 3_600;
/// What is to be done with a settlement, once its shop has been asked.
#[derive(Debug)]
enum Verdict {
    Completed {
        external_reference: Option<String>,
    },
    /// A person has to look.
    Failed {
        reason: String,
        /// `Ends` where the shop says that it gave nothing.
        hold: Hold,
    },
    Again {
        at: Timestamp,
        tries: u32,
        hold: Hold,
    },
}

impl Retour {
    /// Has shops carry out what was approved, until it is told to stop.
    pub async fn settle_returns(&self, stop: impl Future<Output = ()>) {
        self.work_off::<Settlement>(stop).await;
    }

    async fn settle(&self, one: &Settlement) -> Result<()> {
        let begun = again_on_deadlock(|| self.begin_settlement(one)).await?;
        let Some(Begun { shop, name, asked }) = begun else { return Ok(()) };
        let began = Instant::now();
        let call = resolve(&shop, &asked, self.now());
        let answer = self.shops.settling.run(&(one.account_id, name), Instant::now, call).await;
        self.figures.resolutions.count(outcome(&answer), began.elapsed());
        if let Err(error) = &answer {
            let problems = super::problems(error);
            tracing::warn!(account = %one.account_id, transaction = %one.id, %error, ?problems, "a resolution was not carried out");
        }
        let verdict = judge(answer, one, self.now());
        again_on_deadlock(|| self.conclude_settlement(one, &verdict)).await
    }

    async fn conclude_settlement(&self, one: &Settlement, verdict: &Verdict) -> Result<()> {
        let mut writing = self.store.write().await?;
        match verdict {
            Verdict::Again { at, tries, hold } => {
                settlements::later(writing.db(), one, Some(*at), (*tries, *hold)).await?;
            }
            Verdict::Completed { external_reference } => {
                let completed = Move::CompleteResolution { external_reference: external_reference.clone() };
                if !self.end_settlement(&mut writing, one, &completed).await? {
                    tracing::warn!(transaction = %one.id, "a shop has carried out what a person had settled meanwhile");
                }
            }
            Verdict::Failed { reason, hold } => {
                self.end_settlement(&mut writing, one, &Move::FailResolution { reason: reason.clone() }).await?;
                match hold {
                    Hold::Ends => settlements::nothing_given(writing.db(), one).await?,
                    hold => settlements::later(writing.db(), one, None, (0, *hold)).await?,
                }
            }
        }
        Ok(writing.commit().await?)
    }

    /// Something of ours is broken: it is tried again, less and less.
    async fn put_off(&self, one: &Settlement) -> Result<()> {
        let seconds = wait(one.tries).unwrap_or(LONGEST);
        let at = self.now().plus_seconds(seconds);
        let mut writing = self.store.write().await?;
        settlements::later(writing.db(), one, Some(at), (one.tries + 1, Hold::Stays)).await?;
        Ok(writing.commit().await?)
    }
}

impl Work for Settlement {
    const NAME: &'static str = "resolutions";

    fn account(&self) -> AccountId {
        self.account_id
    }

    fn waiting(
        db: Db<'_>,
        now: Timestamp,
        is_enough: IsEnough<'_>,
    ) -> impl Future<Output = store::Result<Vec<AccountId>>> + Send {
        settlements::waiting(db, now, is_enough)
    }

    fn claim(
        db: Db<'_>,
        now: Timestamp,
        until: Timestamp,
        shares: Shares<'_>,
    ) -> impl Future<Output = store::Result<Vec<Self>>> + Send {
        settlements::claim(db, now, until, shares)
    }

    async fn carry_out(self, retour: Retour) {
        if let Err(error) = retour.settle(&self).await {
            tracing::warn!(%error, transaction = %self.id, "a resolution could not be carried out; it is tried again");
            let _ = retour.put_off(&self).await; // otherwise it stays held for a while, and is due then
        }
    }
}

/// How long until the next try, seconds; `None` when there is none.
fn wait(tries: u32) -> Option<i64> {
    usize::try_from(tries).ok().and_then(|tries| BACK_OFF.get(tries)).copied()
}

async fn resolve(
    shop: &Shop,
    asked: &outbound::bridge::contract::ResolveReturn,
    now: Timestamp,
) -> Result<Resolved, BridgeError> {
    match shop {
        Shop::Http(bridge) => bridge.resolve_return(asked, now).await,
        Shop::Vendure(vendure) => vendure.resolve_return(asked, now).await,
        Shop::Medusa(medusa) => medusa.resolve_return(asked, now).await,
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

fn judge(answer: Result<Resolved, BridgeError>, one: &Settlement, now: Timestamp) -> Verdict {
    match answer {
        Ok(Resolved::Completed { external_reference }) => Verdict::Completed { external_reference },
        Ok(Resolved::Failed { reason, external_reference }) => {
            Verdict::Failed { reason: with_reference(reason, external_reference), hold: Hold::Ends }
        }
        Ok(Resolved::Unclear { reason, external_reference }) => {
            Verdict::Failed { reason: with_reference(reason, external_reference), hold: Hold::Stays }
        }
        Ok(Resolved::Pending { .. }) => {
            let first = one.first_asked_at.unwrap_or(now);
            if now >= first.plus_seconds(PENDING_FOR) {
                let reason = "The shop has said for 72 hours that it is still at it.".to_owned();
                return Verdict::Failed { reason, hold: Hold::Stays };
            }
            let at = now.plus_seconds(PENDING_EVERY);
            Verdict::Again { at, tries: 0, hold: Hold::Until(at) }
        }
        // It was not asked, so that it is none of its tries.
        Err(BridgeError::Unavailable(Unavailable::LeftAlone { wait })) => {
            let wait = i64::try_from(wait.as_secs()).unwrap_or(0).max(LEFT_ALONE_FOR);
            Verdict::Again { at: now.plus_seconds(wait), tries: one.tries, hold: Hold::Ends }
        }
        Err(error) => match wait(one.tries) {
            Some(seconds) => Verdict::Again {
                at: now.plus_seconds(seconds.max(asked_for(&error))),
                tries: one.tries + 1,
                hold: Hold::Stays,
            },
            None => Verdict::Failed { reason: error.to_string(), hold: Hold::Stays },
        },
    }
}

/// `Retry-After`, within reason.
fn asked_for(error: &BridgeError) -> i64 {
    match error {
        BridgeError::Unavailable(Unavailable::Status { wait_seconds: Some(seconds), .. }) => {
            i64::try_from(*seconds).unwrap_or(LONGEST).min(LONGEST)
        }
        _ => 0,
    }
}

/// For people, who may have to look for it there.
fn with_reference(reason: String, external_reference: Option<String>) -> String {
    match external_reference {
        Some(reference) => format!("{reason} ({reference})"),
        None => reason,
    }
}
