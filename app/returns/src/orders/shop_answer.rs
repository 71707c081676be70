//! Stores the orders in a shop's answer.

use super::{importer::Batch, look_up_error::failed};
use crate::base::{Result, Retour};
use domain::{
    AccountId, Problems, RefusalCode, Timestamp,
    address::Address,
    order::{ExchangeOption, IneligibleCode, NewOrder, NewPurchase, OrderSums, Product, check_parcel_facts},
    proof::{OrderNumberKey, postal_code::is_same},
};
use outbound::bridge::{
    BridgeError,
    contract::{self, Proof, Purchase, Purchases},
};
use std::collections::HashSet;
use store::{
    Writing,
    import::{self, Incoming, OrderSource},
    known_lines::{self, KnownLine},
    orders,
};

/// How far the clocks of two instances may differ, in seconds.
const CLOCKS_DIFFER: i64 = 60;

/// A shop's answer to a look-up.
#[derive(Clone)]
pub(crate) struct ShopAnswer {
    orders: Vec<NewOrder>,
    /// The ids of all lines, in the order of the answer.
    lines: Vec<String>,
    /// The possible delivery addresses: those with the postal code of the proof, if it was one.
    addresses: Vec<Address>,
    /// When the shop was asked.
    asked_at: Timestamp,
}

/// The result of storing several answers.
#[derive(Debug, Default)]
pub(crate) struct KeptAnswers {
    /// How many lines were new or changed.
    pub changed: u64,
    /// The numbers of orders that were not stored, because they could be mixed up with other orders.
    pub refused: Vec<String>,
    /// The answers that contradict an earlier one, by their place, and in which fields.
    pub contradicting: Vec<(usize, Problems)>,
}

/// The orders of one answer that can be stored.
#[derive(Default)]
struct FittingOrders {
    orders: Vec<NewOrder>,
    /// The ids of those that are stored already.
    known_ids: HashSet<String>,
    /// The numbers of the others.
    refused: Vec<String>,
    /// What contradicts an earlier answer.
    problems: Problems,
}

impl ShopAnswer {
    /// Converts an answer that has been validated. `proof`: of the shopper who asked, if one did.
    pub fn new(found: &Purchases, proof: Option<&Proof>, asked_at: Timestamp) -> Self {
        let mut addresses: Vec<Address> = found.consumer.addresses.iter().flatten().map(Address::from).collect();
        if let Some(Proof::PostalCode(code)) = proof {
            addresses.retain(|address| is_same(code, &address.postal_code, &address.country));
        }
        let lines = found.purchases.iter().map(|purchase| purchase.purchase_id.clone()).collect();
        Self { orders: orders(found, addresses.first()), lines, addresses, asked_at }
    }

    /// The number of its first order.
    pub fn name(&self) -> &str {
        self.orders.first().map_or("", |order| &order.number)
    }

    /// The ids of its orders.
    pub fn order_ids(&self) -> impl Iterator<Item = &str> {
        self.orders.iter().map(|order| order.external_id.as_str())
    }

    /// The ids of all lines, in the order of the answer.
    pub fn line_ids(&self) -> &[String] {
        &self.lines
    }

    /// Adds the problem that the shop gave a line an id that belongs to a line of another order.
    fn note_elsewhere(&self, line: &str, problems: &mut Problems) {
        let place = self.lines.iter().position(|id| id == line).unwrap_or(0);
        let message = "expected a unique id: another order has a line with this id";
        problems.add(format!("purchases[{place}].purchaseId"), RefusalCode::Mismatch, message);
    }
}

fn orders(found: &Purchases, address: Option<&Address>) -> Vec<NewOrder> {
    let mut orders: Vec<NewOrder> = Vec::new();
    for purchase in &found.purchases {
        if !orders.iter().any(|order| order.external_id == purchase.order.id) {
            orders.push(order(found, purchase, address));
        }
        for order in orders.iter_mut().filter(|order| order.external_id == purchase.order.id) {
            let position = u32::try_from(order.lines.len() + 1).unwrap_or(u32::MAX);
            order.lines.push(line(purchase, position));
        }
    }
    orders
}

fn order(found: &Purchases, purchase: &Purchase, address: Option<&Address>) -> NewOrder {
    let of = &purchase.order;
    NewOrder {
        external_id: of.id.clone(),
        number: of.number.clone(),
        email: found.consumer.email.clone().unwrap_or_default(),
        address: address.cloned().unwrap_or_default(),
        currency: of.currency,
        ordered_at: of.ordered_at,
        shipping_paid: of.shipping_paid.minor,
        sums: OrderSums {
            paid: of.total_paid.map(|paid| paid.minor),
            refunded: of.total_refunded.map_or(0, |refunded| refunded.minor),
        },
        is_partial: false,
        review: None,
        billing_postal_code: String::new(),
        tags: of.tags.clone().unwrap_or_default(),
        lines: Vec::new(),
    }
}

fn line(purchase: &Purchase, position: u32) -> NewPurchase {
    let product = &purchase.product;
    // An obstacle that Retour knows how to evaluate becomes a fact of the product. Any other is stored as the shop gave
    // it.
    let obstacle = purchase.obstacle();
    let is_final_sale = product.final_sale.unwrap_or(false) || obstacle == Some(IneligibleCode::FinalSale);
    NewPurchase {
        external_id: purchase.purchase_id.clone(),
        position,
        product: Product {
            name: product.name.clone(),
            sku: product.sku.clone().unwrap_or_default(),
            barcode: product.barcode.clone().unwrap_or_default(),
            image_urls: product.image_urls.clone().unwrap_or_default(),
            attributes: product.attributes.clone().unwrap_or_default(),
            exchange_options: product.exchange_options.iter().flatten().map(exchange_option).collect(),
            // Data that no carrier could use is dropped, and does not prevent a return.
            weight: product.weight.filter(|grams| check_parcel_facts(Some(*grams), "", "").0.is_empty()),
            hs_code: usable(product.hs_code.as_ref(), |code| check_parcel_facts(None, code, "")),
            origin_country: usable(product.origin_country.as_ref(), |country| check_parcel_facts(None, "", country)),
        },
        quantity: purchase.quantity,
        fulfilled: purchase.fulfilled(),
        shop_refunded: purchase.refunded_quantity,
        total: purchase.total().minor,
        tax: purchase.tax.minor,
        duties: purchase.duties.map_or(0, |duties| duties.minor),
        discount: purchase.discount.map_or(0, |discount| discount.minor),
        final_sale: is_final_sale,
        requires_shipping: product.requires_shipping.unwrap_or(true),
        removed: 0,
        obstacle: obstacle.filter(|code| *code != IneligibleCode::FinalSale),
        fulfilled_at: purchase.fulfilled_at,
        delivered_at: purchase.delivered_at,
    }
}

fn usable(text: Option<&String>, check: impl Fn(&str) -> Problems) -> String {
    text.map(|text| text.trim()).filter(|text| check(text).0.is_empty()).unwrap_or_default().to_owned()
}

fn exchange_option(option: &contract::ExchangeOption) -> ExchangeOption {
    ExchangeOption { sku: option.sku.clone(), name: option.name.clone() }
}

impl Retour {
    /// Stores the orders of a shop's answer. Amounts from which a return was calculated stay. If the answer contradicts
    /// an earlier one, nothing is stored, and the look-up fails as if the shop were unavailable.
    pub(crate) async fn keep(
        &self,
        writing: &mut Writing,
        account: AccountId,
        shop: &str,
        answer: &ShopAnswer,
    ) -> Result<()> {
        let by = OrderSource { shop, asked_at: answer.asked_at };
        let kept = self.keep_all(writing, account, by, std::slice::from_ref(answer)).await?;
        match kept.contradicting.into_iter().next() {
            Some((_, problems)) => Err(failed(account, BridgeError::BadAnswer(problems).into())),
            None => Ok(()),
        }
    }

    /// Stores the orders of several answers. No order and no line may occur in two of them. Of an answer that contradicts an
    /// earlier one, nothing is stored.
    pub(crate) async fn keep_all(
        &self,
        writing: &mut Writing,
        account: AccountId,
        by: OrderSource<'_>,
        answers: &[ShopAnswer],
    ) -> Result<KeptAnswers> {
        // An erasure has either ended, or waits for this transaction.
        store::accounts::hold(writing.db(), account).await?;
        let some_known =
            known_lines::hold(writing.db(), account, answers.iter().flat_map(|answer| &answer.orders)).await?;
        let mut kept = KeptAnswers::default();
        let (mut orders, mut known_ids) = (Vec::with_capacity(answers.len()), HashSet::new());
        for (place, answer) in answers.iter().enumerate() {
            let fitting = self.fitting(writing, account, by, answer, some_known).await?;
            if fitting.problems.0.is_empty() {
                orders.extend(fitting.orders);
                known_ids.extend(fitting.known_ids);
                kept.refused.extend(fitting.refused);
            } else {
                kept.contradicting.push((place, fitting.problems));
            }
        }
        Self::forget_erased(writing.db(), account, orders.iter_mut()).await?;
        self.upsert(writing, account, by, orders, known_ids, &mut kept).await?;
        Ok(kept)
    }

    /// The orders of an answer that can be stored.
    async fn fitting(
        &self,
        writing: &mut Writing,
        account: AccountId,
        by: OrderSource<'_>,
        answer: &ShopAnswer,
        some_known: bool,
    ) -> Result<FittingOrders> {
        let mut fitting = FittingOrders::default();
        for order in &answer.orders {
            let known = orders::find_known(writing.db(), account, &order.external_id).await?;
            let lines = if some_known { known_lines::find(writing.db(), account, order).await? } else { Vec::new() };
            for line in lines.iter().filter(|line| line.order_external_id != order.external_id && line.shop == by.shop)
            {
                answer.note_elsewhere(&line.external_id, &mut fitting.problems);
            }
            if self.is_older(by.asked_at, known.as_ref()) {
                continue;
            }
            if is_its_own(writing, account, by.shop, order, known.as_ref(), &lines).await? {
                fitting.known_ids.extend(known.as_ref().map(|_| order.external_id.clone()));
                fitting.orders.push(with_what_is_known(order.clone(), known, &answer.addresses));
            } else {
                fitting.refused.push(order.number.clone());
            }
        }
        Ok(fitting)
    }

    /// Whether a later look-up of the order has been answered and stored already.
    fn is_older(&self, asked_at: Timestamp, known: Option<&orders::StoredOrder>) -> bool {
        let latest = self.now().plus_seconds(CLOCKS_DIFFER);
        known.is_some_and(|known| known.asked_at > asked_at && known.asked_at <= latest)
    }

    async fn upsert(
        &self,
        writing: &mut Writing,
        account: AccountId,
        by: OrderSource<'_>,
        orders: Vec<NewOrder>,
        known: HashSet<String>,
        kept: &mut KeptAnswers,
    ) -> Result<()> {
        let mut batch = Batch::default();
        for order in orders {
            batch.add(self, order);
        }
        let upserted = import::upsert(writing.db(), account, by, &batch.orders).await?;
        if !upserted.refused.is_empty() {
            tracing::warn!(%account, "a shop sent an order that is stored with another id or currency: the stored order is unchanged");
        }
        kept.changed = upserted.changed;
        let refused: HashSet<usize> = upserted.refused.iter().map(|(place, _)| *place).collect();
        for (place, Incoming { order, .. }) in batch.orders.iter().enumerate() {
            if refused.contains(&place) {
                kept.refused.push(order.number.clone());
            } else if known.contains(&order.external_id) {
                known_lines::withdraw_others(writing.db(), account, &order.external_id, &ids_of_lines(order)).await?;
            }
        }
        for order in upserted.namesakes {
            if orders::is_twin_taken(writing.db(), account, order).await? {
                tracing::warn!(%account, %order, "a shop sent an order that is being returned under another id, from before the \
                    shop was connected: it cannot be returned twice");
            }
        }
        Ok(())
    }
}

fn ids_of_lines(order: &NewOrder) -> Vec<&str> {
    order.lines.iter().map(|line| line.external_id.as_str()).collect()
}

/// Whether an order can be stored without mixing it up with an order of another shop or of an import.
async fn is_its_own(
    writing: &mut Writing,
    account: AccountId,
    shop: &str,
    order: &NewOrder,
    known: Option<&orders::StoredOrder>,
    lines: &[KnownLine],
) -> Result<bool> {
    if known.is_some_and(|known| !is_the_same(known, shop, order))
        || lines.iter().any(|line| line.order_external_id != order.external_id)
    {
        tracing::warn!(%account, "a shop sent an order with the id, or with a line's id, of another order: the stored order is unchanged");
        return Ok(false);
    }
    // The lines have new ids now, so it is unknown which of them are being returned.
    if known.is_some_and(|known| known.shop != shop)
        && known_lines::is_other_taken(writing.db(), account, &order.external_id, &ids_of_lines(order)).await?
    {
        tracing::warn!(%account, "a shop sent an order that is being returned under other line ids: the stored order is unchanged");
        return Ok(false);
    }
    Ok(true)
}

/// Whether a stored order is the one that the shop sent. Ids are not enough: shops may reuse an id, and different shops
/// use the same ones. A proof of one order must not open another.
fn is_the_same(known: &orders::StoredOrder, shop: &str, order: &NewOrder) -> bool {
    let number = OrderNumberKey::new(&order.number);
    let is_its_number = number.is_some_and(|number| number.as_str() == known.number_key);
    is_its_number && (known.shop == shop || known.shop.is_empty() || known.ordered_at == order.ordered_at)
}

/// Fills what the answer leaves out from the stored order. Of several addresses, the stored one stays.
fn with_what_is_known(mut order: NewOrder, known: Option<orders::StoredOrder>, addresses: &[Address]) -> NewOrder {
    let Some(known) = known else { return order };
    if order.email.is_empty() {
        order.email = known.email;
    }
    order.billing_postal_code = known.billing_postal_code;
    let code = known.address.postal_code.clone();
    let is_it = |address: &&Address| is_same(&code, &address.postal_code, &address.country);
    if order.address == Address::default() {
        order.address = known.address;
    } else if let Some(address) = addresses.iter().find(is_it) {
        order.address = address.clone();
    }
    order
}
