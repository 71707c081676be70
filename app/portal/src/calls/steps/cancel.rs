//! Cancels a return, and says whether one still waits.

use crate::{
    calls::call::{CallDone, CallRefusal, StepResult, signed_in},
    forms::problem::Changed,
    progress::followed_return::{phase, waits},
    visit::{shop::ShopRequest, state::Flash, visitor::Visitor},
};
use domain::ReturnOrderId;
use returns::{Error, Expand};

/// Cancels a return, if that is still possible.
pub async fn cancel(shop: ShopRequest, id: Option<ReturnOrderId>) -> StepResult<()> {
    let Visitor { mut shop, shopper } = signed_in(shop, id)?;
    let Some(id) = id else { return Err(shop.failed(&Error::NotFound).into()) };
    let page = format!("returns/{id}");
    match shop.retour.consumer(&shopper).cancel(id, None).await {
        Ok(returns::Done::Fresh { .. }) => Ok(CallDone::at(&shop, &page)),
        Ok(returns::Done::Replayed(_)) => Err(shop.broken(&"a cancellation without a key was replayed").into()),
        Err(Error::Refused(_)) => {
            shop.visit.flash = Some(Flash::CannotCancel);
            shop.save().await?;
            Err(CallRefusal::changed(Changed::TooLateToCancel, shop.redirect(&page)))
        }
        Err(error) => Err(shop.failed(&error).into()),
    }
}

/// Whether a return still waits for a payment or a label.
pub async fn is_waiting(shop: ShopRequest, id: Option<ReturnOrderId>) -> Result<CallDone<bool>, CallRefusal<()>> {
    let visitor = signed_in(shop, id)?;
    let shop = &visitor.shop;
    let Some(id) = id else { return Err(shop.failed(&Error::NotFound).into()) };
    let expand = [Expand::Shipments, Expand::ReturnRequests];
    let order = shop.retour.consumer(&visitor.shopper).return_order(id, &expand).await;
    let order = order.map_err(|error| shop.failed(&error))?;
    let value = waits(&order, phase(&order), shop.theme.is_embedded);
    Ok(CallDone { value, form: shop.redirect(&format!("returns/{id}")) })
}
