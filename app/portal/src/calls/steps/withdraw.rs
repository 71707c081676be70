//! States a withdrawal, then sends it.

use crate::{
    calls::call::{CallDone, CallRefusal, StepResult},
    forms::{
        problem::{Changed, Problem},
        withdrawal::WithdrawalMistake,
        withdrawal_draft::WithdrawalDraft,
    },
    visit::{
        error_pages,
        own_tab::{OwnTab, own_tab},
        response::EarlyResponse,
        shop::ShopRequest,
    },
};
use axum::response::{IntoResponse, Redirect};
use domain::{
    Locale, WithdrawalId,
    withdrawal::{MAX_CONTRACT_CHARS, Statement},
};
use returns::{Error, WithdrawnBy, view};

/// Accepts a statement for confirmation.
pub async fn state(mut shop: ShopRequest, [name, contract, email]: [&str; 3]) -> StepResult<WithdrawalMistake> {
    offered(&shop)?;
    let statement = Statement::typed(name, contract, email);
    if !shop.browser.keeps_cookies() {
        let Statement { name, contract, email } = statement;
        let action = format!("{}?lang={}", shop.theme.path("call/withdraw"), shop.words.tag);
        let fields = vec![("name", name), ("contract", contract), ("email", email)];
        return Err(CallRefusal::new(Problem::SignedOut, own_tab(&shop, OwnTab { action, fields })));
    }
    let mistakes = WithdrawalMistake::of(&statement.check());
    let statement = short(statement);
    // The same statement, sent twice, is confirmed once.
    let known = shop.visit.withdrawal.take().filter(|draft| draft.statement == statement);
    let id = known.map_or_else(|| shop.retour.withdrawal_id(), |draft| draft.id);
    shop.visit.withdrawal = Some(WithdrawalDraft { id, statement });
    shop.visit.withdrawal_mistakes.clone_from(&mistakes);
    if !shop.is_known() {
        shop.save_under_new_id().await?; // an attacker who has planted a cookie cannot read it
    }
    shop.save_for_visitor().await?;
    if mistakes.is_empty() {
        return Ok(CallDone::at(&shop, "withdraw/confirm"));
    }
    Err(CallRefusal::mistakes(mistakes, shop.redirect("withdraw")))
}

/// Sends the statement that was shown, not what another tab has typed since.
pub async fn confirm(mut shop: ShopRequest, id: Option<WithdrawalId>) -> StepResult<WithdrawalMistake> {
    offered(&shop)?;
    let draft = shop.visit.withdrawal.take_if(|draft| Some(draft.id) == id);
    match (draft, id) {
        (Some(draft), _) => shop.visit.withdrawn = Some(send(&shop, draft).await?),
        // It was sent before, from the same confirmation page.
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

async fn send(
    shop: &ShopRequest,
    WithdrawalDraft { id, statement }: WithdrawalDraft,
) -> Result<WithdrawalId, CallRefusal<WithdrawalMistake>> {
    let by = shop.shopper().map_or(WithdrawnBy::Client(shop.browser.client), WithdrawnBy::Shopper);
    let (language, mistakes) = (Locale(shop.words.tag.to_owned()), WithdrawalMistake::of(&statement.check()));
    match shop.retour.receive_withdrawal(shop.account.id, id, statement, language, by).await {
        Ok(_) => Ok(id),
        Err(Error::Invalid(_)) => Err(CallRefusal::mistakes(mistakes, shop.redirect("withdraw"))),
        Err(Error::TooManyWithdrawals { seconds }) => {
            let sends_links = shop.retour.sends_links(&shop.account);
            let form = error_pages::too_many_withdrawals(seconds, sends_links, shop.theme.clone(), shop.words);
            Err(CallRefusal::new(Problem::TooMany { seconds }, form))
        }
        Err(error) => Err(shop.failed(&error).into()),
    }
}

/// These pages exist only if the merchant offers the withdrawal.
pub fn offered(shop: &ShopRequest) -> Result<(), EarlyResponse> {
    if shop.theme.offers_withdrawal {
        return Ok(());
    }
    Err(shop.missing())
}

pub async fn find(shop: &ShopRequest, id: WithdrawalId) -> Result<Option<view::Withdrawal>, EarlyResponse> {
    shop.retour.sent_withdrawal(shop.account.id, id).await.map_err(|error| shop.failed(&error))
}

/// Bounds the size of sessions. A statement that is cut here is refused anyway.
fn short(statement: Statement) -> Statement {
    let cut = |text: String| text.chars().take(2 * MAX_CONTRACT_CHARS).collect();
    let Statement { name, contract, email } = statement;
    Statement { name: cut(name), contract: cut(contract), email: cut(email) }
}
