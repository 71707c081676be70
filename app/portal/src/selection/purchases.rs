//! The shopper's purchases.

use crate::visit::{response::EarlyResponse, visitor::Visitor};
use returns::view;
use ui::components;

/// All purchases of this shopper.
pub async fn load(visitor: &Visitor) -> Result<Vec<view::PurchaseView>, EarlyResponse> {
    let shop = &visitor.shop;
    let purchases = shop.retour.consumer(&visitor.shopper).all_purchases(Some(&shop.locale)).await;
    purchases.map_err(|error| shop.failed(&error))
}

/// The hosts of these purchases' pictures.
pub fn image_hosts(purchases: &[view::PurchaseView]) -> Vec<String> {
    components::image_hosts(purchases.iter().flat_map(|purchase| &purchase.product.image_urls))
}
