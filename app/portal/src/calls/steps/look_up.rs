//! Proves an order.

use crate::{
    calls::{
        call::{CallRefusal, StepResult},
        steps::sign_in::welcome,
    },
    forms::{
        look_up::{LookUpFields, LookUpMistake, ProofKind},
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

/// The @ sign in the widths that people type.
const AT: [char; 3] = ['@', '\u{fe6b}', '\u{ff20}'];

/// Proves an order.
pub async fn prove(
    mut shop: ShopRequest,
    typed: LookUpFields,
    next: Option<ReturnOrderId>,
) -> StepResult<LookUpMistake> {
    if !shop.browser.keeps_cookies() {
        let next = next.map(|id| ("next", id.to_string()));
        let fields = [("orderNumber", typed.order_number), ("proof", typed.proof)].into_iter().chain(next);
        let page = OwnTab { action: shop.theme.form_action("call/look-up", shop.words), fields: fields.collect() };
        return Err(CallRefusal::new(Problem::SignedOut, own_tab(&shop, page)));
    }
    let mut mistakes = missing(ProofKind::by(&shop.account.policy.look_up_by), &typed);
    if mistakes.is_empty() {
        let proof = proof(ProofKind::by(&shop.account.policy.look_up_by), &typed);
        match shop.retour.identify_without_token(&shop.account, &typed.order_number, proof, shop.browser.client).await {
            Ok(shopper) => return Ok(welcome(shop, shopper, next).await?),
            Err(Error::InvalidOrderCredentials) => mistakes.push(LookUpMistake::NotFound),
            Err(Error::Invalid(_)) => mistakes.push(LookUpMistake::EmailWrong),
            Err(Error::BridgeUnavailable { .. } | Error::BridgeTimedOut) => mistakes.push(LookUpMistake::ShopAway),
            Err(error) => return Err(shop.failed(&error).into()),
        }
    }
    // The shop's system may have been slow.
    if shop.reload().await? {
        shop.visit.typed = short(typed);
        shop.visit.look_up_mistakes.clone_from(&mistakes);
        shop.save_for_visitor().await?;
    }
    let form = Redirect::to(&with_next(&shop, "", next)).into_response();
    Err(if mistakes == [LookUpMistake::NotFound] {
        CallRefusal::unproved(mistakes, form)
    } else {
        CallRefusal::mistakes(mistakes, form)
    })
}

/// What is missing, or cannot be what the form asks for.
fn missing(proof_kind: ProofKind, typed: &LookUpFields) -> Vec<LookUpMistake> {
    let mut mistakes = Vec::new();
    if typed.order_number.trim().is_empty() {
        mistakes.push(LookUpMistake::OrderNumberMissing);
    }
    if typed.proof.trim().is_empty() {
        mistakes.push(LookUpMistake::ProofMissing);
    }
    if mistakes.is_empty() && proof_kind == ProofKind::Either && is_slip(&typed.proof) {
        mistakes.push(LookUpMistake::EmailWrong);
    }
    mistakes
}

fn proof(proof_kind: ProofKind, typed: &LookUpFields) -> Proof {
    match proof_kind {
        ProofKind::Email => Proof::Email(typed.proof.clone()),
        ProofKind::Either if typed.proof.contains(AT) => Proof::Email(typed.proof.clone()),
        ProofKind::PostalCode | ProofKind::Either => Proof::PostalCode(typed.proof.clone()),
    }
}

/// Whether the text is neither an e-mail address nor a postal code, which contains digits. It then costs no attempt.
fn is_slip(proof: &str) -> bool {
    !proof.contains(AT) && !proof.contains(char::is_numeric)
}

/// No order number is longer. This bounds the size of sessions.
fn short(typed: LookUpFields) -> LookUpFields {
    LookUpFields { order_number: shortened(&typed.order_number), proof: shortened(&typed.proof) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(order_number: &str, proof: &str) -> LookUpFields {
        LookUpFields { order_number: order_number.to_owned(), proof: proof.to_owned() }
    }

    #[test]
    fn an_at_sign_of_any_width_makes_an_address() {
        let is_email =
            |kind, text: &str| matches!(proof(kind, &typed("1001", text)), Proof::Email(found) if found == text);
        for address in ["ada@example.com", "ada\u{ff20}example.com", "ada\u{fe6b}example.com"] {
            assert!(is_email(ProofKind::Either, address) && is_email(ProofKind::Email, address), "{address}");
            assert!(!is_email(ProofKind::PostalCode, address), "{address}");
            assert!(!is_slip(address), "{address}");
        }
        assert!(is_email(ProofKind::Email, "EH6 7AB") && !is_email(ProofKind::Either, "EH6 7AB"));
        assert!(!is_slip("EH6 7AB") && !is_slip("١٢٣") && is_slip("Leith"));
    }

    #[test]
    fn missing_fields_are_named() {
        use LookUpMistake as M;
        assert_eq!(missing(ProofKind::Email, &typed(" ", "")), [M::OrderNumberMissing, M::ProofMissing]);
        assert_eq!(missing(ProofKind::Either, &typed("1001", "Leith")), [M::EmailWrong]);
        assert_eq!(missing(ProofKind::Either, &typed("", "Leith")), [M::OrderNumberMissing]);
        assert_eq!(missing(ProofKind::Email, &typed("1001", "Leith")), [], "the use case checks addresses");
        assert_eq!(missing(ProofKind::Either, &typed("1001", "EH6 7AB")), []);
    }
}
