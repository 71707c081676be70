//! Imports orders by the thousand: many rows in a statement, many statements in a transaction.

use crate::{
    engine::{Db, Result, batches::ROWS_AT_ONCE, dialect::select_of_texts, stored::to_json},
    tables::sales::order_spellings,
};
use domain::{
    AccountId, OrderId, PurchaseId, Timestamp,
    order::{IneligibleCode, NameKeys, NewOrder, NewPurchase, OrderReview},
    proof::{EmailKey, OrderNumberKey, ProvingPostalCode, TypedPostalCode},
};
use sqlx::{Database, QueryBuilder};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// An order to import, with the ids that its rows get if they are new.
#[derive(Debug)]
pub struct Incoming {
    pub id: OrderId,
    /// In the order of the lines.
    pub line_ids: Vec<PurchaseId>,
    pub order: NewOrder,
}

const INSERT_ORDERS: &str = "INSERT INTO orders (account_id, id, external_id, number, number_key, email_key, \
    postal_code_key, email, address, currency, ordered_at, shipping_paid, tags, name_key, last_name_key, shop, shop_asked_at, \
    paid, refunded, is_partial, review, billing_postal_code) ";
// A new report of an order replaces the previous one, except for the currency, which every amount is in. A source that
// reports no sums does not remove the limit that another source has set. Two systems may use the same ids, and rounded
// ids are alike: under another number, an order is the known one only if its buyer is the same, and its date, which may
// be in another time zone (26 hours).
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
    WHERE orders.currency = excluded.currency AND (orders.number_key = excluded.number_key OR (\
        orders.ordered_at - excluded.ordered_at BETWEEN -93600000000 AND 93600000000 AND CASE \
        WHEN orders.email_key <> '' AND excluded.email_key <> '' THEN orders.email_key = excluded.email_key \
        ELSE orders.postal_code_key = '' OR excluded.postal_code_key = '' OR orders.postal_code_key = excluded.postal_code_key END)) \
    RETURNING external_id, id";
// Orders with the same number and proof, under any id.
const FIND_TWINS: &str =
    "SELECT external_id, shop, number_key, email_key, postal_code_key FROM orders WHERE account_id = ";

const INSERT_PURCHASES: &str = "INSERT INTO purchases (account_id, id, order_id, external_id, position, product, bought, \
    fulfilled, shop_refunded, total, tax, duties, discount, final_sale, obstacle, fulfilled_at, delivered_at, requires_shipping, \
    removed) ";
// Figures that a return was calculated from stay: units and prices change only while no units are taken. Equal rows
// are not written, so that a repeated import writes nothing; nor is a line of another order.
const ON_KNOWN_PURCHASE: &str = " ON CONFLICT (account_id, external_id) DO UPDATE SET product = excluded.product, \
    bought = CASE WHEN purchases.taken = 0 THEN excluded.bought ELSE purchases.bought END, \
    total = CASE WHEN purchases.taken = 0 THEN excluded.total ELSE purchases.total END, \
    duties = CASE WHEN purchases.taken = 0 THEN excluded.duties ELSE purchases.duties END, \
    fulfilled = CASE WHEN purchases.taken = 0 THEN excluded.fulfilled WHEN excluded.fulfilled > purchases.bought \
        THEN purchases.bought ELSE excluded.fulfilled END, \
    shop_refunded = excluded.shop_refunded, tax = excluded.tax, discount = excluded.discount, \
    final_sale = excluded.final_sale, obstacle = excluded.obstacle, fulfilled_at = excluded.fulfilled_at, delivered_at = excluded.delivered_at, \
    requires_shipping = excluded.requires_shipping, removed = excluded.removed \
    WHERE purchases.order_id = excluded.order_id AND (purchases.product <> excluded.product \
    OR (purchases.taken = 0 AND (purchases.bought <> excluded.bought OR purchases.total <> excluded.total \
        OR purchases.duties <> excluded.duties)) \
    OR purchases.fulfilled <> CASE WHEN purchases.taken = 0 THEN excluded.fulfilled WHEN excluded.fulfilled > purchases.bought \
        THEN purchases.bought ELSE excluded.fulfilled END \
    OR purchases.shop_refunded <> excluded.shop_refunded \
    OR purchases.tax <> excluded.tax OR purchases.discount <> excluded.discount \
    OR purchases.final_sale <> excluded.final_sale OR purchases.obstacle <> excluded.obstacle \
    OR purchases.requires_shipping <> excluded.requires_shipping OR purchases.removed <> excluded.removed \
    OR COALESCE(purchases.fulfilled_at, 0) <> COALESCE(excluded.fulfilled_at, 0) \
    OR COALESCE(purchases.delivered_at, 0) <> COALESCE(excluded.delivered_at, 0))";

statements! {
    in import;
    /// In which currency known orders are.
    LIST_CURRENCIES = "SELECT external_id, currency FROM orders WHERE account_id = $1 AND external_id IN ($2)";
}

/// The result of an import.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Upserted {
    /// Lines that were new or changed.
    pub changed: u64,
    /// Orders that were refused, by their index in the input.
    pub refused: Vec<(usize, RefusedBecause)>,
    /// Orders whose number another source has reported too: another shop, or an import.
    pub namesakes: Vec<OrderId>,
}

/// The source of orders.
#[derive(Debug, Clone, Copy)]
pub struct OrderSource<'a> {
    /// The shop ([`domain::integration::Bridge::shop_key`]); empty for an import.
    pub shop: &'a str,
    /// When the shop was asked.
    pub asked_at: Timestamp,
}

impl OrderSource<'_> {
    /// An import into this installation. The shop that reported an order before stays stored.
    pub const HERE: Self = Self { shop: "", asked_at: Timestamp::from_micros(0) };
}

/// Why an order was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedBecause {
    /// It is known under another id: stored twice, its goods could be returned twice.
    KnownUnderAnotherId,
    /// It is known in another currency.
    OtherCurrency,
    /// It has no id of its own, and its number is that of another order: of another buyer, or of another day. Or its id
    /// is that of another order: with another number, and of another buyer or another day.
    OtherOrder,
}

/// Inserts or updates orders and their lines. Ids of different shops are different. No order may occur twice in the
/// input, and the caller holds the lines that are known ([`crate::known_lines::hold`]).
pub async fn upsert(mut db: Db<'_>, account: AccountId, by: OrderSource<'_>, orders: &[Incoming]) -> Result<Upserted> {
    let mut import = Import { account, by, upserted: Upserted::default(), ids: HashMap::new(), seen: HashSet::new() };
    for (start, chunk) in (0..).step_by(ROWS_AT_ONCE).zip(orders.chunks(ROWS_AT_ONCE)) {
        import.upsert_orders(db.reborrow(), start, chunk).await?;
    }
    let lines: Vec<(Uuid, PurchaseId, &NewPurchase)> = orders
        .iter()
        .filter_map(|incoming| Some((import.id_of(incoming)?, incoming)))
        .flat_map(|(order_id, incoming)| {
            incoming.line_ids.iter().zip(&incoming.order.lines).map(move |(&id, line)| (order_id, id, line))
        })
        .collect();
    for chunk in lines.chunks(ROWS_AT_ONCE) {
        import.upserted.changed += on!(&mut db, c => {
            let mut query = insert_purchases(account, chunk);
            query.build().execute(&mut **c).await?.rows_affected()
        });
    }
    Ok(import.upserted)
}

/// An import in progress.
struct Import<'a> {
    account: AccountId,
    by: OrderSource<'a>,
    upserted: Upserted,
    /// The stored ids of orders, by their external ids.
    ids: HashMap<String, Uuid>,
    /// The proofs of the orders so far: of those with the same proofs, the first one counts.
    seen: HashSet<Proofs>,
}

impl Import<'_> {
    fn id_of(&self, incoming: &Incoming) -> Option<Uuid> {
        self.ids.get(&incoming.order.external_id).copied()
    }

    /// Upserts the orders of a chunk, whose first index is `start`.
    async fn upsert_orders(&mut self, mut db: Db<'_>, start: usize, chunk: &[Incoming]) -> Result<()> {
        let twins: Vec<Twin> = on!(&mut db, c => {
            let mut query = find_twins(self.account, chunk);
            query.build_query_as().fetch_all(&mut **c).await?
        });
        let mut accepted: Vec<(usize, &Incoming)> = Vec::with_capacity(chunk.len());
        for (index, incoming) in (start..).zip(chunk) {
            match self.refusal(incoming, &twins) {
                Some(reason) => self.upserted.refused.push((index, reason)),
                None => accepted.push((index, incoming)),
            }
        }
        if accepted.is_empty() {
            return Ok(());
        }
        let stored: Vec<(String, Uuid)> = on!(&mut db, c => {
            let mut query = insert_orders(self.account, self.by, &accepted);
            query.build_query_as().fetch_all(&mut **c).await?
        });
        self.ids.extend(stored);
        self.refuse_unwritten(db.reborrow(), &accepted).await?;
        let numbers = accepted.iter().filter_map(|(_, new)| Some((self.id_of(new)?, new.order.number.as_str())));
        order_spellings::keep(db, self.account, numbers).await?;
        for (_, incoming) in accepted {
            if let Some(id) = self.id_of(incoming)
                && twins.iter().any(|twin| twin.is_namesake(&incoming.order, self.by.shop))
            {
                self.upserted.namesakes.push(OrderId(id));
            }
        }
        Ok(())
    }

    /// Says why orders were not written: the known order with their id is in another currency, or is another order.
    async fn refuse_unwritten(&mut self, db: Db<'_>, orders: &[(usize, &Incoming)]) -> Result<()> {
        let unwritten: Vec<(usize, &Incoming)> =
            orders.iter().filter(|(_, new)| self.id_of(new).is_none()).copied().collect();
        if unwritten.is_empty() {
            return Ok(());
        }
        let ids: Vec<&str> = unwritten.iter().map(|(_, new)| new.order.external_id.as_str()).collect();
        let known: Vec<(String, String)> = select_of_texts(db, LIST_CURRENCIES, self.account, &ids).await?;
        let currencies: HashMap<String, String> = known.into_iter().collect();
        let reason = |order: &NewOrder| match currencies.get(&order.external_id) {
            Some(currency) if currency == order.currency.code() => RefusedBecause::OtherOrder,
            _ => RefusedBecause::OtherCurrency,
        };
        self.upserted.refused.extend(unwritten.iter().map(|(index, new)| (*index, reason(&new.order))));
        Ok(())
    }

    /// Why an order is refused before it is written.
    fn refusal(&mut self, incoming: &Incoming, twins: &[Twin]) -> Option<RefusedBecause> {
        let shop = self.by.shop;
        let is_known = twins.iter().any(|twin| twin.is_of(&incoming.order, shop));
        (is_known || !self.seen.insert(proofs(&incoming.order))).then_some(RefusedBecause::KnownUnderAnotherId)
    }
}

#[derive(sqlx::FromRow)]
struct Twin {
    external_id: String,
    shop: String,
    number_key: String,
    email_key: String,
    postal_code_key: String,
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

    fn has_buyer_of(&self, order: &NewOrder, shop: &str) -> bool {
        let email = EmailKey::new(&order.email);
        EmailKey::new(&self.email_key) == email && self.has_postal_code_of(order, email.is_some() && self.shop == shop)
    }

    /// Files differ in how they spell a postal code. Some files of one shop have none, and then the e-mail address
    /// decides.
    fn has_postal_code_of(&self, order: &NewOrder, is_optional: bool) -> bool {
        let stored = self.postal_code_key.as_str();
        match (ProvingPostalCode::of(&order.address, &order.billing_postal_code), TypedPostalCode::new(stored)) {
            (Some(code), Some(typed)) => code.stored().as_str() == stored || code.is(&typed),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => is_optional,
        }
    }
}

/// What proves an order, in the form in which it is compared: number, e-mail address, postal code.
fn proofs(order: &NewOrder) -> Proofs {
    let code = ProvingPostalCode::of(&order.address, &order.billing_postal_code);
    (number_key(order), EmailKey::new(&order.email), code.map(|code| code.compared()))
}

type Proofs = (String, Option<EmailKey>, Option<String>);

fn number_key(order: &NewOrder) -> String {
    OrderNumberKey::new(&order.number).map_or_else(String::new, |key| key.as_str().to_owned())
}

/// The key of the delivery address, or of the billing address if the delivery address proves nothing.
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
        numbers.push_bind(number_key(&incoming.order));
    }
    query.push(")");
    query
}

fn insert_orders<DB>(account: AccountId, by: OrderSource<'_>, orders: &[(usize, &Incoming)]) -> QueryBuilder<DB>
where
    DB: Database,
    Uuid: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    String: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    i64: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    Option<i64>: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
    bool: sqlx::Type<DB> + for<'e> sqlx::Encode<'e, DB>,
{
    let mut query = QueryBuilder::new(INSERT_ORDERS);
    query.push_values(orders, |mut row, (_, incoming)| {
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
            .push_bind(name.full)
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
            .push_bind(line.duties)
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
