//! When a client hangs up or a server dies in the middle, each request is done completely or not at all.

use crate::shop::{Customer, NOW, Shop, fresh, taken};
use domain::{
    DraftReturnOrderId,
    returning::{DraftStatus, ReturnSource as MadeIn},
};
use returns::{Done, Retour, Source};
use std::time::Duration;
use store::{Store, testing::Database};

/// Asserts that every return order is complete: one request, one parcel, three stages, six events.
async fn assert_whole(database: &Database, customer: &Customer, drafts: &[DraftReturnOrderId]) {
    let accepted = accepted_of(customer, drafts).await;
    let mut rows = Vec::new();
    for table in ["return_orders", "return_requests", "shipments", "timeline_entries", "events"] {
        rows.push(database.rows(table).await);
    }
    assert_eq!(rows, [accepted, accepted, accepted, 3 * accepted, 6 * accepted]);
    assert_eq!(taken(database).await, (accepted, 0));
}

/// How many of these drafts have become return orders.
async fn accepted_of(customer: &Customer, drafts: &[DraftReturnOrderId]) -> i64 {
    let mut accepted = 0;
    for &draft in drafts {
        let status = customer.retour.consumer(&customer.shopper).find_draft(draft).await.unwrap().status;
        accepted += i64::from(status == DraftStatus::Accepted);
    }
    accepted
}

async fn some_drafts(customer: &Customer, count: usize) -> Vec<DraftReturnOrderId> {
    let mut drafts = Vec::with_capacity(count);
    for _ in 0..count {
        drafts.push(customer.draft(&[(0, 1)]).await);
    }
    drafts
}

store::on_each_database! {
    async fn a_submit_whose_client_hangs_up_is_done_or_not_started(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(100, 10_000)]).await;
        let drafts = some_drafts(&customer, 40).await;
        let mut hung_up = 0;
        for (&draft, patience) in drafts.iter().zip(0..) {
            // The first client does not wait at all.
            let waiting = async {
                if patience > 0 {
                    tokio::time::sleep(Duration::from_micros(patience * 150)).await;
                }
            };
            tokio::select! {
                biased;
                done = customer.submit(draft) => { done.unwrap(); }
                () = waiting => hung_up += 1,
            }
        }
        assert!(hung_up > 0, "no client hung up");
        // Submitting again returns one return order, whether the first attempt completed or not.
        for &draft in &drafts {
            assert!(matches!(customer.submit(draft).await.unwrap(), Done::Fresh { .. }));
        }
        assert_whole(&database, &customer, &drafts).await;
        assert_eq!(database.rows("return_orders").await, 40);
    }

    async fn a_key_stays_valid_however_often_its_clients_hang_up(database: Database) {
        let shop = Shop::open(&database).await;
        let key = shop.retour.operator().create_service_user(shop.account.id, "ERP", &[returns::Scope::Read]).await.unwrap();
        for patience in 0..60_u32 {
            shop.source.set(NOW.plus_hours(patience)); // so that each request records its use of the key
            let mut request = Box::pin(shop.retour.program(&key));
            for _ in 0..patience {
                tokio::select! {
                    biased;
                    _ = &mut request => break,
                    () = tokio::task::yield_now() => {}
                }
            }
        }
        shop.sell("1001", &[(1, 100)]).await; // no cut-off request holds the writer
        shop.source.set(NOW.plus_hours(1_000));
        // The last use is recorded asynchronously.
        for _ in 0..10_000 {
            shop.retour.program(&key).await.unwrap();
            if database.number("SELECT MAX(last_used_at) FROM service_users").await == NOW.plus_hours(1_000).micros() {
                return;
            }
        }
        panic!("the use of the key was never recorded");
    }

    async fn a_server_that_dies_during_submits_completes_each_or_none_of_it(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1_000, 100_000)]).await;
        let (mut drafts, mut rounds, mut done) = (Vec::new(), 0_u32, 0);
        // Each server lives a little longer than the one before, until some submits were cut off and others were done. After ten
        // rounds the time doubles: a busy machine needs seconds for what takes a quiet one milliseconds.
        while rounds < 10 || done == 0 || done == i64::from(4 * rounds) {
            assert!(rounds < 100, "{done} of {} were done", drafts.len());
            let few = some_drafts(&customer, 4).await;
            drafts.extend_from_slice(&few);
            let (url, shopper, asked, patience) = (database.url.clone(), customer.shopper, few.clone(), Duration::from_micros(1_500) * rounds * (1 << (rounds / 10)));
            tokio::task::spawn_blocking(move || dies_after(patience, url, shopper, asked)).await.unwrap();
            // The next writer waits for any lock that the dead server held.
            let order = customer.draft(&[(0, 1)]).await;
            let order = fresh(customer.submit(order).await.unwrap(), 201).id;
            customer.cancel(order).await.unwrap();
            done += accepted_of(&customer, &few).await;
            rounds += 1;
        }
        let rounds = i64::from(rounds);
        assert_eq!(database.rows("return_orders WHERE status = 'Cancelled'").await, rounds);
        let accepted = accepted_of(&customer, &drafts).await;
        // A cancelled return has a fourth stage and two more events.
        assert_eq!(database.rows("return_orders").await, accepted + rounds);
        assert_eq!(database.rows("return_requests").await, accepted + rounds);
        assert_eq!(database.rows("timeline_entries").await, 3 * accepted + 4 * rounds);
        assert_eq!(database.rows("events").await, 6 * accepted + 8 * rounds);
        assert_eq!(taken(&database).await, (accepted, 0));
    }
}

/// Runs a server on the same database that starts to submit and dies: its tasks are dropped wherever they are.
fn dies_after(patience: Duration, url: String, shopper: returns::Shopper, drafts: Vec<DraftReturnOrderId>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let retour = Retour::new(Store::open(&url).await.unwrap(), Source::held_at(NOW));
        for draft in drafts {
            let retour = retour.clone();
            tokio::spawn(async move { retour.consumer(&shopper).submit(draft, MadeIn::Portal, None).await });
        }
        tokio::time::sleep(patience).await;
    });
    drop(runtime);
}
