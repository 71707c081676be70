//! Proves the order of a gift.

use crate::{
    calls::{
        call::{CallRefusal, StepResult},
        steps::sign_in::welcome,
    },
    forms::{
        gift::{GiftFields, GiftMistake},
        problem::Problem,
    },
    visit::{
        own_tab::{OwnTab, own_tab},
        prefill::{shortened, with_next},
        shop::ShopRequest,
    },
};
use axum::response::{IntoResponse, Redirect};
use domain::ReturnOrderId;
use returns::{Error, Proof};

/// Proves the order of a gift.
pub async fn prove(mut shop: ShopRequest, typed: GiftFields, next: Option<ReturnOrderId>) -> StepResult<GiftMistake> {
    if !shop.account.policy.gift_returns {
        let form = Redirect::to(&with_next(&shop, "", next)).into_response();
        return Err(CallRefusal::new(Problem::NotThere, form));
    }
    if !shop.browser.keeps_cookies() {
        let GiftFields { order_number, postal_code, email } = typed;
        let next = next.map(|id| ("next", id.to_string()));
        let typed = [("orderNumber", order_number), ("postalCode", postal_code), ("email", email)];
        let fields = typed.into_iter().chain(next).collect();
        let page = OwnTab { action: shop.theme.form_action("call/gift", shop.words), fields };
        return Err(CallRefusal::new(Problem::SignedOut, own_tab(&shop, page)));
    }
    let mut mistakes = missing(&typed);
    if mistakes.is_empty() {
        let proof = Proof::Gift { postal_code: typed.postal_code.clone(), recipient: typed.email.clone() };
        match shop.retour.identify_without_token(&shop.account, &typed.order_number, proof, shop.browser.client).await {
            Ok(shopper) => return Ok(welcome(shop, shopper, next).await?),
            Err(Error::Invalid(_)) => mistakes.push(GiftMistake::EmailWrong),
            Err(Error::InvalidOrderCredentials) => mistakes.push(GiftMistake::NotFound),
            Err(Error::BridgeUnavailable { .. } | Error::BridgeTimedOut) => mistakes.push(GiftMistake::ShopAway),
            Err(error) => return Err(shop.failed(&error).into()),
        }
    }
    // The shop's system may have been slow.
    if shop.reload().await? {
        let GiftFields { order_number, postal_code, email } = &typed;
        shop.visit.gift = GiftFields {
            order_number: shortened(order_number),
            postal_code: shortened(postal_code),
            email: shortened(email),
        };
        shop.visit.gift_mistakes.clone_from(&mistakes);
        shop.save_for_visitor().await?;
    }
    let form = Redirect::to(&with_next(&shop, "gift", next)).into_response();
    Err(if mistakes == [GiftMistake::NotFound] {
        CallRefusal::unproved(mistakes, form)
    } else {
        CallRefusal::mistakes(mistakes, form)
    })
}

fn missing(typed: &GiftFields) -> Vec<GiftMistake> {
    let fields = [
        (&typed.order_number, GiftMistake::OrderNumberMissing),
        (&typed.postal_code, GiftMistake::PostalCodeMissing),
        (&typed.email, GiftMistake::EmailMissing),
    ];
    fields.into_iter().filter(|(text, _)| text.trim().is_empty()).map(|(_, mistake)| mistake).collect()
}
