//! Moves of many return requests in one call.
//!
//! Each move is a transaction of its own, with a key of its own that is derived from the caller's. If the instance is
//! killed between two moves, the repeated call answers those that were made as before, and makes the others.

use super::staff_action::StatusUpdate;
use crate::{
    base::{Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, conclude, detached, error::check},
    merchant::handle::MerchantHandle,
    view::{BatchOutcome, BatchResult, BatchResults, ReturnRequestView},
};
use domain::{Problems, RefusalCode, ReturnRequestId, stage::StageName};
use serde::Deserialize;
use std::collections::HashSet;
use store::{return_orders, return_requests};

/// The most moves of one call.
const MAX_MOVES: usize = 100;

/// A move of one return request.
#[derive(Debug, Clone)]
pub struct BatchMove {
    /// The return request.
    pub id: ReturnRequestId,
    /// The stage to enter.
    pub update: StatusUpdate,
}

impl MerchantHandle<'_> {
    /// Moves up to 100 requests, each by itself: one that fails does not stop the others. A repeated call with the same
    /// key makes each move once.
    pub async fn update_many(self, moves: Vec<BatchMove>, key: Option<IdempotencyKey>) -> Result<Done<BatchResults>> {
        check(problems_of(&moves))?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        if let Some(done) = retour.lease(staff.account(), key.as_ref()).await? {
            return Ok(done);
        }
        detached(async move { retour.make_all(staff, moves, key).await }).await
    }
}

fn problems_of(moves: &[BatchMove]) -> Problems {
    let mut problems = Problems::default();
    if !(1..=MAX_MOVES).contains(&moves.len()) {
        problems.add("moves", RefusalCode::OutOfRange, format!("expected 1 to {MAX_MOVES} moves"));
    }
    let mut seen = HashSet::new();
    for (index, one) in moves.iter().enumerate() {
        if !seen.insert(one.id) {
            let message = "expected each return request once";
            problems.add(format!("moves[{index}].id"), RefusalCode::NotAllowed, message);
        }
    }
    problems
}

impl Retour {
    async fn make_all(
        &self,
        staff: Staff,
        moves: Vec<BatchMove>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<BatchResults>> {
        let mut results = Vec::with_capacity(moves.len());
        for (index, one) in moves.into_iter().enumerate() {
            let key = key.as_ref().map(|key| key_of(key, index));
            results.push(self.make_one(staff, one, key).await);
        }
        let failed = results.iter().filter(|result| result.outcome != BatchOutcome::Done).count();
        let count = |count: usize| u32::try_from(count).or_broken();
        let is_broken = results.iter().any(|result| result.outcome == BatchOutcome::Failed);
        let answer = BatchResults { done: count(results.len() - failed)?, failed: count(failed)?, results };
        let account = staff.account();
        if is_broken {
            // The answer is not stored, so that a repeated call can make the moves that failed.
            self.release(account, key.as_ref()).await?;
            return Ok(Done::Fresh { status: 200, value: answer });
        }
        match self.begin_leased(account, key.as_ref()).await? {
            Begun::New(writing) => conclude(writing, account, key.as_ref(), 200, answer).await,
            Begun::Before(done) => Ok(done),
        }
    }

    async fn make_one(&self, staff: Staff, one: BatchMove, key: Option<IdempotencyKey>) -> BatchResult {
        let id = one.id;
        match self.try_one(staff, one, key).await {
            Ok(Some(moved)) => {
                BatchResult { stage: Some(moved.stage), version: Some(moved.version), ..result(id, BatchOutcome::Done) }
            }
            Ok(None) => {
                let message = "The return order is left out of changes of many. Move this return request by itself.";
                BatchResult { message: Some(message.to_owned()), ..result(id, BatchOutcome::LeftOut) }
            }
            Err(error) => failure(id, error),
        }
    }

    /// `None`: its return order is left out of such changes.
    async fn try_one(
        &self,
        staff: Staff,
        BatchMove { id, update }: BatchMove,
        key: Option<IdempotencyKey>,
    ) -> Result<Option<Moved>> {
        let account = staff.account();
        let mut reading = self.store.read().await?;
        let request = return_requests::find(reading.db(), account, id).await?.ok_or(Error::NotFound)?;
        let order = return_orders::find(reading.db(), account, request.return_order_id).await?.or_broken()?;
        drop(reading);
        if order.leave_out_of_bulk {
            return Ok(None);
        }
        let moved = match self.merchant(&staff).update_status(id, update, key).await? {
            Done::Fresh { value: ReturnRequestView { stage, version, .. }, .. } => Moved { stage, version },
            Done::Replayed(answer) => serde_json::from_str(&answer.body).or_broken()?,
        };
        Ok(Some(moved))
    }
}

/// What a result says of a moved request.
#[derive(Deserialize)]
struct Moved {
    stage: StageName,
    version: i64,
}

/// The key of one move, which no client can send: clients do not choose the credential.
fn key_of(key: &IdempotencyKey, index: usize) -> IdempotencyKey {
    IdempotencyKey {
        credential: format!("{}/batch", key.credential),
        key: format!("{index}/{}", key.key),
        fingerprint: key.fingerprint.clone(),
    }
}

fn result(id: ReturnRequestId, outcome: BatchOutcome) -> BatchResult {
    BatchResult {
        return_request_id: id,
        outcome,
        stage: None,
        version: None,
        code: None,
        message: None,
        details: Vec::new(),
    }
}

pub(super) fn failure(id: ReturnRequestId, error: Error) -> BatchResult {
    let message = Some(error.to_string());
    match error {
        Error::NotFound => BatchResult { message, ..result(id, BatchOutcome::NotFound) },
        Error::Forbidden(_) => BatchResult { message, ..result(id, BatchOutcome::Forbidden) },
        Error::Invalid(details) => BatchResult { message, details, ..result(id, BatchOutcome::Invalid) },
        Error::PreconditionFailed(_) => BatchResult { message, ..result(id, BatchOutcome::Conflict) },
        Error::Refused(refusal) => {
            let is_conflict = refusal.code == RefusalCode::StageConflict;
            let outcome = if is_conflict { BatchOutcome::Conflict } else { BatchOutcome::Refused };
            BatchResult { code: Some(refusal.code), message, ..result(id, outcome) }
        }
        error => {
            tracing::error!(%error, "a move of a batch failed");
            let message = "The service could not make this move. Send the same request again, with the same key.";
            BatchResult { message: Some(message.to_owned()), ..result(id, BatchOutcome::Failed) }
        }
    }
}
