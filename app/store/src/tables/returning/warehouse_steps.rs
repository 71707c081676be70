//! What the warehouse recorded of return requests, with each request before and after.

use crate::engine::{
    Db, Result,
    stored::{count, from_json, named, to_json},
};
use domain::{
    AccountId, ReceivingId, ReturnOrderId, ReturnRequestId, Timestamp, WarehouseStepId,
    returning::{WarehouseStep, WarehouseStepKind},
};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, return_order_id, return_request_id, receiving_id, kind, external_reference, units, refused, \
             state_before, state_after, actor_id, created_at FROM warehouse_steps ",
            $rest
        )
    };
}

statements! {
    in warehouse_steps;
    INSERT = "INSERT INTO warehouse_steps (account_id, id, return_order_id, return_request_id, receiving_id, kind,
        external_reference, units, refused, state_before, state_after, actor_id, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    LIST_OF_RETURN_ORDER = select!("WHERE account_id = $1 AND return_order_id = $2 ORDER BY seq");
    LAST_PARCEL_OF_ACTOR = "SELECT return_order_id, receiving_id, created_at FROM warehouse_steps
        WHERE account_id = $1 AND actor_id = $2 AND created_at >= $3 AND receiving_id IS NOT NULL
        ORDER BY created_at DESC, seq DESC LIMIT 1";
    SUM_OF_ACTOR = "SELECT COUNT(DISTINCT receiving_id), CAST(COALESCE(SUM(units), 0) AS BIGINT),
        CAST(COALESCE(SUM(refused), 0) AS BIGINT)
        FROM warehouse_steps WHERE account_id = $1 AND actor_id = $2 AND created_at >= $3";
    DELETE = "DELETE FROM warehouse_steps WHERE account_id = $1 AND id = $2";
    DELETE_OF_RETURN_ORDER = "DELETE FROM warehouse_steps WHERE account_id = $1 AND return_order_id = $2";
    PRUNE = "DELETE FROM warehouse_steps WHERE (account_id, id) IN
        (SELECT account_id, id FROM warehouse_steps WHERE created_at < $1 ORDER BY created_at LIMIT 500)";
}

#[derive(sqlx::FromRow)]
struct StepRow {
    id: Uuid,
    return_order_id: Uuid,
    return_request_id: Uuid,
    receiving_id: Option<Uuid>,
    kind: String,
    external_reference: String,
    units: i64,
    refused: i64,
    state_before: String,
    state_after: String,
    actor_id: Option<Uuid>,
    created_at: i64,
}

impl StepRow {
    fn step(self) -> Result<WarehouseStep> {
        Ok(WarehouseStep {
            id: WarehouseStepId(self.id),
            return_order_id: ReturnOrderId(self.return_order_id),
            return_request_id: ReturnRequestId(self.return_request_id),
            receiving_id: self.receiving_id.map(ReceivingId),
            kind: named("warehouse_steps.kind", WarehouseStepKind::from_name(&self.kind))?,
            external_reference: self.external_reference,
            units: count("warehouse_steps.units", self.units)?,
            refused: count("warehouse_steps.refused", self.refused)?,
            before: from_json("warehouse_steps.state_before", &self.state_before)?,
            after: from_json("warehouse_steps.state_after", &self.state_after)?,
            actor_id: self.actor_id,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// Inserts a step.
pub async fn insert(mut db: Db<'_>, account: AccountId, step: &WarehouseStep) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(step.id.0)
            .bind(step.return_order_id.0)
            .bind(step.return_request_id.0)
            .bind(step.receiving_id.map(|id| id.0))
            .bind(step.kind.name())
            .bind(&step.external_reference)
            .bind(i64::from(step.units))
            .bind(i64::from(step.refused))
            .bind(to_json(&step.before))
            .bind(to_json(&step.after))
            .bind(step.actor_id)
            .bind(step.created_at.micros())
    );
    Ok(())
}

/// The steps of a return order that were not taken back, oldest first.
pub async fn list_of_return_order(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
) -> Result<Vec<WarehouseStep>> {
    let rows: Vec<StepRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(order.0)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(StepRow::step).collect()
}

/// A parcel that somebody counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedParcel {
    pub return_order_id: ReturnOrderId,
    pub receiving_id: ReceivingId,
    pub at: Timestamp,
}

/// The parcel that a user or program counted last, since a moment.
pub async fn last_parcel_of_actor(
    mut db: Db<'_>,
    account: AccountId,
    actor: Uuid,
    since: Timestamp,
) -> Result<Option<CountedParcel>> {
    let row: Option<(Uuid, Uuid, i64)> = on!(&mut db, c => sqlx::query_as(LAST_PARCEL_OF_ACTOR)
        .bind(account.0)
        .bind(actor)
        .bind(since.micros())
        .fetch_optional(&mut **c).await?);
    Ok(row.map(|(order, receiving, at)| CountedParcel {
        return_order_id: ReturnOrderId(order),
        receiving_id: ReceivingId(receiving),
        at: Timestamp::from_micros(at),
    }))
}

/// What a user or program counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub parcels: u32,
    pub units: u32,
    pub refused: u32,
}

/// What a user or program counted since a moment, without what was taken back.
pub async fn sum_of_actor(mut db: Db<'_>, account: AccountId, actor: Uuid, since: Timestamp) -> Result<Tally> {
    let (parcels, units, refused): (i64, i64, i64) = on!(&mut db, c => sqlx::query_as(SUM_OF_ACTOR)
        .bind(account.0)
        .bind(actor)
        .bind(since.micros())
        .fetch_one(&mut **c).await?);
    let sum = |value| count("the sum of warehouse_steps", value);
    Ok(Tally { parcels: sum(parcels)?, units: sum(units)?, refused: sum(refused)? })
}

/// Deletes a step that is taken back.
pub async fn delete(mut db: Db<'_>, account: AccountId, id: WarehouseStepId) -> Result<()> {
    execute!(db, sqlx::query(DELETE).bind(account.0).bind(id.0));
    Ok(())
}

/// Deletes the steps of a return order: its consumer is erased, and nothing of it can be taken back.
pub async fn delete_of_return_order(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<()> {
    execute!(db, sqlx::query(DELETE_OF_RETURN_ORDER).bind(account.0).bind(order.0));
    Ok(())
}

/// Deletes some steps from before a moment; returns how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
