//! Signs a shopper in and out.

use crate::{
    calls::call::{CallDone, StepResult},
    forms::problem::NextPage,
    visit::{response::EarlyResponse, shop::ShopRequest},
};
use domain::ReturnOrderId;
use returns::Shopper;

/// Signs a shopper in who has proved an order, and continues where they were going.
pub async fn welcome(
    mut shop: ShopRequest,
    shopper: Shopper,
    next: Option<ReturnOrderId>,
) -> Result<CallDone<NextPage>, EarlyResponse> {
    shop.reload().await?; // the shop's system may have been slow, and selections in another tab stay
    shop.visit.sign_in(shopper);
    shop.save_under_new_id().await?;
    let next = match (next, shop.visit.draft) {
        (Some(id), _) => format!("returns/{id}"),
        (None, Some(id)) if shop.visit.choices.is_empty() => format!("review?draft={id}"),
        _ => "purchases".to_owned(),
    };
    Ok(CallDone::at(&shop, &next))
}

/// Signs the shopper out.
pub async fn leave(shop: ShopRequest) -> StepResult<()> {
    shop.sign_out().await?;
    Ok(CallDone::at_address(format!("{}?notice=left", shop.theme.path(""))))
}
