//! Shipments of return orders.

use crate::{
    engine::{
        Db, Result,
        stored::{count, from_json, named, to_json},
        template::{SqlTemplate, push_list},
    },
    lists::{self, Field, FieldKind, List, Listing, SequenceColumn, page::Rows},
    tables::returning::tracking_updates,
};
use domain::{
    AccountId, ReturnOrderId, ShipmentId, Timestamp,
    returning::{Shipment, ShipmentStatus, TrackingUpdate},
    shipping::ParcelLabel,
};
use std::collections::HashMap;
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, return_order_id, status, sscc, label, label_barcode, sender, receiver, carrier, \
             tracking_number, tracking_url, error_code, error_message, failed_attempts, next_attempt_at, contents, created_at, updated_at, \
             version \
             FROM shipments ",
            $rest
        )
    };
}

statements! {
    in shipments;
    INSERT = "INSERT INTO shipments (account_id, id, return_order_id, status, sscc, sender, receiver, carrier,
        tracking_number, tracking_url, error_code, error_message, created_at, updated_at, version, label, label_barcode,
        contents, failed_attempts, next_attempt_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    LIST_OF_RETURN_ORDERS = select!("WHERE account_id = $1 AND return_order_id IN ($2) ORDER BY seq");
    /// Two look-ups by an index each: with `OR`, SQLite would read all shipments of the account.
    LIST_BY_BARCODE = select!("WHERE account_id = $1 AND label_barcode IN ($2) ORDER BY +seq LIMIT 20");
    LIST_BY_TRACKING_NUMBER = select!("WHERE account_id = $1 AND tracking_number IN ($2) ORDER BY +seq LIMIT 20");
    /// Only if the version is still the one that was read.
    UPDATE = "UPDATE shipments SET status = $3, carrier = $4, tracking_number = $5, tracking_url = $6, updated_at = $7,
        label = $9, label_barcode = $10, error_code = $11, error_message = $12, receiver = $13,
        failed_attempts = $14, next_attempt_at = $15, version = version + 1
        WHERE account_id = $1 AND id = $2 AND version = $8";
    /// Only if the version is still the one that was read.
    SET_SENDER = "UPDATE shipments SET sender = $3, updated_at = $4, version = version + 1
        WHERE account_id = $1 AND id = $2 AND version = $5";
    /// An error of a label that is no longer needed is cleared.
    CANCEL_OF_RETURN_ORDER = "UPDATE shipments SET status = 'Cancelled', error_code = '', error_message = '', failed_attempts = 0,
         next_attempt_at = NULL, updated_at = $3, version = version + 1
        WHERE account_id = $1 AND return_order_id = $2 AND status <> 'Cancelled'";
}

#[derive(sqlx::FromRow)]
struct ShipmentRow {
    seq: i64,
    id: Uuid,
    return_order_id: Uuid,
    status: String,
    sscc: String,
    label: String,
    label_barcode: String,
    sender: String,
    receiver: String,
    carrier: String,
    tracking_number: String,
    tracking_url: String,
    error_code: String,
    error_message: String,
    failed_attempts: i64,
    next_attempt_at: Option<i64>,
    contents: Option<String>,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl ShipmentRow {
    fn shipment(self) -> Result<Shipment> {
        let label = from_json("shipments.label", &self.label)?;
        // Programs of the previous version write no barcode, and know only our own labels.
        let is_old = self.label_barcode.is_empty() && label == ParcelLabel::Own;
        Ok(Shipment {
            id: ShipmentId(self.id),
            return_order_id: ReturnOrderId(self.return_order_id),
            contents: self.contents.map(|contents| from_json("shipments.contents", &contents)).transpose()?,
            status: named("shipments.status", ShipmentStatus::from_name(&self.status))?,
            label_barcode: if is_old { self.sscc.clone() } else { self.label_barcode },
            sscc: self.sscc,
            label,
            sender: from_json("shipments.sender", &self.sender)?,
            receiver: from_json("shipments.receiver", &self.receiver)?,
            carrier: self.carrier,
            tracking_number: self.tracking_number,
            tracking_url: self.tracking_url,
            error_code: self.error_code,
            error_message: self.error_message,
            failed_attempts: count("shipments.failed_attempts", self.failed_attempts)?,
            next_attempt_at: self.next_attempt_at.map(Timestamp::from_micros),
            tracking: Vec::new(),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// The list of shipments.
pub static LIST: List = List {
    name: "shipments",
    select: select!(""),
    table: "shipments",
    alias: "",
    key: "id",
    fields: &[
        Field { name: "returnOrderId", kind: FieldKind::Id, column: "return_order_id" },
        Field { name: "status", kind: FieldKind::OneOf(statuses), column: "status" },
        Field { name: "labelBarcode", kind: FieldKind::Barcode, column: "label_barcode" },
        Field { name: "errorCode", kind: FieldKind::Text, column: "error_code" },
        Field { name: "trackingNumber", kind: FieldKind::Text, column: "tracking_number" },
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
    ],
    sorts_by_update: false,
    search: None,
};

fn statuses() -> Vec<&'static str> {
    ShipmentStatus::all().iter().map(|status| status.name()).collect()
}

/// Inserts a shipment.
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
            .bind(&shipment.carrier)
            .bind(&shipment.tracking_number)
            .bind(&shipment.tracking_url)
            .bind(&shipment.error_code)
            .bind(&shipment.error_message)
            .bind(shipment.created_at.micros())
            .bind(shipment.updated_at.micros())
            .bind(shipment.version)
            .bind(to_json(&shipment.label))
            .bind(&shipment.label_barcode)
            .bind(shipment.contents.as_ref().map(to_json))
            .bind(i64::from(shipment.failed_attempts))
            .bind(shipment.next_attempt_at.map(Timestamp::micros))
    );
    Ok(())
}

/// The shipment of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: ShipmentId) -> Result<Option<Shipment>> {
    let row: Option<ShipmentRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    let mut found: Vec<Shipment> = row.map(ShipmentRow::shipment).transpose()?.into_iter().collect();
    add_tracking(db, account, &mut found).await?;
    Ok(found.pop())
}

/// The shipments of an account.
pub async fn list(mut db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Shipment>> {
    let key = |row: &ShipmentRow| listing.cursor(row.seq, row.seq);
    let mut page = lists::fetch(db.reborrow(), &LIST, account, listing, key, ShipmentRow::shipment).await?;
    add_tracking(db, account, &mut page.rows).await?;
    Ok(page)
}

/// The shipments of return orders, oldest first.
pub async fn list_of_return_orders(
    mut db: Db<'_>,
    account: AccountId,
    orders: &[ReturnOrderId],
) -> Result<Vec<Shipment>> {
    let rows: Vec<ShipmentRow> = select_of!(&mut db, LIST_OF_RETURN_ORDERS, account, orders);
    let mut shipments = rows.into_iter().map(ShipmentRow::shipment).collect::<Result<Vec<_>>>()?;
    add_tracking(db, account, &mut shipments).await?;
    Ok(shipments)
}

/// The shipments whose label or tracking number has one of these codes, at most some. Without their tracking.
pub async fn list_by_codes(mut db: Db<'_>, account: AccountId, codes: &[String]) -> Result<Vec<Shipment>> {
    let mut rows: Vec<ShipmentRow> = Vec::new();
    for template in
        [const { SqlTemplate::parse(LIST_BY_BARCODE) }, const { SqlTemplate::parse(LIST_BY_TRACKING_NUMBER) }]
    {
        let found: Vec<ShipmentRow> = on!(&mut db, c => {
            let mut query = template.query(|query, number| {
                match number {
                    1 => query.push_bind(account.0),
                    _ => push_list(query, codes.iter().cloned()),
                };
            });
            query.build_query_as().fetch_all(&mut **c).await?
        });
        rows.extend(found);
    }
    rows.sort_by_key(|row| row.seq);
    rows.dedup_by_key(|row| row.seq);
    rows.into_iter().map(ShipmentRow::shipment).collect()
}

/// Adds the tracking updates, with one statement for all shipments.
async fn add_tracking(db: Db<'_>, account: AccountId, shipments: &mut [Shipment]) -> Result<()> {
    let ids: Vec<ShipmentId> = shipments.iter().map(|shipment| shipment.id).collect();
    let mut reports: HashMap<ShipmentId, Vec<TrackingUpdate>> = HashMap::new();
    for (id, update) in tracking_updates::list_of_shipments(db, account, &ids).await? {
        reports.entry(id).or_default().push(update);
    }
    for shipment in shipments {
        shipment.tracking = reports.remove(&shipment.id).unwrap_or_default();
    }
    Ok(())
}

/// Updates a shipment's status, carrier and label; `false` if it was changed since it was read.
pub async fn update(mut db: Db<'_>, account: AccountId, shipment: &Shipment) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(shipment.id.0)
            .bind(shipment.status.name())
            .bind(&shipment.carrier)
            .bind(&shipment.tracking_number)
            .bind(&shipment.tracking_url)
            .bind(shipment.updated_at.micros())
            .bind(shipment.version)
            .bind(to_json(&shipment.label))
            .bind(&shipment.label_barcode)
            .bind(&shipment.error_code)
            .bind(&shipment.error_message)
            .bind(to_json(&shipment.receiver))
            .bind(i64::from(shipment.failed_attempts))
            .bind(shipment.next_attempt_at.map(Timestamp::micros))
    );
    Ok(rows == 1)
}

/// Sets the sender of a shipment; `false` if it was changed since it was read.
pub async fn set_sender(mut db: Db<'_>, account: AccountId, shipment: &Shipment) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(SET_SENDER)
            .bind(account.0)
            .bind(shipment.id.0)
            .bind(to_json(&shipment.sender))
            .bind(shipment.updated_at.micros())
            .bind(shipment.version)
    );
    Ok(rows == 1)
}

/// Cancels the shipments of a return order.
pub async fn cancel_of_return_order(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
    now: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(CANCEL_OF_RETURN_ORDER).bind(account.0).bind(order.0).bind(now.micros()));
    Ok(())
}
