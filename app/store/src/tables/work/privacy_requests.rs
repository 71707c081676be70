//! What shops ask about the data of their customers. A row is deleted when it is done.

use crate::engine::{
    Db, Result,
    queue::{self, Claim, Claimable, Claiming, IsEnough, Shares, Waiting},
    stored::{count, from_json, named, to_json},
};
use domain::{AccountId, OrderId, Timestamp};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, id, shop, work, email, orders, reference, last_order_id, tries, created_at"
    };
}

statements! {
    in privacy_requests;
    /// A repeated request is the same row.
    INSERT = "INSERT INTO privacy_requests (account_id, id, shop, work, email, orders, reference, due_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT (account_id, id) DO NOTHING";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'privacy requests'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("privacy_requests");
    WORKER_WAITING = waiting_accounts!("privacy_requests");
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM privacy_requests
        WHERE account_id = $3 AND due_at <= $1 AND held_until <= $1 ORDER BY due_at, id LIMIT $2");
    LEASE = lease_rows!("privacy_requests", "id");
    /// Only by the holder of the lease.
    LATER = "UPDATE privacy_requests SET email = $4, orders = $5, last_order_id = $6, due_at = $7, tries = $8, held_until = 0
        WHERE account_id = $1 AND id = $2 AND held_until = $3";
    DELETE = "DELETE FROM privacy_requests WHERE account_id = $1 AND id = $2 AND held_until = $3";
}

/// What a shop asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrivacyWork {
    /// To erase a customer.
    EraseCustomer,
    /// To erase the buyers of all of its orders: the merchant has removed the app.
    EraseShop,
    /// To give a customer their data, which staff do.
    Export,
}

impl PrivacyWork {
    /// The name in SQL.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EraseCustomer => "EraseCustomer",
            Self::EraseShop => "EraseShop",
            Self::Export => "Export",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::EraseCustomer, Self::EraseShop, Self::Export].into_iter().find(|work| work.name() == name)
    }
}

/// A request of a shop, and what remains of it.
#[derive(Clone, PartialEq, Eq)]
pub struct PrivacyRequest {
    pub account_id: AccountId,
    /// From a hash of the request.
    pub id: Uuid,
    /// The shop ([`domain::integration::Bridge::shop_key`]).
    pub shop: String,
    pub work: PrivacyWork,
    /// The customer's e-mail address, until it is erased; may be empty.
    pub email: String,
    /// The shop's ids of the customer's orders that remain.
    pub orders: Vec<String>,
    /// The shop's number of the request; may be empty.
    pub reference: String,
    /// The last order of the shop whose buyer was erased.
    pub last_order: Option<OrderId>,
    /// The number of failures in a row.
    pub tries: u32,
    pub created_at: Timestamp,
    /// The end of the lease.
    pub held_until: Timestamp,
}

/// Omits the customer.
impl std::fmt::Debug for PrivacyRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PrivacyRequest").field("id", &self.id).field("work", &self.work).finish_non_exhaustive()
    }
}

#[derive(sqlx::FromRow)]
struct PrivacyRequestRow {
    account_id: Uuid,
    id: Uuid,
    shop: String,
    work: String,
    email: String,
    orders: String,
    reference: String,
    last_order_id: Option<Uuid>,
    tries: i64,
    created_at: i64,
}

impl Claimable for PrivacyRequestRow {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.id)
    }
}

impl PrivacyRequestRow {
    fn request(self, held_until: Timestamp) -> Result<PrivacyRequest> {
        Ok(PrivacyRequest {
            account_id: AccountId(self.account_id),
            id: self.id,
            shop: self.shop,
            work: named("privacy_requests.work", PrivacyWork::from_name(&self.work))?,
            email: self.email,
            orders: from_json("privacy_requests.orders", &self.orders)?,
            reference: self.reference,
            last_order: self.last_order_id.map(OrderId),
            tries: count("privacy_requests.tries", self.tries)?,
            created_at: Timestamp::from_micros(self.created_at),
            held_until,
        })
    }
}

/// Inserts a request, due at once; `false` if it is there already.
pub async fn insert(mut db: Db<'_>, request: &PrivacyRequest) -> Result<bool> {
    let inserted = execute!(
        db,
        sqlx::query(INSERT)
            .bind(request.account_id.0)
            .bind(request.id)
            .bind(&request.shop)
            .bind(request.work.name())
            .bind(&request.email)
            .bind(to_json(&request.orders))
            .bind(&request.reference)
            .bind(request.created_at.micros())
    );
    Ok(inserted > 0)
}

/// Accounts with due requests, the longest due first.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Claims due requests with a lease until a moment. Other claims wait for the transaction to end.
pub async fn claim(db: Db<'_>, now: Timestamp, until: Timestamp, shares: Shares<'_>) -> Result<Vec<PrivacyRequest>> {
    let claiming = Claiming { in_one: None, turn: WORKER_TURN, due: WORKER_DUE, lease: LEASE };
    let rows = queue::claim::<PrivacyRequestRow>(db, &claiming, Claim::new(now, until, shares)).await?;
    rows.into_iter().map(|row| row.request(until)).collect()
}

/// Stores what remains of a request, and gives it back: due again at a moment.
pub async fn later(mut db: Db<'_>, request: &PrivacyRequest, due_at: Timestamp) -> Result<()> {
    execute!(
        db,
        sqlx::query(LATER)
            .bind(request.account_id.0)
            .bind(request.id)
            .bind(request.held_until.micros())
            .bind(&request.email)
            .bind(to_json(&request.orders))
            .bind(request.last_order.map(|order| order.0))
            .bind(due_at.micros())
            .bind(i64::from(request.tries))
    );
    Ok(())
}

/// Deletes a request that is done; `false` if another instance holds it.
pub async fn delete(mut db: Db<'_>, request: &PrivacyRequest) -> Result<bool> {
    let deleted =
        execute!(db, sqlx::query(DELETE).bind(request.account_id.0).bind(request.id).bind(request.held_until.micros()));
    Ok(deleted > 0)
}
