//! Has a link to the shopper's orders sent.

use crate::{
    calls::call::{CallDone, CallRefusal, StepResult},
    forms::link::LinkMistake,
    visit::{prefill::shortened, shop::ShopRequest},
};
use returns::Error;
use ui::text::masked;

/// Has a link sent if the address has orders. The answer does not reveal whether it has.
pub async fn ask_for_link(mut shop: ShopRequest, email: &str) -> StepResult<LinkMistake> {
    if !shop.retour.sends_links(&shop.account) {
        return Err(shop.failed(&Error::NotFound).into());
    }
    let email = shortened(email);
    match shop.retour.ask_for_link(&shop.account, email.trim(), shop.words.tag, shop.browser.client).await {
        Ok(()) => {
            shop.visit.link_sent = masked(&email);
            shop.save_for_visitor().await?;
            Ok(CallDone::at(&shop, "link?notice=sent"))
        }
        Err(Error::InvalidOrderCredentials) => {
            shop.visit.link = Some(email);
            shop.save_for_visitor().await?;
            Err(CallRefusal::mistakes(vec![LinkMistake::EmailWrong], shop.redirect("link")))
        }
        Err(error) => Err(shop.failed(&error).into()),
    }
}
