//! The questions that are measured at each size, and their costs.

use crate::fill;
use domain::{AccountId, ReturnOrderId, ReturnRequestId, Timestamp, UserId, WebhookSubscriptionId, stage::Queue};
use std::{
    fmt,
    time::{Duration, Instant},
};
use store::{
    DatabaseKind, Db, IsEnough, Reading, consumers, drafts, events, idempotency, label_requests,
    lists::{Direction, List, Listing, Sort},
    mail_tasks, mails,
    page::{MAX_PAGE_NUMBER, Page, Start},
    parcel_tasks, payment_tasks, purchases,
    queues::{self, CountedPart},
    return_orders, return_requests, sessions, settlements, shipments,
    testing::Database,
    timeline, webhook_deliveries, webhook_senders,
};
use uuid::Uuid;

/// How often each question runs; the median counts.
const TIMES: usize = 21;

/// The costs at one size.
pub struct Answers {
    pub kind: DatabaseKind,
    pub rows: u64,
    pub costs: Vec<(String, Cost)>,
    /// Bytes of each table's rows and of its indexes.
    pub sizes: Vec<(String, u64, u64)>,
}

/// The cost of a question.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    took: Duration,
    /// Pages read of tables and indexes; only Postgres counts them.
    pages: Option<u64>,
}

impl Cost {
    /// The ratio to another cost: of pages if they are counted, else of time.
    #[expect(clippy::cast_precision_loss, reason = "a ratio of small numbers")]
    pub fn of(self, other: Self) -> f64 {
        match (self.pages, other.pages) {
            (Some(these), Some(those)) => these.max(1) as f64 / those.max(1) as f64,
            _ => self.took.as_secs_f64() / other.took.as_secs_f64(),
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.took.as_secs_f64() * 1_000.0)?;
        self.pages.map_or(Ok(()), |pages| write!(f, " ({pages})"))
    }
}

fn uuid(kind: u128, milliseconds: u64, number: u64) -> Uuid {
    let head = (u128::from(milliseconds) << 80) | (7 << 76) | (kind << 64);
    Uuid::from_u128(head | (8 << 60) | u128::from(number))
}

/// The account that has 30 % of all rows.
pub fn largest() -> AccountId {
    AccountId(uuid(1, 1_690_000_000_000, 1))
}

/// When a return order was made, in milliseconds.
fn made_at(number: u64) -> u64 {
    1_700_000_000_000 + number * 94_600
}

/// A question.
enum Ask {
    List(&'static List, Listing),
    Request(ReturnRequestId),
    ReturnOrder(ReturnOrderId),
    Waiting(&'static str),
    Claim(&'static str),
    Queues,
    CountOf(Listing),
    Backlogs,
    Overdue,
    DueWebhooks,
    Prune(&'static str, Timestamp),
}

/// Measures all questions.
pub async fn ask(database: &Database, rows: u64) -> Answers {
    let (kind, returns) = (database.store.kind(), rows / fill::REQUESTS);
    let now = Timestamp::from_micros(i64::try_from(made_at(returns) * 1_000).unwrap());
    // A return order of the largest account from the middle, and a recent one.
    let some = of_largest(database, returns / 2).await;
    let new = of_largest(database, returns - returns / 5).await;
    let mut costs = Vec::new();
    for (name, ask) in questions(rows, some, new, now) {
        let mut times = Vec::new();
        let before = pages(database).await;
        for _ in 0..TIMES {
            let started = Instant::now();
            answer(database, &ask, now).await;
            times.push(started.elapsed());
        }
        let after = pages(database).await;
        times.sort_unstable();
        let pages = after.zip(before).map(|(after, before)| (after - before) / u64::try_from(TIMES).unwrap());
        costs.push((name, Cost { took: times[TIMES / 2], pages }));
    }
    Answers { kind, rows, costs, sizes: sizes(database).await }
}

/// The number of a return order of the largest account from this one on.
async fn of_largest(database: &Database, from: u64) -> u64 {
    // fill.sql distributes return orders among the accounts by this rule.
    let found = (from..from + 1_000).find(|number| (number * 7_919) % 1_000_000 < 300_000).unwrap();
    let there = format!("SELECT COUNT(*) FROM return_orders WHERE number = 'R-{}'", 10_000_000 + found);
    assert_eq!(database.number(&there).await, 1);
    found
}

#[expect(clippy::too_many_lines, reason = "a table of questions")]
fn questions(rows: u64, some: u64, new: u64, now: Timestamp) -> Vec<(String, Ask)> {
    let newest = || Listing::newest(Page::first(50));
    let deep = i64::try_from(rows / 2).unwrap();
    let with = |list: &'static List, clauses: &[&str]| {
        let conditions = clauses.iter().map(|clause| list.condition(clause).unwrap()).collect();
        Ask::List(list, Listing { conditions, ..newest() })
    };
    let asking = |list: &'static List, clauses: &[&str]| {
        let conditions = clauses.iter().map(|clause| list.condition(clause).unwrap()).collect();
        Listing { conditions, ..newest() }
    };
    let by_age = |list: &'static List, clauses: &[&str]| {
        let (sort, direction) = (Sort::StageSince, Direction::Ascending);
        Ask::List(list, Listing { sort, direction, ..asking(list, clauses) })
    };
    let found = |list, words: &str| Ask::List(list, Listing { search: Some(words.to_owned()), ..newest() });
    let after = |list, after| Ask::List(list, Listing::newest(Page::at(Some(after), 50)));
    let changed = |list, after| {
        Ask::List(
            list,
            Listing { sort: Sort::UpdatedAt, direction: Direction::Ascending, page: Page::at(after, 50), ..newest() },
        )
    };
    // The largest account has 30 % of the rows.
    let last = MAX_PAGE_NUMBER.min(i64::try_from(rows * 3 / 10 / 50).unwrap());
    let numbered = Page { start: Start::Number(last), ..Page::first(50) };
    let request = ReturnRequestId(uuid(8, made_at(some), some * 10));
    let (order, purchase) =
        (uuid(5, made_at(some), some), format!("gid://shopify/LineItem/{}", 9_900_000_000 + some * 10));
    let last_hour = format!("createdAt>={}", now.plus_seconds(-3_600));
    let changed_hour = format!("updatedAt>={}", now.plus_seconds(86_400 - 3_600));
    let one_day = now.plus_seconds(-30 * 86_400);
    let number = format!("purchaseOrderNumber:A-{some}");
    let reason = format!("returnReasonId:{}", uuid(9, 1_700_000_000_000, 5));
    let (requests, orders) = (&return_requests::LIST, &return_orders::LIST);
    let mut all = vec![
        ("requests, newest first", Ask::List(requests, newest())),
        ("requests, deep in the list", after(requests, deep)),
        ("requests, by page number, at most 10,000", Ask::List(requests, Listing::newest(numbered))),
        ("requests of a stage that many are in", with(requests, &["stage:Resolution: Completed"])),
        ("requests of a stage that a thousandth is in", with(requests, &["stage:Resolution: Failed"])),
        ("requests of a rare resolution", with(requests, &["requestedResolution:Exchange"])),
        ("requests of a reason", with(requests, &[&reason])),
        (
            "requests of a rare stage and a rare resolution",
            with(requests, &["stage:Resolution: Failed", "requestedResolution:Exchange"]),
        ),
        ("requests of two stages", with(requests, &["stage:Requested: Review|Inspection: Pending"])),
        (
            "requests of two stages that many are in, and a rare resolution",
            with(requests, &["stage:Resolution: Completed|Resolution: Denied", "requestedResolution:Exchange"]),
        ),
        ("requests of a carrier that none has", with(requests, &["carrier:none"])),
        ("requests with photos of a country", with(requests, &["hasPhotos:true", "country:GB"])),
        ("requests of a product", with(requests, &["sku:CM-77"])),
        ("requests of a price and a reason", with(requests, &["purchasePrice>=20 EUR", &reason])),
        ("requests of a stage, the longest waiting first", by_age(requests, &["stage:Requested: Review"])),
        ("the number of requests of a stage", Ask::CountOf(asking(requests, &["stage:Resolution: Completed"]))),
        ("the queues of staff", Ask::Queues),
        ("returns with a request in a stage", with(orders, &["stage:Inspection: Pending"])),
        ("returns with a request in a rare stage", with(orders, &["stage:Resolution: Failed"])),
        ("returns with a product", with(orders, &["sku:CM-77"])),
        ("returns that are flagged", with(orders, &["flagged:true", "status:Requested|AwaitingPayment|Open"])),
        ("requests of an order number", with(requests, &[&number])),
        ("requests made in the last hour", with(requests, &[&last_hour])),
        ("requests changed in the last hour", with(requests, &[&changed_hour])),
        ("requests, oldest change first", changed(requests, None)),
        ("requests, by change from the middle", changed(requests, Some(deep))),
        ("requests, a search by name", found(requests, &name_of(some))),
        ("one request", Ask::Request(request)),
        ("a return with requests, parcels, timeline", Ask::ReturnOrder(ReturnOrderId(order))),
        ("returns, newest first", Ask::List(orders, newest())),
        ("returns that are open", with(orders, &["status:Open"])),
        ("returns, by change from the middle", changed(orders, Some(deep / 10))),
        ("parcels, newest first", Ask::List(&shipments::LIST, newest())),
        ("parcels on their way", with(&shipments::LIST, &["status:InTransit"])),
        ("people, a search by e-mail", found(&consumers::LIST, &email_of(some))),
        ("purchases, newest first", Ask::List(&purchases::LIST, newest())),
        ("purchases of an order number", with(&purchases::LIST, &[&format!("orderNumber:A-{some}")])),
        ("purchases by the shop's own id", with(&purchases::LIST, &[&format!("externalId:{purchase}")])),
        ("events, newest first", Ask::List(&events::LIST, newest())),
        ("events of a stage", with(&events::LIST, &["stage:Received: Complete"])),
        ("events of a return", with(&events::LIST, &[&format!("returnOrderId:{}", uuid(5, made_at(new), new))])),
        ("mail that failed", with(&mails::LIST, &["status:Failed"])),
        ("what is waiting, for /metrics", Ask::Backlogs),
        ("requests whose time is over", Ask::Overdue),
        ("subscriptions with something due", Ask::DueWebhooks),
        ("drafts called over", Ask::Prune("open drafts", now)),
        ("a step of forgetting drafts", Ask::Prune("drafts", now)),
        ("a step of forgetting sessions", Ask::Prune("sessions", now)),
        ("a step of forgetting answers", Ask::Prune("answers", now)),
        ("a step of forgetting mail", Ask::Prune("mails", one_day)),
        ("a step of forgetting events", Ask::Prune("events", one_day)),
    ]
    .into_iter()
    .map(|(name, ask)| (name.to_owned(), ask))
    .collect::<Vec<_>>();
    for work in ["settlements", "labels", "payments", "parcels", "mails"] {
        all.push((format!("accounts with {work} due"), Ask::Waiting(work)));
        all.push((format!("a claim of {work}"), Ask::Claim(work)));
    }
    all
}

/// As fill.sql makes it of a number.
fn syllable(number: u64) -> &'static str {
    let at = usize::try_from(2 * (number % 22)).unwrap();
    &"bafecigodukelimoputanerivoxuzasebihojawyqethorbrom"[at..at + 2]
}

fn name_of(g: u64) -> String {
    let first = [syllable(g * 7), syllable(g * 3 + g / 484)].concat();
    let last = [syllable(g * 31), syllable(g * 17 + g / 22)].concat();
    format!("{first} {last}")
}

fn email_of(g: u64) -> String {
    let last = [syllable(g * 31), syllable(g * 17 + g / 22), syllable(g / 22), syllable(g / 484)].concat();
    format!("{last}.")
}

async fn answer(database: &Database, ask: &Ask, now: Timestamp) {
    match ask {
        Ask::Claim(work) => claim(database, work, now).await,
        Ask::Prune(what, before) => prune(database, what, *before).await,
        _ => {
            let mut reading = database.store.read().await.unwrap();
            read(&mut reading, ask, now).await;
            flush(reading.db()).await;
        }
    }
}

async fn read(reading: &mut Reading, ask: &Ask, now: Timestamp) {
    let account = largest();
    match ask {
        Ask::List(of, listing) => list(reading.db(), of.name, listing).await,
        Ask::Request(id) => assert!(return_requests::find(reading.db(), account, *id).await.unwrap().is_some()),
        Ask::ReturnOrder(id) => {
            let order = return_orders::find(reading.db(), account, *id).await.unwrap();
            let requests = return_requests::list_of_return_orders(reading.db(), account, &[*id]).await.unwrap();
            let parcels = shipments::list_of_return_orders(reading.db(), account, &[*id]).await.unwrap();
            let entries = timeline::list_of_return_order(reading.db(), account, *id).await.unwrap();
            assert!(order.is_some() && requests.len() == 10 && parcels.len() == 1 && entries.len() == 10);
        }
        Ask::Queues => queues(reading.db(), now).await,
        Ask::CountOf(listing) => {
            return_requests::count_listed(reading.db(), account, listing, 1_000).await.unwrap();
        }
        Ask::Waiting(work) => drop(waiting(reading.db(), work, now).await),
        Ask::Backlogs => {
            webhook_deliveries::backlog(reading.db()).await.unwrap();
            settlements::backlog(reading.db()).await.unwrap();
            label_requests::backlog(reading.db()).await.unwrap();
            parcel_tasks::backlog(reading.db(), now).await.unwrap();
            payment_tasks::backlog(reading.db(), now).await.unwrap();
            mail_tasks::backlog(reading.db(), now).await.unwrap();
        }
        Ask::Overdue => drop(return_requests::overdue(reading.db(), now, 100).await.unwrap()),
        Ask::DueWebhooks => {
            webhook_senders::list_due(reading.db(), now).await.unwrap();
            let subscription = WebhookSubscriptionId(uuid(16, 1_690_000_000_000, 1));
            let portion = webhook_deliveries::Portion { rows: 500, bytes: 1 << 20 };
            let start = webhook_deliveries::DuePlace::START;
            webhook_deliveries::list_due(reading.db(), (account, subscription), now, start, portion).await.unwrap();
        }
        Ask::Claim(_) | Ask::Prune(..) => {}
    }
}

/// As `GET /queues` does.
async fn queues(mut db: Db<'_>, now: Timestamp) {
    let (account, target) = (largest(), Some(now.plus_seconds(-86_400)));
    let parts = Queue::ALL.iter().flat_map(|queue| queue.parts(now, true)).map(|part| CountedPart { part, target });
    let (silent, by_stage): (Vec<_>, Vec<_>) = parts.partition(|counted| counted.part.without_news_since.is_some());
    for parts in [silent, by_stage] {
        queues::count_parts(db.reborrow(), account, &parts, 1_000).await.unwrap();
    }
    queues::count_withdrawn(db.reborrow(), account, target, 1_000).await.unwrap();
    queues::count_found_parcels(db.reborrow(), account, target, 1_000).await.unwrap();
    queues::count_flagged(db.reborrow(), account, 1_000).await.unwrap();
    let nobody = UserId(uuid(17, 1_690_000_000_000, 1));
    queues::count_assigned(db.reborrow(), account, nobody, 1_000).await.unwrap();
}

async fn list(db: Db<'_>, name: &str, listing: &Listing) {
    let account = largest();
    match name {
        "return-requests" => drop(return_requests::list(db, account, listing).await.unwrap()),
        "return-orders" => drop(return_orders::list(db, account, listing).await.unwrap()),
        "shipments" => drop(shipments::list(db, account, listing).await.unwrap()),
        "consumers" => drop(consumers::list(db, account, listing).await.unwrap()),
        "purchases" => drop(purchases::list_all(db, account, listing).await.unwrap()),
        "events" => drop(events::list(db, account, listing).await.unwrap()),
        "mails" => drop(mails::list(db, account, listing).await.unwrap()),
        other => unreachable!("{other}"),
    }
}

/// As an idle worker does.
async fn waiting(db: Db<'_>, work: &str, now: Timestamp) -> Vec<AccountId> {
    let is_enough: IsEnough<'_> = &|due| due.iter().map(|(_, due)| (*due).min(8)).sum::<usize>() >= 32;
    match work {
        "settlements" => settlements::waiting(db, now, is_enough).await,
        "labels" => label_requests::waiting(db, now, is_enough).await,
        "payments" => payment_tasks::waiting(db, now, is_enough).await,
        "parcels" => parcel_tasks::waiting(db, now, is_enough).await,
        _ => mail_tasks::waiting(db, now, is_enough).await,
    }
    .unwrap()
}

/// As a worker does, for four accounts; rolled back afterwards.
async fn claim(database: &Database, work: &str, now: Timestamp) {
    let mut writing = database.store.write().await.unwrap();
    let mut accounts = waiting(writing.db(), work, now).await;
    accounts.truncate(4);
    let shares: Vec<_> = accounts.into_iter().map(|account| (account, 8)).collect();
    let (until, shares) = (now.plus_seconds(30), (shares.as_slice(), 32));
    match work {
        "settlements" => drop(settlements::claim(writing.db(), now, until, shares).await.unwrap()),
        "labels" => drop(label_requests::claim(writing.db(), now, until, shares).await.unwrap()),
        "payments" => drop(payment_tasks::claim(writing.db(), now, until, shares).await.unwrap()),
        "parcels" => drop(parcel_tasks::claim(writing.db(), now, until, shares).await.unwrap()),
        _ => drop(mail_tasks::claim(writing.db(), now, until, shares).await.unwrap()),
    }
    flush(writing.db()).await;
}

/// One step, rolled back afterwards.
async fn prune(database: &Database, what: &str, before: Timestamp) {
    let mut writing = database.store.write().await.unwrap();
    match what {
        "open drafts" => drafts::expire(writing.db(), before).await,
        "drafts" => drafts::prune(writing.db(), before).await,
        "sessions" => sessions::prune(writing.db(), before).await,
        "answers" => idempotency::prune(writing.db(), before).await,
        "mails" => mails::prune(writing.db(), before).await,
        _ => events::prune(writing.db(), before).await,
    }
    .unwrap();
    flush(writing.db()).await;
}

/// Makes Postgres add this connection's counters to its statistics.
async fn flush(db: Db<'_>) {
    if let Db::Postgres(connection) = db {
        sqlx::query("SELECT pg_stat_force_next_flush()").execute(connection).await.unwrap();
    }
}

/// The number of pages read so far.
async fn pages(database: &Database) -> Option<u64> {
    let sum = "SELECT CAST(SUM(heap_blks_hit + heap_blks_read + COALESCE(idx_blks_hit + idx_blks_read, 0)
        + COALESCE(toast_blks_hit + toast_blks_read + tidx_blks_hit + tidx_blks_read, 0)) AS BIGINT) FROM pg_statio_user_tables";
    if database.store.kind() == DatabaseKind::Sqlite {
        return None;
    }
    // A dropped transaction is rolled back in the background, and counts only afterwards.
    tokio::time::sleep(Duration::from_millis(50)).await;
    Some(u64::try_from(database.number(sum).await).unwrap())
}

async fn sizes(database: &Database) -> Vec<(String, u64, u64)> {
    let mut reading = database.store.read().await.unwrap();
    let Db::Postgres(connection) = reading.db() else { return Vec::new() };
    let sql = "SELECT relname::text, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class WHERE relkind = 'r'
        AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC LIMIT 12";
    let rows: Vec<(String, i64, i64)> = sqlx::query_as(sql).fetch_all(connection).await.unwrap();
    rows.into_iter().map(|(table, rows, indexes)| (table, rows.unsigned_abs(), indexes.unsigned_abs())).collect()
}
