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

/// The fields of one row, as they were typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// Whether it is to go back.
    pub chosen: bool,
    /// Whether the form asked how many and why. In long lists it asks only about what is chosen.
    pub asked: bool,
    /// How many.
    pub quantity: String,
    /// Why: the id of a reason.
    pub reason: String,
    /// In the shopper's words.
    pub comment: String,
    /// What for.
    pub resolution: String,
    /// With an exchange: the stock-keeping unit that is wanted in its place.
    pub exchange_for: String,
    /// What is answered to the reason's questions, by question.
    pub answers: BTreeMap<String, String>,
}

/// A mistake in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChoiceMistake {
    /// No number, or less than one.
    QuantityWrong,
    /// More than can go back.
    QuantityTooMany,
    /// No reason, or one that is not offered.
    ReasonMissing,
    /// Too long a comment.
    CommentTooLong,
    /// Something that is not offered with this reason.
    ResolutionNotOffered,
    /// An exchange, and nothing that is offered in its place.
    ExchangeForMissing,
    /// It cannot go back any more.
    NotReturnable,
    /// It was paid in another currency than the others.
    MixedCurrencies,
}

/// Where in a row a mistake is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceField {
    /// The row as a whole.
    Row,
    /// How many.
    Quantity,
    /// Why.
    Reason,
    /// The comment.
    Comment,
    /// What for.
    Resolution,
    /// What is wanted in its place.
    ExchangeFor,
}

impl ChoiceMistake {
    /// Where it is.
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

    /// What to do about it. `left` is how many can go back.
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

/// The number that was typed, if it is one that can go back.
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

/// The number to reckon with while it is still being typed: too many counts as all that can go back.
pub fn reckoned(typed: &str, left: u32) -> Option<u32> {
    match quantity(typed, left) {
        Ok(number) => Some(number),
        Err(ChoiceMistake::QuantityTooMany) => Some(left),
        Err(_) => None,
    }
}

impl Choice {
    /// Whether there is anything to remember.
    pub fn is_blank(&self) -> bool {
        !self.chosen && self.reason.is_empty() && self.comment.is_empty() && matches!(self.quantity.as_str(), "" | "1")
    }

    /// What is wrong with it, but for what only the server knows. `left` is how many can go back.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_whole_numbers_that_can_go_back() {
        assert_eq!(quantity(" 2 ", 2), Ok(2));
        for wrong in ["", "0", "-1", "1.5", "abc", "+1", "١"] {
            assert_eq!(quantity(wrong, 2), Err(ChoiceMistake::QuantityWrong), "{wrong}");
        }
        for too_many in ["3", "1000000000000", "99999999999999999999999"] {
            assert_eq!(quantity(too_many, 2), Err(ChoiceMistake::QuantityTooMany), "{too_many}");
            assert_eq!(reckoned(too_many, 2), Some(2));
        }
    }

    #[test]
    fn every_mistake_of_a_row_is_told_at_once() {
        let choice =
            Choice { chosen: true, asked: true, quantity: "9".into(), comment: "x".repeat(2_001), ..Choice::default() };
        let mistakes = [ChoiceMistake::QuantityTooMany, ChoiceMistake::ReasonMissing, ChoiceMistake::CommentTooLong];
        assert_eq!(choice.mistakes(2), mistakes);
        assert!(!choice.is_blank() && Choice::default().is_blank());
    }
}

/// A mistake in the row of a purchase.
pub type RowMistake = (PurchaseId, ChoiceMistake);

/// What is asked for unless something else is chosen: money, where it is offered.
pub fn preselected(offered: &[Resolution]) -> Option<Resolution> {
    offered.iter().find(|one| **one == Resolution::Refund).or(offered.first()).copied()
}
