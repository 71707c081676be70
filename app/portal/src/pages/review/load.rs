//! `/{slug}/review`: what a draft costs.

use crate::{
    pages::review::{fill::DraftPage, view::ReviewPage},
    selection::{
        draft::{draft_over, find_draft},
        draft_receipt::DraftGoods,
        purchases::{self, image_hosts},
        rows,
    },
    visit::{response::HandlerResult, shop::Framing, state::Flash, visitor::Visitor},
};
use axum::{extract::RawQuery, http::StatusCode};
use domain::{DraftReturnOrderId, returning::DraftStatus};
use leptos::prelude::*;
use ui::{html::IntoHtml, web::form::Fields};

/// Shows a draft.
pub async fn show(mut visitor: Visitor, RawQuery(query): RawQuery) -> HandlerResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let id = query.get("draft").parse::<DraftReturnOrderId>().ok().or(visitor.shop.visit.draft);
    let Some(id) = id else { return Ok(visitor.shop.redirect("purchases")) };
    let Some(draft) = find_draft(&visitor, id).await? else { return draft_over(&mut visitor.shop, None).await };
    match draft.status {
        DraftStatus::Accepted => {
            let page = draft.return_order_id.map_or_else(|| "returns".to_owned(), |id| format!("returns/{id}"));
            return Ok(visitor.shop.redirect(&page));
        }
        DraftStatus::Open if draft.expires_at > visitor.shop.retour.now() => {}
        _ => return draft_over(&mut visitor.shop, Some(&draft)).await,
    }
    if visitor.shop.visit.choices.is_empty() {
        // The session has ended since. The draft has the selection that the shopper may want to change.
        visitor.shop.visit.choices = rows::choices(&draft);
        visitor.shop.save().await?;
    }
    let before = match query.get("was").parse::<DraftReturnOrderId>() {
        Ok(id) => find_draft(&visitor, id).await?,
        Err(_) => None,
    };
    let purchases = purchases::load(&visitor).await?;
    let shop = &visitor.shop;
    let mut offers = shop
        .retour
        .consumer(&visitor.shopper)
        .compare_shipping(id, &shop.locale)
        .await
        .map_err(|error| shop.failed(&error))?;
    if shop.browser.on_phone {
        offers.ways.sort_by_key(|(option, _)| option.method.needs_printer()); // a stable sort: otherwise in the shop's order
    }
    let pending =
        shop.retour.consumer(&visitor.shopper).pending_evidence().await.map_err(|error| shop.failed(&error))?;
    let flash = visitor.shop.take_flash(|flash| *flash == Flash::OptionMissing).await?;
    let shop = &visitor.shop;
    let page = DraftPage {
        shop,
        goods: DraftGoods { draft: &draft, purchases: &purchases },
        before: before.as_ref(),
        pending: &pending,
        waits: offers.needs_approval,
        way_missing: flash.is_some(),
    };
    let page = page.fill(offers);
    let status = match (flash.is_some(), before.is_some()) {
        (true, _) => StatusCode::UNPROCESSABLE_ENTITY,
        (_, true) => StatusCode::CONFLICT,
        _ => StatusCode::OK,
    };
    let framing = Framing { is_error: flash.is_some(), wide: true, islands: true, ..Framing::default() };
    let words = shop.words;
    Ok(shop.page(status, words.review_title, framing, &image_hosts(&purchases), move || {
        view! { <ReviewPage page words/> }.into_html()
    }))
}
