//! Attempts to deliver events, and their results. The last attempt of a delivery is stored with the delivery: most
//! deliveries have only one.

use crate::{
    engine::{
        Db, Result,
        batches::in_few_sizes,
        stored::{count, named},
        template::push_list,
        time_limit::in_time,
    },
    tables::webhooks::webhook_deliveries::{self, DeliveryLane},
};
use domain::{
    AccountId, EventId, Timestamp, WebhookDeliveryId,
    webhook::{DeliveryOutcome, DeliveryStatus},
};
use sqlx::{PgConnection, QueryBuilder};
use std::collections::HashSet;
use uuid::Uuid;

/// Records the first attempts of deliveries. Also of deliveries that were given up in the meantime, as the receiver has
/// the event. Only for SQLite. Each row is found by its id, and then searches for its values: with a join, SQLite could
/// start with all rows of the account. The values, the account and the ids are pushed between the parts.
const FIRST_DELIVERED: [&str; 4] = [
    "UPDATE webhook_deliveries SET status = 'Delivered', attempts = 1, tries = 1, outcome = 'Delivered',
     (tried_at, duration, status_code, answer) = (SELECT column2, column3, column4,
      CASE WHEN is_erased THEN '' ELSE column5 END FROM (",
    ") AS v WHERE column1 = webhook_deliveries.id) WHERE account_id = ",
    " AND id IN (",
    ") AND attempts = 0 RETURNING id",
];
/// The number of rows in one statement: each row searches half of the values on average.
const FIRST_AT_ONCE: usize = 64;

/// [`FIRST_DELIVERED`] for Postgres, with an array for each column: to search a list of values takes Postgres longer than
/// to write the row. `SELECT` hides the length of the arrays. Postgres then expects ten ids, and looks up each in the
/// index unless it knows of hardly more rows in the account.
const FIRST_DELIVERED_BY_ARRAYS: &str = "UPDATE webhook_deliveries AS d SET status = 'Delivered', attempts = 1, tries = 1,
    outcome = 'Delivered', tried_at = v.tried_at, duration = v.duration, status_code = v.status_code,
    answer = CASE WHEN d.is_erased THEN '' ELSE v.answer END FROM UNNEST((SELECT $2::uuid[]), (SELECT $3::bigint[]),
    (SELECT $4::bigint[]), (SELECT $5::bigint[]), (SELECT $6::text[])) AS v (id, tried_at, duration, status_code, answer)
    WHERE d.account_id = $1 AND d.id = v.id AND d.attempts = 0 RETURNING d.id";

statements! {
    in webhook_attempts;
    /// Returns the attempt before, which moves to a row of its own.
    COUNT_ONE = "UPDATE webhook_deliveries SET attempts = attempts + 1 WHERE account_id = $1 AND id = $2
        RETURNING status, attempts, tries, is_erased, tried_at, duration, outcome, status_code, answer";
    KEEP_LAST = "UPDATE webhook_deliveries SET status = $3, tries = $4, tried_at = $5, duration = $6, outcome = $7,
        status_code = $8, answer = $9 WHERE account_id = $1 AND id = $2";
    INSERT = "INSERT INTO webhook_attempts (account_id, delivery_id, number, at, duration, outcome, status_code, answer)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    LIST = "SELECT number, at, duration, outcome, status_code, answer FROM webhook_attempts
        WHERE account_id = $1 AND delivery_id = $2
        UNION ALL SELECT attempts, tried_at, duration, outcome, status_code, answer FROM webhook_deliveries
        WHERE account_id = $1 AND id = $2 AND attempts > 0 ORDER BY 1";
    SCRUB = "UPDATE webhook_attempts SET answer = '' WHERE account_id = $1 AND delivery_id IN
        (SELECT id FROM webhook_deliveries WHERE account_id = $1 AND event_id = $2)";
}

/// One attempt to deliver an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its start.
    pub at: Timestamp,
    /// In microseconds.
    pub duration: i64,
    pub outcome: DeliveryOutcome,
    /// The HTTP status, if there was a response.
    pub status_code: Option<u16>,
    /// The beginning of the response; empty if the event is about a person who was erased.
    pub answer: String,
}

#[derive(sqlx::FromRow)]
struct AttemptRow {
    number: i64,
    at: i64,
    duration: i64,
    outcome: String,
    status_code: Option<i64>,
    answer: String,
}

impl AttemptRow {
    fn attempt(self) -> Result<(u32, Attempt)> {
        let attempt = Attempt {
            at: Timestamp::from_micros(self.at),
            duration: self.duration,
            outcome: named("webhook_attempts.outcome", DeliveryOutcome::parse(&self.outcome))?,
            status_code: self.status_code.and_then(|status| u16::try_from(status).ok()),
            answer: self.answer,
        };
        Ok((count("webhook_attempts.number", self.number)?, attempt))
    }
}

/// Records first attempts that succeeded. Returns the deliveries that were updated: those that were tried before or
/// deleted are left out.
pub async fn keep_first(
    mut db: Db<'_>,
    account: AccountId,
    delivered: &[(WebhookDeliveryId, &Attempt)],
) -> Result<HashSet<WebhookDeliveryId>> {
    let ids = match db.takes_arrays() {
        Some(_) if delivered.is_empty() => Vec::new(),
        Some(connection) => in_time(keep_first_by_arrays(connection, account, delivered)).await?,
        None => keep_first_by_lists(db, account, delivered).await?,
    };
    Ok(ids.into_iter().map(WebhookDeliveryId).collect())
}

async fn keep_first_by_lists(
    mut db: Db<'_>,
    account: AccountId,
    delivered: &[(WebhookDeliveryId, &Attempt)],
) -> Result<Vec<Uuid>> {
    let mut kept = Vec::new();
    let [start, of_account, among, end] = FIRST_DELIVERED;
    for part in delivered.chunks(FIRST_AT_ONCE).flat_map(in_few_sizes) {
        let mut ids: Vec<Uuid> = on!(&mut db, c => {
            let mut query = QueryBuilder::new(start);
            query.push_values(part, |mut row, (delivery, attempt)| {
                row.push_bind(delivery.0)
                    .push_bind(attempt.at.micros())
                    .push_bind(attempt.duration)
                    .push_bind(attempt.status_code.map(i64::from))
                    .push_bind(attempt.answer.as_str());
            });
            query.push(of_account).push_bind(account.0).push(among);
            push_list(&mut query, part.iter().map(|(delivery, _)| delivery.0)).push(end);
            query.build_query_scalar().fetch_all(&mut **c).await?
        });
        kept.append(&mut ids);
    }
    Ok(kept)
}

/// Not kept prepared, so that Postgres plans it for this account: a plan for an account of average size could start with
/// all rows of a large one.
async fn keep_first_by_arrays(
    connection: &mut PgConnection,
    account: AccountId,
    delivered: &[(WebhookDeliveryId, &Attempt)],
) -> Result<Vec<Uuid>> {
    let attempts = || delivered.iter().map(|(_, attempt)| attempt);
    let query = sqlx::query_scalar(FIRST_DELIVERED_BY_ARRAYS)
        .bind(account.0)
        .bind(delivered.iter().map(|(delivery, _)| delivery.0).collect::<Vec<_>>())
        .bind(attempts().map(|attempt| attempt.at.micros()).collect::<Vec<_>>())
        .bind(attempts().map(|attempt| attempt.duration).collect::<Vec<_>>())
        .bind(attempts().map(|attempt| attempt.status_code.map(i64::from)).collect::<Vec<_>>())
        .bind(attempts().map(|attempt| attempt.answer.as_str()).collect::<Vec<_>>());
    Ok(query.persistent(false).fetch_all(connection).await?)
}

/// A delivery as it was when an attempt started.
#[derive(Debug, Clone, Copy)]
pub struct Tried {
    pub id: WebhookDeliveryId,
    /// Attempts of this round before this one.
    pub tries: u32,
}

#[derive(sqlx::FromRow)]
struct Counted {
    status: String,
    attempts: i64,
    tries: i64,
    is_erased: bool,
    tried_at: Option<i64>,
    duration: Option<i64>,
    outcome: Option<String>,
    status_code: Option<i64>,
    answer: Option<String>,
}

impl Counted {
    /// The attempt before, if there was one.
    fn last(&self) -> Option<AttemptRow> {
        Some(AttemptRow {
            number: self.attempts - 1,
            at: self.tried_at?,
            duration: self.duration?,
            outcome: self.outcome.clone()?,
            status_code: self.status_code,
            answer: self.answer.clone()?,
        })
    }
}

/// Records an attempt. After a failure the delivery and those behind it in its lane wait until `next`; without `next`,
/// the delivery has failed. A delivery that was given up during the attempt stays so; one that was requested again
/// starts a new round. Returns whether it is still pending; `None` if it was deleted.
pub async fn keep(
    mut db: Db<'_>,
    lane: DeliveryLane,
    tried: Tried,
    attempt: &Attempt,
    next: Option<Timestamp>,
) -> Result<Option<bool>> {
    let (account, id) = (lane.account_id.0, tried.id.0);
    let counted: Option<Counted> =
        on!(&mut db, c => sqlx::query_as(COUNT_ONE).bind(account).bind(id).fetch_optional(&mut **c).await?);
    let Some(counted) = counted else { return Ok(None) };
    if let Some(last) = counted.last() {
        execute!(
            db,
            sqlx::query(INSERT)
                .bind(account)
                .bind(id)
                .bind(last.number)
                .bind(last.at)
                .bind(last.duration)
                .bind(last.outcome)
                .bind(last.status_code)
                .bind(last.answer)
        );
    }
    let before = named("webhook_deliveries.status", DeliveryStatus::from_name(&counted.status))?;
    let is_delivered = attempt.outcome == DeliveryOutcome::Delivered;
    let is_this_round = counted.tries == i64::from(tried.tries);
    let status = match before {
        _ if is_delivered => DeliveryStatus::Delivered,
        DeliveryStatus::Pending if is_this_round && next.is_none() => DeliveryStatus::Failed,
        before => before,
    };
    execute!(
        db,
        sqlx::query(KEEP_LAST)
            .bind(account)
            .bind(id)
            .bind(status.name())
            .bind(counted.tries + i64::from(is_this_round))
            .bind(attempt.at.micros())
            .bind(attempt.duration)
            .bind(attempt.outcome.name())
            .bind(attempt.status_code.map(i64::from))
            .bind(if counted.is_erased { "" } else { attempt.answer.as_str() })
    );
    if let Some(next) = next.filter(|_| is_this_round) {
        webhook_deliveries::wait(db, lane, next).await?;
    }
    Ok(Some(status == DeliveryStatus::Pending))
}

/// All attempts of a delivery with their numbers, from 1.
pub async fn list(mut db: Db<'_>, account: AccountId, id: WebhookDeliveryId) -> Result<Vec<(u32, Attempt)>> {
    let rows: Vec<AttemptRow> =
        on!(&mut db, c => sqlx::query_as(LIST).bind(account.0).bind(id.0).fetch_all(&mut **c).await?);
    rows.into_iter().map(AttemptRow::attempt).collect()
}

/// Marks the deliveries of an event whose person is erased, and empties the responses: a receiver may have repeated
/// what it was sent. An attempt that is recorded at the same time sees the mark, or this waits for it.
pub async fn erase(mut db: Db<'_>, account: AccountId, event: EventId) -> Result<()> {
    webhook_deliveries::erase(db.reborrow(), account, event).await?;
    execute!(db, sqlx::query(SCRUB).bind(account.0).bind(event.0));
    Ok(())
}
