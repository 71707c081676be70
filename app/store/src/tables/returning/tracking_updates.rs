//! Tracking updates that carriers reported, each stored once.

use crate::engine::{Db, Result, stored::named};
use domain::{AccountId, ShipmentId, Timestamp, returning::TrackingUpdate, stage::Scan};
use uuid::Uuid;

statements! {
    in tracking_updates;
    INSERT = "INSERT INTO tracking_updates (account_id, shipment_id, status, explanation, happened_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (account_id, shipment_id, happened_at, status, explanation) DO NOTHING";
    LIST_OF_SHIPMENTS = "SELECT shipment_id, status, explanation, happened_at FROM tracking_updates
        WHERE account_id = $1 AND shipment_id IN ($2) ORDER BY happened_at, seq";
}

#[derive(sqlx::FromRow)]
struct TrackingRow {
    shipment_id: Uuid,
    status: String,
    explanation: String,
    happened_at: i64,
}

impl TrackingRow {
    fn update(self) -> Result<(ShipmentId, TrackingUpdate)> {
        let update = TrackingUpdate {
            status: named("tracking_updates.status", Scan::from_name(&self.status))?,
            explanation: self.explanation,
            happened_at: Timestamp::from_micros(self.happened_at),
        };
        Ok((ShipmentId(self.shipment_id), update))
    }
}

/// Inserts an update; `false` if it is known.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    shipment: ShipmentId,
    update: &TrackingUpdate,
    now: Timestamp,
) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(shipment.0)
            .bind(update.status.name())
            .bind(&update.explanation)
            .bind(update.happened_at.micros())
            .bind(now.micros())
    );
    Ok(rows == 1)
}

/// The updates of shipments, ordered by the carriers' time.
pub async fn list_of_shipments(
    mut db: Db<'_>,
    account: AccountId,
    shipments: &[ShipmentId],
) -> Result<Vec<(ShipmentId, TrackingUpdate)>> {
    let rows: Vec<TrackingRow> = select_of!(&mut db, LIST_OF_SHIPMENTS, account, shipments);
    rows.into_iter().map(TrackingRow::update).collect()
}
