//! Reasons for a manual review.

use crate::order::OrderReview;
use serde::{Deserialize, Serialize};

/// The reason why a person decides about a return request, whatever the policy says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum ReviewReason {
    /// Less is left of the payment for its order than the request is worth.
    RefundLimit,
    /// The sums of its order do not add up.
    SumsDiffer,
    /// The shop has refunded something of its order, or of these units, since the return was made: it may be the same
    /// money.
    RefundedByShop,
}

impl ReviewReason {
    /// The reason that a comment of a timeline states.
    pub fn from_comment(comment: &str) -> Option<Self> {
        [Self::RefundLimit, Self::SumsDiffer, Self::RefundedByShop].into_iter().find(|one| one.comment() == comment)
    }

    /// The comment that states the reason in the timeline. Timelines store it, so its words never change.
    pub fn comment(self) -> &'static str {
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
