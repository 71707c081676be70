//! What a shop asks about the selected items.

use crate::{forms::answers::AnswerMistake, visit::shop::ShopRequest};
use domain::{
    PurchaseId, RefusalCode,
    policy::{
        question::{AnswerError, MAX_ANSWER_CHARS},
        reason::EvidenceRule,
    },
};
use returns::{FieldError, view};

/// More bytes than any answer has. Further bytes are dropped.
pub const MAX_ANSWER_BYTES: usize = 4 * (MAX_ANSWER_CHARS + 1);

/// A selected purchase that the shop asks about.
#[derive(Debug, Clone, Copy)]
pub struct AskedPurchase<'a> {
    pub purchase: &'a view::PurchaseView,
    /// The reason that asks.
    pub reason: &'a view::ReturnReasonView,
}

/// The selected purchases that the shop asks about.
pub fn asked<'a>(shop: &ShopRequest, purchases: &'a [view::PurchaseView]) -> Vec<AskedPurchase<'a>> {
    let chosen = purchases.iter().filter_map(|purchase| {
        let choice = shop.visit.choices.get(&purchase.id).filter(|choice| choice.chosen)?;
        let reason = purchase.return_reasons.iter().find(|reason| reason.id.to_string() == choice.reason)?;
        Some(AskedPurchase { purchase, reason })
    });
    chosen.filter(|asked| asks(asked.reason)).collect()
}

fn asks(reason: &view::ReturnReasonView) -> bool {
    !reason.questions.is_empty() || reason.evidence != EvidenceRule::None
}

/// Whether the shop asks anything about the selection.
pub fn is_anything_asked(shop: &ShopRequest, purchases: &[view::PurchaseView]) -> bool {
    !asked(shop, purchases).is_empty()
}

/// The purchase and the question in the field `answer-<purchase>-<question>`.
pub fn answer_of(field: &str) -> Option<(PurchaseId, &str)> {
    let (id, key) = field.strip_prefix("answer-")?.split_at_checked(36)?;
    Some((id.parse().ok()?, key.strip_prefix('-')?))
}

/// An answer as it is stored. One that is too long keeps one character more than allowed.
pub fn short(text: &str, is_whole: bool) -> String {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    if is_whole && text.chars().count() <= MAX_ANSWER_CHARS {
        return text.to_owned();
    }
    // Stays too long, so that the shopper sees a mistake: nothing is cut silently.
    let kept = text.chars().filter(|c| !c.is_whitespace()).chain(std::iter::repeat('…'));
    kept.take(MAX_ANSWER_CHARS + 1).collect()
}

/// The answers that a use case refused. Its fields name them by position and question.
pub fn refused(errors: &[FieldError], ids: &[PurchaseId]) -> Vec<AnswerMistake> {
    let wrong = |error: &FieldError| {
        let (position, field) = error.field.strip_prefix("selectedPurchases[")?.split_once("].")?;
        let id = ids.get(position.parse::<usize>().ok()?)?;
        let why = match error.code {
            RefusalCode::Required => AnswerError::Missing,
            RefusalCode::OutOfRange => AnswerError::TooLong,
            _ => AnswerError::NotOffered,
        };
        Some((*id, field.strip_prefix("answers.")?.to_owned(), why))
    };
    errors.iter().filter_map(wrong).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn an_answer_that_is_too_long_stays_too_long() {
        let longest = "x".repeat(MAX_ANSWER_CHARS);
        assert_eq!(short(&format!(" {longest}\r\n"), true), longest);
        assert_eq!(short("one\r\ntwo", true), "one\ntwo");
        for (text, is_whole) in [(format!("{longest}x"), true), (longest, false), ("x y".repeat(400), true)] {
            assert_eq!(short(&text, is_whole).chars().count(), MAX_ANSWER_CHARS + 1, "{}", text.len());
        }
    }

    #[test]
    fn a_reason_asks_for_answers_or_photos() {
        let reason = |evidence, questions: &[&str]| view::ReturnReasonView {
            id: domain::ReturnReasonId(Uuid::from_u128(1)),
            parent_id: None,
            description: String::new(),
            evidence,
            fault: domain::policy::reason::Fault::Consumer,
            restocking_fee_percent: None,
            resolutions: Vec::new(),
            questions: questions.iter().map(|id| question(id)).collect(),
        };
        assert!(!asks(&reason(EvidenceRule::None, &[])));
        assert!(asks(&reason(EvidenceRule::None, &["where"])));
        assert!(asks(&reason(EvidenceRule::Optional, &[])) && asks(&reason(EvidenceRule::Required, &["where"])));
    }

    fn question(id: &str) -> view::QuestionView {
        let id = domain::policy::question::QuestionKey::parse(id).unwrap();
        view::QuestionView { id, text: String::new(), options: Vec::new(), required: true }
    }

    #[test]
    fn refused_answers_are_found_by_position() {
        let ids = [PurchaseId(Uuid::from_u128(1)), PurchaseId(Uuid::from_u128(2))];
        let error = |field: &str, code| FieldError::new(field, code, "");
        let errors = [
            error("selectedPurchases[1].answers.where", RefusalCode::Required),
            error("selectedPurchases[0].answers.how", RefusalCode::OutOfRange),
            error("selectedPurchases[0].quantity", RefusalCode::OutOfRange),
            error("selectedPurchases[9].answers.how", RefusalCode::OutOfRange),
        ];
        let wrong =
            [(ids[1], "where".to_owned(), AnswerError::Missing), (ids[0], "how".to_owned(), AnswerError::TooLong)];
        assert_eq!(refused(&errors, &ids), wrong);
    }
}
