//! Payment tasks: how workers claim them, and notices during a lease.

use crate::support::*;
use domain::{AccountId, ReturnOrderId, Timestamp};
use store::{payment_tasks::PaymentTask, testing::Database};

async fn woken(database: &Database, account: AccountId, due: Timestamp) -> ReturnOrderId {
    let order = kept_return_order(database, account, &format!("R-{}", next())).await;
    keep!(database, payment_tasks::wake, account, order.id, due, NOW);
    order.id
}

async fn claimed(database: &Database, at: Timestamp) -> Vec<PaymentTask> {
    let shares: Vec<_> =
        look!(database, payment_tasks::waiting, at, EVERYBODY).into_iter().map(|account| (account, 2)).collect();
    keep!(database, payment_tasks::claim, at, at.plus_seconds(30), (&shares, 10))
}

store::on_each_database! {
    async fn each_task_is_claimed_once_when_it_is_due(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (one, other) = (woken(&database, ours, NOW).await, woken(&database, theirs, NOW.plus_seconds(5)).await);
        assert_eq!(look!(database, payment_tasks::backlog, NOW), (1, Some(NOW)));
        let first = claimed(&database, NOW).await;
        assert_eq!(first.iter().map(|task| (task.account_id, task.return_order_id)).collect::<Vec<_>>(), [(ours, one)]);
        assert!(claimed(&database, NOW).await.is_empty());
        assert_eq!(claimed(&database, NOW.plus_seconds(5)).await[0].return_order_id, other);
        assert_eq!(claimed(&database, NOW.plus_seconds(35)).await.len(), 2, "the leases of programs that died have ended");
        let tasks = claimed(&database, NOW.plus_seconds(65)).await;
        for task in &tasks {
            keep!(database, payment_tasks::later, task, NOW.plus_seconds(100), 3, None);
        }
        assert!(claimed(&database, NOW.plus_seconds(99)).await.is_empty());
        keep!(database, payment_tasks::notice, ours, one, NOW.plus_seconds(50));
        assert!(claimed(&database, NOW.plus_seconds(99)).await.is_empty(), "a notice does not advance a failing provider");
        let tasks = claimed(&database, NOW.plus_seconds(100)).await;
        assert!(tasks.len() == 2 && tasks.iter().all(|task| task.tries == 3));
        for task in &tasks {
            assert!(keep!(database, payment_tasks::delete, task));
        }
        assert_eq!(look!(database, payment_tasks::backlog, NOW.plus_days(1)), (0, None));
    }

    async fn a_notice_during_a_lease_is_not_lost(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let order = woken(&database, ours, NOW).await;
        let task = claimed(&database, NOW).await.remove(0);
        keep!(database, payment_tasks::wake, ours, order, NOW.plus_seconds(1), NOW);
        assert!(claimed(&database, NOW.plus_seconds(1)).await.is_empty(), "it is leased");
        assert!(!keep!(database, payment_tasks::delete, &task));
        keep!(database, payment_tasks::later, &task, NOW.plus_days(1), 0, Some(NOW));
        let again = claimed(&database, NOW.plus_seconds(1)).await.remove(0);
        keep!(database, payment_tasks::later, &again, NOW.plus_days(1), 0, Some(NOW));
        assert!(claimed(&database, NOW.plus_seconds(2)).await.is_empty());
        assert_eq!(look!(database, payment_tasks::asked_at, ours, order), Some(NOW));
        keep!(database, payment_tasks::later, &task, NOW, 0, None); // its lease is over
        keep!(database, payment_tasks::notice, ours, order, NOW.plus_seconds(2));
        assert!(claimed(&database, NOW.plus_seconds(4)).await.is_empty(), "it ran a moment ago");
        let again = claimed(&database, NOW.plus_seconds(5)).await.remove(0);
        keep!(database, payment_tasks::later, &again, NOW.plus_days(1), 0, Some(NOW));
        keep!(database, payment_tasks::wake, ours, order, NOW.plus_days(2), NOW);
        assert_eq!(claimed(&database, NOW.plus_days(1)).await.len(), 1, "the earlier of the two times counts");
    }
}
