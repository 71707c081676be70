//! Many browser tabs at once.

use crate::shop::{Shop, fresh, taken};
use domain::{Currency, Money, RefusalCode, money::Prices, policy::Policy};
use returns::{Done, Error, ErrorCode, view::ReturnOrderView};
use std::{future::Future, pin::Pin, sync::Arc};
use store::testing::Database;
use tokio::{sync::Barrier, task::JoinHandle};

const TABS: usize = 64;

pub type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Runs all of them, started together behind a barrier.
pub async fn at_once<T: Send + 'static>(all: Vec<impl Future<Output = T> + Send + 'static>) -> Vec<T> {
    let barrier = Arc::new(Barrier::new(all.len()));
    let tasks: Vec<_> = all.into_iter().map(|work| start(Box::pin(work), barrier.clone())).collect();
    let mut outcomes = Vec::with_capacity(tasks.len());
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

/// Takes boxed work, so that a task has the same type for each test: the types of a task are slow to compile.
fn start<T: Send + 'static>(work: Work<T>, barrier: Arc<Barrier>) -> JoinHandle<T> {
    tokio::spawn(async move {
        barrier.wait().await;
        work.await
    })
}

store::on_each_database! {
    async fn of_64_tabs_that_return_the_last_unit_one_succeeds(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000)]).await;
        customer.send_back(&[(0, 2)]).await;
        let mut submits = Vec::new();
        for _ in 0..TABS {
            let (customer, draft) = (customer.clone(), customer.draft(&[(0, 1)]).await);
            submits.push(async move { customer.submit(draft).await });
        }
        let mut winners = 0;
        for outcome in at_once(submits).await {
            match outcome {
                Ok(done) => {
                    fresh(done, 201);
                    winners += 1;
                }
                Err(Error::Outdated { refusal, details, .. }) => {
                    assert_eq!(refusal.code, RefusalCode::QuantityExceeded);
                    assert_eq!((details[0].field.as_str(), details[0].code), ("selectedPurchases[0].quantity", RefusalCode::QuantityExceeded));
                }
                Err(error) => panic!("{error:?}"),
            }
        }
        assert_eq!(winners, 1);
        assert_eq!(taken(&database).await, (3, 1));
        assert_eq!((database.rows("return_orders").await, database.rows("return_requests").await), (2, 2));
    }

    async fn of_64_tabs_that_return_the_only_unit_one_succeeds(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1_999)]).await;
        let mut submits = Vec::new();
        for _ in 0..TABS {
            let (customer, draft) = (customer.clone(), customer.draft(&[(0, 1)]).await);
            submits.push(async move { customer.submit(draft).await });
        }
        let outcomes = at_once(submits).await;
        let exceeded = ErrorCode::Refused(RefusalCode::QuantityExceeded);
        assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Ok(Done::Fresh { status: 201, .. }))).count(), 1);
        assert_eq!(outcomes.iter().filter(|outcome| outcome.as_ref().is_err_and(|error| error.code() == exceeded)).count(), TABS - 1);
        assert_eq!(taken(&database).await, (1, 0));
    }

    async fn of_64_tabs_that_return_several_lines_those_that_find_one_taken_take_none(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(100, 10_000), (1, 100), (100, 10_000)]).await;
        let mut submits = Vec::new();
        for _ in 0..TABS {
            let (customer, draft) = (customer.clone(), customer.draft(&[(0, 1), (1, 1), (2, 1)]).await);
            submits.push(async move { customer.submit(draft).await });
        }
        let outcomes = at_once(submits).await;
        let one_is_taken = |error: &Error| match error {
            Error::Outdated { details, .. } => matches!(&details[..], [one] if one.field == "selectedPurchases[1].quantity"),
            _ => false,
        };
        assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Ok(Done::Fresh { status: 201, .. }))).count(), 1);
        assert_eq!(outcomes.iter().filter(|outcome| outcome.as_ref().is_err_and(one_is_taken)).count(), TABS - 1);
        assert_eq!(taken(&database).await, (3, 0));
        assert_eq!(database.deadlocks().await, 0);
    }

    async fn tabs_that_want_the_same_unit_with_an_extra_cent_see_a_changed_price(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(20, 2_001)]).await; // one unit costs 101, nineteen 100
        let mut submits = Vec::new();
        for _ in 0..20 {
            let (customer, draft) = (customer.clone(), customer.draft(&[(0, 1)]).await);
            submits.push(async move { customer.submit(draft).await });
        }
        let outdated = ErrorCode::Refused(RefusalCode::DraftOutdated);
        let outcomes = at_once(submits).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.as_ref().is_err_and(|error| error.code() == outdated)).count(), 19);
        assert_eq!(taken(&database).await, (1, 1));
        assert_eq!(database.number("SELECT CAST(SUM(value) AS BIGINT) FROM return_requests").await, 101);
    }

    async fn a_draft_that_64_clicks_submit_is_one_return_order(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(5, 1_000)]).await;
        let draft = customer.draft(&[(0, 2)]).await;
        let click = || {
            let customer = customer.clone();
            async move { customer.submit(draft).await }
        };
        let answers: Vec<(u16, ReturnOrderView)> = at_once((0..TABS).map(|_| click()).collect())
            .await
            .into_iter()
            .map(|outcome| match outcome.unwrap() {
                Done::Fresh { status, value } => (status, value),
                Done::Replayed(answer) => panic!("expected a fresh result, as no key was sent: {answer:?}"),
            })
            .collect();
        assert_eq!(answers.iter().filter(|(status, _)| *status == 201).count(), 1);
        assert_eq!(answers.iter().filter(|(status, _)| *status == 200).count(), TABS - 1);
        assert!(answers.iter().all(|(_, order)| order.id == answers[0].1.id && order.number == answers[0].1.number));
        assert_eq!((database.rows("return_orders").await, database.rows("shipments").await), (1, 1));
        assert_eq!(taken(&database).await, (2, 0));
    }

    async fn a_return_order_that_16_clicks_cancel_frees_its_units_once(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(5, 1_003)]).await;
        customer.send_back(&[(0, 1)]).await;
        let order = customer.send_back(&[(0, 3)]).await.id;
        assert_eq!(taken(&database).await, (4, 3));
        let click = || {
            let customer = customer.clone();
            async move { customer.cancel(order).await }
        };
        for outcome in at_once((0..16).map(|_| click()).collect()).await {
            fresh(outcome.unwrap(), 200);
        }
        assert_eq!(taken(&database).await, (1, 1));
        let counts = store::events::count_by_type(database.store.read().await.unwrap().db(), shop.account.id).await.unwrap();
        assert!(counts.contains(&("return_order.cancelled".to_owned(), 1)), "{counts:?}");
    }

    async fn returns_of_the_same_items_in_opposite_order_do_not_deadlock(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(900, 90_000), (900, 90_000), (900, 90_000)]).await;
        database.run("ANALYZE").await; // Postgres now knows that the table is small, and reads it in the order of its rows
        let mut under_way = Vec::new();
        for _ in 0..25 {
            let mut work: Vec<Work<Result<Done<ReturnOrderView>, Error>>> = Vec::new();
            for units in [[(0, 1), (1, 1), (2, 1)], [(2, 1), (1, 1), (0, 1)], [(1, 1), (2, 1), (0, 1)]] {
                let (customer, draft) = (customer.clone(), customer.draft(&units).await);
                work.push(Box::pin(async move { customer.submit(draft).await }));
            }
            // Each round cancels the returns of the round before.
            for order in under_way.drain(..) {
                let customer = customer.clone();
                work.push(Box::pin(async move { customer.cancel(order).await }));
            }
            for outcome in at_once(work).await {
                let Done::Fresh { status, value } = outcome.unwrap() else { panic!("expected a fresh result: no key was sent") };
                if status == 201 {
                    under_way.push(value.id);
                }
            }
        }
        assert_eq!(taken(&database).await, (9, 0));
        assert_eq!(database.deadlocks().await, 0);
    }

    async fn an_import_and_a_submit_of_the_same_lines_do_not_deadlock(database: Database) {
        let shop = Shop::open(&database).await;
        let lines: Vec<(u32, i64)> = (0..12).map(|_| (900, 90_000)).collect();
        let order = shop.order("1001", &lines);
        let customer = shop.sell("1001", &lines).await;
        database.run("ANALYZE").await;
        for round in 0..15_u32 {
            let mut work: Vec<Work<()>> = Vec::new();
            let units: Vec<(usize, u32)> = (0..12).map(|place| (place, 1)).collect();
            for _ in 0..3 {
                let (customer, draft) = (customer.clone(), customer.draft(&units).await);
                work.push(Box::pin(async move {
                    fresh(customer.submit(draft).await.unwrap(), 201);
                }));
            }
            let (shop, mut again) = (shop.clone(), order.clone());
            again.lines.iter_mut().for_each(|line| line.tax = i64::from(round));
            work.push(Box::pin(async move {
                shop.import(vec![again]).await;
            }));
            at_once(work).await;
        }
        assert_eq!(taken(&database).await, (15 * 3 * 12, 0));
        assert_eq!(database.deadlocks().await, 0);
    }

    async fn tabs_that_each_keep_an_item_do_not_keep_the_whole_order(database: Database) {
        let below = Prices::new([Money::new(1_000, Currency::from_code("EUR").unwrap())]).unwrap();
        let policy = Policy { keep_item_below: below, ..Policy::default() };
        let shop = Shop::open_with(&database, "generous", "EUR", policy).await;
        let customer = shop.sell("1001", &[(1, 300); 10]).await;
        let mut submits = Vec::new();
        for place in 0..10 {
            let (customer, draft) = (customer.clone(), customer.draft(&[(place, 1)]).await);
            submits.push(async move { customer.submit(draft).await });
        }
        let outdated = ErrorCode::Refused(RefusalCode::DraftOutdated);
        let outcomes = at_once(submits).await;
        assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Ok(Done::Fresh { status: 201, .. }))).count(), 3);
        assert_eq!(outcomes.iter().filter(|outcome| outcome.as_ref().is_err_and(|error| error.code() == outdated)).count(), 7);
        assert_eq!(taken(&database).await, (3, 0));
    }

    async fn two_customers_who_prove_an_order_at_once_are_one_consumer(database: Database) {
        let shop = Shop::open(&database).await;
        shop.import(vec![shop.order("1001", &[(1, 100)])]).await;
        let prove = || {
            let shop = shop.clone();
            async move { shop.customer("1001").await.shopper }
        };
        let shoppers = at_once((0..16).map(|_| prove()).collect()).await;
        assert!(shoppers.iter().all(|shopper| shopper == &shoppers[0]));
        assert_eq!(database.rows("consumer_tokens").await, 16);
    }
}
