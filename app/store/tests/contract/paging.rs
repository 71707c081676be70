//! Lists by page, newest first, while others write.

use crate::support::*;
use domain::AccountId;
use store::{lists::Listing, page::Page, testing::Database};

store::on_each_database! {
    async fn pages_of_return_orders_have_no_gaps_or_repetitions_during_writes(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut wanted = Vec::new();
        for number in 0..7 {
            wanted.insert(0, kept_return_order(&database, ours, &format!("R-{number}")).await.id);
            kept_return_order(&database, theirs, &format!("R-{number}")).await;
        }
        let (mut seen, mut after) = (Vec::new(), None);
        for newer in 100.. {
            let page = look!(database, return_orders::list, ours, &newest(after, 2));
            assert!((1..=2).contains(&page.rows.len()));
            seen.extend(page.rows.into_iter().map(|order| order.id));
            after = page.next;
            if after.is_none() {
                break;
            }
            kept_return_order(&database, ours, &format!("R-{newer}")).await;
        }
        assert_eq!(seen, wanted);
        assert_eq!(look!(database, return_orders::list, ours, &newest(None, 100)).rows.len(), 7 + 3);
    }

    async fn a_consumer_sees_only_their_own_return_orders(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let newer = kept_return_order(&database, ours, "R-2").await;
        let another = keep!(database, consumers::insert_or_find, ours, &a_consumer(proof_of("1002"))).0;
        let foreign = a_return_order(another.id, "R-3");
        assert!(keep!(database, return_orders::insert, ours, &foreign));
        let first = look!(database, return_orders::list_by_consumer, ours, order.consumer_id, Page::first(1));
        assert_eq!(first.rows, [newer]);
        let rest = look!(database, return_orders::list_by_consumer, ours, order.consumer_id, Page::at(first.next, 1));
        assert_eq!((rest.rows, rest.next), (vec![order.clone()], None));
        assert_eq!(look!(database, return_orders::list_by_consumer, theirs, order.consumer_id, FIRST_PAGE).rows, []);
    }

    async fn pages_of_return_requests_have_no_gaps_or_repetitions_during_writes(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut wanted = Vec::new();
        for account in [theirs, ours] {
            wanted.clear();
            for number in 0..5 {
                wanted.insert(0, keep_request(&database, account, number).await);
            }
        }
        let number = wanted[0].1.clone();
        let wanted: Vec<_> = wanted.into_iter().map(|(id, _)| id).collect();
        for filter in [None, Some(format!("purchaseOrderNumber:{number}"))] {
            let clauses: Vec<&str> = filter.as_deref().into_iter().collect();
            let (mut seen, mut after) = (Vec::new(), None);
            loop {
                let page = look!(database, return_requests::list, ours, &Listing { page: Page::at(after, 2), ..asking(&store::return_requests::LIST, &clauses) });
                seen.extend(page.rows.into_iter().map(|request| request.id));
                after = page.next;
                if after.is_none() {
                    break;
                }
                let mut newer = a_return_request_of(&database, ours).await;
                newer.purchase_order_number = "#2".to_owned();
                keep!(database, return_requests::insert, ours, std::slice::from_ref(&newer));
            }
            let older = seen.len() - wanted.len();
            assert_eq!(seen[older..], wanted, "{filter:?}");
            assert!(filter.is_none() || older == 0);
        }
    }

    async fn rows_that_are_written_at_once_are_all_listed_once(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let tasks: Vec<_> = (0..40)
            .map(|number| {
                let database = database.clone();
                let order = a_return_order(consumer, &format!("R-{number}"));
                tokio::spawn(async move {
                    assert!(keep!(database, return_orders::insert, ours, &order));
                    order.number
                })
            })
            .collect();
        let mut wanted = Vec::new();
        for task in tasks {
            wanted.push(task.await.unwrap());
        }
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = look!(database, return_orders::list, ours, &newest(after, 7));
            seen.extend(page.rows.into_iter().map(|order| order.number));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        wanted.sort();
        seen.sort();
        assert_eq!(seen, wanted);
    }
}

async fn a_return_request_of(database: &Database, account: AccountId) -> domain::returning::ReturnRequest {
    let purchase = a_purchase(database, account, "1001", 9, 900).await;
    let order = kept_return_order(database, account, &format!("R-{}", next())).await;
    a_return_request(&order, &purchase)
}

async fn keep_request(database: &Database, account: AccountId, number: u32) -> (domain::ReturnRequestId, String) {
    let mut request = a_return_request_of(database, account).await;
    request.return_reason_comment = format!("number {number}");
    keep!(database, return_requests::insert, account, std::slice::from_ref(&request));
    (request.id, request.purchase_order_number)
}
