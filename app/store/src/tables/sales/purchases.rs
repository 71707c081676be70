//! Purchases: the lines of sales orders, and the units of them that are in returns.

use crate::{
    engine::{
        Db, Result,
        batches::in_few_sizes,
        stored::{count, from_json, named},
        template::{SqlTemplate, push_list},
    },
    lists::{
        self, Field, FieldKind, List, Listing, Search,
        page::{Page, Rows},
    },
    tables::shopper::consumers::{Credentials, OrderKey},
};
use domain::{
    AccountId, Currency, OrderId, PurchaseId, Timestamp,
    address::Address,
    order::{IneligibleCode, OrderReview, OrderSummary, OrderSums, Purchase, Units},
};
use uuid::Uuid;

// The functions of units are called by this module's name too.
pub use super::purchase_units::{
    RefundedUnits, Taking, accept, give_back, refunded_units, settle, take, take_acceptance_back, take_several, units,
};

/// The columns of [`PurchaseRow`], from `purchases p` and its order `orders o`.
///
/// `is_undated_part`: while a part of an order is still to be sent, a line without a date may have left today.
/// `obstacle`: of a sale that is known under two ids, one can be returned.
macro_rules! columns {
    () => {
        concat!(
            "p.seq, p.id, p.external_id, p.position, p.product, p.bought, p.fulfilled, p.taken, p.taken_dear, \
             p.settled, ",
            shop_refunded!(),
            ", p.total, p.tax, p.duties, p.discount, p.final_sale, p.fulfilled_at, p.delivered_at, \
             p.requires_shipping, p.removed, ",
            "p.fulfilled_at IS NULL AND p.delivered_at IS NULL AND EXISTS (SELECT 1 FROM purchases u \
             WHERE u.account_id = p.account_id AND u.order_id = p.order_id AND u.requires_shipping \
             AND u.fulfilled + u.removed < u.bought AND u.shop_refunded < u.bought) AS is_undated_part, ",
            "CASE WHEN EXISTS (SELECT 1 FROM orders t CROSS JOIN purchases b WHERE ",
            is_twin!(),
            " AND b.account_id = t.account_id AND b.order_id = t.id AND b.taken > 0) THEN 'ReturnedElsewhere' ELSE p.obstacle END AS obstacle, \
             o.id AS order_id, o.number AS order_number, o.ordered_at, o.currency, o.shipping_paid - o.shipping_returned AS shipping_left, o.tags, \
             o.paid, o.refunded, o.is_partial, o.review "
        )
    };
}

/// Purchases with everything that is stored of their orders, for the merchant.
macro_rules! select_with_order {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            ", o.external_id AS order_external_id, o.email, o.address, o.shipping_paid ",
            "FROM purchases p CROSS JOIN orders o WHERE o.account_id = p.account_id AND o.id = p.order_id ",
            $condition
        )
    };
}

/// Purchases by their orders. SQLite reads the tables of a `CROSS JOIN` in this order. Otherwise it would read all
/// purchases of the account, because they are sorted already, and check the order of each.
macro_rules! select_of_orders {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            "FROM orders o CROSS JOIN purchases p WHERE p.account_id = o.account_id AND p.order_id = o.id ",
            $condition
        )
    };
}

/// The purchases of orders that a number and a proof identify.
macro_rules! select_proved {
    (by $proof:literal, $condition:literal) => {
        concat!(select_of_orders!("AND o.account_id = $1 AND o.number_key = $2 AND "), $proof, " = $3 ", $condition)
    };
}

statements! {
    in purchases;
    LIST_BY_EMAIL = select_proved!(by "o.email_key", "AND p.seq >= $4 AND ($6 = '' OR o.shop = $6) ORDER BY p.seq LIMIT $5 OFFSET $7");
    LIST_BY_POSTAL_CODE = select_proved!(by "o.postal_code_key", "AND p.seq >= $4 AND ($6 = '' OR o.shop = $6) ORDER BY p.seq LIMIT $5 OFFSET $7");
    LIST_OF_IDS_BY_EMAIL = select_proved!(by "o.email_key", "AND ($4 = '' OR o.shop = $4) AND p.id IN ($5)");
    LIST_OF_IDS_BY_POSTAL_CODE = select_proved!(by "o.postal_code_key", "AND ($4 = '' OR o.shop = $4) AND p.id IN ($5)");
    LIST_OF_ORDER = select_of_orders!("
        AND p.account_id = $1 AND p.order_id = $2 ORDER BY p.seq");
    FIND_WHOLE = select_with_order!("AND p.account_id = $1 AND p.id = $2");
    FIND_WHOLE_BY_EXTERNAL_ID = select_with_order!("AND p.account_id = $1 AND p.external_id = $2");
    /// The position of an order's last line, by the shop's id of the order.
    LAST_POSITION = "SELECT CAST(COALESCE(MAX(position), 0) AS BIGINT) FROM purchases
        WHERE account_id = $1 AND order_id = (SELECT id FROM orders WHERE account_id = $1 AND external_id = $2)";
    /// `taken` shows a return that is being submitted at the same time.
    DELETE_UNRETURNED = "DELETE FROM purchases WHERE account_id = $1 AND id = $2 AND taken = 0 AND NOT EXISTS
        (SELECT 1 FROM return_requests r WHERE r.account_id = $1 AND r.purchase_id = $2)";
}

#[derive(sqlx::FromRow)]
#[expect(clippy::struct_excessive_bools, reason = "columns of a table")]
struct PurchaseRow {
    seq: i64,
    id: Uuid,
    external_id: String,
    position: i64,
    product: String,
    bought: i64,
    fulfilled: i64,
    taken: i64,
    taken_dear: i64,
    settled: i64,
    shop_refunded: i64,
    total: i64,
    tax: i64,
    duties: i64,
    discount: i64,
    final_sale: bool,
    obstacle: String,
    fulfilled_at: Option<i64>,
    delivered_at: Option<i64>,
    requires_shipping: bool,
    removed: i64,
    is_undated_part: bool,
    order_id: Uuid,
    order_number: String,
    ordered_at: i64,
    currency: String,
    shipping_left: i64,
    tags: String,
    paid: Option<i64>,
    refunded: i64,
    is_partial: bool,
    review: String,
}

#[derive(sqlx::FromRow)]
struct WithOrderRow {
    #[sqlx(flatten)]
    row: PurchaseRow,
    order_external_id: String,
    email: String,
    address: String,
    shipping_paid: i64,
}

impl WithOrderRow {
    fn with_order(self) -> Result<PurchaseWithOrder> {
        Ok(PurchaseWithOrder {
            purchase: self.row.purchase()?,
            order_external_id: self.order_external_id,
            email: self.email,
            address: from_json("orders.address", &self.address)?,
            shipping_paid: self.shipping_paid,
        })
    }
}

/// A purchase with everything that is stored of its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseWithOrder {
    pub purchase: Purchase,
    /// The shop's id of the order.
    pub order_external_id: String,
    /// The buyer's e-mail address; may be empty.
    pub email: String,
    /// The delivery address; its fields may be empty.
    pub address: Address,
    /// What was paid for shipping, in minor units.
    pub shipping_paid: i64,
}

impl PurchaseRow {
    fn purchase(self) -> Result<Purchase> {
        let units = |value| count("purchases' units", value);
        Ok(Purchase {
            id: PurchaseId(self.id),
            external_id: self.external_id,
            order: OrderSummary {
                id: OrderId(self.order_id),
                number: self.order_number,
                ordered_at: Timestamp::from_micros(self.ordered_at),
                currency: named("orders.currency", Currency::from_code(&self.currency))?,
                shipping_left: self.shipping_left,
                sums: OrderSums { paid: self.paid, refunded: self.refunded },
                is_partial: self.is_partial,
                review: match self.review.as_str() {
                    "" => None,
                    name => Some(named("orders.review", OrderReview::from_name(name))?),
                },
                tags: from_json("orders.tags", &self.tags)?,
            },
            position: count("purchases.position", self.position)?,
            product: from_json("purchases.product", &self.product)?,
            units: Units {
                bought: units(self.bought)?,
                fulfilled: units(self.fulfilled)?,
                taken: units(self.taken)?,
                taken_remainder_units: units(self.taken_dear)?,
                settled: units(self.settled)?,
                shop_refunded: units(self.shop_refunded)?,
                total: self.total,
            },
            tax: self.tax,
            duties: self.duties,
            discount: self.discount,
            final_sale: self.final_sale,
            requires_shipping: self.requires_shipping,
            removed: units(self.removed)?,
            obstacle: match self.obstacle.as_str() {
                "" => None,
                // A later version may have more codes.
                code => Some(IneligibleCode::from_name(code).unwrap_or(IneligibleCode::NotReturnable)),
            },
            fulfilled_at: self.fulfilled_at.map(Timestamp::from_micros),
            is_undated_part: self.is_undated_part,
            delivered_at: self.delivered_at.map(Timestamp::from_micros),
        })
    }
}

/// A page of the lines of every order that the credentials prove and that this shop reported
/// ([`domain::integration::Bridge::shop_key`]; empty: any shop), in the order in which they were stored.
pub async fn list(
    mut db: Db<'_>,
    account: AccountId,
    credentials: &Credentials,
    page: Page,
    shop: &str,
) -> Result<Rows<Purchase>> {
    let (sql, proof) = match credentials.proof.order_key() {
        OrderKey::Email(email) => (LIST_BY_EMAIL, email),
        OrderKey::PostalCode(code) => (LIST_BY_POSTAL_CODE, code),
    };
    let rows: Vec<PurchaseRow> = on!(&mut db, c => sqlx::query_as(sql)
        .bind(account.0)
        .bind(credentials.order_number.as_str())
        .bind(proof.as_str())
        .bind(page.after().unwrap_or(0))
        .bind(page.fetch())
        .bind(shop)
        .bind(page.skipped())
        .fetch_all(&mut **c).await?);
    // Ascending: the cursor is the number after the last row.
    page.cut(rows, |row| row.seq + 1, PurchaseRow::purchase)
}

/// The purchases of these ids in orders that the credentials prove and that this shop reported, as with [`list`].
pub async fn list_of_ids(
    mut db: Db<'_>,
    account: AccountId,
    credentials: &Credentials,
    ids: &[PurchaseId],
    shop: &str,
) -> Result<Vec<Purchase>> {
    let (template, proof) = match credentials.proof.order_key() {
        OrderKey::Email(email) => (const { SqlTemplate::parse(LIST_OF_IDS_BY_EMAIL) }, email),
        OrderKey::PostalCode(code) => (const { SqlTemplate::parse(LIST_OF_IDS_BY_POSTAL_CODE) }, code),
    };
    let mut purchases = Vec::with_capacity(ids.len());
    for part in in_few_sizes(ids) {
        let is_kept = db.is_kept_prepared(part.len());
        let rows: Vec<PurchaseRow> = on!(&mut db, c => {
            let mut query = template.query(|query, number| {
                match number {
                    1 => query.push_bind(account.0),
                    2 => query.push_bind(credentials.order_number.as_str()),
                    3 => query.push_bind(proof.as_str()),
                    4 => query.push_bind(shop),
                    _ => push_list(query, part.iter().map(|id| id.0)),
                };
            });
            query.build_query_as().persistent(is_kept).fetch_all(&mut **c).await?
        });
        for row in rows {
            purchases.push(row.purchase()?);
        }
    }
    Ok(purchases)
}

/// The purchase of that id, as with [`list_of_ids`].
pub async fn find(
    db: Db<'_>,
    account: AccountId,
    credentials: &Credentials,
    id: PurchaseId,
    shop: &str,
) -> Result<Option<Purchase>> {
    Ok(list_of_ids(db, account, credentials, &[id], shop).await?.pop())
}

/// The list of purchases.
pub static LIST: List = List {
    name: "purchases",
    select: select_with_order!(""),
    table: "purchases",
    alias: "p.",
    key: "id",
    fields: &[
        Field { name: "orderNumber", kind: FieldKind::NumberOfOrder, column: "p.order_id" },
        Field { name: "orderId", kind: FieldKind::Id, column: "p.order_id" },
        Field { name: "externalId", kind: FieldKind::Text, column: "p.external_id" },
    ],
    sorts_by_update: false,
    search: Some(Search { table: "orders", number_key: "number_key", column: "p.order_id" }),
};

/// The purchases of an account.
pub async fn list_all(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<PurchaseWithOrder>> {
    let key = |row: &WithOrderRow| listing.cursor(row.row.seq, 0);
    lists::fetch(db, &LIST, account, listing, key, WithOrderRow::with_order).await
}

/// The purchase of that id, of any consumer.
pub async fn find_whole(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<Option<PurchaseWithOrder>> {
    let row: Option<WithOrderRow> =
        on!(&mut db, c => sqlx::query_as(FIND_WHOLE).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(WithOrderRow::with_order).transpose()
}

/// The purchase with that id of the shop.
pub async fn find_by_external_id(
    mut db: Db<'_>,
    account: AccountId,
    external_id: &str,
) -> Result<Option<PurchaseWithOrder>> {
    let row: Option<WithOrderRow> = on!(&mut db, c => sqlx::query_as(FIND_WHOLE_BY_EXTERNAL_ID)
        .bind(account.0)
        .bind(external_id)
        .fetch_optional(&mut **c).await?);
    row.map(WithOrderRow::with_order).transpose()
}

/// The position of an order's last line, by the shop's id of the order; 0 if it has no lines.
pub async fn last_position(mut db: Db<'_>, account: AccountId, order_external_id: &str) -> Result<u32> {
    let last: i64 = on!(&mut db, c => sqlx::query_scalar(LAST_POSITION)
        .bind(account.0)
        .bind(order_external_id)
        .fetch_one(&mut **c).await?);
    count("purchases.position", last)
}

/// Deletes a purchase that was never in a return; `false` if there is no such purchase.
pub async fn delete_unreturned(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<bool> {
    Ok(execute!(db, sqlx::query(DELETE_UNRETURNED).bind(account.0).bind(id.0)) == 1)
}

/// Every line of an order.
pub async fn list_of_order(mut db: Db<'_>, account: AccountId, order: OrderId) -> Result<Vec<Purchase>> {
    let rows: Vec<PurchaseRow> =
        on!(&mut db, c => sqlx::query_as(LIST_OF_ORDER).bind(account.0).bind(order.0).fetch_all(&mut **c).await?);
    rows.into_iter().map(PurchaseRow::purchase).collect()
}
