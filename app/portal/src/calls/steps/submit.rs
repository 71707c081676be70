//! Submits a draft.

use crate::{
    calls::{
        call::{CallDone, StepResult},
        steps::open_draft::OpenDraft,
    },
    forms::shipping::ShipMistake,
    visit::shop::ShopRequest,
};
use domain::{DraftReturnOrderId, ShippingOptionId, returning::ReturnSource};
use returns::{DraftStep, Error, Sent};

/// Submits a draft with a shipping option. Submitting a draft twice creates one return.
pub async fn submit(
    shop: ShopRequest,
    draft: Option<DraftReturnOrderId>,
    option: Option<ShippingOptionId>,
) -> StepResult<ShipMistake> {
    let mut open = OpenDraft::new(shop, draft, option).await?;
    if option.is_none() && open.draft.shipping_option_id.is_none() && !open.is_kept() {
        return Err(open.ask_option().await);
    }
    let OpenDraft { visitor, draft } = &mut open;
    let language = visitor.shop.words.tag.to_owned();
    let sent = Sent { source: ReturnSource::Portal, language, shipping_option: option };
    match visitor.shop.retour.consumer(&visitor.shopper).submit_or_renew(draft.id, sent).await {
        Ok(DraftStep::Done(order)) => {
            let visit = &mut visitor.shop.visit;
            visit.choices.retain(|id, _| !draft.selected_purchases.iter().any(|selected| selected.purchase_id == *id));
            visit.draft = visit.draft.filter(|kept| *kept != draft.id);
            visitor.shop.save().await?;
            Ok(CallDone::at(&visitor.shop, &format!("returns/{}", order.id)))
        }
        Ok(DraftStep::Outdated(outdated)) => Err(open.outdated(outdated).await?),
        Err(Error::Invalid(_)) => Err(open.ask_option().await),
        Err(error) => Err(visitor.shop.failed(&error).into()),
    }
}
