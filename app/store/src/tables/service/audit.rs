//! The audit log: rows are only added, and deleted after two years.

use crate::{
    engine::{
        Db, Result,
        batches::{ROWS_AT_ONCE, without_values},
        stored::named,
    },
    lists::{self, Field, FieldKind, List, Listing, SequenceColumn, page::Rows},
};
use domain::{
    AccountId, Timestamp,
    audit::{AuditAction, AuditActorKind, AuditEntry, AuditSubject, AuditSubjectKind, AuditTopic},
};
use sqlx::QueryBuilder;
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, created_at, actor, actor_id, action, subject, subject_id, network, session_id, request_id, \
             before, after FROM audit_entries ",
            $rest
        )
    };
}

statements! {
    in audit;
    INSERT = "INSERT INTO audit_entries (account_id, created_at, actor, actor_id, action, topic, subject, subject_id, network,
         session_id, request_id, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    PRUNE = "DELETE FROM audit_entries WHERE (account_id, seq) IN
        (SELECT account_id, seq FROM audit_entries WHERE created_at < $1 ORDER BY created_at LIMIT 500)";
}

#[derive(sqlx::FromRow)]
struct AuditRow {
    seq: i64,
    created_at: i64,
    actor: String,
    actor_id: Option<Uuid>,
    action: String,
    subject: String,
    subject_id: String,
    network: String,
    session_id: Option<Uuid>,
    request_id: String,
    before: Option<String>,
    after: Option<String>,
}

impl AuditRow {
    fn entry(self) -> Result<AuditEntry> {
        let kind = named("audit_entries.subject", AuditSubjectKind::from_name(&self.subject))?;
        Ok(AuditEntry {
            created_at: Timestamp::from_micros(self.created_at),
            actor: named("audit_entries.actor", AuditActorKind::from_name(&self.actor))?,
            actor_id: self.actor_id,
            action: named("audit_entries.action", AuditAction::from_name(&self.action))?,
            subject: AuditSubject { kind, id: self.subject_id },
            network: self.network,
            session_id: self.session_id,
            request_id: self.request_id,
            before: self.before,
            after: self.after,
        })
    }
}

/// Inserts entries in their order. [`crate::Writing::add_audit_entry`] collects them.
pub(crate) async fn insert(mut db: Db<'_>, entries: &[(AccountId, AuditEntry)]) -> Result<()> {
    for chunk in entries.chunks(ROWS_AT_ONCE) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new(without_values(INSERT));
            query.push_values(chunk, |mut row, (account, entry)| {
                row.push_bind(account.0)
                    .push_bind(entry.created_at.micros())
                    .push_bind(entry.actor.name())
                    .push_bind(entry.actor_id)
                    .push_bind(entry.action.name())
                    .push_bind(entry.action.topic().name())
                    .push_bind(entry.subject.kind.name())
                    .push_bind(entry.subject.id.as_str())
                    .push_bind(entry.network.as_str())
                    .push_bind(entry.session_id)
                    .push_bind(entry.request_id.as_str())
                    .push_bind(entry.before.as_deref())
                    .push_bind(entry.after.as_deref());
            });
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}

/// The list of audit entries.
pub static LIST: List = List {
    name: "audit-entries",
    select: select!(""),
    table: "audit_entries",
    alias: "",
    key: "seq",
    fields: &[
        Field { name: "actorId", kind: FieldKind::SharedId, column: "actor_id" },
        Field { name: "action", kind: FieldKind::OneOf(actions), column: "action" },
        Field { name: "topic", kind: FieldKind::OneOf(topics), column: "topic" },
        Field { name: "subject", kind: FieldKind::OneOf(subjects), column: "subject" },
        Field { name: "subjectId", kind: FieldKind::Text, column: "subject_id" },
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
    ],
    sorts_by_update: false,
    search: None,
};

fn actions() -> Vec<&'static str> {
    AuditAction::ALL.iter().map(|action| action.name()).collect()
}

fn topics() -> Vec<&'static str> {
    AuditTopic::ALL.iter().map(|topic| topic.name()).collect()
}

fn subjects() -> Vec<&'static str> {
    AuditSubjectKind::ALL.iter().map(|kind| kind.name()).collect()
}

/// The audit entries of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<AuditEntry>> {
    lists::fetch(db, &LIST, account, listing, |row: &AuditRow| listing.cursor(row.seq, 0), AuditRow::entry).await
}

/// Deletes some entries from before a moment; returns how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
