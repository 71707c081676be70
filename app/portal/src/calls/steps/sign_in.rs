//! Signs a shopper in and out.

use crate::{
    calls::call::{CallDone, StepResult},
    forms::problem::NextPage,
    visit::{response::EarlyResponse, shop::ShopRequest},
};
use domain::ReturnOrderId;
use returns::Shopper;

/// Somebody has proved an order: on to where they were going.
pub async fn welcome(
    mut shop: ShopRequest,
    shopper: Shopper,
    next: Option<ReturnOrderId>,
) -> Result<CallDone<NextPage>, EarlyResponse> {
    shop.reload().await?; // a shop's system may have taken its time, and what was chosen in another tab stays
    shop.visit.sign_in(shopper);
    shop.save_under_new_id().await?;
    let next = match (next, shop.visit.draft) {
        (Some(id), _) => format!("returns/{id}"),
        (None, Some(id)) if shop.visit.choices.is_empty() => format!("review?draft={id}"),
        _ => "purchases".to_owned(),
    };
    Ok(CallDone::at(&shop, &next))
}

/// Forgets who was here.
pub async fn leave(shop: ShopRequest) -> StepResult<()> {
    shop.sign_out().await?;
    Ok(CallDone::led(format!("{}?notice=left", shop.theme.path(""))))
}
