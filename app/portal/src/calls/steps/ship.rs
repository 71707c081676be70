//! Selects the shipping option of a draft.

use crate::{
    amounts::receipt::ReceiptShipping,
    calls::{
        call::{CallDone, CallRefusal},
        shipped::Shipped,
        steps::open_draft::OpenDraft,
    },
    forms::shipping::ShipMistake,
    selection::{draft_receipt::DraftGoods, purchases},
    visit::shop::ShopRequest,
};
use domain::{DraftReturnOrderId, ShippingOptionId};
use returns::{DraftStep, Error};

/// Sets the shipping option and answers with the costs of the draft.
pub async fn ship(
    shop: ShopRequest,
    draft: Option<DraftReturnOrderId>,
    option: Option<ShippingOptionId>,
) -> Result<CallDone<Shipped>, CallRefusal<ShipMistake>> {
    let mut open = OpenDraft::new(shop, draft, option).await?;
    let Some(option) = option else { return Err(open.ask_option().await) };
    let OpenDraft { visitor, draft } = &mut open;
    let id = draft.id;
    match visitor.shop.retour.consumer(&visitor.shopper).choose_shipping_or_renew(id, option).await {
        Ok(DraftStep::Done(_)) => {}
        Ok(DraftStep::Outdated(outdated)) => return Err(open.outdated(outdated).await?),
        Err(Error::Invalid(_)) => return Err(open.ask_option().await),
        Err(error) => return Err(visitor.shop.failed(&error).into()),
    }
    visitor.shop.visit.option = Some(option);
    visitor.shop.save().await?;
    let purchases = purchases::load(visitor).await?;
    let shop = &visitor.shop;
    let offers = shop.retour.consumer(&visitor.shopper).compare_shipping(id, &shop.locale).await;
    let offers = offers.map_err(|error| shop.failed(&error))?;
    let way = offers.ways.iter().find(|(offered, _)| offered.id == option);
    let goods = DraftGoods { draft, purchases: &purchases };
    let receipt =
        way.and_then(|(option, costs)| goods.receipt(costs, &ReceiptShipping::Chosen(&option.name), shop.words.live()));
    Ok(CallDone { value: Shipped { receipt }, form: shop.redirect(&format!("review?draft={id}")) })
}
