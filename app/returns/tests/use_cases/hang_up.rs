//! Clients that hang up and servers that die midway leave everything done or nothing.

use crate::shop::{Customer, NOW, Shop, fresh, taken};
use domain::{DraftReturnOrderId, returning::Source as MadeIn, status::DraftStatus};
use returns::{Done, Retour, Source};
use std::time::Duration;
use store::{Store, testing::Database};

/// Return orders, and everything that goes with each of them: one request, one parcel, three stages, six events.
async fn assert_whole(database: &Database, customer: &Customer, drafts: &[DraftReturnOrderId]) {
    let mut accepted = 0;
    for &draft in drafts {
        let status = customer.retour.find_draft(&customer.shopper, draft).await.unwrap().status;
        accepted += i64::from(status == DraftStatus::Accepted);
    }
    let mut rows = Vec::new();
    for table in ["return_orders", "return_requests", "shipments", "timeline_entries", "events"] {
        rows.push(database.rows(table).await);
    }
    assert_eq!(rows, [accepted, accepted, accepted, 3 * accepted, 6 * accepted]);
    assert_eq!(taken(database).await, (accepted, 0));
}

async fn some_drafts(customer: &Customer, count: usize) -> Vec<DraftReturnOrderId> {
    let mut drafts = Vec::with_capacity(count);
    for _ in 0..count {
        drafts.push(customer.draft(&[(0, 1)]).await);
    }
    drafts
}

store::on_each_database! {
    async fn a_submit_whose_client_hangs_up_is_done_or_not_begun(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(100, 10_000)]).await;
        let drafts = some_drafts(&customer, 40).await;
        for (&draft, patience) in drafts.iter().zip(0..) {
            tokio::select! {
                biased;
                done = customer.submit(draft) => { done.unwrap(); }
                () = tokio::time::sleep(Duration::from_micros(patience * 150)) => {}
            }
        }
        // The client comes back and asks again: whatever became of the first, there is one return order.
        for &draft in &drafts {
            assert!(matches!(customer.submit(draft).await.unwrap(), Done::Fresh { .. }));
        }
        assert_whole(&database, &customer, &drafts).await;
        assert_eq!(database.rows("return_orders").await, 40);
    }

    async fn a_key_is_good_however_often_its_requests_are_hung_up_on(database: Database) {
        let shop = Shop::open(&database).await;
        let key = shop.retour.create_service_user(shop.account.id, "ERP", &[returns::Scope::Read]).await.unwrap();
        for patience in 0..60_u32 {
            shop.source.set(NOW.plus_hours(patience)); // so that each notes that the key was used
            let mut request = Box::pin(shop.retour.program(&key));
            for _ in 0..patience {
                tokio::select! {
                    biased;
                    _ = &mut request => break,
                    () = tokio::task::yield_now() => {}
                }
            }
        }
        shop.sell("1001", &[(1, 100)]).await; // the writer is nobody's
        shop.source.set(NOW.plus_hours(1_000));
        // Its use is noted beside the request, sooner or later.
        for _ in 0..10_000 {
            shop.retour.program(&key).await.unwrap();
            if database.number("SELECT MAX(last_used_at) FROM service_users").await == NOW.plus_hours(1_000).micros() {
                return;
            }
        }
        panic!("the use of the key was never noted");
    }

    async fn a_server_that_dies_amid_submits_leaves_each_done_or_undone(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(100, 10_000)]).await;
        let drafts = some_drafts(&customer, 40).await;
        for (few, patience) in drafts.chunks(4).zip(0..) {
            let (url, shopper, few) = (database.url.clone(), customer.shopper, few.to_vec());
            tokio::task::spawn_blocking(move || dies_after(Duration::from_micros(patience * 1_500), url, shopper, few)).await.unwrap();
            // Whoever comes next waits for what the dead one held, if anything.
            let order = customer.draft(&[(0, 1)]).await;
            let order = fresh(customer.submit(order).await.unwrap(), 201).id;
            customer.cancel(order).await.unwrap();
        }
        let own = "status = 'Cancelled'";
        let left = database.number(&format!("SELECT COUNT(*) FROM return_orders WHERE {own}")).await;
        assert_eq!(left, 10);
        let mut accepted = 0;
        for &draft in &drafts {
            accepted += i64::from(shop.retour.find_draft(&customer.shopper, draft).await.unwrap().status == DraftStatus::Accepted);
        }
        // Each that was cancelled has a fourth stage, and two events more.
        assert_eq!(database.rows("return_orders").await, accepted + 10);
        assert_eq!(database.rows("return_requests").await, accepted + 10);
        assert_eq!(database.rows("timeline_entries").await, 3 * accepted + 40);
        assert_eq!(database.rows("events").await, 6 * accepted + 80);
        assert_eq!(taken(&database).await, (accepted, 0));
        println!("{accepted} of 40 were done when the server died");
    }
}

/// A server of its own on the same database, which begins to submit and is gone: its tasks are dropped where they are.
fn dies_after(patience: Duration, url: String, shopper: returns::Shopper, drafts: Vec<DraftReturnOrderId>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let retour = Retour::new(Store::open(&url).await.unwrap(), Source::held_at(NOW));
        for draft in drafts {
            let retour = retour.clone();
            tokio::spawn(async move { retour.submit(shopper, draft, MadeIn::Portal, None).await });
        }
        tokio::time::sleep(patience).await;
    });
    drop(runtime);
}
