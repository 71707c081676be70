//! `/{slug}/withdraw`: withdrawing from a contract. Nobody has to prove anything: whether an order is known is told to
//! nobody.

use super::{
    call::{Done, Refusal, Step},
    errors,
    form::Fields,
    look_up::{OwnTab, known_order, own_tab},
    prefill::{Prefill, can_keep, keep_and_lead_on},
    shop::{Answer, Framing, Shop, Stop},
};
use crate::{
    calls::{Changed, Problem, withdraw::Mistake},
    components::{NoticeText, Tone, icons},
    pages::withdraw::{Acknowledgement, ConfirmPage, DonePage, Draft, Form, FormPage},
    words::{Calendar, Words, day, fill, moment},
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
pub async fn show(mut shop: Shop, RawQuery(query): RawQuery) -> Answer {
    offered(&shop)?;
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    if let Some(prefill) = Prefill::of(&query) {
        // What somebody typed here before stays.
        if shop.visit.withdrawal.is_none() {
            let statement = Statement::typed("", &prefill.order_number, &prefill.email);
            shop.visit.withdrawal = Some(Draft { id: shop.retour.withdrawal_id(), statement });
        }
        if can_keep(&shop) {
            if shop.visit.shopper.is_none() {
                shop.keep_anew().await?; // as where it is sent
            }
            return keep_and_lead_on(&shop, "withdraw", &query).await;
        }
    }
    let mistakes = std::mem::take(&mut shop.visit.withdrawal_mistakes);
    if !mistakes.is_empty() {
        shop.keep_as_known().await?;
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
    let page = Form { action: shop.look.path("call/withdraw"), typed, mistakes, notice };
    let framing = Framing { is_error, ..ITSELF };
    Ok(shop.page(status, words.withdraw_title, framing, &[], move || view! { <FormPage page words/> }.into_any()))
}

/// What is known of a consumer who has proved an order. A gift is not of their contract.
async fn known(shop: &Shop) -> Statement {
    match known_order(shop).await {
        Some((number, consumer)) if !consumer.gift_recipient => Statement::typed("", &number, &consumer.email),
        _ => Statement::default(),
    }
}

/// Takes a statement of this name, contract and e-mail address, to be confirmed.
pub async fn state(mut shop: Shop, [name, contract, email]: [&str; 3]) -> Step<Mistake> {
    offered(&shop)?;
    let statement = Statement::typed(name, contract, email);
    if !can_keep(&shop) {
        let Statement { name, contract, email } = statement;
        let action = format!("{}?lang={}", shop.look.path("call/withdraw"), shop.words.tag);
        let fields = vec![("name", name), ("contract", contract), ("email", email)];
        return Err(Refusal::new(Problem::SignedOut, own_tab(&shop, OwnTab { action, fields })));
    }
    let mistakes = Mistake::of(&statement.check());
    let statement = short(statement);
    // The same statement sent twice is to be confirmed once.
    let known = shop.visit.withdrawal.take().filter(|draft| draft.statement == statement);
    let id = known.map_or_else(|| shop.retour.withdrawal_id(), |draft| draft.id);
    shop.visit.withdrawal = Some(Draft { id, statement });
    shop.visit.withdrawal_mistakes.clone_from(&mistakes);
    if shop.visit.shopper.is_none() {
        shop.keep_anew().await?; // nobody who has put a cookie there before can read it
    }
    shop.keep_as_known().await?;
    if mistakes.is_empty() {
        return Ok(Done::at(&shop, "withdraw/confirm"));
    }
    Err(Refusal::mistakes(mistakes, shop.redirect("withdraw")))
}

/// Shows what is about to be sent.
pub async fn check(shop: Shop) -> Answer {
    offered(&shop)?;
    let Some(draft) = shop.visit.withdrawal.clone() else {
        return Ok(shop.redirect(if shop.visit.withdrawn.is_some() { "withdraw/done" } else { "withdraw" }));
    };
    if !draft.statement.check().0.is_empty() {
        return Ok(shop.redirect("withdraw"));
    }
    let (look, words) = (shop.look.clone(), shop.words);
    let body = move || view! { <ConfirmPage draft look words/> }.into_any();
    Ok(shop.page(StatusCode::OK, words.withdraw_confirm_title, ITSELF, &[], body))
}

/// Sends what was shown: that, and nothing that was typed since in another tab.
pub async fn confirm(mut shop: Shop, id: Option<WithdrawalId>) -> Step<Mistake> {
    offered(&shop)?;
    let draft = shop.visit.withdrawal.take_if(|draft| Some(draft.id) == id);
    match (draft, id) {
        (Some(draft), _) => shop.visit.withdrawn = Some(send(&shop, draft).await?),
        // It was sent before, by somebody who has the page that it was confirmed on.
        (None, Some(id)) if find(&shop, id).await?.is_some() => shop.visit.withdrawn = Some(id),
        (None, _) if shop.visit.withdrawal.is_some() => {
            return Err(Refusal::changed(Changed::DraftOver, shop.redirect("withdraw/confirm")));
        }
        (None, _) => {
            let form = Redirect::to(&format!("{}?notice=lost", shop.look.path("withdraw"))).into_response();
            return Err(Refusal::changed(Changed::DraftOver, form));
        }
    }
    shop.keep_as_known().await?;
    Ok(Done::at(&shop, "withdraw/done"))
}

async fn send(shop: &Shop, Draft { id, statement }: Draft) -> Result<WithdrawalId, Refusal<Mistake>> {
    let by = shop.shopper().map_or(WithdrawnBy::Client(shop.client), WithdrawnBy::Shopper);
    let (language, mistakes) = (Locale(shop.words.tag.to_owned()), Mistake::of(&statement.check()));
    match shop.retour.receive_withdrawal(shop.account.id, id, statement, language, by).await {
        Ok(_) => Ok(id),
        Err(Error::Invalid(_)) => Err(Refusal::mistakes(mistakes, shop.redirect("withdraw"))),
        Err(Error::TooManyWithdrawals { seconds }) => {
            let sends_links = shop.retour.sends_links(&shop.account);
            let form = errors::too_many_withdrawals(seconds, sends_links, shop.look.clone(), shop.words);
            Err(Refusal::new(Problem::TooMany { seconds }, form))
        }
        Err(error) => Err(shop.stop(&error).into()),
    }
}

/// Shows the acknowledgement.
pub async fn done(shop: Shop) -> Answer {
    let Some(page) = acknowledgement(&shop).await? else { return Ok(shop.redirect("withdraw")) };
    let (look, words) = (shop.look.clone(), shop.words);
    let body = move || view! { <DonePage page look words/> }.into_any();
    Ok(shop.page(StatusCode::OK, words.withdraw_done_title, ITSELF, &[], body))
}

/// The acknowledgement as a file.
pub async fn file(shop: Shop) -> Answer {
    let Some(page) = acknowledgement(&shop).await? else { return Ok(shop.redirect("withdraw")) };
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"withdrawal-{}.txt\"", page.number)),
    ];
    Ok((headers, page.file(shop.words)).into_response())
}

/// Nothing is here where the merchant does not offer it.
fn offered(shop: &Shop) -> Result<(), Stop> {
    if shop.look.withdraws {
        return Ok(());
    }
    Err(errors::missing(shop.look.clone(), shop.visit.shopper.is_some(), shop.words).into())
}

async fn find(shop: &Shop, id: WithdrawalId) -> Result<Option<view::Withdrawal>, Stop> {
    shop.retour.sent_withdrawal(shop.account.id, id).await.map_err(|error| shop.stop(&error))
}

/// What this browser has sent last; nothing where its author was forgotten since.
async fn acknowledgement(shop: &Shop) -> Result<Option<Acknowledgement>, Stop> {
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
        at: fill(words.withdraw_moment, &[&stated.day, &stated.time, &stated.offset]),
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
