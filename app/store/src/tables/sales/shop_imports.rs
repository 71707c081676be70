//! Imports of all orders of a connected shop: one row for each shop of an account.
//!
//! The shop exports its orders into a file, and the import stores the file part by part. `bytes_done` moves in the
//! transaction that stores the orders, so an interrupted import continues where it ended.

use crate::engine::{Db, Result, StoreError};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

statements! {
    in shop_imports;
    /// Of several commands, one works on the import.
    CLAIM = "INSERT INTO shop_imports (account_id, shop, lease_id, leased_until, operation_id, asked_at, bytes_done, orders_done,
         orders_left_out, orders_unreadable, completed_orders, complete_until) VALUES ($1, $2, $3, $5, '', 0, 0, 0, 0, 0, 0, 0)
        ON CONFLICT (account_id, shop) DO UPDATE SET lease_id = excluded.lease_id, leased_until = excluded.leased_until
        WHERE shop_imports.leased_until <= $4 OR shop_imports.lease_id = excluded.lease_id";
    RENEW = "UPDATE shop_imports SET leased_until = $4 WHERE account_id = $1 AND shop = $2 AND lease_id = $3";
    FIND = "SELECT leased_until, operation_id, created_since, changed_since, asked_at, bytes_done, orders_done,
         orders_left_out, orders_unreadable, completed_at, completed_orders, complete_from, complete_until
        FROM shop_imports WHERE account_id = $1 AND shop = $2";
    BEGIN_EXPORT = "UPDATE shop_imports SET operation_id = $4, created_since = $5, changed_since = $6, asked_at = $7,
         bytes_done = 0, orders_done = 0, orders_left_out = 0, orders_unreadable = 0
        WHERE account_id = $1 AND shop = $2 AND lease_id = $3";
    /// Only by the command that still works on it.
    ADVANCE = "UPDATE shop_imports SET bytes_done = $5, orders_done = $6, orders_left_out = $7, orders_unreadable = $8
        WHERE account_id = $1 AND shop = $2 AND lease_id = $3 AND operation_id = $4";
    COMPLETE = "UPDATE shop_imports SET operation_id = '', completed_at = $4, completed_orders = orders_done,
         complete_from = created_since, complete_until = asked_at WHERE account_id = $1 AND shop = $2 AND lease_id = $3";
    ABANDON = "UPDATE shop_imports SET operation_id = '' WHERE account_id = $1 AND shop = $2 AND lease_id = $3";
}

/// The import of a shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopImport {
    /// Until when a command works on it, unless it renews the lease; in the past: none does.
    pub leased_until: Timestamp,
    /// The export whose file is being stored.
    pub export: Option<ShopExport>,
    /// The last import that ended.
    pub completed: Option<CompletedImport>,
}

/// An export of the shop, and how far its file is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopExport {
    /// The shop's id of it.
    pub operation_id: String,
    /// It has only orders created since; `None`: all.
    pub created_since: Option<Timestamp>,
    /// It has only orders changed since; `None`: all.
    pub changed_since: Option<Timestamp>,
    /// When the shop was asked for it.
    pub asked_at: Timestamp,
    pub stored: StoredPart,
}

/// The part of an export's file whose orders are stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoredPart {
    pub bytes: u64,
    /// The orders in it.
    pub orders: u64,
    /// Those of them that a look-up does not show either.
    pub left_out: u64,
    /// Those of them that could not be read.
    pub unreadable: u64,
}

/// An import that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompletedImport {
    pub ended_at: Timestamp,
    /// The number of its orders.
    pub orders: u64,
    /// Retour has the orders created since; `None`: all.
    pub complete_from: Option<Timestamp>,
    /// Retour has the orders as they were at this time, at least.
    pub complete_until: Timestamp,
}

/// The import of one shop, and the command that works on it.
#[derive(Debug, Clone, Copy)]
pub struct ImportKey<'a> {
    pub account: AccountId,
    /// As [`domain::integration::Bridge::shop_key`].
    pub shop: &'a str,
    /// The id of the command.
    pub lease_id: Uuid,
}

#[derive(sqlx::FromRow)]
struct ShopImportRow {
    leased_until: i64,
    operation_id: String,
    created_since: Option<i64>,
    changed_since: Option<i64>,
    asked_at: i64,
    bytes_done: i64,
    orders_done: i64,
    orders_left_out: i64,
    orders_unreadable: i64,
    completed_at: Option<i64>,
    completed_orders: i64,
    complete_from: Option<i64>,
    complete_until: i64,
}

impl ShopImportRow {
    fn import(self) -> Result<ShopImport> {
        let number = |column, value: i64| u64::try_from(value).map_err(|_| StoreError::Unreadable(column));
        let stored = StoredPart {
            bytes: number("shop_imports.bytes_done", self.bytes_done)?,
            orders: number("shop_imports.orders_done", self.orders_done)?,
            left_out: number("shop_imports.orders_left_out", self.orders_left_out)?,
            unreadable: number("shop_imports.orders_unreadable", self.orders_unreadable)?,
        };
        let orders = number("shop_imports.completed_orders", self.completed_orders)?;
        let export = ShopExport {
            operation_id: self.operation_id,
            created_since: self.created_since.map(Timestamp::from_micros),
            changed_since: self.changed_since.map(Timestamp::from_micros),
            asked_at: Timestamp::from_micros(self.asked_at),
            stored,
        };
        let completed = self.completed_at.map(|ended_at| CompletedImport {
            ended_at: Timestamp::from_micros(ended_at),
            orders,
            complete_from: self.complete_from.map(Timestamp::from_micros),
            complete_until: Timestamp::from_micros(self.complete_until),
        });
        Ok(ShopImport {
            leased_until: Timestamp::from_micros(self.leased_until),
            export: Some(export).filter(|export| !export.operation_id.is_empty()),
            completed,
        })
    }
}

/// Claims an import until a moment; `false` if another command works on it.
pub async fn claim(mut db: Db<'_>, key: ImportKey<'_>, now: Timestamp, until: Timestamp) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(CLAIM)
            .bind(key.account.0)
            .bind(key.shop)
            .bind(key.lease_id)
            .bind(now.micros())
            .bind(until.micros())
    );
    Ok(rows == 1)
}

/// Extends the lease, or ends it with a moment in the past; `false` if another command has claimed the import.
pub async fn renew(mut db: Db<'_>, key: ImportKey<'_>, until: Timestamp) -> Result<bool> {
    let rows =
        execute!(db, sqlx::query(RENEW).bind(key.account.0).bind(key.shop).bind(key.lease_id).bind(until.micros()));
    Ok(rows == 1)
}

/// The import of an account's shop; `None` if there was none yet.
pub async fn find(mut db: Db<'_>, account: AccountId, shop: &str) -> Result<Option<ShopImport>> {
    let row: Option<ShopImportRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(shop).fetch_optional(&mut **c).await?);
    row.map(ShopImportRow::import).transpose()
}

/// Records an export that the shop has begun, of which nothing is stored; `false` if another command has claimed the
/// import.
pub async fn begin_export(mut db: Db<'_>, key: ImportKey<'_>, export: &ShopExport) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(BEGIN_EXPORT)
            .bind(key.account.0)
            .bind(key.shop)
            .bind(key.lease_id)
            .bind(&export.operation_id)
            .bind(export.created_since.map(Timestamp::micros))
            .bind(export.changed_since.map(Timestamp::micros))
            .bind(export.asked_at.micros())
    );
    Ok(rows == 1)
}

/// Records how far the file of an export is stored; `false` if another command has claimed the import.
pub async fn advance(mut db: Db<'_>, key: ImportKey<'_>, operation_id: &str, stored: StoredPart) -> Result<bool> {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let rows = execute!(
        db,
        sqlx::query(ADVANCE)
            .bind(key.account.0)
            .bind(key.shop)
            .bind(key.lease_id)
            .bind(operation_id)
            .bind(number(stored.bytes))
            .bind(number(stored.orders))
            .bind(number(stored.left_out))
            .bind(number(stored.unreadable))
    );
    Ok(rows == 1)
}

/// Ends the import: its whole file is stored. `false` if another command has claimed it.
pub async fn complete(mut db: Db<'_>, key: ImportKey<'_>, now: Timestamp) -> Result<bool> {
    let rows =
        execute!(db, sqlx::query(COMPLETE).bind(key.account.0).bind(key.shop).bind(key.lease_id).bind(now.micros()));
    Ok(rows == 1)
}

/// Forgets the export, whose file cannot be had; `false` if another command has claimed the import.
pub async fn abandon(mut db: Db<'_>, key: ImportKey<'_>) -> Result<bool> {
    let rows = execute!(db, sqlx::query(ABANDON).bind(key.account.0).bind(key.shop).bind(key.lease_id));
    Ok(rows == 1)
}
