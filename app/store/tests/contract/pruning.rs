//! Pruning in small steps, by several programs at once.

use crate::support::*;
use domain::returning::DraftReturnOrder;
use store::testing::Database;
use tokio::task::JoinSet;

/// Deletes expired sessions until none is left, as a program does; returns the number of each step.
async fn prune_sessions(database: Database) -> Vec<u64> {
    let mut steps = Vec::new();
    loop {
        let mut writing = database.store.write().await.unwrap();
        store::pruning::take_turn(writing.db()).await.unwrap();
        let pruned = store::sessions::prune(writing.db(), NOW).await.unwrap();
        writing.commit().await.unwrap();
        if pruned == 0 {
            return steps;
        }
        steps.push(pruned);
    }
}

store::on_each_database! {
    async fn several_programs_delete_all_expired_sessions_in_small_steps(database: Database) {
        let mut writing = database.store.write().await.unwrap();
        for number in 0..1_700_u32 {
            store::sessions::insert(writing.db(), &number.to_be_bytes(), "x", NOW).await.unwrap();
        }
        store::sessions::insert(writing.db(), b"good", "x", NOW.plus_seconds(1)).await.unwrap();
        writing.commit().await.unwrap();
        let mut programs = JoinSet::new();
        for _ in 0..4 {
            programs.spawn(prune_sessions(database.clone()));
        }
        let steps = programs.join_all().await.concat();
        assert_eq!(steps.iter().sum::<u64>(), 1_700);
        assert!(steps.iter().all(|pruned| *pruned <= 500), "{steps:?}");
        assert_eq!(database.rows("sessions").await, 1);
        assert_eq!(database.deadlocks().await, 0);
    }

    async fn drafts_expire_in_small_steps(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let mut writing = database.store.write().await.unwrap();
        for _ in 0..501 {
            let draft = DraftReturnOrder { expires_at: NOW, ..a_draft(consumer, domain::PurchaseId(id())) };
            store::drafts::insert(writing.db(), ours, &draft).await.unwrap();
        }
        writing.commit().await.unwrap();
        let open = "SELECT COUNT(*) FROM draft_return_orders WHERE status = 'Open'";
        assert_eq!((keep!(database, drafts::expire, NOW), database.number(open).await), (500, 1));
        assert_eq!((keep!(database, drafts::expire, NOW), keep!(database, drafts::expire, NOW)), (1, 0));
        assert_eq!((keep!(database, drafts::prune, NOW), keep!(database, drafts::prune, NOW)), (500, 1));
    }

    async fn an_account_with_many_due_tasks_hides_no_other(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut writing = database.store.write().await.unwrap();
        for number in 0..600 {
            let (order, due) = (domain::ReturnOrderId(id()), NOW.plus_seconds(-number));
            store::mail_tasks::wake(writing.db(), ours, order, "", due, NOW).await.unwrap();
        }
        store::mail_tasks::wake(writing.db(), theirs, domain::ReturnOrderId(id()), "", NOW, NOW).await.unwrap();
        writing.commit().await.unwrap();
        assert_eq!(look!(database, mail_tasks::waiting, NOW, EVERYBODY), [ours, theirs]);
        assert_eq!(look!(database, mail_tasks::waiting, NOW.plus_seconds(-590), EVERYBODY), [ours], "not before");
    }
}
