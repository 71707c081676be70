//! `/{slug}/withdraw`: withdraws from a contract. Visitors prove nothing, and no page reveals whether an order is known.

use crate::{
    acknowledgement::{Acknowledgement, acknowledged},
    calls::steps::withdraw::{find, offered},
    forms::withdrawal_draft::WithdrawalDraft,
    pages::withdraw::view::{WithdrawalConfirmPage, WithdrawalDonePage, WithdrawalForm, WithdrawalFormPage},
    visit::{
        prefill::{Prefill, save_and_redirect},
        response::{EarlyResponse, HandlerResult},
        shop::{Framing, ShopRequest},
        visitor::known_order,
    },
};
use axum::{
    extract::RawQuery,
    http::{StatusCode, header},
    response::IntoResponse,
};
use domain::withdrawal::Statement;
use leptos::prelude::*;
use ui::{
    components::{NoticeText, Tone, icons},
    html::IntoHtml,
    web::form::Fields,
};

/// The frame of these pages. Its footer has no link to the withdrawal, because the visitor is there already.
const WITHDRAWAL_FRAMING: Framing =
    Framing { is_error: false, wide: false, in_returns: false, islands: false, has_own_withdrawal_link: true };

/// Shows the form.
pub async fn show(mut shop: ShopRequest, RawQuery(query): RawQuery) -> HandlerResult {
    offered(&shop)?;
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    if let Some(prefill) = Prefill::of(&query) {
        // What was typed before stays.
        if shop.visit.withdrawal.is_none() {
            let statement = Statement::typed("", &prefill.order_number, &prefill.email);
            shop.visit.withdrawal = Some(WithdrawalDraft { id: shop.retour.withdrawal_id(), statement });
        }
        if shop.browser.keeps_cookies() {
            if !shop.is_known() {
                shop.save_under_new_id().await?; // as when the statement is sent
            }
            return save_and_redirect(&shop, "withdraw", &query).await;
        }
    }
    let mistakes = std::mem::take(&mut shop.visit.withdrawal_mistakes);
    if !mistakes.is_empty() {
        shop.save_for_visitor().await?;
    }
    let words = shop.words;
    let notice = (query.get("notice") == "lost").then_some(NoticeText {
        icon: icons::CLOCK,
        tone: Tone::Warn,
        title: words.withdraw_lost_title,
        text: words.withdraw_lost,
    });
    let typed = match &shop.visit.withdrawal {
        Some(draft) => draft.statement.clone(),
        None => known(&shop).await,
    };
    let is_error = !mistakes.is_empty();
    let status = if is_error { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = WithdrawalForm { action: shop.theme.path("call/withdraw"), typed, mistakes, notice };
    let framing = Framing { is_error, ..WITHDRAWAL_FRAMING };
    Ok(shop.page(status, words.withdraw_title, framing, &[], move || {
        view! { <WithdrawalFormPage page words/> }.into_html()
    }))
}

/// What is known of a consumer who has proved an order. The recipient of a gift has no contract.
async fn known(shop: &ShopRequest) -> Statement {
    match known_order(shop).await {
        Some((number, consumer)) if !consumer.gift_recipient => Statement::typed("", &number, &consumer.email),
        _ => Statement::default(),
    }
}

/// Shows the statement to confirm.
pub async fn check(shop: ShopRequest) -> HandlerResult {
    offered(&shop)?;
    let Some(draft) = shop.visit.withdrawal.clone() else {
        return Ok(shop.redirect(if shop.visit.withdrawn.is_some() { "withdraw/done" } else { "withdraw" }));
    };
    if !draft.statement.check().0.is_empty() {
        return Ok(shop.redirect("withdraw"));
    }
    let (theme, words) = (shop.theme.clone(), shop.words);
    let body = move || view! { <WithdrawalConfirmPage draft theme words/> }.into_html();
    Ok(shop.page(StatusCode::OK, words.withdraw_confirm_title, WITHDRAWAL_FRAMING, &[], body))
}

/// Shows the acknowledgement.
pub async fn done(shop: ShopRequest) -> HandlerResult {
    let Some(page) = acknowledgement(&shop).await? else { return Ok(shop.redirect("withdraw")) };
    let (theme, words) = (shop.theme.clone(), shop.words);
    let body = move || view! { <WithdrawalDonePage page theme words/> }.into_html();
    Ok(shop.page(StatusCode::OK, words.withdraw_done_title, WITHDRAWAL_FRAMING, &[], body))
}

/// The acknowledgement as a file.
pub async fn file(shop: ShopRequest) -> HandlerResult {
    let Some(page) = acknowledgement(&shop).await? else { return Ok(shop.redirect("withdraw")) };
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"withdrawal-{}.txt\"", page.number)),
    ];
    Ok((headers, page.file(shop.words)).into_response())
}

/// The withdrawal that this browser sent last. `None` once its author is erased.
async fn acknowledgement(shop: &ShopRequest) -> Result<Option<Acknowledgement>, EarlyResponse> {
    let Some(id) = shop.visit.withdrawn else { return Ok(None) };
    let Some(sent) = find(shop, id).await?.filter(|sent| !sent.name.is_empty()) else { return Ok(None) };
    let mail_follows = shop.retour.acknowledges_withdrawals();
    Ok(Some(acknowledged(&shop.account, &sent, shop.words, mail_follows)))
}
