//! Lines of sales orders, and the units of them that are on their way back.

use crate::{engine::{Db, Result, macros::{between_parameters, count, from_json, in_few_sizes, is_kept, named}}, lists::{self, Field, FieldKind, List, Listing, Search, page::{Page, Rows}}, tables::shopper::consumers::{Credentials, LookedUp}};
use domain::{
    AccountId, Currency, OrderId, PurchaseId, Timestamp,
    eligibility::IneligibleCode,
    order::{OrderReview, OrderSummary, OrderSums, Purchase},
    policy::Address,
    quantity::{TakenUnits, Units},
};
use sqlx::QueryBuilder;
use uuid::Uuid;

/// The columns of [`Row`], from `purchases p` and its order `o`.
macro_rules! select {
    ($from:literal) => {
        select!("", $from)
    };
    // With all that is kept of the order, for the merchant.
    (whole $condition:literal) => {
        select!(
            ", o.external_id AS order_external_id, o.email, o.address, o.shipping_paid ",
            "FROM purchases p CROSS JOIN orders o WHERE o.account_id = p.account_id AND o.id = p.order_id ",
            $condition
        )
    };
    ($more:literal, $($from:literal),+) => {
        concat!(
            "SELECT p.seq, p.id, p.external_id, p.position, p.product, p.bought, p.fulfilled, p.taken, p.taken_dear, \
             p.settled, ",
            shop_refunded!(),
            ", p.total, p.tax, p.discount, p.final_sale, p.fulfilled_at, p.delivered_at, \
             p.requires_shipping, p.removed, ",
            // While a part of an order is to be sent, a line without a date may have left today.
            "p.fulfilled_at IS NULL AND p.delivered_at IS NULL AND EXISTS (SELECT 1 FROM purchases u \
             WHERE u.account_id = p.account_id AND u.order_id = p.order_id AND u.requires_shipping \
             AND u.fulfilled + u.removed < u.bought AND u.shop_refunded < u.bought) AS is_undated_part, ",
            // Of a sale that is known twice, one goes back.
            "CASE WHEN EXISTS (SELECT 1 FROM orders t CROSS JOIN purchases b WHERE ",
            is_twin!(),
            " AND b.account_id = t.account_id AND b.order_id = t.id AND b.taken > 0) THEN 'ReturnedElsewhere' ELSE p.obstacle END AS obstacle, \
             o.id AS order_id, o.number AS order_number, o.ordered_at, o.currency, o.shipping_paid - o.shipping_returned AS shipping_left, o.tags, \
             o.paid, o.refunded, o.is_partial, o.review ",
            $more,
            $($from),+
        )
    };
    // SQLite does a CROSS JOIN in the order it stands in. Left to itself it goes through all purchases there are,
    // because they are sorted already, and asks of each whether its order is meant.
    (by $proof:literal) => {
        concat!(
            select!("FROM orders o CROSS JOIN purchases p WHERE p.account_id = o.account_id AND p.order_id = o.id "),
            "AND o.account_id = $1 AND o.number_key = $2 AND ",
            $proof,
            " = $3 "
        )
    };
}

statements! {
    LIST_BY_EMAIL = concat!(select!(by "o.email_key"), "AND p.seq >= $4 AND ($6 = '' OR o.shop = $6) ORDER BY p.seq LIMIT $5 OFFSET $7");
    LIST_BY_POSTAL_CODE = concat!(select!(by "o.postal_code_key"), "AND p.seq >= $4 AND ($6 = '' OR o.shop = $6) ORDER BY p.seq LIMIT $5 OFFSET $7");
    LIST_OF_IDS_BY_EMAIL = concat!(select!(by "o.email_key"), "AND ($4 = '' OR o.shop = $4) AND p.id IN ($5)");
    LIST_OF_IDS_BY_POSTAL_CODE = concat!(select!(by "o.postal_code_key"), "AND ($4 = '' OR o.shop = $4) AND p.id IN ($5)");
    LIST_OF_ORDER = select!("FROM orders o CROSS JOIN purchases p WHERE p.account_id = o.account_id AND p.order_id = o.id
        AND p.account_id = $1 AND p.order_id = $2 ORDER BY p.seq");
    FIND_WHOLE = select!(whole "AND p.account_id = $1 AND p.id = $2");
    FIND_WHOLE_BY_EXTERNAL_ID = select!(whole "AND p.account_id = $1 AND p.external_id = $2");
    /// The place of an order's last line, by the shop's own id of the order.
    LAST_POSITION = "SELECT CAST(COALESCE(MAX(position), 0) AS BIGINT) FROM purchases
        WHERE account_id = $1 AND order_id = (SELECT id FROM orders WHERE account_id = $1 AND external_id = $2)";
    /// Of a return that is being made meanwhile, the units that it takes are seen.
    DELETE_UNRETURNED = "DELETE FROM purchases WHERE account_id = $1 AND id = $2 AND taken = 0 AND NOT EXISTS
        (SELECT 1 FROM return_requests r WHERE r.account_id = $1 AND r.purchase_id = $2)";
    UNITS = concat!("SELECT p.bought, p.fulfilled, p.taken, p.taken_dear, p.settled, ", shop_refunded!(), ", p.total
        FROM purchases p WHERE p.account_id = $1 AND p.id = $2");
    /// The guard against over-returning: units and dear units are taken only while that many are left, whatever
    /// else is going on. The dear count must be what the price was calculated from.
    /// What the shop had refunded by then beside the units in returns, it refunded by itself.
    TAKE = concat!("UPDATE purchases AS p SET taken = p.taken + $3, taken_dear = p.taken_dear + $4,
        refunded_apart = CASE WHEN p.shop_refunded - p.taken > ", apart!(), " THEN p.shop_refunded - p.taken ELSE ", apart!(), " END
        WHERE p.account_id = $1 AND p.id = $2 AND p.taken_dear = $5
        AND p.taken - p.settled + $3 + CASE WHEN p.settled > p.shop_refunded THEN p.settled ELSE p.shop_refunded END <= p.fulfilled
        AND p.taken + $3 + ", apart!(), " <= p.fulfilled");
    GIVE_BACK = "UPDATE purchases SET taken = taken - $3, taken_dear = taken_dear - $4 WHERE account_id = $1 AND id = $2";
    /// The guard against refunding what the shop refunded itself. Units of ours that it tells of are among those that
    /// were accepted before.
    ACCEPT = "UPDATE purchases SET accepted = accepted + $3 WHERE account_id = $1 AND id = $2
        AND CASE WHEN accepted > shop_refunded THEN accepted ELSE shop_refunded END + $3 <= fulfilled";
    TAKE_ACCEPTANCE_BACK = "UPDATE purchases SET accepted = accepted - $3 WHERE account_id = $1 AND id = $2";
    REFUNDED_UNITS = "SELECT accepted, shop_refunded FROM purchases WHERE account_id = $1 AND id = $2";
    SETTLE = "UPDATE purchases SET settled = settled + $3 WHERE account_id = $1 AND id = $2";
}

#[derive(sqlx::FromRow)]
#[expect(clippy::struct_excessive_bools, reason = "columns of a table")]
struct Row {
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
struct WholeRow {
    #[sqlx(flatten)]
    row: Row,
    order_external_id: String,
    email: String,
    address: String,
    shipping_paid: i64,
}

impl WholeRow {
    fn bought(self) -> Result<Bought> {
        Ok(Bought {
            purchase: self.row.purchase()?,
            order_external_id: self.order_external_id,
            email: self.email,
            address: from_json("orders.address", &self.address)?,
            shipping_paid: self.shipping_paid,
        })
    }
}

/// A purchase with all that is kept of its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bought {
    /// The purchase.
    pub purchase: Purchase,
    /// The shop's own id of the order.
    pub order_external_id: String,
    /// Who ordered; may be empty.
    pub email: String,
    /// Where it was delivered to; its fields may be empty.
    pub address: Address,
    /// What was paid for sending it, minor units.
    pub shipping_paid: i64,
}

impl Row {
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
                taken_dear: units(self.taken_dear)?,
                settled: units(self.settled)?,
                shop_refunded: units(self.shop_refunded)?,
                total: self.total,
            },
            tax: self.tax,
            discount: self.discount,
            final_sale: self.final_sale,
            requires_shipping: self.requires_shipping,
            removed: units(self.removed)?,
            obstacle: match self.obstacle.as_str() {
                "" => None,
                // A later program may know more of them.
                code => Some(IneligibleCode::from_name(code).unwrap_or(IneligibleCode::NotReturnable)),
            },
            fulfilled_at: self.fulfilled_at.map(Timestamp::from_micros),
            is_undated_part: self.is_undated_part,
            delivered_at: self.delivered_at.map(Timestamp::from_micros),
        })
    }
}

/// The lines of every order that the credentials prove and that this shop told of ([`domain::bridge::Bridge::shop`]; empty:
/// whoever did), in the order they were taken in.
pub async fn list(
    mut db: Db<'_>,
    account: AccountId,
    credentials: &Credentials,
    page: Page,
    shop: &str,
) -> Result<Rows<Purchase>> {
    let (sql, proof) = match credentials.proof.looked_up() {
        LookedUp::ByEmail(email) => (LIST_BY_EMAIL, email),
        LookedUp::ByPostalCode(code) => (LIST_BY_POSTAL_CODE, code),
    };
    let rows: Vec<Row> = on!(&mut db, c => sqlx::query_as(sql)
        .bind(account.0)
        .bind(credentials.order_number.as_str())
        .bind(proof.as_str())
        .bind(page.after().unwrap_or(0))
        .bind(page.fetch())
        .bind(shop)
        .bind(page.skipped())
        .fetch_all(&mut **c).await?);
    // Ascending: the row to start behind is named by the number after it.
    page.cut(rows, |row| row.seq + 1, Row::purchase)
}

/// The purchases of these ids that are in an order that the credentials prove and that this shop told of: as with [`list`].
pub async fn list_of_ids(
    mut db: Db<'_>,
    account: AccountId,
    credentials: &Credentials,
    ids: &[PurchaseId],
    shop: &str,
) -> Result<Vec<Purchase>> {
    let (sql, proof) = match credentials.proof.looked_up() {
        LookedUp::ByEmail(email) => (LIST_OF_IDS_BY_EMAIL, email),
        LookedUp::ByPostalCode(code) => (LIST_OF_IDS_BY_POSTAL_CODE, code),
    };
    let mut purchases = Vec::with_capacity(ids.len());
    for part in in_few_sizes(ids) {
        let mut between = between_parameters(sql);
        let mut next = || between.next().unwrap_or_default();
        let is_kept = is_kept(&db, part.len());
        let rows: Vec<Row> = on!(&mut db, c => {
            let mut query = QueryBuilder::new(next());
            query.push_bind(account.0).push(next()).push_bind(credentials.order_number.as_str());
            query.push(next()).push_bind(proof.as_str());
            query.push(next()).push_bind(shop).push(next()).push_bind(shop).push(next());
            let mut list = query.separated(", ");
            for id in part {
                list.push_bind(id.0);
            }
            query.push(next());
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

/// What purchases can be asked for.
pub static LIST: List = List {
    name: "purchases",
    select: select!(whole ""),
    table: "purchases",
    alias: "p.",
    fields: &[
        Field { name: "orderNumber", kind: FieldKind::NumberOfOrder, column: "p.order_id" },
        Field { name: "orderId", kind: FieldKind::Id, column: "p.order_id" },
        Field { name: "externalId", kind: FieldKind::Text, column: "p.external_id" },
    ],
    sorts_by_update: false,
    search: Some(Search { table: "orders", number_key: "number_key", column: "p.order_id" }),
};

/// An account's purchases.
pub async fn list_all(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<Bought>> {
    let key = |row: &WholeRow| listing.cursor(row.row.seq, 0);
    lists::fetch(db, &LIST, account, listing, key, WholeRow::bought).await
}

/// The purchase of that id, whosever it is.
pub async fn find_whole(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<Option<Bought>> {
    let row: Option<WholeRow> =
        on!(&mut db, c => sqlx::query_as(FIND_WHOLE).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(WholeRow::bought).transpose()
}

/// The purchase that the shop calls so.
pub async fn find_by_external_id(mut db: Db<'_>, account: AccountId, external_id: &str) -> Result<Option<Bought>> {
    let row: Option<WholeRow> = on!(&mut db, c => sqlx::query_as(FIND_WHOLE_BY_EXTERNAL_ID)
        .bind(account.0)
        .bind(external_id)
        .fetch_optional(&mut **c).await?);
    row.map(WholeRow::bought).transpose()
}

/// The place of the last line of an order, by the shop's own id of it; 0 where it has none.
pub async fn last_position(mut db: Db<'_>, account: AccountId, order_external_id: &str) -> Result<u32> {
    let last: i64 = on!(&mut db, c => sqlx::query_scalar(LAST_POSITION)
        .bind(account.0)
        .bind(order_external_id)
        .fetch_one(&mut **c).await?);
    count("purchases.position", last)
}

/// Forgets a purchase of which nothing was ever returned; `false` when there is none of that kind.
pub async fn delete_unreturned(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<bool> {
    Ok(execute!(db, sqlx::query(DELETE_UNRETURNED).bind(account.0).bind(id.0)) == 1)
}

/// Every line of an order.
pub async fn list_of_order(mut db: Db<'_>, account: AccountId, order: OrderId) -> Result<Vec<Purchase>> {
    let rows: Vec<Row> =
        on!(&mut db, c => sqlx::query_as(LIST_OF_ORDER).bind(account.0).bind(order.0).fetch_all(&mut **c).await?);
    rows.into_iter().map(Row::purchase).collect()
}

/// A purchase's units.
pub async fn units(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<Option<Units>> {
    type Row = (i64, i64, i64, i64, i64, i64, i64);
    let row: Option<Row> =
        on!(&mut db, c => sqlx::query_as(UNITS).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    let Some((bought, fulfilled, taken, taken_dear, settled, shop_refunded, total)) = row else { return Ok(None) };
    let units = |value| count("purchases' units", value);
    Ok(Some(Units {
        bought: units(bought)?,
        fulfilled: units(fulfilled)?,
        taken: units(taken)?,
        taken_dear: units(taken_dear)?,
        settled: units(settled)?,
        shop_refunded: units(shop_refunded)?,
        total,
    }))
}

/// Takes units for a return, when the first of them are `dear_before` dear ones into the purchase and there are
/// that many left; `false` when not, and then nothing was taken.
pub async fn take(
    mut db: Db<'_>,
    account: AccountId,
    id: PurchaseId,
    taken: TakenUnits,
    dear_before: u32,
) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(TAKE)
            .bind(account.0)
            .bind(id.0)
            .bind(i64::from(taken.units))
            .bind(i64::from(taken.dear))
            .bind(i64::from(dear_before))
    );
    Ok(rows == 1)
}

/// Gives units back that a return held.
pub async fn give_back(mut db: Db<'_>, account: AccountId, id: PurchaseId, freed: TakenUnits) -> Result<()> {
    execute!(
        db,
        sqlx::query(GIVE_BACK).bind(account.0).bind(id.0).bind(i64::from(freed.units)).bind(i64::from(freed.dear))
    );
    Ok(())
}

/// Counts units as accepted: their resolution is approved. `false`, and nothing counted, where the shop refunded so many
/// itself that these are among them.
pub async fn accept(mut db: Db<'_>, account: AccountId, id: PurchaseId, units: u32) -> Result<bool> {
    Ok(execute!(db, sqlx::query(ACCEPT).bind(account.0).bind(id.0).bind(i64::from(units))) == 1)
}

/// Takes back what [`accept`] counted in the same transaction.
pub async fn take_acceptance_back(mut db: Db<'_>, account: AccountId, id: PurchaseId, units: u32) -> Result<()> {
    execute!(db, sqlx::query(TAKE_ACCEPTANCE_BACK).bind(account.0).bind(id.0).bind(i64::from(units)));
    Ok(())
}

/// Units of a purchase that were refunded, by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundedUnits {
    /// Whose resolution was approved here.
    pub accepted: u32,
    /// Of which the shop says that they were refunded; those of ours among them, once it knows.
    pub shop_refunded: u32,
}

/// How many units of a purchase were refunded.
pub async fn refunded_units(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<RefundedUnits> {
    let (accepted, shop_refunded): (i64, i64) =
        on!(&mut db, c => sqlx::query_as(REFUNDED_UNITS).bind(account.0).bind(id.0).fetch_one(&mut **c).await?);
    let units = |value| count("purchases' units", value);
    Ok(RefundedUnits { accepted: units(accepted)?, shop_refunded: units(shop_refunded)? })
}

/// Counts units as settled: refunded, credited or exchanged for good.
pub async fn settle(mut db: Db<'_>, account: AccountId, id: PurchaseId, units: u32) -> Result<()> {
    execute!(db, sqlx::query(SETTLE).bind(account.0).bind(id.0).bind(i64::from(units)));
    Ok(())
}
