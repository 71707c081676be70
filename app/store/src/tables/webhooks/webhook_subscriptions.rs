//! Who wants to be told of what.

use crate::{engine::{Db, Result, due::Subscribed, macros::{from_json, named, to_json}}, lists::{self, Field, FieldKind, List, Listing, page::Rows}};
use domain::{
    AccountId, Timestamp, WebhookSubscriptionId,
    returning::Actor,
    stage::StageName,
    webhook::{DisabledBecause, EventType, Interest},
};
use std::sync::Once;
use uuid::Uuid;

// What senders do with subscriptions is called by these names.
pub use crate::tables::webhooks::webhook_senders::{claim, leave, leave_all, list_claimed, list_deleted, list_due, list_senders, list_stopped, release, seen};

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
    INSERT = "INSERT INTO webhook_subscriptions
        (account_id, id, url, event_types, stages, description, enabled, disabled_because, disabled_at, secret, catch_up_all,
         created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, FALSE, $11, $11)";
    FIND = select!(" AND account_id = $1 AND id = $2");
    /// Whoever else changes it waits until the transaction ends; SQLite has one writer anyway.
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
    /// How its receiver does is no change of the subscription.
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

/// Who wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// Identifier.
    pub id: WebhookSubscriptionId,
    /// Where to.
    pub url: String,
    /// Of what.
    pub interest: Interest,
    /// In the merchant's words; may be empty.
    pub description: String,
    /// Why it is not told, and since when; `None` while it is.
    pub disabled: Option<(DisabledBecause, Timestamp)>,
    /// What signs, encrypted.
    pub secret: String,
    /// What signs too, encrypted, and until when.
    pub previous_secret: Option<(String, Timestamp)>,
    /// How the receiver does.
    pub health: Health,
    /// What is to be delivered again.
    pub catch_up: Option<CatchUp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

/// Failures of a receiver since its last success.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Health {
    /// The first.
    pub failing_since: Option<Timestamp>,
    /// The last.
    pub last_failed_at: Option<Timestamp>,
}

/// Events between two numbers that are to be delivered again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatchUp {
    /// Those behind this one.
    pub after: i64,
    /// The last one.
    pub until: i64,
    /// Also what was delivered.
    pub all: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
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

impl Row {
    fn subscription(self) -> Result<Subscription> {
        let disabled = match self.disabled_at {
            None => None,
            Some(at) => {
                let because = DisabledBecause::from_name(&self.disabled_because);
                Some((named("webhook_subscriptions.disabled_because", because)?, Timestamp::from_micros(at)))
            }
        };
        let health = Health {
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

fn interest(event_types: &str, stages: &str) -> Result<Interest> {
    let event_types: Vec<EventType> = from_json("webhook_subscriptions.event_types", event_types)?;
    let stages: Vec<StageName> = from_json("webhook_subscriptions.stages", stages)?;
    Ok(Interest { event_types, stages })
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
    let row: Option<Row> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(Row::subscription).transpose()
}

/// The same, held until the transaction ends.
pub async fn lock(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId) -> Result<Option<Subscription>> {
    execute!(db, sqlx::query(HOLD).bind(account.0).bind(id.0));
    find(db, account, id).await
}

/// How many an account has.
pub async fn count(mut db: Db<'_>, account: AccountId) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(COUNT_SOME).bind(account.0).fetch_one(&mut **c).await?))
}

/// Which subscriptions are told at the moment, and of what. What a newer version has written into one keeps nobody from
/// working: it is told of what this version knows.
pub async fn list_enabled(mut db: Db<'_>, account: AccountId) -> Result<Vec<(WebhookSubscriptionId, Interest)>> {
    let rows: Vec<(Uuid, String, String)> =
        on!(&mut db, c => sqlx::query_as(LIST_ENABLED).bind(account.0).fetch_all(&mut **c).await?);
    interests(rows)
}

/// The same as a column beside new events, JSON, so that it is no statement of its own: for [`interests_of`].
pub(crate) const ENABLED_ON_SQLITE: &str =
    "(SELECT json_group_array(json_array(lower(hex(s.id)), s.event_types, s.stages) ORDER BY s.seq)
    FROM webhook_subscriptions s WHERE s.account_id = events.account_id AND s.enabled AND s.deleted_at IS NULL)";
/// The same for Postgres.
pub(crate) const ENABLED_ON_POSTGRES: &str =
    "(SELECT CAST(json_agg(json_build_array(s.id, s.event_types, s.stages) ORDER BY s.seq) AS TEXT)
    FROM webhook_subscriptions s WHERE s.account_id = events.account_id AND s.enabled AND s.deleted_at IS NULL)";

/// What such a column says.
pub(crate) fn interests_of(column: &str) -> Result<Vec<(WebhookSubscriptionId, Interest)>> {
    interests(from_json("webhook_subscriptions", column)?)
}

fn interests(rows: Vec<(Uuid, String, String)>) -> Result<Vec<(WebhookSubscriptionId, Interest)>> {
    let mut enabled = Vec::with_capacity(rows.len());
    for (id, types, stages) in rows {
        let types = known("webhook_subscriptions.event_types", &types, EventType::parse)?;
        let stages = known("webhook_subscriptions.stages", &stages, StageName::parse)?;
        if let Some((event_types, stages)) = types.zip(stages) {
            enabled.push((WebhookSubscriptionId(id), Interest { event_types, stages }));
        }
    }
    Ok(enabled)
}

/// Those of the names that this version knows; `None` where it knows none of them, as no names would mean everything.
fn known<T>(what: &'static str, text: &str, parse: fn(&str) -> Option<T>) -> Result<Option<Vec<T>>> {
    static SAID: Once = Once::new();
    let names: Vec<String> = from_json(what, text)?;
    let known: Vec<T> = names.iter().filter_map(|name| parse(name)).collect();
    if known.len() < names.len() {
        SAID.call_once(|| tracing::warn!(what, "some names are of a newer version; nobody is told of what they mean"));
    }
    Ok((names.is_empty() || !known.is_empty()).then_some(known))
}

/// What subscriptions can be asked for.
pub static LIST: List = List {
    name: "webhook-subscriptions",
    select: select!(""),
    table: "webhook_subscriptions",
    alias: "",
    fields: &[Field {
        name: "enabled",
        kind: FieldKind::OneOf(|| vec!["true", "false"]),
        column: "CASE WHEN enabled THEN 'true' ELSE 'false' END",
    }],
    sorts_by_update: false,
    search: None,
};

/// An account's subscriptions.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Subscription>> {
    lists::fetch(db, &LIST, account, listing, |row: &Row| listing.cursor(row.seq, 0), Row::subscription).await
}

/// Keeps what changed. Whoever changes it has locked it.
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

/// Keeps how its receiver does.
pub async fn keep_health(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId, health: Health) -> Result<()> {
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

/// Notes that its receiver takes what it is sent.
pub async fn recovered(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId, url: &str) -> Result<()> {
    execute!(db, sqlx::query(RECOVERED).bind(account.0).bind(id.0).bind(url));
    Ok(())
}

/// Keeps how far it has caught up; `None` when it has. Whoever catches up has locked it.
pub async fn keep_catch_up(
    mut db: Db<'_>,
    account: AccountId,
    id: WebhookSubscriptionId,
    after: Option<i64>,
) -> Result<()> {
    execute!(db, sqlx::query(KEEP_CATCH_UP).bind(account.0).bind(id.0).bind(after));
    Ok(())
}

/// Deletes it as far as anybody can see; `false` when there is none.
pub async fn delete(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId, now: Timestamp) -> Result<bool> {
    if find(db.reborrow(), account, id).await?.is_none() {
        return Ok(false);
    }
    Ok(execute!(db, sqlx::query(DELETE).bind(account.0).bind(id.0).bind(now.micros())) == 1)
}

/// What happened to a subscription.
#[derive(Debug, Clone)]
pub struct Entry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// Which of the merchant's users or programs, where it was one of those.
    pub actor_id: Option<Uuid>,
    /// What, as the API names it.
    pub change: String,
}

/// Adds to a subscription's timeline.
pub async fn note(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId, entry: &Entry) -> Result<()> {
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

/// What happened to a subscription, newest first.
pub async fn list_entries(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId) -> Result<Vec<Entry>> {
    let rows: Vec<(i64, String, Option<Uuid>, String)> =
        on!(&mut db, c => sqlx::query_as(LIST_ENTRIES).bind(account.0).bind(id.0).fetch_all(&mut **c).await?);
    let entry = |(at, actor, actor_id, change): (i64, String, Option<Uuid>, String)| {
        let actor = named("webhook_timeline_entries.actor", Actor::from_name(&actor))?;
        Ok(Entry { at: Timestamp::from_micros(at), actor, actor_id, change })
    };
    rows.into_iter().map(entry).collect()
}

/// Every secret that signs in the whole installation, encrypted: present ones, and those before them that still do.
pub async fn list_secrets(mut db: Db<'_>, now: Timestamp) -> Result<Vec<(Subscribed, String)>> {
    let rows: Vec<(Uuid, Uuid, String)> =
        on!(&mut db, c => sqlx::query_as(SENDER_LIST_SECRETS).bind(now.micros()).fetch_all(&mut **c).await?);
    let secret = |(account, id, sealed)| ((AccountId(account), WebhookSubscriptionId(id)), sealed);
    Ok(rows.into_iter().map(secret).collect())
}

/// Deletes the last of a subscription, once its deliveries are gone.
pub async fn remove(mut db: Db<'_>, account: AccountId, id: WebhookSubscriptionId) -> Result<()> {
    execute!(db, sqlx::query(REMOVE_ENTRIES).bind(account.0).bind(id.0));
    execute!(db, sqlx::query(REMOVE).bind(account.0).bind(id.0));
    Ok(())
}
