//! Consumers: people who proved an order, and their tokens.

use crate::{
    engine::{
        Db, Result,
        stored::{from_json, to_json},
        time_limit::in_time,
    },
    lists::{self, Field, FieldKind, List, Listing, Search, SequenceColumn, page::Rows},
    tables::merchant::accounts,
};
use domain::{
    AccountId, ConsumerId, Timestamp,
    account::Account,
    address::Address,
    order::NameKeys,
    proof::{ClaimedProof, EmailKey, OrderClaim, OrderNumberKey, ProofKey, ProvingPostalCode, order_number::NumberFit},
};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, order_number_key, proof_kind, proof_key, email, address, created_at FROM consumers ",
            $rest
        )
    };
}

statements! {
    in consumers;
    /// Two tabs may prove the same order at once: the second finds the row of the first. E-mail and address are
    /// updated, as the shop may have changed them.
    INSERT = "INSERT INTO consumers (account_id, id, order_number_key, proof_kind, proof_key, email, address, created_at,
         email_key, name_key, last_name_key)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT (account_id, order_number_key, proof_kind, proof_key)
        DO UPDATE SET email = excluded.email, address = excluded.address, email_key = excluded.email_key,
         name_key = excluded.name_key, last_name_key = excluded.last_name_key RETURNING id, created_at";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    /// The consumer with the account, whose `id` this is, and whether the account has any withdrawal.
    FIND_WITH_ACCOUNT = concat!("SELECT a.id, ", accounts::columns!(), ", c.id AS consumer_id, seq, order_number_key, proof_kind, proof_key,
         email, address, c.created_at,
         CAST(CASE WHEN EXISTS (SELECT 1 FROM withdrawals w WHERE w.account_id = c.account_id) THEN 1 ELSE 0 END AS BIGINT) AS has_withdrawals
        FROM consumers c JOIN accounts a ON a.id = c.account_id WHERE c.account_id = $1 AND c.id = $2");
    FIND_BY_CREDENTIALS =
        select!("WHERE account_id = $1 AND order_number_key = $2 AND proof_kind = $3 AND proof_key = $4");
    LIST_OF_IDS = select!("WHERE account_id = $1 AND id IN ($2) ORDER BY id");
    /// The `+` keeps SQLite from reading all rows of the account in their order.
    LIST_OF_EMAIL = select!("WHERE account_id = $1 AND email_key IN ($2, $3) ORDER BY +seq");
    /// Orders that a number may belong to: by their stored key, or by another spelling.
    LIST_CLAIMED = "SELECT number, number_key, email, email_key, postal_code_key, billing_postal_code, address, ordered_at
        FROM orders WHERE account_id = $1 AND number_key IN ($2, $3, $4) AND ($5 = '' OR shop = $5)
        UNION ALL SELECT o.number, o.number_key, o.email, o.email_key, o.postal_code_key, o.billing_postal_code, o.address,
         o.ordered_at FROM order_spellings s CROSS JOIN orders o WHERE s.account_id = $1 AND s.spelling IN ($2, $3)
         AND o.account_id = s.account_id AND o.id = s.order_id AND ($5 = '' OR o.shop = $5)
        ORDER BY ordered_at LIMIT 1000";
    /// The test mark of the account of a consumer who is not erased.
    FIND_TEST_MARK = "SELECT a.test FROM consumers c JOIN accounts a ON a.id = c.account_id
        WHERE c.account_id = $1 AND c.id = $2 AND c.erased_at IS NULL";
    COUNT_KNOWN = "SELECT COUNT(*) FROM consumers WHERE account_id = $1 AND id = $2 AND erased_at IS NULL";
    INSERT_TOKEN = "INSERT INTO consumer_tokens (account_id, token_hash, consumer_id, expires_at) VALUES ($1, $2, $3, $4)";
    FIND_TOKEN = "SELECT consumer_id FROM consumer_tokens WHERE account_id = $1 AND token_hash = $2 AND expires_at > $3";
    PRUNE_TOKENS = "DELETE FROM consumer_tokens WHERE (account_id, token_hash) IN
        (SELECT account_id, token_hash FROM consumer_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
}

/// Postgres only.
const HOLD: &str = "SELECT id FROM consumers WHERE account_id = $1 AND id = $2 AND erased_at IS NULL FOR NO KEY UPDATE";
/// Postgres only. `KEY SHARE` of the account waits for [`accounts::hold_mark`] alone, not for imports.
const HOLD_WITH_TEST_MARK: &str = "SELECT a.test FROM consumers c JOIN accounts a ON a.id = c.account_id
    WHERE c.account_id = $1 AND c.id = $2 AND c.erased_at IS NULL FOR KEY SHARE OF a FOR NO KEY UPDATE OF c";

/// A pair of order credentials and the person behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consumer {
    pub id: ConsumerId,
    pub credentials: Credentials,
    /// The order's e-mail address, which may be empty; of the recipient of a gift, their own.
    pub email: String,
    /// The order's address; may be empty.
    pub address: Address,
    /// When the order was first proved.
    pub created_at: Timestamp,
}

/// An order number and its proof, as the order stores them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    pub order_number: OrderNumberKey,
    pub proof: Proof,
}

/// What proves an order, besides its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// The order's e-mail address.
    Email(ProofKey),
    /// The postal code of the delivery.
    PostalCode(ProofKey),
    /// The same, from the recipient of a gift.
    Gift {
        postal_code: ProofKey,
        /// The recipient's own e-mail address, which distinguishes them from other recipients.
        recipient: ProofKey,
    },
}

impl Proof {
    /// The key by which the order is found.
    pub(crate) fn order_key(&self) -> OrderKey<'_> {
        match self {
            Self::Email(email) => OrderKey::Email(email),
            Self::PostalCode(code) | Self::Gift { postal_code: code, .. } => OrderKey::PostalCode(code),
        }
    }

    /// The kind and the key, as they are stored.
    fn columns(&self) -> (&'static str, String) {
        match self {
            Self::Email(email) => ("email", email.as_str().to_owned()),
            Self::PostalCode(code) => ("postalCode", code.as_str().to_owned()),
            // Keys contain no spaces.
            Self::Gift { postal_code, recipient } => {
                ("gift", format!("{} {}", postal_code.as_str(), recipient.as_str()))
            }
        }
    }

    fn from_columns(kind: &str, key: &str) -> Option<Self> {
        match kind {
            "email" => ProofKey::new(key).map(Self::Email),
            "postalCode" => ProofKey::new(key).map(Self::PostalCode),
            "gift" => {
                // The key of an erased consumer is one word.
                let (code, recipient) = key.split_once(' ').unwrap_or((key, key));
                Some(Self::Gift { postal_code: ProofKey::new(code)?, recipient: ProofKey::new(recipient)? })
            }
            _ => None,
        }
    }
}

/// The key by which an order is found.
pub(crate) enum OrderKey<'a> {
    Email(&'a ProofKey),
    PostalCode(&'a ProofKey),
}

impl Credentials {
    /// Whether they belong to the recipient of a gift, who sees no amounts.
    pub fn is_gift(&self) -> bool {
        matches!(self.proof, Proof::Gift { .. })
    }
}

#[derive(sqlx::FromRow)]
struct ConsumerRow {
    seq: i64,
    id: Uuid,
    order_number_key: String,
    proof_kind: String,
    proof_key: String,
    email: String,
    address: String,
    created_at: i64,
}

impl ConsumerRow {
    fn consumer(self) -> Result<Consumer> {
        let order_number = OrderNumberKey::new(&self.order_number_key);
        let proof = Proof::from_columns(&self.proof_kind, &self.proof_key);
        let (Some(order_number), Some(proof)) = (order_number, proof) else {
            return Err(crate::engine::StoreError::Unreadable("consumers"));
        };
        Ok(Consumer {
            id: ConsumerId(self.id),
            credentials: Credentials { order_number, proof },
            email: self.email,
            address: from_json("consumers.address", &self.address)?,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// An order that a claim proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvedOrder {
    /// As they are stored: the same for every spelling of the claim.
    pub credentials: Credentials,
    /// Its e-mail address; may be empty.
    pub email: String,
    /// Its address; may be empty.
    pub address: Address,
}

#[derive(sqlx::FromRow)]
struct ClaimedRow {
    number: String,
    number_key: String,
    email: String,
    email_key: String,
    postal_code_key: String,
    billing_postal_code: String,
    address: String,
}

impl ClaimedRow {
    /// How well the order's number fits, and the proved order; `None` if the claim is about another order.
    fn proved_by(self, claim: &OrderClaim) -> Result<Option<(NumberFit, ProvedOrder)>> {
        let Some(fit) = claim.number.fit(&self.number) else { return Ok(None) };
        let address: Address = from_json("orders.address", &self.address)?;
        let code = ProvingPostalCode::of(&address, &self.billing_postal_code);
        let stored_code = |typed| code.filter(|code| code.is(typed)).and_then(|_| ProofKey::new(&self.postal_code_key));
        let proof = match &claim.proof {
            ClaimedProof::Email(typed) => EmailKey::new(&self.email)
                .filter(|email| email == typed)
                .and_then(|_| ProofKey::new(&self.email_key))
                .map(Proof::Email),
            ClaimedProof::PostalCode(typed) => stored_code(typed).map(Proof::PostalCode),
            ClaimedProof::Gift { postal_code, recipient } => {
                stored_code(postal_code).map(|postal_code| Proof::Gift { postal_code, recipient: recipient.clone() })
            }
        };
        let (Some(order_number), Some(proof)) = (OrderNumberKey::new(&self.number_key), proof) else { return Ok(None) };
        Ok(Some((fit, ProvedOrder { credentials: Credentials { order_number, proof }, email: self.email, address })))
    }
}

/// The order that a claim proves and that this shop reported ([`domain::integration::Bridge::shop_key`]; empty: any shop);
/// `None` if there is none. Of several, the one whose number fits best, then the oldest.
pub async fn prove(mut db: Db<'_>, account: AccountId, claim: &OrderClaim, shop: &str) -> Result<Option<ProvedOrder>> {
    let [whole, behind_sign, stored] = claim.number.candidates();
    let rows: Vec<ClaimedRow> = on!(&mut db, c => sqlx::query_as(LIST_CLAIMED)
        .bind(account.0)
        .bind(whole)
        .bind(behind_sign)
        .bind(stored)
        .bind(shop)
        .fetch_all(&mut **c).await?);
    let mut best: Option<(NumberFit, ProvedOrder)> = None;
    for row in rows {
        if let Some(found) = row.proved_by(claim)?
            && best.as_ref().is_none_or(|(fit, _)| found.0 < *fit)
        {
            best = Some(found);
        }
    }
    Ok(best.map(|(_, proved)| proved))
}

/// Inserts a consumer; returns the one that is stored under these credentials, and whether it is the new one.
pub async fn insert_or_find(mut db: Db<'_>, account: AccountId, new: &Consumer) -> Result<(Consumer, bool)> {
    let Credentials { order_number, proof } = &new.credentials;
    let (kind, proof) = proof.columns();
    let email_key = EmailKey::stored(&new.email);
    let name = NameKeys::new(&new.address.name);
    let (id, created_at): (Uuid, i64) = on!(&mut db, c => sqlx::query_as(INSERT)
        .bind(account.0)
        .bind(new.id.0)
        .bind(order_number.as_str())
        .bind(kind)
        .bind(&proof)
        .bind(&new.email)
        .bind(to_json(&new.address))
        .bind(new.created_at.micros())
        .bind(&email_key)
        .bind(&name.full)
        .bind(&name.last)
        .fetch_one(&mut **c).await?);
    let kept = Consumer { id: ConsumerId(id), created_at: Timestamp::from_micros(created_at), ..new.clone() };
    Ok((kept, id == new.id.0))
}

/// The consumer of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: ConsumerId) -> Result<Option<Consumer>> {
    let row: Option<ConsumerRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(ConsumerRow::consumer).transpose()
}

/// The consumer of these credentials.
pub async fn find_by_credentials(
    mut db: Db<'_>,
    account: AccountId,
    credentials: &Credentials,
) -> Result<Option<Consumer>> {
    let (kind, key) = credentials.proof.columns();
    let row: Option<ConsumerRow> = on!(&mut db, c => sqlx::query_as(FIND_BY_CREDENTIALS)
        .bind(account.0)
        .bind(credentials.order_number.as_str())
        .bind(kind)
        .bind(&key)
        .fetch_optional(&mut **c).await?);
    row.map(ConsumerRow::consumer).transpose()
}

/// A consumer with their account.
#[derive(Debug)]
pub struct WithAccount {
    pub consumer: Consumer,
    pub account: Account,
    /// Whether the account has any withdrawal: only then does a look-up search for one.
    pub has_withdrawals: bool,
}

#[derive(sqlx::FromRow)]
struct WithAccountRow {
    #[sqlx(flatten)]
    account: accounts::AccountRow,
    seq: i64,
    consumer_id: Uuid,
    order_number_key: String,
    proof_kind: String,
    proof_key: String,
    email: String,
    address: String,
    created_at: i64,
    has_withdrawals: i64,
}

impl WithAccountRow {
    fn with_account(self) -> Result<WithAccount> {
        let consumer = ConsumerRow {
            seq: self.seq,
            id: self.consumer_id,
            order_number_key: self.order_number_key,
            proof_kind: self.proof_kind,
            proof_key: self.proof_key,
            email: self.email,
            address: self.address,
            created_at: self.created_at,
        };
        Ok(WithAccount {
            consumer: consumer.consumer()?,
            account: self.account.account()?,
            has_withdrawals: self.has_withdrawals > 0,
        })
    }
}

/// The consumer of that id with the account, in one statement: every request of a consumer needs both.
pub async fn find_with_account(mut db: Db<'_>, account: AccountId, id: ConsumerId) -> Result<Option<WithAccount>> {
    let row: Option<WithAccountRow> =
        on!(&mut db, c => sqlx::query_as(FIND_WITH_ACCOUNT).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(WithAccountRow::with_account).transpose()
}

/// The consumers of these ids.
pub async fn list_of_ids(mut db: Db<'_>, account: AccountId, ids: &[ConsumerId]) -> Result<Vec<Consumer>> {
    let rows: Vec<ConsumerRow> = select_of!(&mut db, LIST_OF_IDS, account, ids);
    rows.into_iter().map(ConsumerRow::consumer).collect()
}

/// All consumers with an e-mail address: one person, who proved another order each time.
pub async fn list_of_email(mut db: Db<'_>, account: AccountId, email: &EmailKey) -> Result<Vec<Consumer>> {
    let [ascii, own] = email.spellings();
    let rows: Vec<ConsumerRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_EMAIL)
        .bind(account.0)
        .bind(&ascii)
        .bind(&own)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(ConsumerRow::consumer).collect()
}

/// The list of consumers.
pub static LIST: List = List {
    name: "consumers",
    select: select!(""),
    table: "consumers",
    alias: "",
    key: "id",
    fields: &[
        Field { name: "email", kind: FieldKind::Email, column: "email_key" },
        Field { name: "purchaseOrderNumber", kind: FieldKind::OrderNumber, column: "order_number_key" },
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
    ],
    sorts_by_update: false,
    search: Some(Search { column: "id", ..lists::BY_CONSUMER }),
};

/// The consumers of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Consumer>> {
    lists::fetch(db, &LIST, account, listing, |row: &ConsumerRow| listing.cursor(row.seq, 0), ConsumerRow::consumer)
        .await
}

/// Locks a consumer until the transaction ends: other writes about them wait, and so does their erasure. `false` if
/// they are erased: nothing may be written about them any more.
pub async fn hold(mut db: Db<'_>, account: AccountId, id: ConsumerId) -> Result<bool> {
    if let Some(connection) = db.row_locks() {
        let held = sqlx::query(HOLD).bind(account.0).bind(id.0).execute(connection);
        return Ok(in_time(async { Ok(held.await?) }).await?.rows_affected() == 1);
    }
    let known: i64 =
        on!(&mut db, c => sqlx::query_scalar(COUNT_KNOWN).bind(account.0).bind(id.0).fetch_one(&mut **c).await?);
    Ok(known == 1)
}

/// Locks a consumer as [`hold`] does, and returns whether the account is a test account. That cannot change until the
/// transaction ends. `None` if the consumer is erased.
pub async fn hold_with_test_mark(mut db: Db<'_>, account: AccountId, id: ConsumerId) -> Result<Option<bool>> {
    if let Some(connection) = db.row_locks() {
        let held = sqlx::query_scalar(HOLD_WITH_TEST_MARK).bind(account.0).bind(id.0).fetch_optional(connection);
        return in_time(async { Ok(held.await?) }).await;
    }
    Ok(on!(&mut db, c => sqlx::query_scalar(FIND_TEST_MARK)
        .bind(account.0)
        .bind(id.0)
        .fetch_optional(&mut **c).await?))
}

/// Stores a token by its hash.
pub async fn insert_token(
    mut db: Db<'_>,
    account: AccountId,
    token_hash: &[u8],
    consumer: ConsumerId,
    expires_at: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(INSERT_TOKEN).bind(account.0).bind(token_hash).bind(consumer.0).bind(expires_at.micros()));
    Ok(())
}

/// The consumer whose token this is, unless it has expired.
pub async fn find_token(
    mut db: Db<'_>,
    account: AccountId,
    token_hash: &[u8],
    now: Timestamp,
) -> Result<Option<ConsumerId>> {
    let id: Option<Uuid> = on!(&mut db, c => sqlx::query_scalar(FIND_TOKEN)
        .bind(account.0)
        .bind(token_hash)
        .bind(now.micros())
        .fetch_optional(&mut **c).await?);
    Ok(id.map(ConsumerId))
}

/// Deletes some expired tokens of every account; returns how many.
pub async fn prune_tokens(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE_TOKENS).bind(now.micros())))
}
