//! Return orders.

use crate::{
    base::{
        id::{ConsumerId, DraftReturnOrderId, ReturnOrderId},
        timestamp::Timestamp,
    },
    costs::CostBreakdown,
    payment::{Payment, PaymentStatus},
    shipping::ShippingOption,
    stage::StageName,
};
use serde::{Deserialize, Serialize};

/// One act of returning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnOrder {
    /// Identifier.
    pub id: ReturnOrderId,
    /// Short, for people; unique in the account.
    pub number: String,
    /// Whose.
    pub consumer_id: ConsumerId,
    /// What it was made from.
    pub draft_return_order_id: DraftReturnOrderId,
    /// Where it stands, derived from its requests.
    pub status: ReturnOrderStatus,
    /// What is to be paid for it, or was; `None` where nothing is.
    pub payment: Option<Payment>,
    /// The sales orders whose items it holds.
    pub order_numbers: Vec<String>,
    /// How it is sent, as it was offered; `None` when nothing is sent.
    pub shipping_option: Option<ShippingOption>,
    /// At what cost.
    pub cost_breakdown: CostBreakdown,
    /// Who made it.
    pub source: Source,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

impl ReturnOrder {
    /// Where its payment stands.
    pub fn payment_status(&self) -> PaymentStatus {
        self.payment.as_ref().map_or(PaymentStatus::NotRequired, Payment::status)
    }
}

named_enum! {
    /// Where a return order is, as its requests together tell.
    ReturnOrderStatus {
        /// At least one request is undecided.
        Requested,
        /// The consumer has to pay first.
        AwaitingPayment,
        /// The return is under way.
        Open,
        /// All requests have ended; at least one was settled or denied.
        Completed,
        /// The return was cancelled.
        Cancelled,
        /// The return ended because nothing happened in time.
        Expired,
        /// The merchant rejected the return.
        Rejected,
    }
}

impl ReturnOrderStatus {
    /// The status that the stages of a return order's requests (at least one) come to.
    pub fn derive(stages: &[StageName]) -> Self {
        let any = |stage| stages.contains(&stage);
        if stages.iter().any(|stage| stage.is_undecided()) {
            Self::Requested
        } else if any(StageName::SubmittedPaymentPending) {
            Self::AwaitingPayment
        } else if !stages.iter().all(|stage| stage.is_end()) {
            Self::Open
        } else if any(StageName::ResolutionCompleted) || any(StageName::ResolutionDenied) {
            Self::Completed
        } else if any(StageName::ClosedCancelled) {
            Self::Cancelled
        } else if any(StageName::ClosedExpired) {
            Self::Expired
        } else {
            Self::Rejected
        }
    }
}

impl ReturnOrderStatus {
    /// Whether nothing more is to happen.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Requested | Self::AwaitingPayment | Self::Open)
    }
}

/// The way in which a return order was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "ReturnSource"))]
pub enum Source {
    /// By the consumer in the portal.
    Portal,
    /// By the consumer's operations of the API.
    Api,
    /// By the merchant for the consumer.
    Merchant,
}

impl Source {
    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portal => "Portal",
            Self::Api => "Api",
            Self::Merchant => "Merchant",
        }
    }

    /// The source of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Portal, Self::Api, Self::Merchant].into_iter().find(|one| one.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use StageName as N;

    #[test]
    fn a_return_orders_status_follows_from_its_requests() {
        for (stages, status) in [
            (&[N::RequestedReview, N::ResolutionCompleted][..], ReturnOrderStatus::Requested),
            (&[N::RequestedEvidencePending, N::SubmittedPaymentPending], ReturnOrderStatus::Requested),
            (&[N::SubmittedPaymentPending, N::ResolutionApproved], ReturnOrderStatus::AwaitingPayment),
            (&[N::RequestedRejected, N::SubmittedReady], ReturnOrderStatus::Open),
            (&[N::ResolutionFailed, N::ResolutionCompleted], ReturnOrderStatus::Open),
            (&[N::RequestedApproved], ReturnOrderStatus::Open),
            (&[N::ClosedCancelled, N::ResolutionDenied, N::ClosedExpired], ReturnOrderStatus::Completed),
            (&[N::ClosedExpired, N::ResolutionCompleted], ReturnOrderStatus::Completed),
            (&[N::RequestedRejected, N::ClosedExpired, N::ClosedCancelled], ReturnOrderStatus::Cancelled),
            (&[N::RequestedRejected, N::ClosedExpired], ReturnOrderStatus::Expired),
            (&[N::RequestedRejected], ReturnOrderStatus::Rejected),
        ] {
            assert_eq!(ReturnOrderStatus::derive(stages), status, "{stages:?}");
        }
    }
}
