//! Changes of many return requests, and the return orders that users worked on.

use crate::support::*;
use domain::{
    BulkRunId, ReturnRequestId, Timestamp, UserId,
    returning::{BatchOutcome, BulkAction, BulkChange, BulkItem, BulkResult},
    stage::StageName,
};
use store::{bulk_runs::BulkRun, figures::Period, testing::Database};

fn a_run(owner: uuid::Uuid, at: Timestamp) -> BulkRun {
    let item = || BulkItem { return_request_id: ReturnRequestId(id()), from_stage: StageName::RequestedReview };
    BulkRun {
        id: BulkRunId(id()),
        owner_id: owner,
        change: BulkChange {
            action: BulkAction::Reject,
            comment: "Worn".to_owned(),
            assignee_id: Some(UserId(id())),
            flag: String::new(),
            note: String::new(),
        },
        items: vec![item(), item()],
        results: Vec::new(),
        total: 2,
        done: 0,
        failed: 0,
        leased_until: Timestamp::from_micros(0),
        created_at: at,
        updated_at: at,
    }
}

fn result(outcome: BatchOutcome) -> BulkResult {
    BulkResult { outcome, code: None, message: None }
}

store::on_each_database! {
    async fn runs_are_found_by_their_owner_alone(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let owner = id();
        let (first, second) = (a_run(owner, NOW), a_run(owner, NOW.plus_seconds(5)));
        for run in [&first, &second] {
            keep!(database, bulk_runs::insert, ours, run);
        }
        assert_eq!(look!(database, bulk_runs::find, ours, first.id, owner), Some(first.clone()));
        assert_eq!(look!(database, bulk_runs::find, ours, first.id, id()), None);
        assert_eq!(look!(database, bulk_runs::find, theirs, first.id, owner), None);
        let newest = look!(database, bulk_runs::list_newest, ours, owner, 10);
        assert_eq!(newest.iter().map(|run| (run.id, run.items.len())).collect::<Vec<_>>(), [(second.id, 0), (first.id, 0)]);
        assert_eq!(look!(database, bulk_runs::list_newest, ours, owner, 1).len(), 1);
        assert_eq!(look!(database, bulk_runs::list_newest, theirs, owner, 10), []);
        assert_eq!(keep!(database, bulk_runs::prune, NOW.plus_seconds(5)), 1);
        assert_eq!(look!(database, bulk_runs::find, ours, first.id, owner), None);
    }

    async fn one_instance_at_a_time_has_the_next_step(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (owner, until) = (id(), NOW.plus_seconds(60));
        let run = a_run(owner, NOW);
        keep!(database, bulk_runs::insert, ours, &run);
        assert!(!keep!(database, bulk_runs::claim, theirs, run.id, NOW, until));
        assert!(keep!(database, bulk_runs::claim, ours, run.id, NOW, until));
        assert!(!keep!(database, bulk_runs::claim, ours, run.id, NOW.plus_seconds(59), NOW.plus_seconds(99)));
        let claimed = look!(database, bulk_runs::find, ours, run.id, owner).unwrap();
        assert_eq!(claimed.leased_until, until);
        // The step takes too long, and another instance gets it.
        let later = NOW.plus_seconds(200);
        assert!(keep!(database, bulk_runs::claim, ours, run.id, until, later));
        let first = [result(BatchOutcome::Done)];
        assert!(!keep!(database, bulk_runs::record, ours, &claimed, &run.change, &first, NOW));
        let claimed = BulkRun { leased_until: later, ..claimed };
        assert!(keep!(database, bulk_runs::record, ours, &claimed, &run.change, &first, NOW.plus_seconds(1)));
        let half = look!(database, bulk_runs::find, ours, run.id, owner).unwrap();
        assert_eq!((half.results.as_slice(), half.done, half.failed, half.updated_at), (&first[..], 1, 0, NOW.plus_seconds(1)));
        assert!(keep!(database, bulk_runs::claim, ours, run.id, later, NOW.plus_seconds(300)));
        let claimed = look!(database, bulk_runs::find, ours, run.id, owner).unwrap();
        let all = [result(BatchOutcome::Done), result(BatchOutcome::Conflict)];
        let kept = run.change.clone().without_texts();
        assert!(keep!(database, bulk_runs::record, ours, &claimed, &kept, &all, NOW));
        let whole = look!(database, bulk_runs::find, ours, run.id, owner).unwrap();
        assert_eq!((whole.done, whole.failed, whole.change.comment.as_str()), (2, 1, ""));
        assert!(!keep!(database, bulk_runs::claim, ours, run.id, NOW.plus_seconds(900), NOW.plus_seconds(960)), "nothing is left");
    }

    async fn the_last_work_of_a_user_comes_first(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (ada, ben) = (UserId(id()), UserId(id()));
        let (first, second) = (kept_return_order(&database, ours, "R-1").await.id, kept_return_order(&database, ours, "R-2").await.id);
        for (user, order, seconds) in [(ada, first, 0), (ada, second, 1), (ada, first, 2), (ben, second, 3)] {
            keep!(database, worked_return_orders::record, ours, user, order, NOW.plus_seconds(seconds));
        }
        assert_eq!(look!(database, worked_return_orders::list_newest, ours, ada, 10), [first, second]);
        assert_eq!(look!(database, worked_return_orders::list_newest, ours, ada, 1), [first]);
        assert_eq!(look!(database, worked_return_orders::list_newest, theirs, ada, 10), []);
        assert_eq!(keep!(database, worked_return_orders::prune, NOW.plus_seconds(2)), 1);
        assert_eq!(look!(database, worked_return_orders::list_newest, ours, ada, 10), [first]);
    }

    async fn figures_of_an_empty_time_are_nothing(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let period = Period { from: NOW, to: NOW.plus_days(28) };
        assert_eq!(look!(database, figures::received_units, ours, period), 0);
        assert_eq!(look!(database, figures::completed, ours, period), []);
        assert_eq!(look!(database, figures::total_times, ours, period, 2, 0), Vec::<i64>::new());
        assert!(look!(database, figures::credit_costs, ours, period).is_empty());
    }
}
