//! Settlements, and how workers claim them.

use crate::support::*;
use domain::{AccountId, Timestamp, TransactionId};
use std::collections::HashSet;
use store::{Lease, settlements::Settlement, testing::Database};

/// Inserts a settlement for the return of one unit of an order.
async fn a_settlement(database: &Database, account: AccountId, number: &str) -> Settlement {
    let purchase = the_purchase(database, account, number).await;
    let order = kept_return_order(database, account, &format!("R-{}", next())).await;
    let request = a_return_request(&order, &purchase);
    keep!(database, return_requests::insert, account, std::slice::from_ref(&request));
    let settlement = Settlement {
        account_id: account,
        id: TransactionId(id()),
        return_request_id: request.id,
        order_id: purchase.order.id,
        tries: 0,
        first_asked_at: None,
        asked_shop: String::new(),
        held_until: NOW,
    };
    keep!(database, settlements::insert, &settlement, NOW);
    settlement
}

async fn claimed(database: &Database, at: Timestamp) -> Vec<TransactionId> {
    // Ten of each account with due settlements.
    let waiting = look!(database, settlements::waiting, at, EVERYBODY).into_iter();
    let shares: Vec<_> = waiting.map(|account| (account, 10)).collect();
    let claimed = keep!(database, settlements::claim, at, at.plus_seconds(30), (&shares, 10));
    sorted(claimed.iter().map(|one| one.id))
}

fn sorted(ids: impl IntoIterator<Item = TransactionId>) -> Vec<TransactionId> {
    let mut ids: Vec<_> = ids.into_iter().collect();
    ids.sort_unstable();
    ids
}

store::on_each_database! {
    async fn each_sales_order_has_one_claimed_settlement_at_a_time(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for account in [ours, theirs] {
            import(&database, account, vec![an_order("1001", vec![a_line("line", 9, 900)])]).await;
        }
        let (first, second) = (a_settlement(&database, ours, "1001").await, a_settlement(&database, ours, "1001").await);
        let another = a_settlement(&database, theirs, "1001").await;
        assert_eq!(look!(database, settlements::backlog), (3, Some(NOW)));
        assert_eq!(claimed(&database, NOW).await, sorted([first.id, another.id]), "one for the order of each account");
        assert_eq!(look!(database, settlements::waiting, NOW, EVERYBODY), [], "a settlement behind another one of its order cannot be claimed");
        assert_eq!(claimed(&database, NOW).await, []);
        keep!(database, settlements::delete, ours, first.return_request_id);
        assert_eq!(claimed(&database, NOW).await, [second.id]);
        // The leases of a program that died have ended.
        assert_eq!(claimed(&database, NOW.plus_seconds(31)).await, sorted([second.id, another.id]));
    }

    async fn a_settlement_that_waits_for_a_person_is_not_claimed(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        import(&database, ours, vec![an_order("1001", vec![a_line("line", 9, 900)])]).await;
        let one = a_settlement(&database, ours, "1001").await;
        let asked = "https://shop.example/";
        keep!(database, settlements::asked, &one, asked, NOW, NOW.plus_seconds(60));
        assert_eq!(claimed(&database, NOW.plus_seconds(59)).await, [], "the shop may still be executing it");
        let later = NOW.plus_seconds(60);
        let [ref again] = keep!(database, settlements::claim, later, later, (&[(ours, 1)], 1))[..] else { panic!("one") };
        assert_eq!((again.first_asked_at, again.asked_shop.as_str()), (Some(NOW), asked));
        keep!(database, settlements::later, &one, None, 3, Lease::Ends);
        assert_eq!(claimed(&database, later.plus_seconds(1_000)).await, []);
        assert_eq!(look!(database, settlements::backlog), (0, None));
        let by_a_person = Settlement { id: TransactionId(id()), first_asked_at: Some(later), ..one.clone() };
        keep!(database, settlements::insert, &by_a_person, later);
        let [ref again] = keep!(database, settlements::claim, later, later, (&[(ours, 1)], 1))[..] else { panic!("one") };
        assert_eq!((again.id, again.tries), (one.id, 0), "the transaction stays the same for the shop");
        assert_eq!((again.first_asked_at, again.asked_shop.as_str()), (Some(later), ""));
    }

    async fn claims_respect_the_shares_of_accounts(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for number in 0..5 {
            let number = format!("{}", 3_000 + number);
            import(&database, ours, vec![an_order(&number, vec![a_line(&number, 9, 900)])]).await;
            a_settlement(&database, ours, &number).await;
        }
        import(&database, theirs, vec![an_order("1001", vec![a_line("line", 9, 900)])]).await;
        let last = a_settlement(&database, theirs, "1001").await;
        keep!(database, settlements::later, &last, Some(NOW.plus_seconds(1)), 0, Lease::Ends);
        assert_eq!(look!(database, settlements::waiting, NOW, EVERYBODY), [ours]);
        let later = NOW.plus_seconds(1);
        assert_eq!(look!(database, settlements::waiting, later, EVERYBODY), [ours, theirs], "the longest due first");
        let claim = async |shares: &[(AccountId, usize)], most| {
            let claimed = keep!(database, settlements::claim, later, later.plus_seconds(30), (shares, most));
            claimed.iter().filter(|one| one.account_id == ours).count() * 10 + claimed.iter().filter(|one| one.account_id == theirs).count()
        };
        assert_eq!(claim(&[(ours, 2), (theirs, 2)], 9).await, 21);
        assert_eq!(claim(&[(ours, 2), (theirs, 2)], 1).await, 10);
        assert_eq!(claim(&[(ours, 9)], 9).await, 20);
        assert_eq!(claim(&[(ours, 9), (theirs, 9)], 9).await, 0);
        keep!(database, settlements::later, &last, None, 0, Lease::Ends);
        assert_eq!(look!(database, settlements::waiting, later, EVERYBODY), [], "everything is leased");
        assert_eq!(look!(database, settlements::waiting, later.plus_seconds(30), EVERYBODY), [ours], "a settlement that waits for a person is not due");
    }

    async fn concurrent_claims_get_distinct_settlements(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let numbers: Vec<String> = (0..40).map(|number| format!("{}", 2_000 + number)).collect();
        for number in &numbers {
            import(&database, ours, vec![an_order(number, vec![a_line(number, 9, 900)])]).await;
            a_settlement(&database, ours, number).await;
            a_settlement(&database, ours, number).await;
        }
        let claims: Vec<_> = (0..8).map(|_| {
            let database = database.clone();
            tokio::spawn(async move {
                let mut all = Vec::new();
                for _ in 0..10 {
                    all.extend(keep!(database, settlements::claim, NOW, NOW.plus_seconds(30), (&[(ours, 1)], 1)));
                }
                all
            })
        }).collect();
        let mut all = Vec::new();
        for claim in claims {
            all.extend(claim.await.unwrap());
        }
        let orders: HashSet<_> = all.iter().map(|one| one.order_id).collect();
        assert_eq!((all.len(), orders.len()), (40, 40), "one of each order, each claimed once");
    }
}
