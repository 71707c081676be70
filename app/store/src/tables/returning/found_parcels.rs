//! Parcels that arrived without papers.

use crate::{
    engine::{Db, Result, stored::named},
    lists::{self, Field, FieldKind, List, Listing, SequenceColumn, page::Rows},
};
use domain::{
    AccountId, FoundParcelId, ReturnOrderId, Timestamp,
    returning::{FoundParcel, FoundParcelStatus},
};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, number, status, code, carrier, contents, note, return_order_id, finder_id, created_at, \
             updated_at, version FROM found_parcels ",
            $rest
        )
    };
}

statements! {
    in found_parcels;
    /// Inserts nothing if the number is taken.
    INSERT = "INSERT INTO found_parcels (account_id, id, number, status, code, carrier, contents, note, return_order_id,
        finder_id, created_at, updated_at, version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    /// Locks the row until the transaction ends, on both databases.
    LOCK = "UPDATE found_parcels SET version = version WHERE account_id = $1 AND id = $2";
    /// Only if the version is still the one that was read.
    UPDATE = "UPDATE found_parcels SET status = $3, carrier = $4, contents = $5, note = $6, return_order_id = $7,
        updated_at = $8, version = version + 1 WHERE account_id = $1 AND id = $2 AND version = $9";
    SCRUB_OF_RETURN_ORDER = "UPDATE found_parcels SET code = '', contents = '', note = '', updated_at = $3,
        version = version + 1 WHERE account_id = $1 AND return_order_id = $2";
}

#[derive(sqlx::FromRow)]
struct FoundParcelRow {
    seq: i64,
    id: Uuid,
    number: String,
    status: String,
    code: String,
    carrier: String,
    contents: String,
    note: String,
    return_order_id: Option<Uuid>,
    finder_id: Option<Uuid>,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl FoundParcelRow {
    fn found_parcel(self) -> Result<FoundParcel> {
        Ok(FoundParcel {
            id: FoundParcelId(self.id),
            number: self.number,
            status: named("found_parcels.status", FoundParcelStatus::from_name(&self.status))?,
            code: self.code,
            carrier: self.carrier,
            contents: self.contents,
            note: self.note,
            return_order_id: self.return_order_id.map(ReturnOrderId),
            found_by: self.finder_id,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// Inserts a found parcel; `false` if its id or its number is taken.
pub async fn insert(mut db: Db<'_>, account: AccountId, parcel: &FoundParcel) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(parcel.id.0)
            .bind(&parcel.number)
            .bind(parcel.status.name())
            .bind(&parcel.code)
            .bind(&parcel.carrier)
            .bind(&parcel.contents)
            .bind(&parcel.note)
            .bind(parcel.return_order_id.map(|id| id.0))
            .bind(parcel.found_by)
            .bind(parcel.created_at.micros())
            .bind(parcel.updated_at.micros())
            .bind(parcel.version)
    );
    Ok(rows == 1)
}

/// The list of found parcels.
pub static LIST: List = List {
    name: "found-parcels",
    select: select!(""),
    table: "found_parcels",
    alias: "",
    key: "id",
    fields: &[
        Field { name: "status", kind: FieldKind::OneOf(statuses), column: "status" },
        Field { name: "code", kind: FieldKind::Barcode, column: "code" },
        Field { name: "number", kind: FieldKind::Text, column: "number" },
        Field { name: "returnOrderId", kind: FieldKind::Id, column: "return_order_id" },
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
    ],
    sorts_by_update: false,
    search: None,
};

fn statuses() -> Vec<&'static str> {
    FoundParcelStatus::all().iter().map(|status| status.name()).collect()
}

/// The found parcels of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<FoundParcel>> {
    let key = |row: &FoundParcelRow| listing.cursor(row.seq, 0);
    lists::fetch(db, &LIST, account, listing, key, FoundParcelRow::found_parcel).await
}

/// The found parcel of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: FoundParcelId) -> Result<Option<FoundParcel>> {
    let row: Option<FoundParcelRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(FoundParcelRow::found_parcel).transpose()
}

/// Locks a found parcel until the transaction ends, and returns it; `None` if there is none.
pub async fn lock(mut db: Db<'_>, account: AccountId, id: FoundParcelId) -> Result<Option<FoundParcel>> {
    execute!(db, sqlx::query(LOCK).bind(account.0).bind(id.0));
    find(db, account, id).await
}

/// Updates a found parcel, except its number and its code; `false` if it was changed since it was read.
pub async fn update(mut db: Db<'_>, account: AccountId, parcel: &FoundParcel) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(parcel.id.0)
            .bind(parcel.status.name())
            .bind(&parcel.carrier)
            .bind(&parcel.contents)
            .bind(&parcel.note)
            .bind(parcel.return_order_id.map(|id| id.0))
            .bind(parcel.updated_at.micros())
            .bind(parcel.version)
    );
    Ok(rows == 1)
}

/// Removes the texts of the parcels that belong to a return order: its consumer is erased.
pub async fn scrub_of_return_order(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
    now: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(SCRUB_OF_RETURN_ORDER).bind(account.0).bind(order.0).bind(now.micros()));
    Ok(())
}
