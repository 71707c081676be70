//! Return reasons that a merchant offers.

use crate::{
    engine::{
        Db, Result,
        stored::{count, from_json, to_json},
    },
    lists::{self, Field, List, Listing, page::Rows},
    tables::merchant::{
        accounts,
        settings::{self, Kept, KeptRow, SettingCount},
    },
};
use domain::{AccountId, ReturnReasonId, Timestamp, policy::reason::ReturnReason};
use std::collections::HashSet;
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, parent_id, position, description, rules, archived_at, created_at, updated_at, version \
             FROM return_reasons ",
            $rest
        )
    };
}

statements! {
    in return_reasons;
    INSERT = "INSERT INTO return_reasons (account_id, id, parent_id, position, description, rules, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7)";
    LIST_OFFERED = select!("WHERE account_id = $1 AND archived_at IS NULL ORDER BY position, seq");
    FIND = select!("WHERE account_id = $1 AND id = $2");
    ROOM = "SELECT COUNT(*), CAST(COALESCE(MAX(position), 0) AS BIGINT) FROM return_reasons WHERE account_id = $1";
    COUNT_PARTS = "SELECT COUNT(*) FROM return_reasons WHERE account_id = $1 AND parent_id = $2";
    /// Only if the version is still the one that was read.
    UPDATE = "UPDATE return_reasons SET parent_id = $3, position = $4, description = $5, rules = $6, archived_at = $7,
        updated_at = $8, version = version + 1 WHERE account_id = $1 AND id = $2 AND version = $9";
    DELETE_UNUSED = "DELETE FROM return_reasons WHERE account_id = $1 AND id = $2
        AND NOT EXISTS (SELECT 1 FROM return_requests r WHERE r.account_id = $1 AND r.return_reason_id = $2)
        AND NOT EXISTS (SELECT 1 FROM return_reasons parts WHERE parts.account_id = $1 AND parts.parent_id = $2)";
}

#[derive(sqlx::FromRow)]
struct ReturnReasonRow {
    id: Uuid,
    parent_id: Option<Uuid>,
    position: i64,
    description: String,
    rules: String,
    #[sqlx(flatten)]
    kept: KeptRow,
}

impl ReturnReasonRow {
    fn reason(self) -> Result<Kept<ReturnReason>> {
        let reason = ReturnReason {
            id: ReturnReasonId(self.id),
            parent_id: self.parent_id.map(ReturnReasonId),
            description: from_json("return_reasons.description", &self.description)?,
            position: count("return_reasons.position", self.position)?,
            rules: from_json("return_reasons.rules", &self.rules)?,
        };
        Ok(self.kept.kept(reason))
    }
}

/// Adds a return reason.
pub async fn insert(mut db: Db<'_>, account: AccountId, reason: &ReturnReason, now: Timestamp) -> Result<()> {
    accounts::count_settings_change(db.reborrow(), account).await?;
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(reason.id.0)
            .bind(reason.parent_id.map(|id| id.0))
            .bind(i64::from(reason.position))
            .bind(to_json(&reason.description))
            .bind(to_json(&reason.rules))
            .bind(now.micros())
    );
    Ok(())
}

/// The return reasons on offer, in the merchant's order. The sub-reasons of an archived reason are not on offer.
pub async fn list_offered(mut db: Db<'_>, account: AccountId) -> Result<Vec<ReturnReason>> {
    let rows: Vec<ReturnReasonRow> =
        on!(&mut db, c => sqlx::query_as(LIST_OFFERED).bind(account.0).fetch_all(&mut **c).await?);
    let offered: HashSet<Uuid> = rows.iter().map(|row| row.id).collect();
    let rows = rows.into_iter().filter(|row| row.parent_id.is_none_or(|parent| offered.contains(&parent)));
    rows.map(|row| Ok(row.reason()?.value)).collect()
}

/// The list of return reasons.
pub static LIST: List = List {
    name: "return-reasons",
    select: select!(""),
    table: "return_reasons",
    alias: "",
    key: "id",
    fields: &[settings::ARCHIVED, Field { name: "parentId", kind: lists::FieldKind::Id, column: "parent_id" }],
    sorts_by_update: false,
    search: None,
};

/// The return reasons of an account, without archived ones unless the filter names them.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Kept<ReturnReason>>> {
    let listing = settings::present(&LIST, listing)?;
    let key = |row: &ReturnReasonRow| listing.cursor(row.kept.seq, 0);
    lists::fetch(db, &LIST, account, &listing, key, ReturnReasonRow::reason).await
}

/// The return reason of that id, archived or not.
pub async fn find(mut db: Db<'_>, account: AccountId, id: ReturnReasonId) -> Result<Option<Kept<ReturnReason>>> {
    let row: Option<ReturnReasonRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(ReturnReasonRow::reason).transpose()
}

/// How many there are, and the last position.
pub async fn room(db: Db<'_>, account: AccountId) -> Result<SettingCount> {
    settings::room(db, ROOM, account).await
}

/// Whether it has sub-reasons, archived or not.
pub async fn has_parts(mut db: Db<'_>, account: AccountId, id: ReturnReasonId) -> Result<bool> {
    let count: i64 =
        on!(&mut db, c => sqlx::query_scalar(COUNT_PARTS).bind(account.0).bind(id.0).fetch_one(&mut **c).await?);
    Ok(count > 0)
}

/// Updates a return reason; `false` if it was changed since it was read.
pub async fn update(mut db: Db<'_>, account: AccountId, kept: &Kept<ReturnReason>) -> Result<bool> {
    accounts::count_settings_change(db.reborrow(), account).await?;
    let reason = &kept.value;
    let rows = execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(reason.id.0)
            .bind(reason.parent_id.map(|id| id.0))
            .bind(i64::from(reason.position))
            .bind(to_json(&reason.description))
            .bind(to_json(&reason.rules))
            .bind(kept.archived_at.map(Timestamp::micros))
            .bind(kept.updated_at.micros())
            .bind(kept.version)
    );
    Ok(rows == 1)
}

/// Deletes a reason that no return request names and that has no sub-reasons; `false` if there is no such reason.
pub async fn delete_unused(mut db: Db<'_>, account: AccountId, id: ReturnReasonId) -> Result<bool> {
    accounts::count_settings_change(db.reborrow(), account).await?;
    Ok(execute!(db, sqlx::query(DELETE_UNUSED).bind(account.0).bind(id.0)) == 1)
}
