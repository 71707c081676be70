//! A merchant's shipping options and return reasons.

use crate::{
    Db, Result,
    macros::{from_json, named, to_json},
};
use domain::{
    AccountId, ReturnReasonId, ShippingOptionId,
    reason::ReturnReason,
    shipping::{ShippingMethod, ShippingOption},
};
use uuid::Uuid;

statements! {
    INSERT_SHIPPING_OPTION = "INSERT INTO shipping_options (account_id, id, position, name, description, method, prices)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    LIST_SHIPPING_OPTIONS = "SELECT id, name, description, method, prices FROM shipping_options
        WHERE account_id = $1 AND archived_at IS NULL ORDER BY position, id";
    INSERT_RETURN_REASON = "INSERT INTO return_reasons (account_id, id, parent_id, position, description, rules)
        VALUES ($1, $2, $3, $4, $5, $6)";
    LIST_RETURN_REASONS = "SELECT id, parent_id, description, rules FROM return_reasons
        WHERE account_id = $1 AND archived_at IS NULL ORDER BY position, id";
}

#[derive(sqlx::FromRow)]
struct OptionRow {
    id: Uuid,
    name: String,
    description: String,
    method: String,
    prices: String,
}

#[derive(sqlx::FromRow)]
struct ReasonRow {
    id: Uuid,
    parent_id: Option<Uuid>,
    description: String,
    rules: String,
}

/// Adds a shipping option at a place in the list.
pub async fn insert_shipping_option(
    mut db: Db<'_>,
    account: AccountId,
    position: i64,
    option: &ShippingOption,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT_SHIPPING_OPTION)
            .bind(account.0)
            .bind(option.id.0)
            .bind(position)
            .bind(to_json(&option.name))
            .bind(to_json(&option.description))
            .bind(option.method.name())
            .bind(to_json(&option.prices))
    );
    Ok(())
}

/// The shipping options on offer, in the merchant's order.
pub async fn list_shipping_options(mut db: Db<'_>, account: AccountId) -> Result<Vec<ShippingOption>> {
    let rows: Vec<OptionRow> =
        on!(&mut db, c => sqlx::query_as(LIST_SHIPPING_OPTIONS).bind(account.0).fetch_all(&mut **c).await?);
    let option = |row: OptionRow| {
        Ok(ShippingOption {
            id: ShippingOptionId(row.id),
            name: from_json("shipping_options.name", &row.name)?,
            description: from_json("shipping_options.description", &row.description)?,
            method: named("shipping_options.method", ShippingMethod::from_name(&row.method))?,
            prices: from_json("shipping_options.prices", &row.prices)?,
        })
    };
    rows.into_iter().map(option).collect()
}

/// Adds a return reason at a place in the list.
pub async fn insert_return_reason(
    mut db: Db<'_>,
    account: AccountId,
    position: i64,
    reason: &ReturnReason,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT_RETURN_REASON)
            .bind(account.0)
            .bind(reason.id.0)
            .bind(reason.parent_id.map(|id| id.0))
            .bind(position)
            .bind(to_json(&reason.description))
            .bind(to_json(&reason.rules))
    );
    Ok(())
}

/// The return reasons to choose from, in the merchant's order.
pub async fn list_return_reasons(mut db: Db<'_>, account: AccountId) -> Result<Vec<ReturnReason>> {
    let rows: Vec<ReasonRow> =
        on!(&mut db, c => sqlx::query_as(LIST_RETURN_REASONS).bind(account.0).fetch_all(&mut **c).await?);
    let reason = |row: ReasonRow| {
        Ok(ReturnReason {
            id: ReturnReasonId(row.id),
            parent_id: row.parent_id.map(ReturnReasonId),
            description: from_json("return_reasons.description", &row.description)?,
            rules: from_json("return_reasons.rules", &row.rules)?,
        })
    };
    rows.into_iter().map(reason).collect()
}
