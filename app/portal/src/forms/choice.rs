//! What a shopper selects and types for one purchase, and its validation. Server and browser run the same checks.

use crate::words::Live;
use domain::{PurchaseId, policy::Resolution};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ui::{
    money,
    text::{format, plural},
};

/// Longer comments are refused.
pub const MAX_COMMENT_CHARS: usize = 2_000;

/// The fields of one row, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// Whether the row is selected.
    pub chosen: bool,
    /// Whether the form asked for quantity and reason. In long lists it asks only about selected rows.
    pub asked: bool,
    pub quantity: String,
    /// The id of the reason.
    pub reason: String,
    /// The shopper's note.
    pub comment: String,
    /// The name of the resolution.
    pub resolution: String,
    /// In an exchange, the SKU of the replacement.
    pub exchange_for: String,
    /// Answers to the questions of the reason, by question.
    pub answers: BTreeMap<String, String>,
}

/// A mistake in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChoiceMistake {
    /// Not a number, or less than one.
    QuantityWrong,
    /// More than is returnable.
    QuantityTooMany,
    /// No reason, or one that is not offered.
    ReasonMissing,
    /// The comment is too long.
    CommentTooLong,
    /// The resolution is not offered for this reason.
    ResolutionNotOffered,
    /// An exchange without a replacement that is offered.
    ExchangeForMissing,
    /// The purchase is no longer returnable.
    NotReturnable,
    /// Paid in another currency than the other rows.
    MixedCurrencies,
}

/// The field of a row that a mistake is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceField {
    Row,
    Quantity,
    Reason,
    Comment,
    Resolution,
    /// The replacement.
    ExchangeFor,
}

impl ChoiceMistake {
    /// The field that the mistake is about.
    pub fn field(self) -> ChoiceField {
        match self {
            Self::QuantityWrong | Self::QuantityTooMany => ChoiceField::Quantity,
            Self::ReasonMissing => ChoiceField::Reason,
            Self::CommentTooLong => ChoiceField::Comment,
            Self::ResolutionNotOffered => ChoiceField::Resolution,
            Self::ExchangeForMissing => ChoiceField::ExchangeFor,
            Self::NotReturnable | Self::MixedCurrencies => ChoiceField::Row,
        }
    }

    /// What to do about the mistake. `left` is the returnable quantity.
    pub fn sentence(self, left: u32, words: &Live) -> String {
        let left = money::count(left, words);
        match self {
            Self::QuantityWrong => format(words.quantity_wrong, &[&left]),
            Self::QuantityTooMany => plural(words.tag, words.quantity_too_many, &[&left]),
            Self::ReasonMissing => words.reason_missing.to_owned(),
            Self::CommentTooLong => words.comment_too_long.to_owned(),
            Self::ResolutionNotOffered => words.resolution_not_offered.to_owned(),
            Self::ExchangeForMissing => words.exchange_for_missing.to_owned(),
            Self::NotReturnable => words.not_returnable.to_owned(),
            Self::MixedCurrencies => words.mixed_currencies.to_owned(),
        }
    }
}

/// Parses a quantity between one and the returnable quantity.
pub fn quantity(typed: &str, left: u32) -> Result<u32, ChoiceMistake> {
    let typed = typed.trim();
    if typed.is_empty() || !typed.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ChoiceMistake::QuantityWrong);
    }
    match typed.parse::<u32>() {
        Ok(0) => Err(ChoiceMistake::QuantityWrong),
        Ok(number) if number <= left => Ok(number),
        _ => Err(ChoiceMistake::QuantityTooMany),
    }
}

/// The quantity for an estimate while it is being typed. Too many count as the returnable quantity.
pub fn quantity_for_estimate(typed: &str, left: u32) -> Option<u32> {
    match quantity(typed, left) {
        Ok(number) => Some(number),
        Err(ChoiceMistake::QuantityTooMany) => Some(left),
        Err(_) => None,
    }
}

impl Choice {
    /// Whether there is nothing to store.
    pub fn is_blank(&self) -> bool {
        !self.chosen && self.reason.is_empty() && self.comment.is_empty() && matches!(self.quantity.as_str(), "" | "1")
    }

    /// All mistakes except those that only the server can find. `left` is the returnable quantity.
    pub fn mistakes(&self, left: u32) -> Vec<ChoiceMistake> {
        let mut mistakes = Vec::new();
        mistakes.extend(quantity(&self.quantity, left).err());
        if self.reason.is_empty() {
            mistakes.push(ChoiceMistake::ReasonMissing);
        }
        if self.comment.chars().count() > MAX_COMMENT_CHARS {
            mistakes.push(ChoiceMistake::CommentTooLong);
        }
        mistakes
    }
}

/// A mistake in the row of a purchase.
pub type RowMistake = (PurchaseId, ChoiceMistake);

/// The preselected resolution: a refund if it is offered, else the first one.
pub fn preselected(offered: &[Resolution]) -> Option<Resolution> {
    offered.iter().find(|one| **one == Resolution::Refund).or(offered.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_whole_numbers_within_the_limit() {
        assert_eq!(quantity(" 2 ", 2), Ok(2));
        for wrong in ["", "0", "-1", "1.5", "abc", "+1", "١"] {
            assert_eq!(quantity(wrong, 2), Err(ChoiceMistake::QuantityWrong), "{wrong}");
        }
        for too_many in ["3", "1000000000000", "99999999999999999999999"] {
            assert_eq!(quantity(too_many, 2), Err(ChoiceMistake::QuantityTooMany), "{too_many}");
            assert_eq!(quantity_for_estimate(too_many, 2), Some(2));
        }
    }

    #[test]
    fn all_mistakes_of_a_row_are_found_at_once() {
        let choice =
            Choice { chosen: true, asked: true, quantity: "9".into(), comment: "x".repeat(2_001), ..Choice::default() };
        let mistakes = [ChoiceMistake::QuantityTooMany, ChoiceMistake::ReasonMissing, ChoiceMistake::CommentTooLong];
        assert_eq!(choice.mistakes(2), mistakes);
        assert!(!choice.is_blank() && Choice::default().is_blank());
    }
}
