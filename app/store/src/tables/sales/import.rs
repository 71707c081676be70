//! Taking in orders by the thousand: many rows a statement, many statements a transaction.

use crate::{engine::{Db, Result, macros::{ROWS_AT_ONCE, to_json}}, tables::sales::order_spellings};
use domain::{
    AccountId, OrderId, PurchaseId, Timestamp,
    eligibility::IneligibleCode,
    order::{EmailKey, NameKeys, NewOrder, NewPurchase, OrderNumberKey, OrderReview},
    proof::{ProvingPostalCode, TypedPostalCode},
};
use sqlx::{Database, QueryBuilder};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// An order with the ids that its rows get if they are new.
#[derive(Debug)]
pub struct Incoming {
    /// For the order.
    pub id: OrderId,
    /// For its lines, in their order.
    pub line_ids: Vec<PurchaseId>,
    /// The order.
    pub order: NewOrder,
}

const INSERT_ORDERS: &str = "INSERT INTO orders (account_id, id, external_id, number, number_key, email_key, \
    postal_code_key, email, address, currency, ordered_at, shipping_paid, tags, name_key, last_name_key, shop, shop_asked_at, \
    paid, refunded, is_partial, review, billing_postal_code) ";
// What a shop tells again replaces what it told before, but for the currency: every amount is in it. A source that tells no
// sums does not lift the limit of one that did.
const ON_KNOWN_ORDER: &str = " ON CONFLICT (account_id, external_id) DO UPDATE SET number = excluded.number, \
    number_key = excluded.number_key, email_key = excluded.email_key, postal_code_key = excluded.postal_code_key, \
    email = excluded.email, address = excluded.address, name_key = excluded.name_key, \
    last_name_key = excluded.last_name_key, shipping_paid = excluded.shipping_paid, tags = excluded.tags, \
    paid = COALESCE(excluded.paid, orders.paid), \
    refunded = CASE WHEN excluded.paid IS NULL AND excluded.refunded = 0 THEN orders.refunded ELSE excluded.refunded END, \
    review = CASE WHEN excluded.paid IS NULL AND excluded.review = '' THEN orders.review ELSE excluded.review END, \
    is_partial = excluded.is_partial, \
    billing_postal_code = excluded.billing_postal_code, \
    shop = CASE WHEN excluded.shop = '' THEN orders.shop ELSE excluded.shop END, \
    shop_asked_at = CASE WHEN excluded.shop = '' THEN orders.shop_asked_at ELSE excluded.shop_asked_at END \
    WHERE orders.currency = excluded.currency RETURNING external_id, id";
// Orders of the same number and proof, whatever their id.
const FIND_TWINS: &str =
    "SELECT external_id, shop, number_key, email_key, postal_code_key, ordered_at FROM orders WHERE account_id = ";

const INSERT_PURCHASES: &str = "INSERT INTO purchases (account_id, id, order_id, external_id, position, product, bought, \
    fulfilled, shop_refunded, total, tax, discount, final_sale, obstacle, fulfilled_at, delivered_at, requires_shipping, \
    removed) ";
// Figures that a return was calculated from stay: units and prices change only while none are taken. Rows that
// are the same already are left alone, so that a repeated import writes nothing; so is a line of another order.
const ON_KNOWN_PURCHASE: &str = " ON CONFLICT (account_id, external_id) DO UPDATE SET product = excluded.product, \
    bought = CASE WHEN purchases.taken = 0 THEN excluded.bought ELSE purchases.bought END, \
    total = CASE WHEN purchases.taken = 0 THEN excluded.total ELSE purchases.total END, \
    fulfilled = CASE WHEN purchases.taken = 0 THEN excluded.fulfilled WHEN excluded.fulfilled > purchases.bought \
        THEN purchases.bought ELSE excluded.fulfilled END, \
    shop_refunded = excluded.shop_refunded, tax = excluded.tax, discount = excluded.discount, \
    final_sale = excluded.final_sale, obstacle = excluded.obstacle, fulfilled_at = excluded.fulfilled_at, delivered_at = excluded.delivered_at, \
    requires_shipping = excluded.requires_shipping, removed = excluded.removed \
    WHERE purchases.order_id = excluded.order_id AND (purchases.product <> excluded.product \
    OR (purchases.taken = 0 AND (purchases.bought <> excluded.bought OR purchases.total <> excluded.total)) \
    OR purchases.fulfilled <> CASE WHEN purchases.taken = 0 THEN excluded.fulfilled WHEN excluded.fulfilled > purchases.bought \
        THEN purchases.bought ELSE excluded.fulfilled END \
    OR purchases.shop_refunded <> excluded.shop_refunded \
    OR purchases.tax <> excluded.tax OR purchases.discount <> excluded.discount \
    OR purchases.final_sale <> excluded.final_sale OR purchases.obstacle <> excluded.obstacle \
    OR purchases.requires_shipping <> excluded.requires_shipping OR purchases.removed <> excluded.removed \
    OR COALESCE(purchases.fulfilled_at, 0) <> COALESCE(excluded.fulfilled_at, 0) \
    OR COALESCE(purchases.delivered_at, 0) <> COALESCE(excluded.delivered_at, 0))";

/// What became of orders that were taken in.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Upserted {
    /// Lines that were new or changed.
    pub changed: u64,
    /// Orders that were left out, by their place in what was given.
    pub refused: Vec<(usize, Refused)>,
    /// Orders with whose number somebody else has told of one too: another shop, or whoever imports.
    pub namesakes: Vec<OrderId>,
}

/// Who tells of orders.
#[derive(Debug, Clone, Copy)]
pub struct Teller<'a> {
    /// Which shop ([`domain::bridge::Bridge::shop`]); empty: they are taken in here.
    pub shop: &'a str,
    /// When it was asked.
    pub asked_at: Timestamp,
}

impl Teller<'_> {
    /// They are taken in here. Which shop told of an order before stays known.
    pub const HERE: Self = Self { shop: "", asked_at: Timestamp::from_micros(0) };
}

/// Why an order was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It is known under another id: taken in twice, its goods could be returned twice.
    KnownUnderAnotherId,
    /// It is known in another currency, and its amounts are in that.
    OtherCurrency,
    /// It has no id of its own, and its number is known as that of another order: of somebody else, or of another day. Or its
    /// id is the number of an order of somebody else that has none of its own.
    OtherOrder,
}

/// Keeps orders and their lines, new or changed. What another shop calls the same is another order to this one. No order
/// may occur twice in what is given, and lines that are known are held ([`crate::tables::sales::known_lines::hold`]).
pub async fn upsert(mut db: Db<'_>, account: AccountId, by: Teller<'_>, orders: &[Incoming]) -> Result<Upserted> {
    let mut upserted = Upserted::default();
    let mut ids: HashMap<String, Uuid> = HashMap::with_capacity(orders.len());
    let mut seen: HashSet<Proofs> = HashSet::with_capacity(orders.len());
    for (start, chunk) in (0..).step_by(ROWS_AT_ONCE).zip(orders.chunks(ROWS_AT_ONCE)) {
        let twins: Vec<Twin> = on!(&mut db, c => {
            let mut query = find_twins(account, chunk);
            query.build_query_as().fetch_all(&mut **c).await?
        });
        let is_known = |incoming: &Incoming| twins.iter().any(|twin| twin.is_of(&incoming.order, by.shop));
        let is_other = |incoming: &Incoming| twins.iter().any(|twin| twin.is_overwritten_by(&incoming.order, by.shop));
        // Of those that come together, the first counts.
        let again: HashSet<OrderId> = chunk
            .iter()
            .filter(|incoming| !is_known(incoming) && !seen.insert(proofs(&incoming.order)))
            .map(|incoming| incoming.id)
            .collect();
        let is_twin = |incoming: &Incoming| is_known(incoming) || again.contains(&incoming.id);
        let refused = |incoming: &Incoming| match (is_twin(incoming), is_other(incoming)) {
            (true, _) => Some(Refused::KnownUnderAnotherId),
            (false, true) => Some(Refused::OtherOrder),
            (false, false) => None,
        };
        let new: Vec<&Incoming> = chunk.iter().filter(|incoming| refused(incoming).is_none()).collect();
        let of_chunk = (start..).zip(chunk).filter_map(|(index, incoming)| Some((index, refused(incoming)?)));
        upserted.refused.extend(of_chunk);
        if new.is_empty() {
            continue;
        }
        let known: Vec<(String, Uuid)> = on!(&mut db, c => {
            let mut query = insert_orders(account, by, &new);
            query.build_query_as().fetch_all(&mut **c).await?
        });
        ids.extend(known);
        let kept = new.iter().filter_map(|incoming| Some((*ids.get(&incoming.order.external_id)?, *incoming)));
        order_spellings::keep(db.reborrow(), account, kept).await?;
        let named = new.iter().filter(|incoming| twins.iter().any(|twin| twin.is_namesake(&incoming.order, by.shop)));
        upserted
            .namesakes
            .extend(named.filter_map(|incoming| ids.get(&incoming.order.external_id).copied().map(OrderId)));
        let unanswered =
            |incoming: &Incoming| !ids.contains_key(&incoming.order.external_id) && refused(incoming).is_none();
        let of_chunk = (start..).zip(chunk).filter(|(_, incoming)| unanswered(incoming));
        upserted.refused.extend(of_chunk.map(|(index, _)| (index, Refused::OtherCurrency)));
    }
    let lines: Vec<(Uuid, PurchaseId, &NewPurchase)> = orders
        .iter()
        .filter_map(|incoming| Some((*ids.get(&incoming.order.external_id)?, incoming)))
        .flat_map(|(order_id, incoming)| {
            incoming.line_ids.iter().zip(&incoming.order.lines).map(move |(&id, line)| (order_id, id, line))
        })
        .collect();
    for chunk in lines.chunks(ROWS_AT_ONCE) {
        upserted.changed += on!(&mut db, c => {
            let mut query = insert_purchases(account, chunk);
            query.build().execute(&mut **c).await?.rows_affected()
        });
    }
    Ok(upserted)
}

/// Refreshes Postgres's statistics of the tables of orders. Large imports call it, because autovacuum does so up to a minute later.
/// Until then Postgres keeps plans for empty tables, and the foreign key check of each new line reads all orders of the account.
/// SQLite keeps no such plans.
pub async fn refresh_statistics(db: Db<'_>) -> Result<()> {
    if let Db::Postgres(connection) = db {
        let analyzed =
            async { Ok(sqlx::query("ANALYZE (SKIP_LOCKED) orders, purchases").execute(&mut *connection).await?) };
        crate::engine::pool::in_time(analyzed).await?;
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Twin {
    external_id: String,
    shop: String,
    number_key: String,
    email_key: String,
    postal_code_key: String,
    ordered_at: i64,
}

impl Twin {
    fn is_namesake(&self, order: &NewOrder, shop: &str) -> bool {
        self.external_id != order.external_id && self.shop != shop && self.number_key == number_key(order)
    }

    fn is_of(&self, order: &NewOrder, shop: &str) -> bool {
        self.external_id != order.external_id
            && (shop.is_empty() || self.shop == shop)
            && self.number_key == number_key(order)
            && self.has_buyer_of(order, shop)
    }

    /// An order that was known by its number alone, and that number is another order's id: of another buyer and another day.
    fn is_overwritten_by(&self, order: &NewOrder, shop: &str) -> bool {
        let is_nameless = OrderNumberKey::new(&self.external_id).is_some_and(|key| key.as_str() == self.number_key);
        self.external_id == order.external_id
            && is_nameless
            && self.number_key != number_key(order)
            && self.ordered_at != order.ordered_at.micros()
            && !self.has_buyer_of(order, shop)
    }

    fn has_buyer_of(&self, order: &NewOrder, shop: &str) -> bool {
        let email = EmailKey::new(&order.email);
        EmailKey::new(&self.email_key) == email && self.has_postal_code_of(order, email.is_some() && self.shop == shop)
    }

    /// Files differ in how they spell a postal code. Some of one shop have none, and then the e-mail address has to do.
    fn has_postal_code_of(&self, order: &NewOrder, is_optional: bool) -> bool {
        let stored = self.postal_code_key.as_str();
        match (ProvingPostalCode::of(&order.address, &order.billing_postal_code), TypedPostalCode::new(stored)) {
            (Some(code), Some(typed)) => code.stored().as_str() == stored || code.is(&typed),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => is_optional,
        }
    }
}

/// What a shopper proves an order by, as it is compared.
fn proofs(order: &NewOrder) -> Proofs {
    let code = ProvingPostalCode::of(&order.address, &order.billing_postal_code);
    (number_key(order), EmailKey::new(&order.email), code.map(|code| code.compared()))
}

type Proofs = (String, Option<EmailKey>, Option<String>);

fn number_key(order: &NewOrder) -> String {
    OrderNumberKey::new(&order.number).map_or_else(String::new, |key| key.as_str().to_owned())
}

/// Of the address of delivery, or of the bill where that proves nothing.
fn postal_code_key(order: &NewOrder) -> String {
    let code = ProvingPostalCode::of(&order.address, &order.billing_postal_code);
    code.map_or_else(String::new, |code| code.stored().as_str().to_owned())
}

fn find_twins<DB>(account: AccountId, orders: &[Incoming]) -> QueryBuilder<DB>
where
    DB: Database,
    Uuid: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    String: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
{
    let mut query = QueryBuilder::new(FIND_TWINS);
    query.push_bind(account.0).push(" AND number_key IN (");
    let mut numbers = query.separated(", ");
    for incoming in orders {
        let number = number_key(&incoming.order);
        // Of orders that are known by their number alone, that is the id.
        let by_number = OrderNumberKey::new(&incoming.order.external_id).filter(|key| key.as_str() != number);
        numbers.push_bind(number);
        if let Some(key) = by_number {
            numbers.push_bind(key.as_str().to_owned());
        }
    }
    query.push(")");
    query
}

fn insert_orders<DB>(account: AccountId, by: Teller<'_>, orders: &[&Incoming]) -> QueryBuilder<DB>
where
    DB: Database,
    Uuid: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    String: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    i64: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    Option<i64>: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    bool: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
{
    let mut query = QueryBuilder::new(INSERT_ORDERS);
    query.push_values(orders, |mut row, incoming| {
        let order = &incoming.order;
        let name = NameKeys::new(&order.address.name);
        row.push_bind(account.0)
            .push_bind(incoming.id.0)
            .push_bind(order.external_id.clone())
            .push_bind(order.number.clone())
            .push_bind(number_key(order))
            .push_bind(EmailKey::stored(&order.email))
            .push_bind(postal_code_key(order))
            .push_bind(order.email.clone())
            .push_bind(to_json(&order.address))
            .push_bind(order.currency.code().to_owned())
            .push_bind(order.ordered_at.micros())
            .push_bind(order.shipping_paid)
            .push_bind(to_json(&order.tags))
            .push_bind(name.whole)
            .push_bind(name.last)
            .push_bind(by.shop.to_owned())
            .push_bind(by.asked_at.micros())
            .push_bind(order.sums.paid)
            .push_bind(order.sums.refunded)
            .push_bind(order.is_partial)
            .push_bind(order.review.map_or("", OrderReview::name).to_owned())
            .push_bind(order.billing_postal_code.clone());
    });
    query.push(ON_KNOWN_ORDER);
    query
}

fn insert_purchases<DB>(account: AccountId, lines: &[(Uuid, PurchaseId, &NewPurchase)]) -> QueryBuilder<DB>
where
    DB: Database,
    Uuid: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    String: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    bool: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    i64: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    Option<i64>: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
{
    let mut query = QueryBuilder::new(INSERT_PURCHASES);
    query.push_values(lines, |mut row, (order_id, id, line)| {
        row.push_bind(account.0)
            .push_bind(id.0)
            .push_bind(*order_id)
            .push_bind(line.external_id.clone())
            .push_bind(i64::from(line.position))
            .push_bind(to_json(&line.product))
            .push_bind(i64::from(line.quantity))
            .push_bind(i64::from(line.fulfilled))
            .push_bind(i64::from(line.shop_refunded))
            .push_bind(line.total)
            .push_bind(line.tax)
            .push_bind(line.discount)
            .push_bind(line.final_sale)
            .push_bind(line.obstacle.map_or("", IneligibleCode::name).to_owned())
            .push_bind(line.fulfilled_at.map(Timestamp::micros))
            .push_bind(line.delivered_at.map(Timestamp::micros))
            .push_bind(line.requires_shipping)
            .push_bind(i64::from(line.removed));
    });
    query.push(ON_KNOWN_PURCHASE);
    query
}
