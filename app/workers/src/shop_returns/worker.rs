//! Compares returns with those that a shop shows, and makes the shop's agree.
//!
//! A change of a return only makes its next comparison due. Each comparison reads the shop's return first and makes at most one
//! change, so crashes, repeats and lost answers only delay it. A change without a known result is followed by no other before it
//! can no longer be running.

use super::aim::Aim;
use crate::{
    backoff::{Backoff, retry_after},
    handle::Workers,
    job_runner::{Job, jobs_of_table},
};
use domain::{Timestamp, account::Account, integration::IntegrationOperation, returning::MAX_FLAGS};
use outbound::{
    bridge::{BridgeError, Unavailable},
    shops::shopify::{
        IN_FLIGHT_LIMIT, NextStep, RefusedParts, ReturnComparison, ReturnStatus, ReturnStep, Shopify, StepResult,
    },
};
use returns::{
    Error, Result,
    internals::{
        CallResult, OrBroken, Returned, ShopConnection, again_on_deadlock, failed_attempt, message_of, problems,
    },
};
use std::{future::Future, time::Instant};
use store::{
    Writing, accounts, return_orders,
    shop_returns::{self, Compared, MAX_REFUSED, ShopReturn},
};
use uuid::Uuid;

/// The pauses between failed comparisons, seconds.
const BACK_OFF: Backoff = Backoff::new(&[30, 120, 600, 1_800, 3_600, 10_800, 21_600]);
const LONGEST: i64 = 43_200;
/// After so many failures in a row, the timeline says so.
const TOLD_AFTER: u32 = 3;
/// The interval of comparisons while nothing changes here: staff may change the shop's return.
const EVERY: i64 = 21_600;
/// The shortest pause while calls to a shop are suspended, seconds.
const LEFT_ALONE_FOR: i64 = 10;
/// The flag of a return order whose return staff ended in the shop.
const ENDED_FLAG: &str = "Ended in Shopify";
const WHO: &str = "Shopify";
const OTHER_SHOP: &str = "The account is now connected to another shop.";

/// How a comparison ended.
#[derive(Debug)]
struct Outcome {
    external_id: Option<String>,
    next: Next,
    result: CallResult,
}

/// What follows a comparison.
#[derive(Debug)]
enum Next {
    /// Another one.
    At {
        due_at: Timestamp,
        /// When a change began whose result is not known.
        begun_at: Option<Timestamp>,
    },
    /// Another one, after a failure. The pauses grow.
    Failed { message: String, wait: i64, begun_at: Option<Timestamp> },
    /// Another one at once: Shopify refused parts of a change, which are left out from now on.
    Without(RefusedParts),
    /// Another one, because calls are suspended. This is no attempt.
    Postponed { wait: i64, begun_at: Option<Timestamp> },
    /// None. The text is for the timeline, unless it is empty.
    Over(String),
    /// None: staff ended it in the shop. The word says how.
    EndedThere(&'static str),
}

impl Workers {
    /// Makes returns appear in shops until `stop` is ready.
    pub async fn show_returns_in_shops(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<ShopReturn>(stop).await;
    }

    async fn compare_return(&self, one: &ShopReturn) -> Result<()> {
        let mut reading = self.retour.store().read().await?;
        let account = accounts::find(reading.db(), one.account_id).await?.or_broken()?;
        let aim = Aim::read(reading.db(), one).await?;
        drop(reading);
        let connection = account.bridge.connection().filter(|_| account.bridge.shop_key() == one.shop);
        let shop = connection.map(|connection| self.retour.shop(&account, connection)).transpose()?;
        let outcome = match shop {
            Some(ShopConnection::Shopify(shopify)) => self.compare_with(one, &account, &shopify, &aim).await?,
            _ => Some(Outcome {
                external_id: one.external_id.clone(),
                next: Next::Over(OTHER_SHOP.to_owned()),
                result: CallResult::NotCalled,
            }),
        };
        let Some(outcome) = outcome else { return Ok(()) };
        again_on_deadlock(|| self.conclude_comparison(one, &outcome, &aim)).await
    }

    /// `None` if another worker holds the return by now.
    async fn compare_with(
        &self,
        one: &ShopReturn,
        account: &Account,
        shopify: &Shopify,
        aim: &Aim,
    ) -> Result<Option<Outcome>> {
        let now = self.retour.now();
        let in_flight = one.begun_at.map(flies_until).filter(|until| now < *until);
        let call = Box::pin(shopify.compare_return(&aim.asked, now));
        let comparison = match self.asked_of_shop(account, one, call).await {
            Ok(comparison) => comparison,
            Err(error) => return Ok(Some(failed(&error, one.external_id.clone(), one.begun_at))),
        };
        let ReturnComparison { external_id, status, is_processed, next } = comparison;
        let ended = status.and_then(ReturnStatus::ended);
        let result = CallResult::Succeeded;
        let next = match (next, in_flight) {
            (NextStep::Step(step), None) => return self.change_return(one, account, shopify, &step, external_id).await,
            // What was begun may still take effect.
            (NextStep::Step(_) | NextStep::Impossible(_) | NextStep::Elsewhere(_), Some(until)) => {
                Next::At { due_at: until, begun_at: one.begun_at }
            }
            (NextStep::Nothing, Some(until)) if external_id.is_none() => {
                Next::At { due_at: until, begun_at: one.begun_at }
            }
            (NextStep::Impossible(reason), None) => Next::Over(reason),
            (NextStep::Elsewhere(_), None) if aim.is_over => Next::Over(String::new()),
            // The other return may end. Until then, a resolution fails with this reason instead of refunding twice.
            (NextStep::Elsewhere(message), None) => Next::Failed { message, wait: 0, begun_at: None },
            (NextStep::Nothing, _) => match ended {
                Some(_) if aim.is_over => Next::Over(String::new()),
                // Shopify has closed it, because everything is done there.
                Some(_) if is_processed => Next::At { due_at: now.plus_seconds(EVERY), begun_at: None },
                Some(ended) => Next::EndedThere(ended),
                None if aim.is_over && external_id.is_none() => Next::Over(String::new()),
                None => Next::At { due_at: now.plus_seconds(EVERY), begun_at: None },
            },
        };
        Ok(Some(Outcome { external_id, next, result }))
    }

    /// Makes one change.
    async fn change_return(
        &self,
        one: &ShopReturn,
        account: &Account,
        shopify: &Shopify,
        step: &ReturnStep,
        known_id: Option<String>,
    ) -> Result<Option<Outcome>> {
        let now = self.retour.now();
        let mut writing = self.retour.store().write().await?;
        let is_ours = shop_returns::begin(writing.db(), one, now).await?;
        writing.commit().await?;
        if !is_ours {
            return Ok(None);
        }
        let call = Box::pin(shopify.change_return(step, now));
        Ok(Some(match self.asked_of_shop(account, one, call).await {
            Ok(StepResult::Done { external_id }) => Outcome {
                external_id: known_id.or(external_id),
                next: Next::At { due_at: self.retour.now(), begun_at: None },
                result: CallResult::Succeeded,
            },
            Ok(StepResult::Refused(reason)) if step.makes_return() => {
                Outcome { external_id: None, next: Next::Over(reason), result: CallResult::Succeeded }
            }
            Ok(StepResult::Refused(message)) => Outcome {
                external_id: known_id,
                next: Next::Failed { message: message.clone(), wait: 0, begun_at: None },
                result: CallResult::Failed(message),
            },
            Ok(StepResult::RefusedParts(refused)) => {
                Outcome { external_id: known_id, next: Next::Without(refused), result: CallResult::Succeeded }
            }
            Ok(StepResult::Unknown) => {
                let message = "Shopify did not confirm a change of a return. Retour looks at it again.".to_owned();
                Outcome {
                    external_id: known_id,
                    next: Next::Failed { message: message.clone(), wait: limit(), begun_at: Some(now) },
                    result: CallResult::Failed(message),
                }
            }
            Err(error) => failed(&error, known_id, None),
        }))
    }

    /// Calls the shop, unless calls are suspended after repeated failures.
    async fn asked_of_shop<T>(
        &self,
        account: &Account,
        one: &ShopReturn,
        call: impl Future<Output = Result<T, BridgeError>>,
    ) -> Result<T, BridgeError> {
        let (began, name) = (Instant::now(), (account.id, account.bridge.shop_key()));
        let answer = self.retour.breakers().returns.run(&name, Instant::now, call).await;
        let outcome = answer.as_ref().map_or_else(BridgeError::name, |_| "Answered");
        self.retour.figures().returns.count(outcome, began.elapsed());
        if let Err(error) = &answer {
            let problems = problems(error);
            tracing::warn!(account = %account.id, id = %one.id, %error, ?problems, "a return could not be compared with the shop's; Retour tries again");
        }
        answer
    }

    async fn conclude_comparison(&self, one: &ShopReturn, outcome: &Outcome, aim: &Aim) -> Result<()> {
        let (now, external_id) = (self.retour.now(), outcome.external_id.as_deref());
        let tries = one.tries.saturating_add(1);
        let mut writing = self.retour.store().write().await?;
        // The return order is locked before the row, as everywhere.
        self.tell_of_outcome(&mut writing, one, outcome, aim).await?;
        let mut next_attempt_at = None;
        let is_written = match &outcome.next {
            Next::At { due_at, begun_at } => {
                let compared = Compared {
                    due_at: *due_at,
                    tries: 0,
                    error: "",
                    external_id,
                    begun_at: *begun_at,
                    refused: &one.refused,
                };
                shop_returns::conclude(writing.db(), one, &compared, now).await?
            }
            Next::Without(RefusedParts { names, .. }) => {
                let refused: Vec<String> = one.refused.iter().chain(names).cloned().collect();
                // Names that are not kept would be refused again at once.
                let due_at = if refused.len() > MAX_REFUSED { now.plus_seconds(EVERY) } else { now };
                let compared = Compared { due_at, tries: 0, error: "", external_id, begun_at: None, refused: &refused };
                shop_returns::conclude(writing.db(), one, &compared, now).await?
            }
            Next::Failed { message, wait, begun_at } => {
                let due_at = now.plus_seconds(BACK_OFF.pause_or(one.tries, LONGEST).max(*wait));
                next_attempt_at = Some(due_at);
                let compared =
                    Compared { due_at, tries, error: message, external_id, begun_at: *begun_at, refused: &one.refused };
                shop_returns::conclude(writing.db(), one, &compared, now).await?
            }
            Next::Postponed { wait, begun_at } => {
                let (due_at, error) = (now.plus_seconds(*wait), one.error.as_str());
                let compared = Compared {
                    due_at,
                    tries: one.tries,
                    error,
                    external_id,
                    begun_at: *begun_at,
                    refused: &one.refused,
                };
                shop_returns::conclude(writing.db(), one, &compared, now).await?
            }
            Next::Over(reason) => shop_returns::end(writing.db(), one, reason, external_id).await?,
            Next::EndedThere(_) => shop_returns::end(writing.db(), one, "", external_id).await?,
        };
        if !is_written {
            return Ok(()); // another worker holds it by now
        }
        let operation = (one.account_id, IntegrationOperation::Return);
        self.retour.commit_with_health(writing, operation, &outcome.result, next_attempt_at).await
    }

    /// Adds to the timeline what people should know of a comparison.
    async fn tell_of_outcome(
        &self,
        writing: &mut Writing,
        one: &ShopReturn,
        outcome: &Outcome,
        aim: &Aim,
    ) -> Result<()> {
        match &outcome.next {
            Next::Failed { message, .. } if one.tries.saturating_add(1) == TOLD_AFTER => {
                self.tell_of(writing, one, aim, message, None).await
            }
            Next::Over(reason) if !reason.is_empty() => self.tell_of(writing, one, aim, reason, None).await,
            Next::Without(RefusedParts { reason: Some(reason), .. }) => {
                let text = format!("{reason} Retour goes on without it.");
                self.tell_of(writing, one, aim, &text, None).await
            }
            Next::EndedThere(ended) => {
                let text = format!("The return was {ended} in Shopify.");
                self.tell_of(writing, one, aim, &text, Some(ENDED_FLAG)).await
            }
            _ => Ok(()),
        }
    }

    /// Adds an entry to the timeline of each request that is not over, or of all if all are, which consumers do not see, and a
    /// flag to the return order, if it has room for one.
    async fn tell_of(
        &self,
        writing: &mut Writing,
        one: &ShopReturn,
        aim: &Aim,
        text: &str,
        flag: Option<&str>,
    ) -> Result<()> {
        let (account, now) = (one.account_id, self.retour.now());
        let Returned { mut order, requests, .. } =
            Returned::lock(writing, account, one.return_order_id).await?.or_broken()?;
        for request in requests.iter().filter(|request| aim.requests.contains(&request.id)) {
            if aim.is_over || !request.state.stage.name().is_end() {
                writing.add_timeline_entry(failed_attempt(account, request, now, text));
            }
        }
        let is_new = |flag: &&str| !order.flags.iter().any(|known| known == flag) && order.flags.len() < MAX_FLAGS;
        if let Some(flag) = flag.filter(is_new) {
            order.flags.push(flag.to_owned());
            order.updated_at = now;
            if !return_orders::set_handling(writing.db(), account, &order).await? {
                return Err(Error::broken()); // cannot happen: the return order is locked
            }
        }
        Ok(())
    }

    /// Postpones a comparison after a fault of Retour, with growing pauses.
    async fn postpone_comparison(&self, one: &ShopReturn) -> Result<()> {
        let due_at = self.retour.now().plus_seconds(BACK_OFF.pause_or(one.tries, LONGEST));
        let compared = Compared {
            due_at,
            tries: one.tries.saturating_add(1),
            error: "Retour failed to compare the return. See the log.",
            external_id: one.external_id.as_deref(),
            refused: &one.refused,
            // The job may have failed after a change began.
            begun_at: Some(self.retour.now()),
        };
        let mut writing = self.retour.store().write().await?;
        shop_returns::conclude(writing.db(), one, &compared, self.retour.now()).await?;
        Ok(writing.commit().await?)
    }
}

/// The outcome of a call without a usable answer.
fn failed(error: &BridgeError, external_id: Option<String>, begun_at: Option<Timestamp>) -> Outcome {
    let answer: Result<(), BridgeError> = Err(error.clone());
    let result = CallResult::of(&answer, WHO);
    let next = match error {
        // The shop was not called, so this does not count as an attempt.
        BridgeError::Unavailable(Unavailable::LeftAlone { wait }) => {
            let wait = i64::try_from(wait.as_secs()).unwrap_or(0).max(LEFT_ALONE_FOR);
            Next::Postponed { wait, begun_at }
        }
        _ => Next::Failed { message: message_of(error, WHO), wait: retry_after(error, LONGEST), begun_at },
    };
    Outcome { external_id, next, result }
}

/// When a change is no longer running that began at a moment.
fn flies_until(begun_at: Timestamp) -> Timestamp {
    begun_at.plus_seconds(limit())
}

fn limit() -> i64 {
    i64::try_from(IN_FLIGHT_LIMIT.as_secs()).unwrap_or(i64::MAX)
}

impl Job for ShopReturn {
    const NAME: &'static str = "shop_returns";
    const CLAIMED_IN_ONE: bool = true;
    /// Two calls of ten seconds each.
    const HELD_FOR: i64 = 60;

    jobs_of_table!(shop_returns);

    fn id(&self) -> Uuid {
        self.id
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        workers.compare_return(self).await
    }

    async fn postpone(&self, workers: &Workers) -> Result<()> {
        workers.postpone_comparison(self).await
    }
}
