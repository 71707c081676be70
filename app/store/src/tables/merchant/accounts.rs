//! Accounts: merchants and their settings.

use crate::{
    engine::{
        Db, Result,
        stored::{from_json, named, to_json},
        time_limit::in_time,
    },
    tables::merchant::settings::Kept,
};
use domain::{
    AccountId, Currency, OrderId, TimeZone, Timestamp,
    account::Account,
    base::host::HostName,
    integration::{Bridge, Carrier},
    payment::PaymentProvider,
};
use uuid::Uuid;

/// The columns of [`AccountRow`] except the id, which `consumers` reads under another name.
macro_rules! columns {
    () => {
        "slug, name, currency, policy, branding, bridge, carrier, payment, domain, time_zone, api_origins, settings_version, test"
    };
}
pub(crate) use columns;

statements! {
    in accounts;
    INSERT = "INSERT INTO accounts (id, slug, name, currency, policy, branding, bridge, carrier, payment, domain, time_zone,
        api_origins, next_parcel, created_at, updated_at, test)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12, $13, 1, $10, $10, $14) ON CONFLICT (slug) DO NOTHING";
    UPDATE = "UPDATE accounts SET name = $2, policy = $3, branding = $4, bridge = $5, carrier = $6, payment = $7, updated_at = $8,
        domain = $9, time_zone = $10, api_origins = $11, test = $12, version = version + 1
        WHERE id = $1";
    /// Locks the row until the transaction ends, on both databases: other changes of settings, keys and users wait.
    HOLD = "UPDATE accounts SET version = version WHERE id = $1";
    COUNT_SETTINGS_CHANGE = "UPDATE accounts SET settings_version = settings_version + 1 WHERE id = $1";
    FIND = concat!("SELECT id, ", columns!(), " FROM accounts WHERE id = $1");
    FIND_KEPT = concat!("SELECT id, ", columns!(), ", created_at, updated_at, version FROM accounts WHERE id = $1");
    LIST_BRIDGES = "SELECT id, bridge FROM accounts WHERE bridge <> '{\"kind\":\"catalog\"}'";
    LIST_PROCESSORS = "SELECT id, payment FROM accounts WHERE payment NOT IN ('{\"kind\":\"none\"}', '{\"kind\":\"simulated\"}')";
    LIST_CARRIERS = "SELECT id, carrier FROM accounts WHERE carrier NOT IN ('{\"kind\":\"own\"}', '{\"kind\":\"simulated\"}', '{\"kind\":\"bridge\"}')";
    LIST_API_ORIGINS = "SELECT id, api_origins FROM accounts WHERE api_origins <> '[]'";
    LIST_SIMULATING = "SELECT slug FROM accounts WHERE payment = '{\"kind\":\"simulated\"}' ORDER BY slug";
    LIST = concat!("SELECT id, ", columns!(), ", created_at, updated_at, version FROM accounts ORDER BY slug");
    FIND_BY_SLUG = concat!("SELECT id, ", columns!(), " FROM accounts WHERE slug = $1");
    FIND_SLUG_BY_DOMAIN = "SELECT slug FROM accounts WHERE domain = $1";
    /// Accounts with orders after the last one that was checked for other spellings.
    LIST_UNSPELLED = "SELECT a.id, a.spelled_order_id FROM accounts a WHERE EXISTS (SELECT 1 FROM orders o
        WHERE o.account_id = a.id AND (a.spelled_order_id IS NULL OR o.id > a.spelled_order_id))";
    /// Two programs may do the same step: the second must not move the position back.
    UPDATE_SPELLED = "UPDATE accounts SET spelled_order_id = $2
        WHERE id = $1 AND (spelled_order_id IS NULL OR spelled_order_id < $2)";
    /// A number that is never used leaves a gap, which is harmless; a number used twice is not.
    NEXT_PARCELS = "UPDATE accounts SET next_parcel = next_parcel + $2 WHERE id = $1 RETURNING next_parcel - $2";
}

/// Postgres only. It waits for every transaction that has written a row of the account, and those to come wait for it.
const HOLD_MARK: &str = "SELECT id FROM accounts WHERE id = $1 FOR UPDATE";

#[derive(sqlx::FromRow)]
pub(crate) struct AccountRow {
    id: Uuid,
    slug: String,
    name: String,
    currency: String,
    policy: String,
    branding: String,
    bridge: String,
    carrier: String,
    payment: String,
    domain: Option<String>,
    time_zone: String,
    api_origins: String,
    settings_version: i64,
    test: bool,
}

#[derive(sqlx::FromRow)]
struct KeptRow {
    #[sqlx(flatten)]
    account: AccountRow,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl AccountRow {
    pub(crate) fn account(self) -> Result<Account> {
        Ok(Account {
            id: AccountId(self.id),
            slug: self.slug,
            name: self.name,
            currency: named("accounts.currency", Currency::from_code(&self.currency))?,
            policy: from_json("accounts.policy", &self.policy)?,
            branding: from_json("accounts.branding", &self.branding)?,
            bridge: from_json("accounts.bridge", &self.bridge)?,
            carrier: from_json("accounts.carrier", &self.carrier)?,
            payment: from_json("accounts.payment", &self.payment)?,
            domain: self.domain.as_deref().and_then(HostName::parse),
            time_zone: named("accounts.time_zone", TimeZone::from_name(&self.time_zone))?,
            api_origins: from_json("accounts.api_origins", &self.api_origins)?,
            settings_version: self.settings_version,
            is_test: self.test,
        })
    }
}

impl KeptRow {
    fn kept(self) -> Result<Kept<Account>> {
        Ok(Kept {
            value: self.account.account()?,
            archived_at: None,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// Adds an account; `false` if the slug is taken.
pub async fn insert(mut db: Db<'_>, account: &Account, now: Timestamp) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.id.0)
            .bind(&account.slug)
            .bind(&account.name)
            .bind(account.currency.code())
            .bind(to_json(&account.policy))
            .bind(to_json(&account.branding))
            .bind(to_json(&account.bridge))
            .bind(to_json(&account.carrier))
            .bind(to_json(&account.payment))
            .bind(now.micros())
            .bind(account.domain.as_ref().map(HostName::as_str))
            .bind(account.time_zone.name())
            .bind(to_json(&account.api_origins))
            .bind(account.is_test)
    );
    Ok(rows == 1)
}

/// Updates everything of an account except its slug and currency.
pub async fn update(mut db: Db<'_>, account: &Account, now: Timestamp) -> Result<()> {
    execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.id.0)
            .bind(&account.name)
            .bind(to_json(&account.policy))
            .bind(to_json(&account.branding))
            .bind(to_json(&account.bridge))
            .bind(to_json(&account.carrier))
            .bind(to_json(&account.payment))
            .bind(now.micros())
            .bind(account.domain.as_ref().map(HostName::as_str))
            .bind(account.time_zone.name())
            .bind(to_json(&account.api_origins))
            .bind(account.is_test)
    );
    Ok(())
}

/// Counts a change of the account's shipping options or return reasons: programs that cache them read them again
/// ([`Account::settings_version`]).
pub(crate) async fn count_settings_change(mut db: Db<'_>, id: AccountId) -> Result<()> {
    execute!(db, sqlx::query(COUNT_SETTINGS_CHANGE).bind(id.0));
    Ok(())
}

/// Locks the account: other changes of its settings, keys and users wait until the transaction ends.
pub async fn hold(mut db: Db<'_>, id: AccountId) -> Result<()> {
    execute!(db, sqlx::query(HOLD).bind(id.0));
    Ok(())
}

/// Locks the account against new rows, too: no return is submitted until the transaction ends, so its test mark can
/// change. Call it before [`hold`]: a weaker lock that is there already would let a submit read the old mark.
pub async fn hold_mark(mut db: Db<'_>, id: AccountId) -> Result<()> {
    if let Some(connection) = db.row_locks() {
        let held = sqlx::query(HOLD_MARK).bind(id.0).execute(connection);
        in_time(async { Ok(held.await?) }).await?;
    }
    Ok(())
}

/// The account of that id, with the times of its creation and last change.
pub async fn find_kept(mut db: Db<'_>, id: AccountId) -> Result<Option<Kept<Account>>> {
    let row: Option<KeptRow> = on!(&mut db, c => sqlx::query_as(FIND_KEPT).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(KeptRow::kept).transpose()
}

/// All accounts, ordered by slug.
pub async fn list(mut db: Db<'_>) -> Result<Vec<Kept<Account>>> {
    let rows: Vec<KeptRow> = on!(&mut db, c => sqlx::query_as(LIST).fetch_all(&mut **c).await?);
    rows.into_iter().map(KeptRow::kept).collect()
}

/// The account of that id.
pub async fn find(mut db: Db<'_>, id: AccountId) -> Result<Option<Account>> {
    let row: Option<AccountRow> = on!(&mut db, c => sqlx::query_as(FIND).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(AccountRow::account).transpose()
}

/// The account of that slug.
pub async fn find_by_slug(mut db: Db<'_>, slug: &str) -> Result<Option<Account>> {
    let row: Option<AccountRow> =
        on!(&mut db, c => sqlx::query_as(FIND_BY_SLUG).bind(slug).fetch_optional(&mut **c).await?);
    row.map(AccountRow::account).transpose()
}

/// The slug of the account whose portal has this domain.
pub async fn find_slug_by_domain(mut db: Db<'_>, domain: &HostName) -> Result<Option<String>> {
    Ok(on!(&mut db, c => sqlx::query_scalar(FIND_SLUG_BY_DOMAIN).bind(domain.as_str()).fetch_optional(&mut **c).await?))
}

/// The bridges of all accounts that are connected to a shop.
pub async fn list_bridges(mut db: Db<'_>) -> Result<Vec<(AccountId, Bridge)>> {
    let rows: Vec<(Uuid, String)> = on!(&mut db, c => sqlx::query_as(LIST_BRIDGES).fetch_all(&mut **c).await?);
    rows.into_iter().map(|(id, bridge)| Ok((AccountId(id), from_json("accounts.bridge", &bridge)?))).collect()
}

/// The payment providers of all accounts that have a real one.
pub async fn list_processors(mut db: Db<'_>) -> Result<Vec<(AccountId, PaymentProvider)>> {
    let rows: Vec<(Uuid, String)> = on!(&mut db, c => sqlx::query_as(LIST_PROCESSORS).fetch_all(&mut **c).await?);
    rows.into_iter().map(|(id, payment)| Ok((AccountId(id), from_json("accounts.payment", &payment)?))).collect()
}

/// The carriers of all accounts that have one with a secret.
pub async fn list_carriers(mut db: Db<'_>) -> Result<Vec<(AccountId, Carrier)>> {
    let rows: Vec<(Uuid, String)> = on!(&mut db, c => sqlx::query_as(LIST_CARRIERS).fetch_all(&mut **c).await?);
    rows.into_iter().map(|(id, carrier)| Ok((AccountId(id), from_json("accounts.carrier", &carrier)?))).collect()
}

/// The API origins of all accounts that have any.
pub async fn list_api_origins(mut db: Db<'_>) -> Result<Vec<(AccountId, Vec<String>)>> {
    let rows: Vec<(Uuid, String)> = on!(&mut db, c => sqlx::query_as(LIST_API_ORIGINS).fetch_all(&mut **c).await?);
    rows.into_iter().map(|(id, origins)| Ok((AccountId(id), from_json("accounts.api_origins", &origins)?))).collect()
}

/// The slugs of all accounts whose payments are simulated.
pub async fn list_simulating(mut db: Db<'_>) -> Result<Vec<String>> {
    Ok(on!(&mut db, c => sqlx::query_scalar(LIST_SIMULATING).fetch_all(&mut **c).await?))
}

/// Reserves serial numbers for parcels, unique within the account.
pub async fn next_parcels(mut db: Db<'_>, id: AccountId, count: u32) -> Result<std::ops::Range<u64>> {
    let first: i64 = on!(&mut db, c => sqlx::query_scalar(NEXT_PARCELS)
        .bind(id.0)
        .bind(i64::from(count))
        .fetch_one(&mut **c).await?);
    let first = u64::try_from(first).map_err(|_| crate::engine::StoreError::Unreadable("accounts.next_parcel"))?;
    Ok(first..first.saturating_add(u64::from(count)))
}

/// Accounts with orders that were not checked for other spellings ([`crate::order_spellings`]), each with the last
/// order that was.
pub async fn list_unspelled(mut db: Db<'_>) -> Result<Vec<(AccountId, OrderId)>> {
    let rows: Vec<(Uuid, Option<Uuid>)> = on!(&mut db, c => sqlx::query_as(LIST_UNSPELLED).fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(|(id, last)| (AccountId(id), OrderId(last.unwrap_or(Uuid::nil())))).collect())
}

/// Stores the last order of an account that was checked for other spellings.
pub async fn keep_spelled(mut db: Db<'_>, account: AccountId, last: OrderId) -> Result<()> {
    execute!(db, sqlx::query(UPDATE_SPELLED).bind(account.0).bind(last.0));
    Ok(())
}
