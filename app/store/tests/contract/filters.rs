//! Several filters, several values of one, and orders by the age of a stage: what they find, page by page.

use crate::support::*;
use domain::{
    AccountId, Money, ReturnReasonId, ReturnRequestId,
    order::Product,
    policy::Resolution,
    returning::{ReturnOrder, ReturnOrderStatus, ReturnRequest},
    stage::{Queue, QueuePart, Stage, StageName},
};
use store::{
    lists::{Counted, Direction, Listing, Sort},
    page::{Page, Start},
    queues, return_orders, return_requests,
    testing::Database,
};

/// What a row has to say to be found.
type Says<'a> = Box<dyn Fn(&ReturnRequest) -> bool + 'a>;

const STAGES: [fn() -> Stage; 4] = [
    || Stage::RequestedReview,
    || Stage::ShipmentInTransit,
    || Stage::InspectionPending,
    || Stage::ResolutionFailed { reason: String::new() },
];

/// Inserts requests that differ in everything that one filters by; the first is the oldest.
async fn some_requests(database: &Database, account: AccountId, count: usize) -> Vec<ReturnRequest> {
    let purchase = a_purchase(database, account, "1001", 9, 900).await;
    let consumer = kept_consumer(database, account).await;
    let stages: Vec<StageName> = (0..count).map(|index| STAGES[index % 4]().name()).collect();
    let order = ReturnOrder {
        status: ReturnOrderStatus::derive(&stages),
        ..a_return_order(consumer.id, &format!("R-{}", next()))
    };
    assert!(keep!(database, return_orders::insert, account, &order));
    let reasons = [ReturnReasonId(id()), ReturnReasonId(id())];
    let requests: Vec<ReturnRequest> = (0..count)
        .map(|index| {
            let at = NOW.plus_seconds(i64::try_from(index).unwrap());
            ReturnRequest {
                created_at: at,
                updated_at: at,
                stage_since: at,
                return_reason_id: reasons[index % 2],
                requested_resolution: Resolution::ALL[index % 3],
                purchase_price: Money::new(100 * i64::try_from(index).unwrap(), eur()),
                product: Product { sku: format!("S-{}", index % 5), ..purchase.product.clone() },
                state: state(STAGES[index % 4]()),
                ..a_return_request(&order, &purchase)
            }
        })
        .collect();
    keep!(database, return_requests::insert, account, &requests);
    requests
}

/// All rows of a question, page by page.
async fn walk(database: &Database, account: AccountId, asked: &Listing, limit: i64) -> Vec<ReturnRequestId> {
    let (mut met, mut after) = (Vec::new(), None);
    loop {
        let listing = Listing { page: Page::at(after, limit), ..asked.clone() };
        let page = look!(database, return_requests::list, account, &listing);
        met.extend(page.rows.into_iter().map(|request| request.id));
        after = page.next;
        if after.is_none() {
            return met;
        }
    }
}

fn stage_of(request: &ReturnRequest) -> StageName {
    request.state.stage.name()
}

store::on_each_database! {
    async fn filters_find_what_each_row_says(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let requests = some_requests(&database, ours, 60).await;
        some_requests(&database, theirs, 3).await;
        let reason = requests[0].return_reason_id;
        let review_or_failed = |request: &ReturnRequest| {
            matches!(stage_of(request), StageName::RequestedReview | StageName::ResolutionFailed)
        };
        let cases: Vec<(Vec<String>, Says<'_>)> = vec![
            (vec!["stage:Requested: Review|Resolution: Failed".into()], Box::new(review_or_failed)),
            (
                vec!["stage:Requested: Review|Resolution: Failed".into(), "requestedResolution:Exchange".into()],
                Box::new(|request| review_or_failed(request) && request.requested_resolution == Resolution::Exchange),
            ),
            (
                vec![format!("returnReasonId:{reason}"), "sku:S-1|S-2".into()],
                Box::new(|request| request.return_reason_id == reason && ["S-1", "S-2"].contains(&request.product.sku.as_str())),
            ),
            (vec!["purchasePrice>=25.00 EUR".into()], Box::new(|request| request.purchase_price.minor >= 2_500)),
            (vec!["purchasePrice>=1.00 USD".into()], Box::new(|_| false)),
            (
                vec!["purchasePrice<30.00 EUR".into(), "purchasePrice>10.00 EUR".into(), "sku:S-3".into()],
                Box::new(|request| (1_001..3_000).contains(&request.purchase_price.minor) && request.product.sku == "S-3"),
            ),
            (
                vec![format!("stageSince<{}", NOW.plus_seconds(20)), "stage:Shipment: In Transit".into()],
                Box::new(|request| request.stage_since < NOW.plus_seconds(20) && stage_of(request) == StageName::ShipmentInTransit),
            ),
            (
                vec![format!("createdAt>={}", NOW.plus_seconds(30)), "stage:Inspection: Pending|Requested: Review".into()],
                Box::new(|request| {
                    request.created_at >= NOW.plus_seconds(30)
                        && matches!(stage_of(request), StageName::InspectionPending | StageName::RequestedReview)
                }),
            ),
            (vec!["gift:false".into(), "hasPhotos:false".into(), "withdrawn:false".into()], Box::new(|_| true)),
            (vec!["carrier:dhl|ups".into()], Box::new(|_| false)),
            (vec!["country:NL".into()], Box::new(|_| false)),
            (vec!["sku:S-9|".into()], Box::new(|_| false)),
        ];
        for (clauses, says) in cases {
            let texts: Vec<&str> = clauses.iter().map(String::as_str).collect();
            let mut wanted: Vec<_> = requests.iter().filter(|request| says(request)).map(|request| request.id).collect();
            for direction in [Direction::Ascending, Direction::Descending] {
                for sort in [Sort::CreatedAt, Sort::UpdatedAt] {
                    let asked = Listing { sort, direction, ..asking(&return_requests::LIST, &texts) };
                    assert_eq!(walk(&database, ours, &asked, 7).await, wanted, "{clauses:?} {direction:?} {sort:?}");
                    let counted = look!(database, return_requests::count_listed, ours, &asked, 1_000);
                    let rows = i64::try_from(wanted.len()).unwrap();
                    assert_eq!(counted, Counted { rows, is_capped: false }, "{clauses:?}");
                    // By page numbers, the same rows are on the pages.
                    let page = Page { start: Start::Number(2), ..Page::first(7) };
                    let second = look!(database, return_requests::list, ours, &Listing { page, ..asked.clone() });
                    let second: Vec<_> = second.rows.into_iter().map(|request| request.id).collect();
                    assert_eq!(second, wanted.iter().skip(7).take(7).copied().collect::<Vec<_>>(), "{clauses:?}");
                }
                wanted.reverse();
            }
        }
        let all = look!(database, return_requests::count_listed, ours, &asking(&return_requests::LIST, &[]), 10);
        assert_eq!(all, Counted { rows: 10, is_capped: true });
    }

    async fn a_return_order_is_found_by_its_requests(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let requests = some_requests(&database, ours, 2).await;
        let order = requests[0].return_order_id;
        some_requests(&database, theirs, 4).await;
        for (clauses, is_found) in [
            (&["stage:Requested: Review"][..], true),
            (&["stage:Shipment: In Transit|Closed: Expired"], true),
            (&["stage:Inspection: Pending"], false),
            (&["sku:S-1", "requestedResolution:Refund"], true),
            (&["sku:S-2"], false),
            (&["hasPhotos:true"], false),
            (&["source:Portal|Api|Merchant"], true),
        ] {
            let rows = look!(database, return_orders::list, ours, &asking(&return_orders::LIST, clauses)).rows;
            assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), if is_found { vec![order] } else { vec![] }, "{clauses:?}");
        }
    }

    async fn the_age_of_a_stage_begins_with_the_stage(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let mut requests = some_requests(&database, ours, 8).await;
        // The first one enters the stage of the second, after it.
        requests[0].state = state(Stage::ShipmentInTransit);
        requests[0].stage_since = NOW.plus_seconds(1_000);
        requests[0].updated_at = NOW.plus_seconds(1_000);
        assert!(keep!(database, return_requests::update, ours, &requests[0]));
        // The second one changes within its stage, and keeps its place.
        requests[1].updated_at = NOW.plus_seconds(2_000);
        assert!(keep!(database, return_requests::update, ours, &requests[1]));
        let asked = Listing {
            sort: Sort::StageSince,
            direction: Direction::Ascending,
            ..asking(&return_requests::LIST, &["stage:Shipment: In Transit"])
        };
        let wanted = [requests[1].id, requests[5].id, requests[0].id];
        assert_eq!(walk(&database, ours, &asked, 2).await, wanted);
        let several = Listing {
            sort: Sort::StageSince,
            direction: Direction::Ascending,
            ..asking(&return_requests::LIST, &["stage:Shipment: In Transit|Requested: Review"])
        };
        let wanted = [requests[1].id, requests[4].id, requests[5].id, requests[0].id];
        assert_eq!(walk(&database, ours, &several, 1).await, wanted);
        let found = look!(database, return_requests::find, ours, requests[1].id).unwrap();
        assert_eq!((found.stage_since, found.updated_at), (NOW.plus_seconds(1), NOW.plus_seconds(2_000)));
    }

    async fn a_queue_has_its_requests_and_is_counted(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let requests = some_requests(&database, ours, 12).await;
        some_requests(&database, theirs, 12).await;
        let late = NOW.plus_seconds(6);
        let parts = |queue: Queue| -> Vec<QueuePart> {
            let part = |stage| QueuePart { stage, entered_before: None, without_news_since: None };
            match queue {
                Queue::PaymentFailed => vec![
                    part(StageName::ResolutionFailed),
                    QueuePart { entered_before: Some(late), ..part(StageName::RequestedReview) },
                ],
                // Nothing has moved their parcels.
                _ => vec![QueuePart { without_news_since: Some(NOW), ..part(StageName::ShipmentInTransit) }],
            }
        };
        for (queue, wanted) in [(Queue::PaymentFailed, &[0, 3, 4, 7, 11][..]), (Queue::LateOnTheWay, &[1, 5, 9])] {
            let clause = format!("queue:{}", queue.name());
            let asked = Listing {
                sort: Sort::StageSince,
                direction: Direction::Ascending,
                ..asking(&return_requests::LIST, &[&clause])
            };
            let ids: Vec<_> = wanted.iter().map(|index| requests[*index].id).collect();
            assert_eq!(walk(&database, ours, &asked.resolve_queues(parts), 2).await, ids, "{clause}");
            let counted = parts(queue).into_iter().map(|part| queues::CountedPart { part, target: Some(NOW.plus_seconds(4)) });
            let counted: Vec<_> = counted.collect();
            let mut each = Vec::new();
            for part in &counted {
                each.extend(look!(database, queues::count_parts, ours, std::slice::from_ref(part), 4));
            }
            assert_eq!(look!(database, queues::count_parts, ours, &counted, 4), each, "in the order of the parts");
            let waiting = each.into_iter().fold(queues::Waiting::default(), |all, part| all.and(part, 4));
            let over = wanted.iter().filter(|index| **index < 4).count();
            assert_eq!(waiting.rows, i64::try_from(wanted.len().min(4)).unwrap(), "{clause}");
            assert_eq!(waiting.is_capped, wanted.len() > 4);
            assert_eq!(waiting.oldest, Some(requests[wanted[0]].stage_since));
            assert_eq!(waiting.over_target, i64::try_from(over).unwrap());
        }
        assert_eq!(look!(database, queues::count_withdrawn, ours, Some(NOW), 10), queues::Waiting::default());
    }

    async fn requests_of_the_previous_version_are_completed(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let requests = some_requests(&database, ours, 3).await;
        database.run("UPDATE return_requests SET sku = NULL, staged = NULL, stage_since = NULL").await;
        let found = look!(database, return_requests::find, ours, requests[1].id).unwrap();
        assert_eq!(found.stage_since, requests[1].updated_at);
        assert_eq!(look!(database, stage_ages::accounts), [ours]);
        assert_eq!(keep!(database, stage_ages::step, ours, 2), 2);
        assert_eq!(keep!(database, stage_ages::step, ours, 2), 1);
        assert_eq!(keep!(database, stage_ages::step, ours, 2), 0);
        assert_eq!(look!(database, stage_ages::accounts), []);
        let asked = asking(&return_requests::LIST, &["sku:S-1"]);
        assert_eq!(walk(&database, ours, &asked, 5).await, [requests[1].id]);
    }

    async fn a_scan_that_ends_early_goes_on_on_the_next_page(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let template = some_requests(&database, ours, 1).await.remove(0);
        // So many that a scan for one page does not reach the first.
        for _ in 0..5 {
            let more: Vec<_> =
                (0..250).map(|_| ReturnRequest { id: ReturnRequestId(id()), ..template.clone() }).collect();
            keep!(database, return_requests::insert, ours, &more);
        }
        let newest = ReturnRequest { id: ReturnRequestId(id()), requested_resolution: Resolution::Exchange, ..template };
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&newest));
        let asked = asking(&return_requests::LIST, &["stage:Requested: Review", "requestedResolution:Exchange"]);
        let first = look!(database, return_requests::list, ours, &asked);
        assert_eq!((first.rows.len(), first.next.is_some()), (1, true), "the page is short, and more may follow");
        let counted = look!(database, return_requests::count_listed, ours, &asked, 1_000);
        assert_eq!(counted, Counted { rows: 1, is_capped: true });
        let second = Listing { page: Page::at(first.next, 10), ..asked.clone() };
        let second = look!(database, return_requests::list, ours, &second);
        assert_eq!((second.rows.len(), second.next), (0, None));
        let by_number = Page { start: Start::Number(2), ..Page::first(10) };
        let mut reading = database.store.read().await.unwrap();
        let refused = return_requests::list(reading.db(), ours, &Listing { page: by_number, ..asked }).await;
        assert!(matches!(refused, Err(store::StoreError::PageTooFar)), "{refused:?}");
    }
}
