//! Return locations: where a merchant's parcels go.

use crate::{
    engine::{
        Db, Result,
        stored::{from_json, to_json},
    },
    lists::{self, List, Listing, page::Rows},
    tables::merchant::settings::{self, Kept, KeptRow},
};
use domain::{AccountId, ReturnLocationId, Timestamp, address::Address, shipping::ReturnLocation};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, name, address, is_default, archived_at, created_at, updated_at, version \
             FROM return_locations ",
            $rest
        )
    };
}

statements! {
    in return_locations;
    INSERT = "INSERT INTO return_locations (account_id, id, name, address, is_default, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    COUNT_ALL = "SELECT COUNT(*) FROM return_locations WHERE account_id = $1";
    /// The location of that id, if it is not archived, else the default.
    FIND_RECEIVER = "SELECT address FROM return_locations
        WHERE account_id = $1 AND archived_at IS NULL AND (id = $2 OR is_default)
        ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END LIMIT 1";
    UNSET_DEFAULT = "UPDATE return_locations SET is_default = $3, updated_at = $4, version = version + 1
        WHERE account_id = $1 AND id <> $2 AND is_default";
    /// Only if the version is still the one that was read.
    UPDATE = "UPDATE return_locations SET name = $3, address = $4, is_default = $5, archived_at = $6, updated_at = $7,
        version = version + 1 WHERE account_id = $1 AND id = $2 AND version = $8";
    DELETE_UNUSED = "DELETE FROM return_locations WHERE account_id = $1 AND id = $2 AND NOT EXISTS
        (SELECT 1 FROM shipping_options o WHERE o.account_id = $1 AND o.return_location_id = $2)";
}

#[derive(sqlx::FromRow)]
struct ReturnLocationRow {
    id: Uuid,
    name: String,
    address: String,
    is_default: bool,
    #[sqlx(flatten)]
    kept: KeptRow,
}

impl ReturnLocationRow {
    fn location(self) -> Result<Kept<ReturnLocation>> {
        let location = ReturnLocation {
            id: ReturnLocationId(self.id),
            name: self.name,
            address: from_json("return_locations.address", &self.address)?,
            is_default: self.is_default,
        };
        Ok(self.kept.kept(location))
    }
}

/// Adds a location.
pub async fn insert(mut db: Db<'_>, account: AccountId, location: &ReturnLocation, now: Timestamp) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(location.id.0)
            .bind(&location.name)
            .bind(to_json(&location.address))
            .bind(location.is_default)
            .bind(now.micros())
    );
    Ok(())
}

/// The list of return locations.
pub static LIST: List = List {
    name: "return-locations",
    select: select!(""),
    table: "return_locations",
    alias: "",
    key: "id",
    fields: &[settings::ARCHIVED],
    sorts_by_update: false,
    search: None,
};

/// The locations of an account, without archived ones unless the filter names them.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Kept<ReturnLocation>>> {
    let listing = settings::present(&LIST, listing)?;
    let key = |row: &ReturnLocationRow| listing.cursor(row.kept.seq, 0);
    lists::fetch(db, &LIST, account, &listing, key, ReturnLocationRow::location).await
}

/// The location of that id, archived or not.
pub async fn find(mut db: Db<'_>, account: AccountId, id: ReturnLocationId) -> Result<Option<Kept<ReturnLocation>>> {
    let row: Option<ReturnLocationRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(ReturnLocationRow::location).transpose()
}

/// How many there are, including archived ones.
pub async fn count(mut db: Db<'_>, account: AccountId) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(COUNT_ALL).bind(account.0).fetch_one(&mut **c).await?))
}

/// The address that a parcel goes to: that of the named location, else that of the default; `None` if there is neither.
pub async fn find_receiver(
    mut db: Db<'_>,
    account: AccountId,
    named: Option<ReturnLocationId>,
) -> Result<Option<Address>> {
    let address: Option<String> = on!(&mut db, c => sqlx::query_scalar(FIND_RECEIVER)
        .bind(account.0)
        .bind(named.map(|id| id.0))
        .fetch_optional(&mut **c).await?);
    address.map(|address| from_json("return_locations.address", &address)).transpose()
}

/// Unsets the default of all locations but this one.
pub async fn unset_default(mut db: Db<'_>, account: AccountId, but: ReturnLocationId, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(UNSET_DEFAULT).bind(account.0).bind(but.0).bind(false).bind(now.micros()));
    Ok(())
}

/// Updates a location; `false` if it was changed since it was read.
pub async fn update(mut db: Db<'_>, account: AccountId, kept: &Kept<ReturnLocation>) -> Result<bool> {
    let location = &kept.value;
    let rows = execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(location.id.0)
            .bind(&location.name)
            .bind(to_json(&location.address))
            .bind(location.is_default)
            .bind(kept.archived_at.map(Timestamp::micros))
            .bind(kept.updated_at.micros())
            .bind(kept.version)
    );
    Ok(rows == 1)
}

/// Deletes a location that no shipping option names; `false` if there is no such location.
pub async fn delete_unused(mut db: Db<'_>, account: AccountId, id: ReturnLocationId) -> Result<bool> {
    Ok(execute!(db, sqlx::query(DELETE_UNUSED).bind(account.0).bind(id.0)) == 1)
}
