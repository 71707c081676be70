//! Answers to the questions that a shop asks about a reason.

use domain::{PurchaseId, policy::question::AnswerError};

/// A mistake in an answer: the purchase, the question, the kind of mistake.
pub type AnswerMistake = (PurchaseId, String, AnswerError);
