//! The returns of real customers, replayed through the public API of the built program. All of them succeed, to the penny, and repeating everything
//! changes nothing.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "what goes wrong stops the test at once")]

#[allow(dead_code, reason = "the benchmark measures more")]
mod support;

use serde_json::Value;
use store::testing::Database;
use support::{
    process::{Server, Shop},
    real_data::{self, Item, Order},
    replay::{self, Replay, minor},
};

store::on_each_database! {
    async fn real_returns_all_succeed_and_repeating_them_changes_nothing(database: Database) {
        let Some(data) = real_data::folder() else {
            println!("skipped: shared data absent");
            return;
        };
        let orders = real_data::returns(&data);
        let folder = tempfile::tempdir().unwrap();
        let shop = Shop::create(&database.url, folder.path(), Some(&data.join("orders.csv.gz")));
        let server = Server::start(&database.url).await;

        let first = replay::run(&server, shop.slug, &orders).await;
        print_times("first", &database, &first);
        let expected = Sums::of(&orders);
        assert_eq!(first.answers.len(), orders.iter().map(|order| order.returns.len()).sum::<usize>());
        assert_eq!(Sums::in_database(&database).await, expected);
        assert_eq!(Sums::in_list(&server, &shop).await, expected);
        let before = contents(&database).await;

        let second = replay::run(&server, shop.slug, &orders).await;
        print_times("again", &database, &second);
        let differing = first.answers.iter().find(|&(name, answers)| second.answers[name] != *answers);
        assert!(differing.is_none(), "answered differently: {:?}", differing.map(|(name, _)| name));
        assert_eq!(contents(&database).await, before);
        assert_eq!(Sums::in_list(&server, &shop).await, expected);
    }
}

/// The sums of all returns.
#[derive(Debug, PartialEq, Eq)]
struct Sums {
    requests: i64,
    units: i64,
    minor: i64,
}

impl Sums {
    fn of(orders: &[Order]) -> Self {
        let items: Vec<&Item> = orders.iter().flat_map(|order| &order.returns).flat_map(|one| &one.items).collect();
        Self {
            requests: i64::try_from(items.len()).unwrap(),
            units: items.iter().map(|item| i64::from(item.quantity)).sum(),
            minor: items.iter().map(|item| item.amount()).sum(),
        }
    }

    async fn in_database(database: &Database) -> Self {
        let taken = database.number("SELECT CAST(SUM(taken) AS BIGINT) FROM purchases").await;
        let units = database.number("SELECT CAST(SUM(quantity) AS BIGINT) FROM return_requests").await;
        assert_eq!(taken, units, "the units taken from purchases equal the units in requests");
        let minor = database.number("SELECT CAST(SUM(value) AS BIGINT) FROM return_requests").await;
        Self { requests: database.rows("return_requests").await, units, minor }
    }

    async fn in_list(server: &Server, shop: &Shop) -> Self {
        let client = reqwest::Client::new();
        let mut sums = Self { requests: 0, units: 0, minor: 0 };
        let mut page = 1;
        loop {
            let path = format!("{}/api/v0/return-requests?limit=100&page={page}", server.base);
            let list: Value = client.get(path).bearer_auth(&shop.key).send().await.unwrap().json().await.unwrap();
            for request in list["data"].as_array().unwrap() {
                sums.requests += 1;
                sums.units += request["quantity"].as_i64().unwrap();
                sums.minor += minor(&request["purchasePrice"]);
            }
            match list["nextPage"].as_i64() {
                Some(next) => page = next,
                None => return sums,
            }
        }
    }
}

/// The rows of every table that a return writes. Tokens are left out, because looking an order up again may add one.
async fn contents(database: &Database) -> Vec<String> {
    const CONTENTS: &str = "SELECT 'purchases ' || SUM(taken) || ' ' || SUM(taken_dear) || ' ' || SUM(settled) FROM purchases
        UNION ALL SELECT 'drafts ' || COUNT(*) || ' ' || SUM(updated_at) FROM draft_return_orders
        UNION ALL SELECT 'return orders ' || COUNT(*) || ' ' || SUM(version) || ' ' || SUM(updated_at) FROM return_orders
        UNION ALL SELECT 'requests ' || COUNT(*) || ' ' || SUM(version) || ' ' || SUM(updated_at) FROM return_requests
        UNION ALL SELECT 'shipments ' || COUNT(*) FROM shipments
        UNION ALL SELECT 'timeline ' || COUNT(*) FROM timeline_entries
        UNION ALL SELECT 'events ' || COUNT(*) FROM events
        UNION ALL SELECT 'keys ' || COUNT(*) FROM idempotency_keys
        UNION ALL SELECT 'consumers ' || COUNT(*) FROM consumers";
    let mut contents = database.texts(CONTENTS).await;
    contents.sort_unstable();
    contents
}

fn print_times(which: &str, database: &Database, replay: &Replay) {
    println!("{which}, on {:?}: {:.0} returns/s", database.store.kind(), replay.returns_per_second());
    for kind in replay.times.keys() {
        let (half, most) = (replay.percentile(50, Some(kind)), replay.percentile(99, Some(kind)));
        println!("  {kind:<14} p50 {half:>8.1?}  p99 {most:>8.1?}");
    }
}
