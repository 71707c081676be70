//! Withdrawals: the statements by which consumers withdrew from a contract, and their handling.

use crate::{
    engine::{
        Db, Result,
        stored::{from_json, named, to_json},
        template::{SqlTemplate, push_list},
    },
    lists::{self, Field, FieldKind, List, Listing, SequenceColumn, page::Rows},
};
use domain::{
    AccountId, ConsumerId, Locale, ReturnOrderId, Timestamp, WithdrawalId,
    proof::EmailKey,
    withdrawal::{Statement, Withdrawal, WithdrawalStatus},
};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, number, name, contract, email, language, status, order_numbers, consumer_id, \
             return_order_id, note, created_at, updated_at, version FROM withdrawals ",
            $rest
        )
    };
}

statements! {
    in withdrawals;
    /// Inserts nothing if the id or the number is taken.
    INSERT = "INSERT INTO withdrawals (account_id, id, number, name, contract, email, email_key, language, status,
        order_numbers, consumer_id, return_order_id, note, created_at, updated_at, version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT DO NOTHING";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    /// The `+` keeps SQLite from reading all rows of the account in their order.
    LIST_OF_EMAIL = select!("WHERE account_id = $1 AND email_key IN ($2, $3) ORDER BY +seq");
    /// Withdrawals without a return. The limit protects against somebody who floods an address with them.
    LIST_OPEN_OF_EMAIL = select!("WHERE account_id = $1 AND email_key IN ($2, $3)
        AND return_order_id IS NULL AND status <> 'Closed' ORDER BY seq LIMIT 1000");
    LIST_OF_RETURN_ORDER = select!("WHERE account_id = $1 AND return_order_id = $2 ORDER BY seq");
    LIST_WITHDRAWN_OF_EMAILS = "SELECT email_key, order_numbers, created_at FROM withdrawals
        WHERE account_id = $1 AND email_key IN ($2) AND order_numbers <> '[]' ORDER BY seq DESC LIMIT 10000";
    /// Locks the row until the transaction ends, on both databases.
    LOCK = "UPDATE withdrawals SET version = version WHERE account_id = $1 AND id = $2";
    /// Only the handling: the statement never changes. Only if the version is still the one that was read.
    UPDATE = "UPDATE withdrawals SET status = $3, order_numbers = $4, consumer_id = $5, return_order_id = $6, note = $7,
        updated_at = $8, version = version + 1 WHERE account_id = $1 AND id = $2 AND version = $9";
    SCRUB = "UPDATE withdrawals SET name = '', contract = '', email = '', email_key = '', note = '', updated_at = $3,
        version = version + 1 WHERE account_id = $1 AND id = $2";
}

#[derive(sqlx::FromRow)]
struct WithdrawalRow {
    seq: i64,
    id: Uuid,
    number: String,
    name: String,
    contract: String,
    email: String,
    language: String,
    status: String,
    order_numbers: String,
    consumer_id: Option<Uuid>,
    return_order_id: Option<Uuid>,
    note: String,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl WithdrawalRow {
    fn withdrawal(self) -> Result<Withdrawal> {
        let status = named("withdrawals.status", WithdrawalStatus::from_name(&self.status))?;
        Ok(Withdrawal {
            id: WithdrawalId(self.id),
            number: self.number,
            statement: Statement { name: self.name, contract: self.contract, email: self.email },
            language: Locale(self.language),
            order_numbers: from_json("withdrawals.order_numbers", &self.order_numbers)?,
            consumer_id: self.consumer_id.map(ConsumerId),
            return_order_id: self.return_order_id.map(ReturnOrderId),
            is_closed: status == WithdrawalStatus::Closed,
            note: self.note,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// Inserts a withdrawal; `false` if its id or its number is taken.
pub async fn insert(mut db: Db<'_>, account: AccountId, withdrawal: &Withdrawal) -> Result<bool> {
    let Statement { name, contract, email } = &withdrawal.statement;
    let email_key = EmailKey::stored(email);
    let rows = execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(withdrawal.id.0)
            .bind(&withdrawal.number)
            .bind(name)
            .bind(contract)
            .bind(email)
            .bind(&email_key)
            .bind(&withdrawal.language.0)
            .bind(withdrawal.status().name())
            .bind(to_json(&withdrawal.order_numbers))
            .bind(withdrawal.consumer_id.map(|id| id.0))
            .bind(withdrawal.return_order_id.map(|id| id.0))
            .bind(&withdrawal.note)
            .bind(withdrawal.created_at.micros())
            .bind(withdrawal.updated_at.micros())
            .bind(withdrawal.version)
    );
    Ok(rows == 1)
}

/// The list of withdrawals.
pub static LIST: List = List {
    name: "withdrawals",
    select: select!(""),
    table: "withdrawals",
    alias: "",
    key: "id",
    fields: &[
        Field { name: "number", kind: FieldKind::Text, column: "number" },
        Field { name: "status", kind: FieldKind::OneOf(statuses), column: "status" },
        Field { name: "email", kind: FieldKind::Email, column: "email_key" },
        Field { name: "returnOrderId", kind: FieldKind::Id, column: "return_order_id" },
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
    ],
    sorts_by_update: false,
    search: None,
};

fn statuses() -> Vec<&'static str> {
    WithdrawalStatus::all().iter().map(|status| status.name()).collect()
}

/// The withdrawals of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Withdrawal>> {
    lists::fetch(
        db,
        &LIST,
        account,
        listing,
        |row: &WithdrawalRow| listing.cursor(row.seq, 0),
        WithdrawalRow::withdrawal,
    )
    .await
}

/// The withdrawal of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: WithdrawalId) -> Result<Option<Withdrawal>> {
    let row: Option<WithdrawalRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(WithdrawalRow::withdrawal).transpose()
}

/// Every withdrawal of an e-mail address, oldest first.
pub async fn list_of_email(mut db: Db<'_>, account: AccountId, email: &EmailKey) -> Result<Vec<Withdrawal>> {
    let [ascii, own] = email.spellings();
    let rows: Vec<WithdrawalRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_EMAIL)
        .bind(account.0)
        .bind(&ascii)
        .bind(&own)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(WithdrawalRow::withdrawal).collect()
}

/// The withdrawals of an e-mail address that have no return and that the merchant has not closed, oldest first.
pub async fn list_open_of_email(mut db: Db<'_>, account: AccountId, email: &EmailKey) -> Result<Vec<Withdrawal>> {
    let [ascii, own] = email.spellings();
    let rows: Vec<WithdrawalRow> = on!(&mut db, c => sqlx::query_as(LIST_OPEN_OF_EMAIL)
        .bind(account.0)
        .bind(&ascii)
        .bind(&own)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(WithdrawalRow::withdrawal).collect()
}

/// The withdrawals that a return order handles.
pub async fn list_of_return_order(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<Vec<Withdrawal>> {
    let rows: Vec<WithdrawalRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(order.0)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(WithdrawalRow::withdrawal).collect()
}

/// The orders of a withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawn {
    /// The e-mail address in the statement.
    pub email: Option<EmailKey>,
    pub order_numbers: Vec<String>,
    pub at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct WithdrawnRow {
    email_key: String,
    order_numbers: String,
    created_at: i64,
}

impl WithdrawnRow {
    fn withdrawn(self) -> Result<Withdrawn> {
        Ok(Withdrawn {
            email: EmailKey::new(&self.email_key),
            order_numbers: from_json("withdrawals.order_numbers", &self.order_numbers)?,
            at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// The orders that consumers with these e-mail addresses withdrew from.
pub async fn list_withdrawn_of_emails(
    mut db: Db<'_>,
    account: AccountId,
    emails: &[EmailKey],
) -> Result<Vec<Withdrawn>> {
    if emails.is_empty() {
        return Ok(Vec::new());
    }
    let template = const { SqlTemplate::parse(LIST_WITHDRAWN_OF_EMAILS) };
    let spellings: Vec<String> = emails.iter().flat_map(EmailKey::spellings).collect();
    let rows: Vec<WithdrawnRow> = on!(&mut db, c => {
           let mut query = template.query(|query, number| {
    match number {
    1 => query.push_bind(account.0),
    _ => push_list(query, spellings.iter().cloned()),
    };
    });
           query.build_query_as().fetch_all(&mut **c).await?
       });
    rows.into_iter().map(WithdrawnRow::withdrawn).collect()
}

/// Locks a withdrawal until the transaction ends, and returns it; `None` if there is none.
pub async fn lock(mut db: Db<'_>, account: AccountId, id: WithdrawalId) -> Result<Option<Withdrawal>> {
    execute!(db, sqlx::query(LOCK).bind(account.0).bind(id.0));
    find(db, account, id).await
}

/// Updates the handling of a withdrawal; `false` if it was changed since it was read.
pub async fn update(mut db: Db<'_>, account: AccountId, withdrawal: &Withdrawal) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(withdrawal.id.0)
            .bind(withdrawal.status().name())
            .bind(to_json(&withdrawal.order_numbers))
            .bind(withdrawal.consumer_id.map(|id| id.0))
            .bind(withdrawal.return_order_id.map(|id| id.0))
            .bind(&withdrawal.note)
            .bind(withdrawal.updated_at.micros())
            .bind(withdrawal.version)
    );
    Ok(rows == 1)
}

/// Removes the name, the address and all texts of a withdrawal.
pub async fn scrub(mut db: Db<'_>, account: AccountId, id: WithdrawalId, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(SCRUB).bind(account.0).bind(id.0).bind(now.micros()));
    Ok(())
}
