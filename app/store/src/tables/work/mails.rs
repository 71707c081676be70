//! Results of mail: what was handed to the mail server, and what failed for good. Recipients are not stored.

use crate::{
    engine::{
        Db, Result,
        stored::{count, named},
    },
    lists::{self, Field, FieldKind, List, Listing, SequenceColumn, page::Rows},
};
use domain::{
    AccountId, MailId, ReturnOrderId, Timestamp,
    mail::{Mail, MailStatus},
};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, about, return_order_id, language, status, attempts, error_code, created_at FROM mails ",
            $rest
        )
    };
}

statements! {
    in mails;
    INSERT = "INSERT INTO mails (account_id, id, about, return_order_id, language, status, attempts, error_code, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    LAST_STATUS = "SELECT status FROM mails WHERE account_id = $1 AND return_order_id = $2 ORDER BY seq DESC LIMIT 1";
    LIST_OF_RETURN_ORDER = select!("WHERE account_id = $1 AND return_order_id = $2 ORDER BY seq");
    PRUNE = "DELETE FROM mails WHERE (account_id, id) IN
        (SELECT account_id, id FROM mails WHERE created_at < $1 ORDER BY created_at LIMIT 500)";
}

#[derive(sqlx::FromRow)]
struct MailRow {
    seq: i64,
    id: Uuid,
    about: String,
    return_order_id: Option<Uuid>,
    language: String,
    status: String,
    attempts: i64,
    error_code: Option<i64>,
    created_at: i64,
}

impl MailRow {
    fn mail(self) -> Result<Mail> {
        Ok(Mail {
            id: MailId(self.id),
            about: self.about,
            return_order_id: self.return_order_id.map(ReturnOrderId),
            language: self.language,
            status: named("mails.status", MailStatus::from_name(&self.status))?,
            attempts: count("mails.attempts", self.attempts)?,
            error_code: self.error_code.and_then(|code| u16::try_from(code).ok()),
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// Stores the result of a mail.
pub async fn insert(mut db: Db<'_>, account: AccountId, mail: &Mail) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(mail.id.0)
            .bind(&mail.about)
            .bind(mail.return_order_id.map(|id| id.0))
            .bind(&mail.language)
            .bind(mail.status.name())
            .bind(i64::from(mail.attempts))
            .bind(mail.error_code.map(i64::from))
            .bind(mail.created_at.micros())
    );
    Ok(())
}

/// The result of the mail with that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: MailId) -> Result<Option<Mail>> {
    let row: Option<MailRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(MailRow::mail).transpose()
}

/// The list of mail.
pub static LIST: List = List {
    name: "mails",
    select: select!(""),
    table: "mails",
    alias: "",
    key: "id",
    fields: &[
        Field { name: "returnOrderId", kind: FieldKind::Id, column: "return_order_id" },
        Field { name: "status", kind: FieldKind::OneOf(statuses), column: "status" },
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
    ],
    sorts_by_update: false,
    search: None,
};

fn statuses() -> Vec<&'static str> {
    MailStatus::ALL.iter().map(|status| status.name()).collect()
}

/// The results of an account's mail.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Mail>> {
    lists::fetch(db, &LIST, account, listing, |row: &MailRow| listing.cursor(row.seq, 0), MailRow::mail).await
}

/// The results of the mail about a return, oldest first.
pub async fn list_of_return_order(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<Vec<Mail>> {
    let rows: Vec<MailRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(order.0)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(MailRow::mail).collect()
}

/// The status of the last mail about a return; `None` if there was none.
pub async fn last_status(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<Option<MailStatus>> {
    let status: Option<String> = on!(&mut db, c => sqlx::query_scalar(LAST_STATUS).bind(account.0).bind(order.0).fetch_optional(&mut **c).await?);
    status.map(|status| named("mails.status", MailStatus::from_name(&status))).transpose()
}

/// Deletes some results from before a moment; returns how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
