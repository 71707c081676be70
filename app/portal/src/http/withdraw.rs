//! `/{slug}/withdraw`: withdrawing from a contract. Nobody has to prove anything: whether an order is known is told to
//! nobody.

use super::{
    call::{CallDone, CallRefusal, StepResult},
    errors,
    form::Fields,
    look_up::{OwnTab, known_order, own_tab},
    prefill::{Prefill, browser_keeps_cookies, save_and_redirect},
    shop::{HandlerResult, Framing, ShopRequest, EarlyResponse},
};
use crate::{
    calls::{Changed, Problem, withdraw::WithdrawalMistake},
    components::{NoticeText, Tone, icons},
    pages::withdraw::{Acknowledgement, WithdrawalConfirmPage, WithdrawalDonePage, WithdrawalDraft, WithdrawalForm, WithdrawalFormPage},
    words::{Calendar, Words, day, format, moment},
};
use axum::{
    extract::RawQuery,
    http::{StatusCode, header},
    response::{IntoResponse, Redirect},
};
use domain::{
    Locale, WithdrawalId,
    order::Account,
    withdrawal::{DAYS_TO_SEND_BACK, MAX_CONTRACT_CHARS, Statement},
};
use leptos::prelude::*;
use returns::{Error, WithdrawnBy, view};

/// These pages are what others lead to.
const ITSELF: Framing = Framing { is_error: false, wide: false, in_returns: false, islands: false, withdraws: true };

/// Shows the form.
pub async fn show(mut shop: ShopRequest, RawQuery(query): RawQuery) -> HandlerResult {
    offered(&shop)?;
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    if let Some(prefill) = Prefill::of(&query) {
        // What somebody typed here before stays.
        if shop.visit.withdrawal.is_none() {
            let statement = Statement::typed("", &prefill.order_number, &prefill.email);
            shop.visit.withdrawal = Some(WithdrawalDraft { id: shop.retour.withdrawal_id(), statement });
        }
        if browser_keeps_cookies(&shop) {
            if shop.visit.shopper.is_none() {
                shop.save_under_new_id().await?; // as where it is sent
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
    let framing = Framing { is_error, ..ITSELF };
    Ok(shop.page(status, words.withdraw_title, framing, &[], move || view! { <WithdrawalFormPage page words/> }.into_any()))
}

/// What is known of a consumer who has proved an order. A gift is not of their contract.
async fn known(shop: &ShopRequest) -> Statement {
    match known_order(shop).await {
        Some((number, consumer)) if !consumer.gift_recipient => Statement::typed("", &number, &consumer.email),
        _ => Statement::default(),
    }
}

/// Takes a statement of this name, contract and e-mail address, to be confirmed.
pub async fn state(mut shop: ShopRequest, [name, contract, email]: [&str; 3]) -> StepResult<WithdrawalMistake> {
    offered(&shop)?;
    let statement = Statement::typed(name, contract, email);
    if !browser_keeps_cookies(&shop) {
        let Statement { name, contract, email } = statement;
        let action = format!("{}?lang={}", shop.theme.path("call/withdraw"), shop.words.tag);
        let fields = vec![("name", name), ("contract", contract), ("email", email)];
        return Err(CallRefusal::new(Problem::SignedOut, own_tab(&shop, OwnTab { action, fields })));
    }
    let mistakes = WithdrawalMistake::of(&statement.check());
    let statement = short(statement);
    // The same statement sent twice is to be confirmed once.
    let known = shop.visit.withdrawal.take().filter(|draft| draft.statement == statement);
    let id = known.map_or_else(|| shop.retour.withdrawal_id(), |draft| draft.id);
    shop.visit.withdrawal = Some(WithdrawalDraft { id, statement });
    shop.visit.withdrawal_mistakes.clone_from(&mistakes);
    if shop.visit.shopper.is_none() {
        shop.save_under_new_id().await?; // nobody who has put a cookie there before can read it
    }
    shop.save_for_visitor().await?;
    if mistakes.is_empty() {
        return Ok(CallDone::at(&shop, "withdraw/confirm"));
    }
    Err(CallRefusal::mistakes(mistakes, shop.redirect("withdraw")))
}

/// Shows what is about to be sent.
pub async fn check(shop: ShopRequest) -> HandlerResult {
    offered(&shop)?;
    let Some(draft) = shop.visit.withdrawal.clone() else {
        return Ok(shop.redirect(if shop.visit.withdrawn.is_some() { "withdraw/done" } else { "withdraw" }));
    };
    if !draft.statement.check().0.is_empty() {
        return Ok(shop.redirect("withdraw"));
    }
    let (theme, words) = (shop.theme.clone(), shop.words);
    let body = move || view! { <WithdrawalConfirmPage draft theme words/> }.into_any();
    Ok(shop.page(StatusCode::OK, words.withdraw_confirm_title, ITSELF, &[], body))
}

/// Sends what was shown: that, and nothing that was typed since in another tab.
pub async fn confirm(mut shop: ShopRequest, id: Option<WithdrawalId>) -> StepResult<WithdrawalMistake> {
    offered(&shop)?;
    let draft = shop.visit.withdrawal.take_if(|draft| Some(draft.id) == id);
    match (draft, id) {
        (Some(draft), _) => shop.visit.withdrawn = Some(send(&shop, draft).await?),
        // It was sent before, by somebody who has the page that it was confirmed on.
        (None, Some(id)) if find(&shop, id).await?.is_some() => shop.visit.withdrawn = Some(id),
        (None, _) if shop.visit.withdrawal.is_some() => {
            return Err(CallRefusal::changed(Changed::DraftOver, shop.redirect("withdraw/confirm")));
        }
        (None, _) => {
            let form = Redirect::to(&format!("{}?notice=lost", shop.theme.path("withdraw"))).into_response();
            return Err(CallRefusal::changed(Changed::DraftOver, form));
        }
    }
    shop.save_for_visitor().await?;
    Ok(CallDone::at(&shop, "withdraw/done"))
}

async fn send(shop: &ShopRequest, WithdrawalDraft { id, statement }: WithdrawalDraft) -> Result<WithdrawalId, CallRefusal<WithdrawalMistake>> {
    let by = shop.shopper().map_or(WithdrawnBy::Client(shop.client), WithdrawnBy::Shopper);
    let (language, mistakes) = (Locale(shop.words.tag.to_owned()), WithdrawalMistake::of(&statement.check()));
    match shop.retour.receive_withdrawal(shop.account.id, id, statement, language, by).await {
        Ok(_) => Ok(id),
        Err(Error::Invalid(_)) => Err(CallRefusal::mistakes(mistakes, shop.redirect("withdraw"))),
        Err(Error::TooManyWithdrawals { seconds }) => {
            let sends_links = shop.retour.sends_links(&shop.account);
            let form = errors::too_many_withdrawals(seconds, sends_links, shop.theme.clone(), shop.words);
            Err(CallRefusal::new(Problem::TooMany { seconds }, form))
        }
        Err(error) => Err(shop.failed(&error).into()),
    }
}

/// Shows the acknowledgement.
pub async fn done(shop: ShopRequest) -> HandlerResult {
    let Some(page) = acknowledgement(&shop).await? else { return Ok(shop.redirect("withdraw")) };
    let (theme, words) = (shop.theme.clone(), shop.words);
    let body = move || view! { <WithdrawalDonePage page theme words/> }.into_any();
    Ok(shop.page(StatusCode::OK, words.withdraw_done_title, ITSELF, &[], body))
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

/// Nothing is here where the merchant does not offer it.
fn offered(shop: &ShopRequest) -> Result<(), EarlyResponse> {
    if shop.theme.withdraws {
        return Ok(());
    }
    Err(errors::missing(shop.theme.clone(), shop.visit.shopper.is_some(), shop.words).into())
}

async fn find(shop: &ShopRequest, id: WithdrawalId) -> Result<Option<view::Withdrawal>, EarlyResponse> {
    shop.retour.sent_withdrawal(shop.account.id, id).await.map_err(|error| shop.failed(&error))
}

/// What this browser has sent last; nothing where its author was forgotten since.
async fn acknowledgement(shop: &ShopRequest) -> Result<Option<Acknowledgement>, EarlyResponse> {
    let Some(id) = shop.visit.withdrawn else { return Ok(None) };
    let Some(sent) = find(shop, id).await?.filter(|sent| !sent.name.is_empty()) else { return Ok(None) };
    let mail_follows = shop.retour.acknowledges_withdrawals();
    Ok(Some(acknowledged(&shop.account, &sent, shop.words, mail_follows)))
}

/// What a withdrawal says and when it arrived, in words.
pub fn acknowledged(
    account: &Account,
    sent: &view::Withdrawal,
    words: &'static Words,
    mail_follows: bool,
) -> Acknowledgement {
    let (zone, at) = (&account.time_zone, sent.created_at);
    let stated = moment(at, zone, words);
    let (name, contract, email) = (sent.name.clone(), sent.contract.clone(), sent.email.clone());
    Acknowledgement {
        number: sent.number.clone(),
        shop: account.name.clone(),
        at: format(words.withdraw_moment, &[&stated.day, &stated.time, &stated.offset]),
        statement: Statement { name, contract, email },
        send_back_by: day(zone.end_of_day(at, DAYS_TO_SEND_BACK), Calendar { zone, now: at }, words),
        mail_follows,
    }
}

/// Sessions stay small, whatever is sent. What is cut is refused anyway.
fn short(statement: Statement) -> Statement {
    let cut = |text: String| text.chars().take(2 * MAX_CONTRACT_CHARS).collect();
    let Statement { name, contract, email } = statement;
    Statement { name: cut(name), contract: cut(contract), email: cut(email) }
}
