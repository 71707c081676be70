//! What a shop answers, as orders that we hold.

use crate::{Result, Retour, again_on_deadlock, detached, operator::Batch};
use domain::{
    AccountId, Timestamp,
    eligibility::IneligibleCode,
    order::{NewOrder, NewPurchase, OrderNumberKey, Product, ProofKey},
    policy::Address,
};
use outbound::bridge::contract::{Proof, Purchase, Purchases};
use store::{orders, purchases};

/// How far the clocks of two programs may be apart, seconds.
const CLOCKS_DIFFER: i64 = 60;

/// What a shop told.
#[derive(Clone)]
pub(super) struct Told {
    orders: Vec<NewOrder>,
    /// Where they may have gone: with the postal code that was asked for, if one was.
    addresses: Vec<Address>,
    /// When it was asked.
    asked_at: Timestamp,
}

impl Told {
    /// Out of an answer that was checked.
    pub fn new(found: &Purchases, proof: &Proof, asked_at: Timestamp) -> Self {
        let mut addresses: Vec<Address> = found.consumer.addresses.iter().flatten().map(Address::from).collect();
        if let Proof::PostalCode(code) = proof {
            addresses.retain(|address| ProofKey::new(&address.postal_code) == ProofKey::new(code));
        }
        Self { orders: orders(found, addresses.first()), addresses, asked_at }
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
        tags: of.tags.clone().unwrap_or_default(),
        lines: Vec::new(),
    }
}

fn line(purchase: &Purchase, position: u32) -> NewPurchase {
    let product = &purchase.product;
    // What we know how to judge stays a fact; what only the shop knows is kept as it says it.
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
        },
        quantity: purchase.quantity,
        fulfilled: purchase.fulfilled(),
        shop_refunded: purchase.refunded_quantity,
        total: purchase.total().minor,
        tax: purchase.tax.minor,
        discount: purchase.discount.map_or(0, |discount| discount.minor),
        final_sale: is_final_sale,
        obstacle: obstacle.filter(|code| *code != IneligibleCode::FinalSale),
        fulfilled_at: purchase.fulfilled_at,
        delivered_at: purchase.delivered_at,
    }
}

impl Retour {
    /// Keeps orders as a shop tells them now. Figures that a return was calculated from stay.
    pub(super) async fn keep(&self, account: AccountId, shop: String, told: Told) -> Result<()> {
        let retour = self.clone();
        detached(async move { again_on_deadlock(|| retour.keep_once(account, &shop, &told)).await }).await
    }

    async fn keep_once(&self, account: AccountId, shop: &str, told: &Told) -> Result<()> {
        let mut writing = self.store.write().await?;
        // Who is forgotten meanwhile waits, or was forgotten before.
        store::accounts::hold(writing.db(), account).await?;
        let (asked_at, latest) = (told.asked_at, self.now().plus_seconds(CLOCKS_DIFFER));
        let mut orders = Vec::with_capacity(told.orders.len());
        for order in &told.orders {
            let known = orders::find_known(writing.db(), account, &order.external_id).await?;
            match known {
                Some(known) if !is_the_same(&known, shop, order) => {
                    tracing::warn!(%account, "a shop told of an order whose id is known from another one: that stays as it is");
                }
                // It was asked again meanwhile, and has answered that already.
                Some(known) if known.asked_at > asked_at && known.asked_at <= latest => {}
                known => orders.push(with_what_is_known(order.clone(), known, &told.addresses)),
            }
        }
        Self::forget_erased(writing.db(), account, orders.iter_mut()).await?;
        let told = orders.clone();
        let mut batch = Batch::default();
        for order in orders {
            batch.add(self, order);
        }
        let upserted = store::import::upsert(writing.db(), account, &batch.orders).await?;
        if !upserted.refused.is_empty() {
            tracing::warn!(%account, "an order that a shop told of is known with another id or currency: it stays as it is");
        }
        let refused: Vec<usize> = upserted.refused.iter().map(|(place, _)| *place).collect();
        for (_, order) in told.iter().enumerate().filter(|(place, _)| !refused.contains(place)) {
            orders::set_shop(writing.db(), account, &order.external_id, shop, asked_at).await?;
            let lines: Vec<&str> = order.lines.iter().map(|line| line.external_id.as_str()).collect();
            purchases::withdraw_others(writing.db(), account, &order.external_id, &lines).await?;
        }
        Ok(writing.commit().await?)
    }
}

/// Shops may give one id to two orders, and two shops certainly do: what one of them proves is not the other's.
fn is_the_same(known: &orders::Known, shop: &str, told: &NewOrder) -> bool {
    let number = OrderNumberKey::new(&told.number);
    let is_its_number = number.is_some_and(|number| number.as_str() == known.number_key);
    is_its_number && (known.shop == shop || known.shop.is_empty() || known.ordered_at == told.ordered_at)
}

/// What an answer leaves out proves the order as before, and of several addresses it is the one that it was.
fn with_what_is_known(mut told: NewOrder, known: Option<orders::Known>, addresses: &[Address]) -> NewOrder {
    let Some(known) = known else { return told };
    if told.email.is_empty() {
        told.email = known.email;
    }
    let code = ProofKey::new(&known.address.postal_code);
    let is_it = |address: &&Address| code.is_some() && ProofKey::new(&address.postal_code) == code;
    if told.address == Address::default() {
        told.address = known.address;
    } else if let Some(address) = addresses.iter().find(is_it) {
        told.address = address.clone();
    }
    told
}
