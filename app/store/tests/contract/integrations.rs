//! The results of recent calls to the external systems of accounts.

use crate::support::*;
use domain::integration::{IntegrationHealth, IntegrationOperation as Operation};
use store::testing::Database;

async fn known(database: &Database, account: domain::AccountId) -> Vec<(Operation, IntegrationHealth)> {
    let mut known = look!(database, integrations::list, account);
    known.sort_unstable_by_key(|(operation, _)| operation.name());
    known
}

store::on_each_database! {
    async fn failures_count_until_the_next_success_and_the_last_error_stays(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (second, third) = (NOW.plus_seconds(5), NOW.plus_seconds(65));
        keep!(database, integrations::failed, ours, Operation::Resolution, "No connection could be made.", NOW, Some(second));
        keep!(database, integrations::failed, ours, Operation::Resolution, "The bridge answered with status 500.", second, None);
        let failing = IntegrationHealth {
            succeeded_at: None,
            error: "The bridge answered with status 500.".to_owned(),
            failed_at: Some(second),
            failed_attempts: 2,
            next_attempt_at: None,
        };
        assert_eq!(known(&database, ours).await, [(Operation::Resolution, failing.clone())]);
        keep!(database, integrations::succeeded, ours, Operation::Resolution, third);
        let works = IntegrationHealth { succeeded_at: Some(third), failed_attempts: 0, ..failing };
        assert_eq!(known(&database, ours).await, [(Operation::Resolution, works.clone())]);
        // After the success, the count of failures restarts at 1.
        let (error, later) = ("There was no answer in time.", third.plus_seconds(1));
        keep!(database, integrations::failed, ours, Operation::Resolution, error, later, Some(later.plus_seconds(60)));
        let fails = IntegrationHealth {
            error: error.to_owned(),
            failed_at: Some(later),
            failed_attempts: 1,
            next_attempt_at: Some(later.plus_seconds(60)),
            ..works
        };
        assert_eq!(known(&database, ours).await, [(Operation::Resolution, fails)]);
        assert_eq!(known(&database, theirs).await, []);
    }

    async fn each_operation_has_its_own_result_which_is_deleted_with_its_system(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for account in [ours, theirs] {
            for operation in Operation::ALL {
                keep!(database, integrations::succeeded, account, operation, NOW);
            }
        }
        assert_eq!(known(&database, ours).await.len(), Operation::ALL.len());
        keep!(database, integrations::forget, ours, &[Operation::LookUp, Operation::Resolution]);
        let left: Vec<Operation> = known(&database, ours).await.into_iter().map(|(operation, _)| operation).collect();
        assert_eq!(left.len(), Operation::ALL.len() - 2);
        assert!(!left.contains(&Operation::LookUp) && !left.contains(&Operation::Resolution));
        assert_eq!(known(&database, theirs).await.len(), Operation::ALL.len());
        keep!(database, integrations::forget, ours, &[]);
        assert_eq!(known(&database, ours).await.len(), left.len());
    }

    async fn concurrent_failures_are_all_counted(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let tasks: Vec<_> = (0..20)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move {
                    keep!(database, integrations::failed, ours, Operation::LookUp, "No connection could be made.", NOW, None);
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(known(&database, ours).await[0].1.failed_attempts, 20);
    }
}
