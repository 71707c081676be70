//! Submits a draft.

use crate::{
    calls::{
        call::{CallDone, CallRefusal, StepResult},
        steps::open_draft::{OpenDraft, less_returnable, renew},
    },
    forms::{problem::Changed, shipping::ShipMistake},
    selection::{rows, send_back::back_to_purchases},
    visit::{shop::ShopRequest, state::Flash},
};
use domain::{DraftReturnOrderId, PurchaseId, RefusalCode, ShippingOptionId, returning::ReturnSource};
use returns::{Error, Sent};

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
    match visitor.shop.retour.consumer(&visitor.shopper).submit(draft.id, sent, None).await {
        Ok(returns::Done::Fresh { value: order, .. }) => {
            let visit = &mut visitor.shop.visit;
            visit.choices.retain(|id, _| !draft.selected_purchases.iter().any(|selected| selected.purchase_id == *id));
            visit.draft = visit.draft.filter(|kept| *kept != draft.id);
            visitor.shop.save().await?;
            Ok(CallDone::at(&visitor.shop, &format!("returns/{}", order.id)))
        }
        Ok(returns::Done::Replayed(_)) => Err(visitor.shop.broken(&"a submission without a key was replayed").into()),
        Err(Error::Outdated { refusal, details, .. }) if refusal.code == RefusalCode::QuantityExceeded => {
            let ids: Vec<PurchaseId> = draft.selected_purchases.iter().map(|selected| selected.purchase_id).collect();
            let wrong = less_returnable(visitor, rows::refused(&details, &ids)).await?;
            let form = back_to_purchases(&mut visitor.shop, draft, Flash::Fewer(wrong)).await?;
            Err(CallRefusal::changed(Changed::Quantities, form))
        }
        Err(Error::Outdated { refusal, .. } | Error::Refused(refusal)) => {
            Err(renew(visitor, draft, refusal.code).await?)
        }
        Err(Error::Invalid(_)) => Err(open.ask_option().await),
        Err(error) => Err(visitor.shop.failed(&error).into()),
    }
}
