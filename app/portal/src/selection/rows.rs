//! From the rows of the form to what the use cases take, and from their refusals back to the rows.

use crate::forms::choice::{Choice, ChoiceMistake, MAX_COMMENT_CHARS, preselected, quantity};
use domain::{
    PurchaseId, RefusalCode, ReturnReasonId,
    order::MAX_EXCHANGE_CHARS,
    policy::{Resolution, question::GivenAnswer},
};
use returns::{FieldError, Selection, view};
use std::collections::BTreeMap;

/// Longer than any quantity, id of a reason or name of a resolution.
const MAX_FIELD_CHARS: usize = 40;
/// So many characters of a comment that is too long are kept, for the shopper to shorten it.
const EXCESS_CHARS: usize = 1_000;
/// All rows of an unknown visitor, bytes.
const MAX_UNKNOWN_BYTES: usize = 16 * 1024;
/// About what a row takes in a session beside its texts, bytes.
const ROW_BYTES: usize = 100;

/// Reads the rows of the form. Rows that do not name a purchase are dropped.
pub fn rows(fields: &BTreeMap<String, String>) -> Vec<(PurchaseId, Choice)> {
    let mut rows: BTreeMap<&str, (Option<PurchaseId>, Choice)> = BTreeMap::new();
    for (name, value) in fields {
        let Some((key, field)) = name.split_once('.') else { continue };
        let (id, choice) = rows.entry(key).or_default();
        match field {
            "id" => *id = value.parse().ok(),
            "take" => choice.chosen = true,
            "quantity" => (choice.asked, choice.quantity) = (true, cut(value, MAX_FIELD_CHARS)),
            "reason" => choice.reason = cut(value, MAX_FIELD_CHARS),
            "comment" => choice.comment = cut(&value.replace("\r\n", "\n"), MAX_COMMENT_CHARS + EXCESS_CHARS),
            "resolution" => choice.resolution = cut(value, MAX_FIELD_CHARS),
            "exchange" => choice.exchange_for = cut(value, MAX_EXCHANGE_CHARS),
            _ => {}
        }
    }
    rows.into_values().filter_map(|(id, choice)| Some((id?, choice))).collect()
}

/// As many rows as are stored for an unknown visitor, who may be anybody.
pub fn for_unknown_visitor(rows: Vec<(PurchaseId, Choice)>) -> impl Iterator<Item = (PurchaseId, Choice)> {
    let mut bytes = 0;
    rows.into_iter().filter(|(_, choice)| !choice.is_blank()).take_while(move |(_, choice)| {
        bytes += ROW_BYTES + choice.comment.len() + choice.quantity.len() + choice.reason.len();
        bytes += choice.resolution.len() + choice.exchange_for.len();
        bytes <= MAX_UNKNOWN_BYTES
    })
}

/// Bounds the size of sessions. What is cut here is too long anyway.
fn cut(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}

/// The mistakes of a row, by what the server knows of the purchase.
fn mistakes(choice: &Choice, purchase: &view::PurchaseView) -> Vec<ChoiceMistake> {
    if !purchase.eligibility.returnable {
        return vec![ChoiceMistake::NotReturnable];
    }
    let mut mistakes = choice.mistakes(purchase.returnable_quantity);
    let reason = purchase.return_reasons.iter().find(|reason| reason.id.to_string() == choice.reason);
    match reason {
        None if !mistakes.contains(&ChoiceMistake::ReasonMissing) => mistakes.push(ChoiceMistake::ReasonMissing),
        Some(reason) if resolution(choice, purchase).is_none_or(|wanted| !reason.resolutions.contains(&wanted)) => {
            mistakes.push(ChoiceMistake::ResolutionNotOffered);
        }
        _ => {}
    }
    let is_exchange = resolution(choice, purchase) == Some(Resolution::Exchange);
    let offered = &purchase.product.exchange_options;
    if is_exchange && !offered.is_empty() && !offered.iter().any(|one| one.sku == choice.exchange_for) {
        mistakes.push(ChoiceMistake::ExchangeForMissing);
    }
    mistakes
}

/// The selected resolution, or the preselected one if the form did not ask.
fn resolution(choice: &Choice, purchase: &view::PurchaseView) -> Option<Resolution> {
    match choice.resolution.as_str() {
        "" => preselected(&purchase.resolutions),
        name => Resolution::from_name(name),
    }
}

/// Whether a row is selected that the form has not asked about yet.
pub fn is_unasked(choices: &BTreeMap<PurchaseId, Choice>) -> bool {
    choices.values().any(|choice| choice.chosen && !choice.asked)
}

/// The selection for the use cases, in the order of the list, or all its mistakes.
pub fn select(
    choices: &BTreeMap<PurchaseId, Choice>,
    purchases: &[view::PurchaseView],
) -> Result<Vec<Selection>, Vec<(PurchaseId, ChoiceMistake)>> {
    let chosen = purchases.iter().filter_map(|purchase| {
        choices.get(&purchase.id).filter(|choice| choice.chosen).map(|choice| (purchase, choice))
    });
    let mut currency = None;
    let mut wrong = Vec::new();
    let mut selections = Vec::new();
    for (purchase, choice) in chosen {
        let paid_in = purchase.prices.map(|prices| prices.unit_price.currency);
        if *currency.get_or_insert(paid_in) != paid_in {
            wrong.push((purchase.id, ChoiceMistake::MixedCurrencies));
        }
        let mistakes = if choice.asked { mistakes(choice, purchase) } else { Vec::new() };
        if let (true, Some(selection)) = (mistakes.is_empty(), selection(choice, purchase)) {
            selections.push(selection);
        }
        wrong.extend(mistakes.into_iter().map(|mistake| (purchase.id, mistake)));
    }
    if wrong.is_empty() { Ok(selections) } else { Err(wrong) }
}

fn selection(choice: &Choice, purchase: &view::PurchaseView) -> Option<Selection> {
    Some(Selection {
        purchase_id: purchase.id,
        quantity: i64::from(quantity(&choice.quantity, purchase.returnable_quantity).ok()?),
        return_reason_id: Some(choice.reason.parse::<ReturnReasonId>().ok()?),
        comment: choice.comment.clone(),
        answers: answers(choice, purchase),
        resolution: resolution(choice, purchase)?,
        exchange_for: Some(choice.exchange_for.clone())
            .filter(|sku| !sku.is_empty() && resolution(choice, purchase) == Some(Resolution::Exchange)),
    })
}

/// The answers to the questions of the selected reason.
fn answers(choice: &Choice, purchase: &view::PurchaseView) -> Vec<GivenAnswer> {
    let reason = purchase.return_reasons.iter().find(|reason| reason.id.to_string() == choice.reason);
    let given = |question: &view::QuestionView| {
        let value = choice.answers.get(question.id.as_str())?.clone();
        Some(GivenAnswer { question_id: question.id.clone(), value })
    };
    reason.into_iter().flat_map(|reason| &reason.questions).filter_map(given).collect()
}

/// The rows that a use case refused. Its fields name them by position.
pub fn refused(errors: &[FieldError], ids: &[PurchaseId]) -> Vec<(PurchaseId, ChoiceMistake)> {
    let row = |error: &FieldError| {
        let (position, field) = error.field.strip_prefix("selectedPurchases[")?.split_once("].")?;
        let id = ids.get(position.parse::<usize>().ok()?)?;
        let mistake = match field {
            "quantity" if error.code == RefusalCode::QuantityExceeded => ChoiceMistake::QuantityTooMany,
            "quantity" => ChoiceMistake::QuantityWrong,
            "returnReasonId" => ChoiceMistake::ReasonMissing,
            "returnReasonComment" => ChoiceMistake::CommentTooLong,
            "requestedResolution" => ChoiceMistake::ResolutionNotOffered,
            "exchangeFor" | "exchangeFor.sku" => ChoiceMistake::ExchangeForMissing,
            field if field.starts_with("answers") => return None, // another page shows these
            _ => ChoiceMistake::NotReturnable,
        };
        Some((*id, mistake))
    };
    errors.iter().filter_map(row).collect()
}

/// The rows of a draft, as they were typed.
pub fn choices(draft: &view::Draft) -> BTreeMap<PurchaseId, Choice> {
    let choice = |selected: &view::SelectedPurchase| Choice {
        chosen: true,
        asked: true,
        quantity: selected.quantity.to_string(),
        reason: selected.return_reason_id.to_string(),
        comment: selected.return_reason_comment.clone(),
        resolution: selected.requested_resolution.name().to_owned(),
        exchange_for: selected.exchange_for.as_ref().map(|wanted| wanted.sku.clone()).unwrap_or_default(),
        answers: selected.answers.iter().map(|one| (one.question_id.to_string(), one.value.clone())).collect(),
    };
    draft.selected_purchases.iter().map(|selected| (selected.purchase_id, choice(selected))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ui::web::form::Fields;
    use uuid::Uuid;

    #[test]
    fn rows_are_read_by_the_purchase_they_name() {
        let id = Uuid::from_u128(7);
        let body = format!(
            "q=mug&p2.id={id}&p2.take=1&p2.quantity=3&p2.reason=x&p2.comment=a%0D%0Ab&p3.take=1&p4.id=nonsense&p4.take=1"
        );
        let fields = Fields::parse(body.as_bytes()).unwrap();
        let rows = rows(&fields.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect());
        assert_eq!(rows.len(), 1);
        let (found, choice) = &rows[0];
        assert_eq!(
            (*found, choice.chosen, choice.quantity.as_str(), choice.comment.as_str()),
            (PurchaseId(id), true, "3", "a\nb")
        );
    }

    #[test]
    fn refusals_are_mapped_to_their_rows() {
        let ids = [PurchaseId(Uuid::from_u128(1)), PurchaseId(Uuid::from_u128(2))];
        let error = |field: &str, code| FieldError::new(field, code, "");
        let errors = [
            error("selectedPurchases[1].quantity", RefusalCode::QuantityExceeded),
            error("selectedPurchases[0].returnReasonId", RefusalCode::NotAllowed),
            error("selectedPurchases[9].quantity", RefusalCode::QuantityExceeded),
            error("selectedPurchases", RefusalCode::Mismatch),
        ];
        assert_eq!(
            refused(&errors, &ids),
            [(ids[1], ChoiceMistake::QuantityTooMany), (ids[0], ChoiceMistake::ReasonMissing)]
        );
    }

    #[test]
    fn little_of_an_unknown_visitor_s_form_is_stored() {
        let typed = |number: u128, bytes: usize| {
            let choice = Choice { chosen: true, comment: "x".repeat(bytes), ..Choice::default() };
            (PurchaseId(Uuid::from_u128(number)), choice)
        };
        let empty = (PurchaseId(Uuid::from_u128(0)), Choice::default());
        assert_eq!(
            for_unknown_visitor(vec![empty, typed(1, 2_000), typed(2, 10)]).count(),
            2,
            "only rows that were typed"
        );
        let fields: [fn(&mut Choice) -> &mut String; 5] = [
            |choice| &mut choice.comment,
            |choice| &mut choice.quantity,
            |choice| &mut choice.reason,
            |choice| &mut choice.resolution,
            |choice| &mut choice.exchange_for,
        ];
        for (place, field) in fields.into_iter().enumerate() {
            let row = |number| {
                let (id, mut choice) = typed(number, 0);
                *field(&mut choice) = "x".repeat(2_000);
                (id, choice)
            };
            assert_eq!(for_unknown_visitor((0..400).map(row).collect()).count(), 7, "field {place}");
        }
        assert!(for_unknown_visitor((0..10_000).map(|number| typed(number, 0)).collect()).count() <= 163);
    }
}
