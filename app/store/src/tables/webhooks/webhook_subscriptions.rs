//! Subscriptions to events.

use crate::{
    engine::{
        Db, Result,
        due::Subscribed,
        stored::{from_json, named, to_json},
    },
    lists::{self, Field, FieldKind, List, Listing, page::Rows},
};
use domain::{
    AccountId, Timestamp, WebhookSubscriptionId,
    party::Actor,
    stage::StageName,
    webhook::{DisabledReason, EventFilter, EventType},
};
use std::sync::Once;
use uuid::Uuid;

// The functions of senders are called by this module's name too.
pub use crate::tables::webhooks::webhook_senders::{
    claim, leave, leave_all, list_claimed, list_deleted, list_due, list_senders, list_stopped, release, seen,
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, url, event_types, stages, description, disabled_because, disabled_at, secret, previous_secret, \
             previous_secret_ends_at, failing_since, last_failed_at, catch_up_after, catch_up_until, catch_up_all, \
             created_at, updated_at, version FROM webhook_subscriptions WHERE deleted_at IS NULL",
            $rest
        )
    };
}

statements! {
    in webhook_subscriptions;
    INSERT = "INSERT INTO webhook_subscriptions
        (account_id, id, url, event_types, stages, description, enabled, disabled_because, disabled_at, secret, catch_up_all,
         created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, FALSE, $11, $11)";
    FIND = select!(" AND account_id = $1 AND id = $2");
    /// Locks the row until the transaction ends: other changes wait.
    HOLD = "UPDATE webhook_subscriptions SET version = version WHERE account_id = $1 AND id = $2";
    COUNT_SOME = "SELECT COUNT(*) FROM webhook_subscriptions WHERE account_id = $1 AND deleted_at IS NULL";
    LIST_ENABLED = "SELECT id, event_types, stages FROM webhook_subscriptions
        WHERE account_id = $1 AND enabled AND deleted_at IS NULL ORDER BY seq";
    UPDATE = "UPDATE webhook_subscriptions SET url = $3, event_types = $4, stages = $5, description = $6, enabled = $7,
        disabled_because = $8, disabled_at = $9, secret = $10, previous_secret = $11, previous_secret_ends_at = $12,
        failing_since = $13, last_failed_at = $14, catch_up_after = $15, catch_up_until = $16, catch_up_all = $17,
        updated_at = $18, version = version + 1 WHERE account_id = $1 AND id = $2";
    RECOVERED = "UPDATE webhook_subscriptions SET failing_since = NULL, last_failed_at = NULL
        WHERE account_id = $1 AND id = $2 AND url = $3 AND failing_since IS NOT NULL";
    /// The receiver's health is no change of the subscription: its version stays.
    KEEP_HEALTH = "UPDATE webhook_subscriptions SET failing_since = $3, last_failed_at = $4 WHERE account_id = $1 AND id = $2";
    KEEP_CATCH_UP = "UPDATE webhook_subscriptions SET catch_up_after = $3 WHERE account_id = $1 AND id = $2";
    DELETE = "UPDATE webhook_subscriptions SET deleted_at = $3, enabled = FALSE WHERE account_id = $1 AND id = $2";
    INSERT_ENTRY = "INSERT INTO webhook_timeline_entries (account_id, subscription_id, at, actor, actor_id, change)
        VALUES ($1, $2, $3, $4, $5, $6)";
    LIST_ENTRIES = "SELECT at, actor, actor_id, change FROM webhook_timeline_entries
        WHERE account_id = $1 AND subscription_id = $2 ORDER BY seq DESC LIMIT 500";

    SENDER_LIST_SECRETS = "SELECT account_id, id, secret FROM webhook_subscriptions WHERE deleted_at IS NULL
        UNION ALL SELECT account_id, id, previous_secret FROM webhook_subscriptions
        WHERE deleted_at IS NULL AND previous_secret_ends_at > $1";
    REMOVE_ENTRIES = "DELETE FROM webhook_timeline_entries WHERE account_id = $1 AND subscription_id = $2";
    REMOVE = "DELETE FROM webhook_subscriptions WHERE account_id = $1 AND id = $2 AND deleted_at IS NOT NULL";
}

/// A subscription to events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub id: WebhookSubscriptionId,
    pub url: String,
    /// The events that it covers.
    pub interest: EventFilter,
    /// The merchant's description; may be empty.
    pub description: String,
    /// Why and since when it is disabled; `None` while it is enabled.
    pub disabled: Option<(DisabledReason, Timestamp)>,
    /// The signing secret, encrypted.
    pub secret: String,
    /// The previous secret, encrypted, and until when it signs too.
    pub previous_secret: Option<(String, Timestamp)>,
    pub health: ReceiverHealth,
    /// The events that are delivered again.
    pub catch_up: Option<CatchUp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

/// Failures of a receiver since its last success.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReceiverHealth {
    pub failing_since: Option<Timestamp>,
    pub last_failed_at: Option<Timestamp>,
}

/// Events that are delivered again: those with numbers greater than `after` and up to `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatchUp {
    pub after: i64,
    pub until: i64,
    /// Whether events that were delivered are included.
    pub all: bool,
}

#[derive(sqlx::FromRow)]
struct SubscriptionRow {
    seq: i64,
    id: Uuid,
    url: String,
    event_types: String,
    stages: String,
    description: String,
    disabled_because: String,
    disabled_at: Option<i64>,
    secret: String,
    previous_secret: String,
    previous_secret_ends_at: Option<i64>,
    failing_since: Option<i64>,
    last_failed_at: Option<i64>,
    catch_up_after: Option<i64>,
    catch_up_until: Option<i64>,
    catch_up_all: bool,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl SubscriptionRow {
    fn subscription(self) -> Result<Subscription> {
        let disabled = match self.disabled_at {
            None => None,
            Some(at) => {
                let because = DisabledReason::from_name(&self.disabled_because);
                Some((named("webhook_subscriptions.disabled_because", because)?, Timestamp::from_micros(at)))
            }
        };
        let health = ReceiverHealth {
            failing_since: self.failing_since.map(Timestamp::from_micros),
            last_failed_at: self.last_failed_at.map(Timestamp::from_micros),
        };
        let catch_up = self.catch_up_after.zip(self.catch_up_until);
        Ok(Subscription {
            id: WebhookSubscriptionId(self.id),
            url: self.url,
            interest: interest(&self.event_types, &self.stages)?,
            description: self.description,
            disabled,
            secret: self.secret,
            previous_secret: self.previous_secret_ends_at.map(|at| (self.previous_secret, Timestamp::from_micros(at))),
            health,
            catch_up: catch_up.map(|(after, until)| CatchUp { after, until, all: self.catch_up_all }),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

fn interest(event_types: &str, stages: &str) -> Result<EventFilter> {
    let event_types: Vec<EventType> = from_json("webhook_subscriptions.event_types", event_types)?;
    let stages: Vec<StageName> = from_json("webhook_subscriptions.stages", stages)?;
    Ok(EventFilter { event_types, stages })
}

/// Adds a subscription.
pub async fn insert(mut db: Db<'_>, account: AccountId, new: &Subscription) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(new.id.0)
            .bind(&new.url)
            .bind(to_json(&new.interest.event_types))
            .bind(to_json(&new.interest.stages))
            .bind(&new.description)
            .bind(new.disabled.is_none())
            .bind(new.disabled.map_or("", |(because, _)| because.name()))
            .bind(new.disabled.map(|(_, at)| at.micros()))
            .bind(&new.secret)
            .bind(new.created_at.micros())
    );
    Ok(())
}

/// The subscription of that id, unless it was deleted.
pub async fn find(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId) -> Result<Option<Subscription>> {
    let row: Option<SubscriptionRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(SubscriptionRow::subscription).transpose()
}

/// The same, locked until the transaction ends.
pub async fn lock(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId) -> Result<Option<Subscription>> {
    execute!(db, sqlx::query(HOLD).bind(account.0).bind(id.0));
    find(db, account, id).await
}

/// The number of subscriptions of an account.
pub async fn count(mut db: Db<'_>, account: AccountId) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(COUNT_SOME).bind(account.0).fetch_one(&mut **c).await?))
}

/// The enabled subscriptions and what they cover. A subscription that a newer version has written covers what this
/// version knows.
pub async fn list_enabled(mut db: Db<'_>, account: AccountId) -> Result<Vec<(WebhookSubscriptionId, EventFilter)>> {
    let rows: Vec<(Uuid, String, String)> =
        on!(&mut db, c => sqlx::query_as(LIST_ENABLED).bind(account.0).fetch_all(&mut **c).await?);
    interests(rows)
}

/// The same as a JSON column of inserted events, which saves a statement: for [`interests_of`].
pub(super) fn enabled_column(db: &Db<'_>) -> &'static str {
    db.sql(ENABLED_ON_SQLITE, ENABLED_ON_POSTGRES)
}

const ENABLED_ON_SQLITE: &str =
    "(SELECT json_group_array(json_array(lower(hex(s.id)), s.event_types, s.stages) ORDER BY s.seq)
    FROM webhook_subscriptions s WHERE s.account_id = events.account_id AND s.enabled AND s.deleted_at IS NULL)";
const ENABLED_ON_POSTGRES: &str =
    "(SELECT CAST(json_agg(json_build_array(s.id, s.event_types, s.stages) ORDER BY s.seq) AS TEXT)
    FROM webhook_subscriptions s WHERE s.account_id = events.account_id AND s.enabled AND s.deleted_at IS NULL)";

/// The subscriptions in an [`enabled_column`].
pub(super) fn interests_of(column: &str) -> Result<Vec<(WebhookSubscriptionId, EventFilter)>> {
    interests(from_json("webhook_subscriptions", column)?)
}

fn interests(rows: Vec<(Uuid, String, String)>) -> Result<Vec<(WebhookSubscriptionId, EventFilter)>> {
    let mut enabled = Vec::with_capacity(rows.len());
    for (id, types, stages) in rows {
        let types = known("webhook_subscriptions.event_types", &types, EventType::parse)?;
        let stages = known("webhook_subscriptions.stages", &stages, StageName::parse)?;
        if let Some((event_types, stages)) = types.zip(stages) {
            enabled.push((WebhookSubscriptionId(id), EventFilter { event_types, stages }));
        }
    }
    Ok(enabled)
}

/// The names that this version knows; `None` if it knows none of them, because no names would mean everything.
fn known<T>(what: &'static str, text: &str, parse: fn(&str) -> Option<T>) -> Result<Option<Vec<T>>> {
    static WARNED: Once = Once::new();
    let names: Vec<String> = from_json(what, text)?;
    let known: Vec<T> = names.iter().filter_map(|name| parse(name)).collect();
    if known.len() < names.len() {
        WARNED.call_once(|| {
            tracing::warn!(what, "some names belong to a newer version; this program does not deliver what they mean");
        });
    }
    Ok((names.is_empty() || !known.is_empty()).then_some(known))
}

/// The list of subscriptions.
pub static LIST: List = List {
    name: "webhook-subscriptions",
    select: select!(""),
    table: "webhook_subscriptions",
    alias: "",
    key: "id",
    fields: &[Field {
        name: "enabled",
        kind: FieldKind::OneOf(|| vec!["true", "false"]),
        column: "CASE WHEN enabled THEN 'true' ELSE 'false' END",
    }],
    sorts_by_update: false,
    search: None,
};

/// The subscriptions of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Subscription>> {
    lists::fetch(
        db,
        &LIST,
        account,
        listing,
        |row: &SubscriptionRow| listing.cursor(row.seq, 0),
        SubscriptionRow::subscription,
    )
    .await
}

/// Updates a subscription, which the caller has locked.
pub async fn update(mut db: Db<'_>, account: AccountId, kept: &Subscription) -> Result<()> {
    let previous = kept.previous_secret.as_ref();
    execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(kept.id.0)
            .bind(&kept.url)
            .bind(to_json(&kept.interest.event_types))
            .bind(to_json(&kept.interest.stages))
            .bind(&kept.description)
            .bind(kept.disabled.is_none())
            .bind(kept.disabled.map_or("", |(because, _)| because.name()))
            .bind(kept.disabled.map(|(_, at)| at.micros()))
            .bind(&kept.secret)
            .bind(previous.map_or("", |(secret, _)| secret.as_str()))
            .bind(previous.map(|(_, ends_at)| ends_at.micros()))
            .bind(kept.health.failing_since.map(Timestamp::micros))
            .bind(kept.health.last_failed_at.map(Timestamp::micros))
            .bind(kept.catch_up.map(|catch_up| catch_up.after))
            .bind(kept.catch_up.map(|catch_up| catch_up.until))
            .bind(kept.catch_up.is_some_and(|catch_up| catch_up.all))
            .bind(kept.updated_at.micros())
    );
    Ok(())
}

/// Updates the health of a subscription's receiver.
pub async fn keep_health(
    mut db: Db<'_>,
    account: AccountId,
    id: WebhookSubscriptionId,
    health: ReceiverHealth,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(KEEP_HEALTH)
            .bind(account.0)
            .bind(id.0)
            .bind(health.failing_since.map(Timestamp::micros))
            .bind(health.last_failed_at.map(Timestamp::micros))
    );
    Ok(())
}

/// Records that the receiver accepts deliveries again.
pub async fn recovered(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId, url: &str) -> Result<()> {
    execute!(db, sqlx::query(RECOVERED).bind(account.0).bind(id.0).bind(url));
    Ok(())
}

/// Updates how far a subscription has caught up; `None` when it is done. The caller has locked it.
pub async fn keep_catch_up(
    mut db: Db<'_>,
    account: AccountId,
    id: WebhookSubscriptionId,
    after: Option<i64>,
) -> Result<()> {
    execute!(db, sqlx::query(KEEP_CATCH_UP).bind(account.0).bind(id.0).bind(after));
    Ok(())
}

/// Marks a subscription as deleted, so that it is no longer visible; `false` if there is none.
pub async fn delete(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId, now: Timestamp) -> Result<bool> {
    if find(db.reborrow(), account, id).await?.is_none() {
        return Ok(false);
    }
    Ok(execute!(db, sqlx::query(DELETE).bind(account.0).bind(id.0).bind(now.micros())) == 1)
}

/// An entry of a subscription's timeline.
#[derive(Debug, Clone)]
pub struct SubscriptionEntry {
    pub at: Timestamp,
    pub actor: Actor,
    /// The merchant's user or service user, if it was one.
    pub actor_id: Option<Uuid>,
    /// The name of the change in the API.
    pub change: String,
}

/// Adds an entry to a subscription's timeline.
pub async fn insert_entry(
    mut db: Db<'_>,
    account: AccountId,
    id: WebhookSubscriptionId,
    entry: &SubscriptionEntry,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT_ENTRY)
            .bind(account.0)
            .bind(id.0)
            .bind(entry.at.micros())
            .bind(entry.actor.name())
            .bind(entry.actor_id)
            .bind(&entry.change)
    );
    Ok(())
}

/// The timeline of a subscription, newest first.
pub async fn list_entries(
    mut db: Db<'_>,
    account: AccountId,
    id: WebhookSubscriptionId,
) -> Result<Vec<SubscriptionEntry>> {
    let rows: Vec<(i64, String, Option<Uuid>, String)> =
        on!(&mut db, c => sqlx::query_as(LIST_ENTRIES).bind(account.0).bind(id.0).fetch_all(&mut **c).await?);
    let entry = |(at, actor, actor_id, change): (i64, String, Option<Uuid>, String)| {
        let actor = named("webhook_timeline_entries.actor", Actor::from_name(&actor))?;
        Ok(SubscriptionEntry { at: Timestamp::from_micros(at), actor, actor_id, change })
    };
    rows.into_iter().map(entry).collect()
}

/// Every secret of the whole installation that signs, encrypted: the current ones, and previous ones that are still
/// valid.
pub async fn list_secrets(mut db: Db<'_>, now: Timestamp) -> Result<Vec<(Subscribed, String)>> {
    let rows: Vec<(Uuid, Uuid, String)> =
        on!(&mut db, c => sqlx::query_as(SENDER_LIST_SECRETS).bind(now.micros()).fetch_all(&mut **c).await?);
    let secret = |(account, id, sealed)| ((AccountId(account), WebhookSubscriptionId(id)), sealed);
    Ok(rows.into_iter().map(secret).collect())
}

/// Deletes the rows of a subscription that is marked as deleted, after its deliveries.
pub async fn remove(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId) -> Result<()> {
    execute!(db, sqlx::query(REMOVE_ENTRIES).bind(account.0).bind(id.0));
    execute!(db, sqlx::query(REMOVE).bind(account.0).bind(id.0));
    Ok(())
}
