//! Pays a fee where no provider takes payments.

use crate::{
    calls::call::{CallDone, StepResult},
    visit::shop::ShopRequest,
};
use domain::ReturnOrderId;
use returns::Error;

/// Pays a fee, once. A form always gets a redirect (303), as from a provider's page. A program that pays by this address has no
/// session and is redirected to the page that says so.
pub async fn pay(shop: ShopRequest, id: Option<ReturnOrderId>) -> StepResult<()> {
    let Some(id) = id else { return Err(shop.failed(&Error::NotFound).into()) };
    shop.retour.pay_simulated(shop.account.id, id).await.map_err(|error| shop.failed(&error))?;
    let is_known = shop.is_known();
    Ok(CallDone::at(&shop, &if is_known { format!("returns/{id}") } else { format!("pay/{id}/done") }))
}
