//! Parcels of return orders.

use crate::{
    Db, Result,
    macros::{from_json, named, to_json},
};
use domain::{AccountId, ReturnOrderId, ShipmentId, Timestamp, returning::Shipment, status::ShipmentStatus};
use uuid::Uuid;

statements! {
    INSERT = "INSERT INTO shipments (account_id, id, return_order_id, status, sscc, sender, receiver, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    LIST_OF_RETURN_ORDERS = "SELECT id, return_order_id, status, sscc, sender, receiver, created_at, updated_at
        FROM shipments WHERE account_id = $1 AND return_order_id IN ($2) ORDER BY seq";
    CANCEL_OF_RETURN_ORDER = "UPDATE shipments SET status = 'Cancelled', updated_at = $3
        WHERE account_id = $1 AND return_order_id = $2 AND status <> 'Cancelled'";
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    return_order_id: Uuid,
    status: String,
    sscc: String,
    sender: String,
    receiver: String,
    created_at: i64,
    updated_at: i64,
}

impl Row {
    fn shipment(self) -> Result<Shipment> {
        Ok(Shipment {
            id: ShipmentId(self.id),
            return_order_id: ReturnOrderId(self.return_order_id),
            status: named("shipments.status", ShipmentStatus::from_name(&self.status))?,
            sscc: self.sscc,
            sender: from_json("shipments.sender", &self.sender)?,
            receiver: from_json("shipments.receiver", &self.receiver)?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
        })
    }
}

/// Keeps a new parcel.
pub async fn insert(mut db: Db<'_>, account: AccountId, shipment: &Shipment) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(shipment.id.0)
            .bind(shipment.return_order_id.0)
            .bind(shipment.status.name())
            .bind(&shipment.sscc)
            .bind(to_json(&shipment.sender))
            .bind(to_json(&shipment.receiver))
            .bind(shipment.created_at.micros())
            .bind(shipment.updated_at.micros())
    );
    Ok(())
}

/// The parcels of return orders, oldest first.
pub async fn list_of_return_orders(
    mut db: Db<'_>,
    account: AccountId,
    orders: &[ReturnOrderId],
) -> Result<Vec<Shipment>> {
    let rows = select_of!(&mut db, LIST_OF_RETURN_ORDERS, account, orders);
    rows.into_iter().map(Row::shipment).collect()
}

/// Voids the labels of a return order.
pub async fn cancel_of_return_order(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
    now: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(CANCEL_OF_RETURN_ORDER).bind(account.0).bind(order.0).bind(now.micros()));
    Ok(())
}
