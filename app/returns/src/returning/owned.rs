//! Access to a consumer's own objects.

use crate::base::{Error, Result, Shopper};
use domain::{ReturnOrderId, returning::ReturnOrder};
use store::{
    Db,
    consumers::{self, Consumer},
    return_orders,
};

/// Returns a consumer's return order. Another consumer's return order is `NotFound`.
pub(crate) async fn own_order(db: Db<'_>, shopper: &Shopper, id: ReturnOrderId) -> Result<ReturnOrder> {
    let found = return_orders::find(db, shopper.account, id).await?;
    found.filter(|order| order.consumer_id == shopper.consumer).ok_or(Error::NotFound)
}

pub(crate) async fn consumer(db: Db<'_>, shopper: &Shopper) -> Result<Consumer> {
    consumers::find(db, shopper.account, shopper.consumer).await?.ok_or(Error::NotFound)
}
