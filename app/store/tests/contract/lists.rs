//! Lists: what filters and searches find, the order of pages, and the plans of the databases.

use crate::support::*;
use domain::{
    AccountId, ReturnRequestId,
    policy::Resolution,
    returning::ReturnRequest,
    stage::{Queue, Stage},
};
use std::collections::HashSet;
use store::{
    Db,
    lists::{self, Direction, FieldKind, List, Listing, RelatedValues, Sort},
    page::{Page, Start},
    testing::Database,
};

/// Inserts a request that was made some seconds after `NOW`.
async fn kept_request(database: &Database, account: AccountId, seconds: i64) -> ReturnRequest {
    let purchase = a_purchase(database, account, "1001", 9, 900).await;
    let order = kept_return_order(database, account, &format!("R-{}", next())).await;
    let at = NOW.plus_seconds(seconds);
    let request = ReturnRequest { created_at: at, updated_at: at, ..a_return_request(&order, &purchase) };
    keep!(database, return_requests::insert, account, std::slice::from_ref(&request));
    request
}

async fn move_on(database: &Database, account: AccountId, request: &mut ReturnRequest, stage: Stage, seconds: i64) {
    request.state = state(stage);
    request.updated_at = NOW.plus_seconds(seconds);
    assert!(keep!(database, return_requests::update, account, request));
    request.version += 1;
}

async fn ids(database: &Database, account: AccountId, listing: &Listing) -> Vec<ReturnRequestId> {
    look!(database, return_requests::list, account, listing).rows.into_iter().map(|request| request.id).collect()
}

store::on_each_database! {
    async fn every_field_finds_exactly_the_rows_with_its_value(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut one = kept_request(&database, ours, 0).await;
        let two = kept_request(&database, ours, 3_600).await;
        kept_request(&database, theirs, 0).await;
        move_on(&database, ours, &mut one, Stage::RequestedApproved, 7_200).await;
        let clause = |clause: String, wanted: &[&ReturnRequest]| {
            (clause, wanted.iter().map(|request| request.id).collect::<Vec<_>>())
        };
        for (clause, wanted) in [
            clause("stage:Requested: Approved".to_owned(), &[&one]),
            clause("status:Requested: Review".to_owned(), &[&two]),
            clause("stage:Closed: Expired".to_owned(), &[]),
            clause(format!("returnOrderId:{}", two.return_order_id), &[&two]),
            clause(format!("returnReasonId:{}", one.return_reason_id), &[&one]),
            clause(format!("consumerId:{}", one.consumer_id), &[&two, &one]),
            clause("requestedResolution:Refund".to_owned(), &[&two, &one]),
            clause(format!("requestedResolution:{}", Resolution::Exchange.name()), &[]),
            clause(format!("createdAt:{}", one.created_at), &[&one]),
            clause(format!("createdAt<{}", two.created_at), &[&one]),
            clause(format!("createdAt<={}", two.created_at), &[&two, &one]),
            clause(format!("createdAt>{}", one.created_at), &[&two]),
            clause(format!("createdAt>={}", one.created_at), &[&two, &one]),
            clause(format!("updatedAt>={}", one.updated_at), &[&one]),
            clause(format!("updatedAt<{}", one.updated_at), &[&two]),
        ] {
            assert_eq!(ids(&database, ours, &asking(&store::return_requests::LIST, &[&clause])).await, wanted, "{clause}");
        }
        let both = ["requestedResolution:Refund", "stage:Requested: Review"];
        assert_eq!(ids(&database, ours, &asking(&store::return_requests::LIST, &both)).await, [two.id]);
    }

    async fn a_search_finds_numbers_names_and_addresses_by_their_beginning(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let request = kept_request(&database, ours, 0).await;
        let consumer = look!(database, consumers::find, ours, request.consumer_id).unwrap();
        let (email, name) = (consumer.email, consumer.address.name);
        assert!(email.len() > 3 && name.contains(' '), "{email} {name}");
        let last = name.rsplit(' ').next().unwrap().to_uppercase();
        for words in ["1001", "#10", &email, &email[..3], &name, &name[..3], &last, &last[..2], "  "] {
            let asked = Listing { search: Some(words.to_owned()), ..newest(None, 10) };
            let wanted: &[ReturnRequestId] = if words.trim().is_empty() { &[] } else { &[request.id] };
            assert_eq!(ids(&database, ours, &asked).await, wanted, "{words}");
            assert_eq!(ids(&database, theirs, &asked).await, [], "{words}");
        }
        for words in ["001", "xyz", "\0", "%", "_"] {
            let asked = Listing { search: Some(words.to_owned()), ..newest(None, 10) };
            assert_eq!(ids(&database, ours, &asked).await, [], "{words:?}");
        }
    }

    async fn pages_are_in_the_requested_order(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let mut requests = Vec::new();
        for seconds in 0..5 {
            requests.push(kept_request(&database, ours, seconds).await);
        }
        move_on(&database, ours, &mut requests[1], Stage::RequestedApproved, 10).await;
        let made: Vec<_> = requests.iter().map(|request| request.id).collect();
        let changed = [made[0], made[2], made[3], made[4], made[1]];
        for (sort, wanted) in [(Sort::CreatedAt, &made[..]), (Sort::UpdatedAt, &changed[..])] {
            for direction in [Direction::Ascending, Direction::Descending] {
                let (mut walked, mut after) = (Vec::new(), None);
                loop {
                    let listing = Listing { sort, direction, ..newest(after, 2) };
                    let page = look!(database, return_requests::list, ours, &listing);
                    walked.extend(page.rows.into_iter().map(|request| request.id));
                    after = page.next;
                    if after.is_none() {
                        break;
                    }
                }
                if direction == Direction::Descending {
                    walked.reverse();
                }
                assert_eq!(walked, wanted, "{sort:?} {direction:?}");
            }
        }
    }

    async fn a_page_by_number_has_the_rows_of_the_walk(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let mut requests = Vec::new();
        for seconds in 0..60 {
            requests.push(kept_request(&database, ours, seconds).await);
        }
        move_on(&database, ours, &mut requests[7], Stage::RequestedApproved, 100).await;
        for sort in [Sort::CreatedAt, Sort::UpdatedAt] {
            for direction in [Direction::Ascending, Direction::Descending] {
                for (clauses, search) in [(&[][..], None), (&["stage:Requested: Review"][..], None), (&[][..], Some("1001"))] {
                    let search = search.map(str::to_owned);
                    let asked = Listing { sort, direction, search, ..asking(&store::return_requests::LIST, clauses) };
                    let all = ids(&database, ours, &asked).await;
                    assert!(clauses.is_empty() == (all.len() == 60), "{}", all.len());
                    for number in 1..=5 {
                        let page = Page { start: Start::Number(number), ..Page::first(25) };
                        let rows = look!(database, return_requests::list, ours, &Listing { page, ..asked.clone() });
                        let skipped = usize::try_from(number - 1).unwrap() * 25;
                        let wanted: Vec<_> = all.iter().skip(skipped).take(25).copied().collect();
                        let met: Vec<_> = rows.rows.iter().map(|request| request.id).collect();
                        assert_eq!(met, wanted, "{sort:?} {direction:?} {clauses:?} {number}");
                        assert_eq!(rows.next.is_some(), all.len() > skipped + 25);
                    }
                }
            }
        }
    }

    async fn a_walk_in_the_order_of_changes_meets_rows_that_change_during_it(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let mut requests = Vec::new();
        for seconds in 0..6 {
            requests.push(kept_request(&database, ours, seconds).await);
        }
        let (mut met, mut after) = (HashSet::new(), None);
        for step in 0.. {
            let page = Page::at(after, 2);
            let listing = Listing { sort: Sort::UpdatedAt, direction: Direction::Ascending, ..Listing::newest(page) };
            let page = look!(database, return_requests::list, ours, &listing);
            met.extend(page.rows.iter().map(|request| request.id));
            after = page.next;
            if after.is_none() {
                break;
            }
            // One row that the walk has met and one that it has not.
            for index in [step, 5 - step] {
                move_on(&database, ours, &mut requests[index], Stage::RequestedReview, 100 + i64::try_from(step).unwrap()).await;
            }
            assert!(step < 5);
        }
        assert_eq!(met, requests.iter().map(|request| request.id).collect());
    }

    async fn no_list_reads_all_rows(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let mut bad = Vec::new();
        for list in store::all_lists() {
            for listing in questions(list) {
                let steps = plan(&database, list, ours, &listing).await;
                // Without conditions and an order, SQLite counts the first entries of any index.
                let is_sorted = steps.iter().any(|step| step.contains("TEMP B-TREE"));
                let has_any_order = listing.conditions.is_empty() && !is_sorted;
                for step in steps {
                    // SQLite: a scan, or a search by the account alone. Postgres, with sequential scans disabled, uses
                    // one only if there is no index.
                    // Rows that a scan has read already are compared without an index.
                    let whole = step.contains("Seq Scan")
                        || (step.starts_with("SCAN ") && !is_of_scan(&step))
                        || (step.starts_with("SEARCH ") && step.ends_with("(account_id=?)") && !in_order(&step));
                    let whole = whole && !(has_any_order && step.contains(" USING COVERING INDEX "));
                    // Deliveries are never counted.
                    let counts_deliveries = step.contains(" COVERING INDEX sqlite_autoindex_webhook_deliveries_2 ");
                    let whole = whole && !counts_deliveries;
                    if whole {
                        bad.push(format!("{} {listing:?}: {step}", list.name));
                    }
                }
            }
        }
        assert!(bad.is_empty(), "{bad:#?}");
    }
}

/// Whether a step of SQLite reads the rows of a subquery.
fn is_of_scan(step: &str) -> bool {
    ["SCAN scanned", "SCAN branch", "SCAN counted", "SCAN (subquery"].iter().any(|start| step.starts_with(start))
}

/// An index with the rows in the order of the list: the first page reads only its own rows. The key of audit entries is
/// their number.
fn in_order(step: &str) -> bool {
    ["_newest ", "_newest_changed ", "mails_by_account ", "sqlite_autoindex_audit_entries_1 "]
        .iter()
        .any(|index| step.contains(index))
}

/// A value of a field.
fn example(kind: FieldKind) -> String {
    match kind {
        FieldKind::Id | FieldKind::SharedId => "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10".to_owned(),
        FieldKind::OneOf(words) => words()[0].to_owned(),
        FieldKind::Time(_) | FieldKind::Moment => NOW.to_string(),
        FieldKind::Amount => "12.50 EUR".to_owned(),
        FieldKind::Queue => Queue::ToDecide.name().to_owned(),
        FieldKind::Related(related) => match related.values {
            RelatedValues::Flag => "true".to_owned(),
            RelatedValues::Id => "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10".to_owned(),
            RelatedValues::Country => "NL".to_owned(),
            RelatedValues::Text => "1001".to_owned(),
            RelatedValues::OneOf(words) => words()[0].to_owned(),
        },
        FieldKind::OrderNumber
        | FieldKind::NumberOfOrder
        | FieldKind::Email
        | FieldKind::Text
        | FieldKind::SharedText
        | FieldKind::Barcode => "1001".to_owned(),
    }
}

/// The list without a filter and by each field, in each order, from the first page and a later one, with and without a
/// search.
fn questions(list: &'static List) -> Vec<Listing> {
    let mut clauses: Vec<Vec<String>> = vec![Vec::new()];
    for field in list.fields {
        let value = example(field.kind);
        let signs: &[&str] = if field.kind.has_order() { &[":", "<", ">="] } else { &[":"] };
        clauses.extend(signs.iter().map(|sign| vec![format!("{}{sign}{value}", field.name)]));
    }
    for field in list.fields {
        if let FieldKind::OneOf(words) = field.kind {
            let several: Vec<_> = words().into_iter().take(5).collect();
            clauses.push(vec![format!("{}:{}", field.name, several.join("|"))]);
        }
    }
    let mut sorts = vec![Sort::CreatedAt];
    sorts.extend(list.sorts_by_update.then_some(Sort::UpdatedAt));
    sorts.extend(list.sorts_by_stage().then_some(Sort::StageSince));
    let mut questions = Vec::new();
    for clauses in clauses {
        let conditions: Vec<_> = clauses.iter().map(|clause| list.condition(clause).unwrap()).collect();
        for sort in &sorts {
            for direction in [Direction::Ascending, Direction::Descending] {
                for start in [Start::Number(1), Start::Number(3), Start::After(1_000)] {
                    let page = Page { start, ..Page::first(20) };
                    let plain =
                        Listing { sort: *sort, direction, conditions: conditions.clone(), ..Listing::newest(page) };
                    let plain = plain.resolve_queues(|queue| queue.parts(NOW, true));
                    if !plain.can_sort() {
                        continue;
                    }
                    if list.is_searchable() && *sort != Sort::StageSince {
                        questions.push(Listing { search: Some("ada".to_owned()), ..plain.clone() });
                    }
                    questions.push(plain);
                }
            }
        }
    }
    questions.extend(pairs(list, &sorts));
    // The path of this list names a subscription.
    let of_path = (list.name == "webhook-deliveries").then(|| {
        let id = example(FieldKind::Id);
        list.condition(&format!("subscriptionId:{id}")).unwrap()
    });
    for question in &mut questions {
        question.conditions.extend(of_path.clone());
    }
    questions
}

/// Each two fields at once, in each order.
fn pairs(list: &'static List, sorts: &[Sort]) -> Vec<Listing> {
    let clause = |field: &lists::Field| list.condition(&format!("{}:{}", field.name, example(field.kind))).unwrap();
    let mut questions = Vec::new();
    for (index, field) in list.fields.iter().enumerate() {
        for other in list.fields.iter().skip(index + 1) {
            for sort in sorts {
                let conditions = vec![clause(field), clause(other)];
                let asked = Listing { sort: *sort, conditions, ..Listing::newest(Page::at(Some(1_000), 20)) };
                questions.push(asked.resolve_queues(|queue| queue.parts(NOW, true)));
            }
        }
    }
    questions.retain(Listing::can_sort);
    questions
}

async fn plan(database: &Database, list: &List, account: AccountId, listing: &Listing) -> Vec<String> {
    let mut reading = database.store.read().await.unwrap();
    if let Db::Postgres(connection) = reading.db() {
        sqlx::query("SET enable_seqscan = off").execute(connection).await.unwrap();
    }
    lists::explain(reading.db(), list, account, listing).await.unwrap()
}
