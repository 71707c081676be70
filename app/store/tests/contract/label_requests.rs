//! Label requests, and how workers claim them.

use crate::support::*;
use domain::{AccountId, ShipmentId, Timestamp, TransactionId};
use std::collections::HashSet;
use store::{DatabaseKind, Lease, testing::Database};

/// A shipment whose label is requested, and the transaction of the request.
async fn a_label_request(database: &Database, account: AccountId) -> (TransactionId, ShipmentId) {
    let order = kept_return_order(database, account, &format!("R-{}", next())).await;
    let shipment = a_shipment(&order, &next().to_string());
    keep!(database, shipments::insert, account, &shipment);
    let one = (TransactionId(id()), shipment.id);
    keep!(database, label_requests::insert, account, one.0, one.1, NOW);
    one
}

async fn claimed(database: &Database, at: Timestamp) -> Vec<TransactionId> {
    let shares: Vec<_> =
        look!(database, label_requests::waiting, at, EVERYBODY).into_iter().map(|account| (account, 2)).collect();
    let claimed = keep!(database, label_requests::claim, at, at.plus_seconds(30), (&shares, 10));
    claimed.into_iter().map(|one| one.id).collect()
}

store::on_each_database! {
    async fn each_request_is_claimed_once_within_the_share_of_its_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (one, two, three) = (a_label_request(&database, ours).await, a_label_request(&database, ours).await, a_label_request(&database, ours).await);
        let other = a_label_request(&database, theirs).await;
        assert_eq!(look!(database, label_requests::backlog), (4, Some(NOW)));
        let mut first = claimed(&database, NOW).await;
        first.sort_unstable();
        let mut expected = [one.0, two.0, other.0];
        expected.sort_unstable();
        assert_eq!(first, expected);
        assert_eq!(claimed(&database, NOW).await, [three.0]);
        assert_eq!(claimed(&database, NOW).await, []);
        assert_eq!(claimed(&database, NOW.plus_seconds(30)).await.len(), 3, "the leases of a program that died have ended");
        assert_eq!(look!(database, label_requests::find_of_shipment, theirs, one.1), None);
    }

    async fn an_account_with_many_tasks_hides_no_other_unless_it_suffices(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for _ in 0..65 {
            a_label_request(&database, ours).await;
        }
        a_label_request(&database, theirs).await;
        let later = if database.store.kind() == DatabaseKind::Sqlite { "X'{}'" } else { "'{}'" }.replace("{}", &theirs.0.simple().to_string());
        database.run(&format!("UPDATE label_requests SET due_at = due_at + 1 WHERE account_id = {later}")).await;
        let then = NOW.plus_seconds(1);
        assert_eq!(look!(database, label_requests::waiting, then, EVERYBODY), [ours, theirs]);
        let enough = |due: &[(AccountId, usize)]| {
            assert_eq!(due, [(ours, 64)], "the number of tasks that are read first");
            true
        };
        assert_eq!(look!(database, label_requests::waiting, then, &enough), [ours]);
    }

    async fn concurrent_claims_get_distinct_requests_within_their_shares(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut asked = HashSet::new();
        for _ in 0..20 {
            asked.extend([a_label_request(&database, ours).await.0, a_label_request(&database, theirs).await.0]);
        }
        let claims = (0..8).map(|at: usize| {
            let database = database.clone();
            tokio::spawn(async move {
                let mut all = Vec::new();
                for round in 0..10 {
                    let shares = [(ours, at % 3), (theirs, 2)];
                    let store = &database.store;
                    let mut writing = if round % 2 == 0 { store.write_in_one().await } else { store.write().await }.unwrap();
                    let until = NOW.plus_seconds(30);
                    let claimed = store::label_requests::claim(writing.db(), NOW, until, (&shares, 3)).await.unwrap();
                    writing.commit().await.unwrap();
                    assert!(claimed.len() <= 3, "no more than the whole claim");
                    assert!(claimed.iter().filter(|one| one.account_id == ours).count() <= at % 3, "no more than the account's share");
                    all.extend(claimed.into_iter().map(|one| one.id));
                }
                all
            })
        });
        let mut all = Vec::new();
        for claim in claims.collect::<Vec<_>>() {
            all.extend(claim.await.unwrap());
        }
        assert_eq!(all.len(), 40, "each was claimed once");
        assert_eq!(HashSet::from_iter(all), asked);
    }

    async fn a_claim_respects_its_limit_when_statistics_show_an_empty_table(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        a_label_request(&database, theirs).await;
        database.run("ANALYZE").await;
        for _ in 0..20 {
            a_label_request(&database, ours).await;
        }
        let until = NOW.plus_seconds(30);
        assert_eq!(keep!(database, label_requests::claim, NOW, until, (&[(ours, 8)], 32)).len(), 8);
        assert_eq!(claimed(&database, NOW).await.len(), 3, "two of ours and one of theirs: the others are not leased");
        assert_eq!(keep!(database, label_requests::claim, NOW, until, (&[(ours, 32)], 32)).len(), 10);
    }

    async fn a_repeated_request_keeps_its_transaction_until_its_outcome_is_certain(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (transaction, shipment) = a_label_request(&database, ours).await;
        let find = async || look!(database, label_requests::find_of_shipment, ours, shipment);
        let one = find().await.unwrap();
        keep!(database, label_requests::asked, &one, "http x", NOW, NOW.plus_seconds(60));
        assert_eq!(claimed(&database, NOW.plus_seconds(59)).await, [], "the carrier may still be executing it");
        keep!(database, label_requests::later, &one, None, 3, Lease::Ends);
        assert_eq!(claimed(&database, NOW.plus_seconds(1_000)).await, [], "it waits for a person");
        let known = find().await.unwrap();
        assert_eq!(known.asked_carrier, "http x");
        assert_eq!((known.tries, known.first_asked_at, known.held_until.micros()), (3, Some(NOW), 0));
        let later = NOW.plus_seconds(5);
        keep!(database, label_requests::insert, ours, TransactionId(id()), shipment, later);
        let again = find().await.unwrap();
        assert_eq!((again.id, again.tries, again.first_asked_at, again.asked_carrier.as_str()), (transaction, 0, None, "http x"));
        keep!(database, label_requests::looked_into, theirs, shipment);
        assert_eq!(find().await.unwrap().asked_carrier, "http x");
        keep!(database, label_requests::looked_into, ours, shipment);
        assert_eq!(find().await.unwrap().asked_carrier, "");
        assert_eq!(claimed(&database, later).await, [transaction]);
        keep!(database, label_requests::delete, &again);
        assert_eq!((find().await, look!(database, label_requests::backlog)), (None, (0, None)));
        let new = TransactionId(id());
        keep!(database, label_requests::insert, ours, new, shipment, later);
        let last = find().await.unwrap();
        assert_eq!(last.id, new);
        let order = look!(database, shipments::find, ours, shipment).unwrap().return_order_id;
        keep!(database, label_requests::forget, ours, order);
        assert!(find().await.is_some(), "it is due");
        keep!(database, label_requests::later, &last, None, 0, Lease::Ends);
        keep!(database, label_requests::forget, theirs, order);
        assert!(find().await.is_some(), "another account deletes nothing");
        keep!(database, label_requests::forget, ours, order);
        assert!(find().await.is_some(), "its shipment is not cancelled");
        keep!(database, shipments::cancel_of_return_order, ours, order, later);
        keep!(database, label_requests::forget, ours, order);
        assert_eq!(find().await, None);
    }
}
