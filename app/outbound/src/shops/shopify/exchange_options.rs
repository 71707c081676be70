//! What an order's lines can be exchanged for: variants of the same product, at the price that the line was sold for.

use super::{
    client::ShopifySession,
    documents::EXCHANGE_OPTIONS,
    money::thousandths,
    responses::{Nodes, OrderLine, PlacedOrder},
};
use crate::{
    bridge::{BridgeError, contract::ExchangeOption},
    shops::text::bounded_text,
};
use domain::order::MAX_EXCHANGE_CHARS;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};

/// The products of one request, and the most of an order. Lines of further products offer no exchange.
const PRODUCTS_PER_REQUEST: usize = 25;
const MAX_PRODUCTS: usize = 100;
/// What Shopify calls the variant of a product without variants.
const ONLY_VARIANT: &str = "Default Title";

/// The response to `EXCHANGE_OPTIONS`.
#[derive(Deserialize)]
struct OptionsResponse {
    /// `None` for each that does not exist.
    products: Vec<Option<SoldProduct>>,
}

/// A product, or an empty object for something else.
#[derive(Deserialize)]
struct SoldProduct {
    id: Option<String>,
    variants: Option<Nodes<SoldVariant>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SoldVariant {
    sku: Option<String>,
    title: String,
    /// In the shop's own currency.
    price: String,
    available_for_sale: bool,
}

/// Variants by product.
#[derive(Debug, Default)]
pub(super) struct ExchangeOptions(HashMap<String, Vec<SoldVariant>>);

impl ExchangeOptions {
    /// Reads the variants of the products of an order.
    pub async fn read(session: &ShopifySession<'_>, order: &PlacedOrder) -> Result<Self, BridgeError> {
        let lines = order.line_items.nodes.iter().filter(|line| !line.is_gift_card && line.requires_shipping);
        let products: BTreeSet<&str> = lines.filter_map(|line| Some(line.product.as_ref()?.id.as_str())).collect();
        let products: Vec<&str> = products.into_iter().take(MAX_PRODUCTS).collect();
        let mut variants = HashMap::new();
        for part in products.chunks(PRODUCTS_PER_REQUEST) {
            let OptionsResponse { products } = session.query(EXCHANGE_OPTIONS, json!({"products": part})).await?;
            for product in products.into_iter().flatten() {
                if let (Some(id), Some(of_product)) = (product.id, product.variants) {
                    variants.insert(id, of_product.nodes);
                }
            }
        }
        Ok(Self(variants))
    }

    /// What a line can be exchanged for; `None` if nothing.
    pub fn of_line(&self, line: &OrderLine) -> Option<Vec<ExchangeOption>> {
        let variants = self.0.get(&line.product.as_ref()?.id)?;
        let sold_for = thousandths(&line.sold_for.as_ref()?.shop_money.amount)?;
        let is_offered = |variant: &&SoldVariant| {
            variant.available_for_sale && thousandths(&variant.price) == Some(sold_for) && is_unique(variant, variants)
        };
        let options: Vec<ExchangeOption> =
            variants.iter().filter(is_offered).filter_map(|variant| option(variant, line)).collect();
        (!options.is_empty()).then_some(options)
    }
}

/// Whether the stock-keeping unit names one variant.
fn is_unique(variant: &SoldVariant, variants: &[SoldVariant]) -> bool {
    variants.iter().filter(|other| other.sku == variant.sku).count() == 1
}

fn option(variant: &SoldVariant, line: &OrderLine) -> Option<ExchangeOption> {
    let sku = variant.sku.as_ref()?;
    // A shortened or trimmed one would name no variant.
    let is_whole = !sku.is_empty() && sku.chars().count() <= MAX_EXCHANGE_CHARS && bounded_text(sku) == *sku;
    let title = if variant.title == ONLY_VARIANT { &line.title } else { &variant.title };
    let name = bounded_text(title);
    is_whole.then(|| ExchangeOption { sku: sku.clone(), name: if name.is_empty() { sku.clone() } else { name } })
}
