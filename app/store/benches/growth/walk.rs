//! Checks that a walk through a list meets every row while others write.

use crate::{fill, questions};
use futures_util::future;
use std::{cell::Cell, collections::HashSet, time::Duration};
use store::{
    lists::{Direction, Listing},
    page::Page,
    return_requests,
    testing::Database,
};

/// The pause between two return orders that are written during the walk.
const PAUSE: Duration = Duration::from_millis(10);

/// Walks through the requests of the largest account from the oldest, page by page, while return orders are written. It
/// must meet each request that existed when it began exactly once.
pub async fn run(database: &Database) {
    let there = database.number("SELECT MAX(seq) FROM return_requests").await;
    let over = Cell::new(false);
    let walking = async {
        let met = walk(database, there).await;
        over.set(true);
        met
    };
    let (met, written) = future::join(walking, write(database, &over)).await;
    let expected = format!(
        "SELECT COUNT(*) FROM return_requests WHERE seq <= {there}
          AND account_id = (SELECT account_id FROM shares WHERE low = 0)"
    );
    let expected = usize::try_from(database.number(&expected).await).unwrap();
    assert!(met >= expected, "the walk missed {} of {expected} rows", expected - met);
    println!("a walk met all {expected} rows once while {written} return orders were written");
}

/// The number of rows that the walk meets up to the first that was written during it.
async fn walk(database: &Database, there: i64) -> usize {
    let (mut met, mut after) = (HashSet::new(), None);
    loop {
        let listing = Listing { direction: Direction::Ascending, ..Listing::newest(Page::at(after, 100)) };
        let mut reading = database.store.read().await.unwrap();
        let page = return_requests::list(reading.db(), questions::largest(), &listing).await.unwrap();
        for row in page.rows {
            assert!(met.insert(row.id), "a row came twice");
        }
        after = page.next;
        if after.is_none_or(|after| after > there + 1) {
            return met.len();
        }
    }
}

/// Writes return orders until the walk is over; returns how many.
async fn write(database: &Database, over: &Cell<bool>) -> i64 {
    let first = database.number("SELECT MAX(g) + 1 FROM grown").await;
    let mut next = first;
    while !over.get() {
        fill::insert_one(database, u64::try_from(next).unwrap()).await;
        next += 1;
        tokio::time::sleep(PAUSE).await;
    }
    next - first
}
