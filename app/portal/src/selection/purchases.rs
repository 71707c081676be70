//! The shopper's purchases.

use crate::visit::{response::EarlyResponse, visitor::Visitor};
use returns::{Page, view};
use ui::components;

/// More than any order has: the list is one page.
const ALL: Page = Page::first(10_000);

/// All purchases of this shopper.
pub async fn load(visitor: &Visitor) -> Result<Vec<view::PurchaseView>, EarlyResponse> {
    let shop = &visitor.shop;
    let list = shop.retour.consumer(&visitor.shopper).purchases(ALL, Some(&shop.locale)).await;
    Ok(list.map_err(|error| shop.failed(&error))?.data)
}

/// The hosts of these purchases' pictures.
pub fn image_hosts(purchases: &[view::PurchaseView]) -> Vec<String> {
    components::image_hosts(purchases.iter().flat_map(|purchase| &purchase.product.image_urls))
}
