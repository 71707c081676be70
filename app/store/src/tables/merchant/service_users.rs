//! Service users: programs that use the API with a key.

use crate::{
    engine::{Db, Result},
    lists::{self, List, Listing, page::Rows},
};
use domain::{AccountId, ServiceUserId, Timestamp};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, name, scopes, key_last_four, last_used_at, created_at, updated_at, revoked_at, version \
             FROM service_users ",
            $rest
        )
    };
}

statements! {
    in service_users;
    INSERT = "INSERT INTO service_users
        (account_id, id, name, scopes, key_hash, key_last_four, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7)";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    NAMES = "SELECT id, name FROM service_users WHERE account_id = $1 AND id IN ($2)";
    FIND_BY_KEY = select!("WHERE account_id = $1 AND key_hash = $2 AND revoked_at IS NULL");
    TOUCH = "UPDATE service_users SET last_used_at = $3 WHERE account_id = $1 AND id = $2";
    UPDATE = "UPDATE service_users SET name = $3, scopes = $4, revoked_at = $5, updated_at = $6, version = version + 1
        WHERE account_id = $1 AND id = $2";
    ROTATE = "UPDATE service_users SET key_hash = $3, key_last_four = $4, updated_at = $5, version = version + 1
        WHERE account_id = $1 AND id = $2";
    /// Reads all keys of the account, which are few.
    SCOPES_OF_OTHERS = "SELECT scopes FROM service_users WHERE account_id = $1 AND id <> $2 AND revoked_at IS NULL";
}

/// A program with an API key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceUser {
    pub id: ServiceUserId,
    pub name: String,
    /// The names of its scopes, separated by commas.
    pub scopes: String,
    /// The last four characters of its key; empty for keys that are older than this column.
    pub key_last_four: String,
    /// The last use of its key, to the minute.
    pub last_used_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    pub version: i64,
}

/// What is stored of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptKey {
    /// SHA-256.
    pub hash: Vec<u8>,
    /// For people to tell keys apart.
    pub last_four: String,
}

#[derive(sqlx::FromRow)]
struct ServiceUserRow {
    seq: i64,
    id: Uuid,
    name: String,
    scopes: String,
    key_last_four: String,
    last_used_at: Option<i64>,
    created_at: i64,
    updated_at: i64,
    revoked_at: Option<i64>,
    version: i64,
}

impl ServiceUserRow {
    fn service_user(self) -> ServiceUser {
        ServiceUser {
            id: ServiceUserId(self.id),
            name: self.name,
            scopes: self.scopes,
            key_last_four: self.key_last_four,
            last_used_at: self.last_used_at.map(Timestamp::from_micros),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            revoked_at: self.revoked_at.map(Timestamp::from_micros),
            version: self.version,
        }
    }
}

/// Adds a service user with the hash of its key.
pub async fn insert(mut db: Db<'_>, account: AccountId, new: &ServiceUser, key: &KeptKey) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(new.id.0)
            .bind(&new.name)
            .bind(&new.scopes)
            .bind(key.hash.as_slice())
            .bind(&key.last_four)
            .bind(new.created_at.micros())
    );
    Ok(())
}

/// The service user of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: ServiceUserId) -> Result<Option<ServiceUser>> {
    let row: Option<ServiceUserRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    Ok(row.map(ServiceUserRow::service_user))
}

/// The names of service users.
pub async fn names(mut db: Db<'_>, account: AccountId, ids: &[ServiceUserId]) -> Result<Vec<(ServiceUserId, String)>> {
    let rows: Vec<(Uuid, String)> = select_of!(&mut db, NAMES, account, ids);
    Ok(rows.into_iter().map(|(id, name)| (ServiceUserId(id), name)).collect())
}

/// The service user whose key has this hash, unless the key was revoked.
pub async fn find_by_key(mut db: Db<'_>, account: AccountId, key_hash: &[u8]) -> Result<Option<ServiceUser>> {
    let row: Option<ServiceUserRow> =
        on!(&mut db, c => sqlx::query_as(FIND_BY_KEY).bind(account.0).bind(key_hash).fetch_optional(&mut **c).await?);
    Ok(row.map(ServiceUserRow::service_user))
}

/// Records the use of a key.
pub async fn touch(mut db: Db<'_>, account: AccountId, id: ServiceUserId, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(TOUCH).bind(account.0).bind(id.0).bind(now.micros()));
    Ok(())
}

/// The list of service users.
pub static LIST: List = List {
    name: "service-users",
    select: select!(""),
    table: "service_users",
    alias: "",
    key: "id",
    fields: &[],
    sorts_by_update: false,
    search: None,
};

/// The service users of an account, including those whose keys were revoked.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<ServiceUser>> {
    let key = |row: &ServiceUserRow| listing.cursor(row.seq, row.seq);
    lists::fetch(db, &LIST, account, listing, key, |row| Ok(ServiceUserRow::service_user(row))).await
}

/// Updates the name, scopes and revocation of a service user.
pub async fn update(mut db: Db<'_>, account: AccountId, changed: &ServiceUser) -> Result<()> {
    execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(changed.id.0)
            .bind(&changed.name)
            .bind(&changed.scopes)
            .bind(changed.revoked_at.map(Timestamp::micros))
            .bind(changed.updated_at.micros())
    );
    Ok(())
}

/// Replaces the key of a service user.
pub async fn rotate(
    mut db: Db<'_>,
    account: AccountId,
    id: ServiceUserId,
    key: &KeptKey,
    now: Timestamp,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(ROTATE)
            .bind(account.0)
            .bind(id.0)
            .bind(key.hash.as_slice())
            .bind(&key.last_four)
            .bind(now.micros())
    );
    Ok(())
}

/// The scopes of every other service user whose key is valid.
pub async fn scopes_of_others(mut db: Db<'_>, account: AccountId, id: ServiceUserId) -> Result<Vec<String>> {
    Ok(on!(&mut db, c => sqlx::query_scalar(SCOPES_OF_OTHERS)
        .bind(account.0)
        .bind(id.0)
        .fetch_all(&mut **c)
        .await?))
}
