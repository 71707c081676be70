//! The audit log.

use crate::support::*;
use domain::{
    AccountId, Timestamp, UserId,
    audit::{AuditAction, AuditActorKind, AuditEntry},
};
use store::testing::Database;
use uuid::Uuid;

fn an_entry(action: AuditAction, user: Uuid, created_at: Timestamp) -> AuditEntry {
    AuditEntry {
        created_at,
        actor: AuditActorKind::User,
        actor_id: Some(user),
        action,
        subject: UserId(user).into(),
        network: "203.0.113.0/24".to_owned(),
        session_id: Some(id()),
        request_id: "req-1".to_owned(),
        before: None,
        after: Some(r#"{"role":"agent"}"#.to_owned()),
    }
}

async fn keep(database: &Database, account: AccountId, entries: &[AuditEntry]) {
    let mut writing = database.store.write().await.unwrap();
    for entry in entries {
        writing.add_audit_entry(account, entry.clone());
    }
    writing.commit().await.unwrap();
}

async fn listed(database: &Database, account: AccountId, clauses: &[&str]) -> Vec<AuditEntry> {
    look!(database, audit::list, account, &asking(&store::audit::LIST, clauses)).rows
}

store::on_each_database! {
    async fn entries_are_read_as_they_were_written_newest_first_and_only_by_their_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let entries = [
            an_entry(AuditAction::UserInvited, id(), NOW),
            AuditEntry {
                actor: AuditActorKind::Operator,
                actor_id: None,
                network: String::new(),
                session_id: None,
                request_id: String::new(),
                before: Some("{}".to_owned()),
                after: None,
                ..an_entry(AuditAction::AccountUpdated, id(), NOW)
            },
        ];
        keep(&database, ours, &entries).await;
        let [first, second] = entries;
        assert_eq!(listed(&database, ours, &[]).await, [second, first]);
        assert!(listed(&database, theirs, &[]).await.is_empty());
    }

    async fn entries_of_a_transaction_that_fails_are_not_written(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let mut writing = database.store.write().await.unwrap();
        writing.add_audit_entry(ours, an_entry(AuditAction::UserInvited, id(), NOW));
        drop(writing);
        assert!(listed(&database, ours, &[]).await.is_empty());
    }

    async fn entries_are_filtered_by_each_field(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let (ada, ben) = (id(), id());
        let later = NOW.plus_hours(1);
        let of_ada = an_entry(AuditAction::UserSignedIn, ada, NOW);
        let of_ben = an_entry(AuditAction::AccountUpdated, ben, later);
        keep(&database, ours, &[of_ada.clone(), of_ben.clone()]).await;
        for (clause, expected) in [
            (format!("actorId:{ada}"), &of_ada),
            ("action:user.signed_in".to_owned(), &of_ada),
            ("topic:Settings".to_owned(), &of_ben),
            (format!("subjectId:{ben}"), &of_ben),
            (format!("createdAt>{NOW}"), &of_ben),
        ] {
            assert_eq!(listed(&database, ours, &[&clause]).await, std::slice::from_ref(expected), "{clause}");
        }
        assert_eq!(listed(&database, ours, &["subject:User"]).await.len(), 2);
    }

    async fn old_entries_are_deleted(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for account in [ours, theirs] {
            keep(&database, account, &[
                an_entry(AuditAction::UserSignedIn, id(), NOW),
                an_entry(AuditAction::UserSignedIn, id(), NOW.plus_seconds(1)),
            ]).await;
        }
        assert_eq!(keep!(database, audit::prune, NOW.plus_seconds(1)), 2);
        assert_eq!(keep!(database, audit::prune, NOW.plus_seconds(1)), 0);
        assert_eq!(listed(&database, ours, &[]).await.len(), 1);
    }
}
