//! Why a person decides.

use crate::order::OrderReview;
use serde::{Deserialize, Serialize};

/// Why a person decides about a return request, whatever the policy says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum ReviewReason {
    /// Less is left of what was paid for its order than it would come to.
    RefundLimit,
    /// The sums of its order do not add up.
    SumsDiffer,
    /// The shop has given something back of its order, or of these units, since the return was made: it may be the same money.
    RefundedByShop,
}

impl ReviewReason {
    /// The reason that a timeline tells in this sentence.
    pub fn of_sentence(sentence: &str) -> Option<Self> {
        [Self::RefundLimit, Self::SumsDiffer, Self::RefundedByShop].into_iter().find(|one| one.sentence() == sentence)
    }

    /// The reason in a sentence, for the timeline.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::RefundLimit => "Less is left of what was paid for the order than this return comes to.",
            Self::SumsDiffer => "The order's lines, shipping and taxes do not add up to its total.",
            Self::RefundedByShop => {
                "The shop has refunded something of the order since this return was made: it may be the same money."
            }
        }
    }
}

impl From<OrderReview> for ReviewReason {
    fn from(review: OrderReview) -> Self {
        match review {
            OrderReview::SumsDiffer => Self::SumsDiffer,
        }
    }
}
