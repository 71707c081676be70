//! Answers to the questions that a shop asks about a reason.

use domain::{PurchaseId, question::Wrong};

/// A mistake in an answer: about which purchase, to which question, what.
pub type AnswerMistake = (PurchaseId, String, Wrong);
