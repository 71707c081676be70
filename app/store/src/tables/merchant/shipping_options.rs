//! Shipping options that a merchant offers for returns.

use crate::{
    engine::{
        Db, Result,
        stored::{count, from_json, named, to_json},
    },
    lists::{self, Field, List, Listing, page::Rows},
    tables::merchant::{
        accounts,
        settings::{self, Kept, KeptRow, SettingCount},
    },
};
use domain::{
    AccountId, ReturnLocationId, ShippingOptionId, Timestamp,
    shipping::{ShippingMethod, ShippingOption},
};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, position, name, description, method, prices, free_from, countries, return_location_id, \
             weight_prices, max_weight, carrier_service, archived_at, created_at, updated_at, version FROM shipping_options ",
            $rest
        )
    };
}

statements! {
    in shipping_options;
    INSERT = "INSERT INTO shipping_options
        (account_id, id, position, name, description, method, prices, free_from, countries, return_location_id,
         created_at, updated_at, weight_prices, max_weight, carrier_service)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14)";
    LIST_OFFERED = select!("WHERE account_id = $1 AND archived_at IS NULL ORDER BY position, seq");
    FIND = select!("WHERE account_id = $1 AND id = $2");
    ROOM = "SELECT COUNT(*), CAST(COALESCE(MAX(position), 0) AS BIGINT) FROM shipping_options WHERE account_id = $1";
    /// Only if the version is still the one that was read.
    UPDATE = "UPDATE shipping_options SET position = $3, name = $4, description = $5, method = $6, prices = $7,
        free_from = $8, countries = $9, return_location_id = $10, archived_at = $11, updated_at = $12, weight_prices = $14,
        max_weight = $15, carrier_service = $16, version = version + 1
        WHERE account_id = $1 AND id = $2 AND version = $13";
    /// An option that was chosen for a return stays, because the return's draft refers to it.
    DELETE_UNUSED = "DELETE FROM shipping_options WHERE account_id = $1 AND id = $2 AND NOT EXISTS
        (SELECT 1 FROM draft_return_orders d WHERE d.account_id = $1 AND d.shipping_option_id = $2)";
}

#[derive(sqlx::FromRow)]
struct ShippingOptionRow {
    id: Uuid,
    position: i64,
    name: String,
    description: String,
    method: String,
    prices: String,
    free_from: String,
    countries: String,
    return_location_id: Option<Uuid>,
    weight_prices: String,
    max_weight: Option<i64>,
    carrier_service: String,
    #[sqlx(flatten)]
    kept: KeptRow,
}

impl ShippingOptionRow {
    fn option(self) -> Result<Kept<ShippingOption>> {
        let option = ShippingOption {
            id: ShippingOptionId(self.id),
            name: from_json("shipping_options.name", &self.name)?,
            description: from_json("shipping_options.description", &self.description)?,
            method: named("shipping_options.method", ShippingMethod::from_name(&self.method))?,
            prices: from_json("shipping_options.prices", &self.prices)?,
            free_from: from_json("shipping_options.free_from", &self.free_from)?,
            countries: from_json("shipping_options.countries", &self.countries)?,
            position: count("shipping_options.position", self.position)?,
            return_location_id: self.return_location_id.map(ReturnLocationId),
            weight_prices: from_json("shipping_options.weight_prices", &self.weight_prices)?,
            max_weight: self.max_weight.map(|grams| count("shipping_options.max_weight", grams)).transpose()?,
            carrier_service: self.carrier_service,
        };
        Ok(self.kept.kept(option))
    }
}

/// Adds a shipping option.
pub async fn insert(mut db: Db<'_>, account: AccountId, option: &ShippingOption, now: Timestamp) -> Result<()> {
    accounts::count_settings_change(db.reborrow(), account).await?;
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(option.id.0)
            .bind(i64::from(option.position))
            .bind(to_json(&option.name))
            .bind(to_json(&option.description))
            .bind(option.method.name())
            .bind(to_json(&option.prices))
            .bind(to_json(&option.free_from))
            .bind(to_json(&option.countries))
            .bind(option.return_location_id.map(|id| id.0))
            .bind(now.micros())
            .bind(to_json(&option.weight_prices))
            .bind(option.max_weight.map(i64::from))
            .bind(&option.carrier_service)
    );
    Ok(())
}

/// The shipping options on offer, in the merchant's order.
pub async fn list_offered(mut db: Db<'_>, account: AccountId) -> Result<Vec<ShippingOption>> {
    let rows: Vec<ShippingOptionRow> =
        on!(&mut db, c => sqlx::query_as(LIST_OFFERED).bind(account.0).fetch_all(&mut **c).await?);
    rows.into_iter().map(|row| Ok(row.option()?.value)).collect()
}

/// The list of shipping options.
pub static LIST: List = List {
    name: "shipping-options",
    select: select!(""),
    table: "shipping_options",
    alias: "",
    key: "id",
    fields: &[settings::ARCHIVED, Field { name: "method", kind: lists::FieldKind::OneOf(methods), column: "method" }],
    sorts_by_update: false,
    search: None,
};

fn methods() -> Vec<&'static str> {
    ShippingMethod::ALL.iter().map(|method| method.name()).collect()
}

/// The shipping options of an account, without archived ones unless the filter names them.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Kept<ShippingOption>>> {
    let listing = settings::present(&LIST, listing)?;
    let key = |row: &ShippingOptionRow| listing.cursor(row.kept.seq, 0);
    lists::fetch(db, &LIST, account, &listing, key, ShippingOptionRow::option).await
}

/// The shipping option of that id, archived or not.
pub async fn find(mut db: Db<'_>, account: AccountId, id: ShippingOptionId) -> Result<Option<Kept<ShippingOption>>> {
    let row: Option<ShippingOptionRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(ShippingOptionRow::option).transpose()
}

/// How many there are, and the last position.
pub async fn room(db: Db<'_>, account: AccountId) -> Result<SettingCount> {
    settings::room(db, ROOM, account).await
}

/// Updates a shipping option; `false` if it was changed since it was read.
pub async fn update(mut db: Db<'_>, account: AccountId, kept: &Kept<ShippingOption>) -> Result<bool> {
    accounts::count_settings_change(db.reborrow(), account).await?;
    let option = &kept.value;
    let rows = execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(option.id.0)
            .bind(i64::from(option.position))
            .bind(to_json(&option.name))
            .bind(to_json(&option.description))
            .bind(option.method.name())
            .bind(to_json(&option.prices))
            .bind(to_json(&option.free_from))
            .bind(to_json(&option.countries))
            .bind(option.return_location_id.map(|id| id.0))
            .bind(kept.archived_at.map(Timestamp::micros))
            .bind(kept.updated_at.micros())
            .bind(kept.version)
            .bind(to_json(&option.weight_prices))
            .bind(option.max_weight.map(i64::from))
            .bind(&option.carrier_service)
    );
    Ok(rows == 1)
}

/// Deletes an option that no draft and no return order names; `false` if there is no such option.
pub async fn delete_unused(mut db: Db<'_>, account: AccountId, id: ShippingOptionId) -> Result<bool> {
    accounts::count_settings_change(db.reborrow(), account).await?;
    Ok(execute!(db, sqlx::query(DELETE_UNUSED).bind(account.0).bind(id.0)) == 1)
}
