//! Return orders.

use crate::{
    base::{
        id::{ConsumerId, DraftReturnOrderId, ReturnOrderId, UserId},
        timestamp::Timestamp,
    },
    costs::CostBreakdown,
    payment::{Payment, PaymentStatus},
    shipping::ShippingOption,
    stage::StageName,
};
use serde::{Deserialize, Serialize};

/// The most flags of a return order.
pub const MAX_FLAGS: usize = 5;

/// A return order: one or more return requests that are sent together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnOrder {
    /// Identifier.
    pub id: ReturnOrderId,
    /// A short number for people, unique in the account.
    pub number: String,
    /// The consumer who made the return.
    pub consumer_id: ConsumerId,
    /// The draft that it was made from.
    pub draft_return_order_id: DraftReturnOrderId,
    /// The status, derived from its requests.
    pub status: ReturnOrderStatus,
    /// The payment, open or settled; `None` if nothing has to be paid.
    pub payment: Option<Payment>,
    /// The numbers of the sales orders whose items it contains.
    pub order_numbers: Vec<String>,
    /// The shipping option as it was offered; `None` if nothing is sent.
    pub shipping_option: Option<ShippingOption>,
    /// The costs.
    pub cost_breakdown: CostBreakdown,
    /// The user who has it; `None`: nobody.
    pub assignee_id: Option<UserId>,
    /// Words of the staff to find it by: at most [`MAX_FLAGS`].
    pub flags: Vec<String>,
    /// Whether changes of many return orders at once leave it out.
    pub leave_out_of_bulk: bool,
    /// How it was created.
    pub source: ReturnSource,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// A version counter, from 1.
    pub version: i64,
}

impl ReturnOrder {
    /// The status of its payment.
    pub fn payment_status(&self) -> PaymentStatus {
        self.payment.as_ref().map_or(PaymentStatus::NotRequired, Payment::status)
    }
}

named_enum! {
    /// The status of a return order, which follows from its requests.
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
    /// The status that follows from the stages of a return order's requests (at least one).
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
    /// The statuses of return orders that have not ended.
    pub const IN_PROGRESS: [Self; 3] = [Self::Requested, Self::AwaitingPayment, Self::Open];

    /// Whether the return order has ended.
    pub fn is_over(self) -> bool {
        !Self::IN_PROGRESS.contains(&self)
    }
}

/// The way in which a return order was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "ReturnSource"))]
pub enum ReturnSource {
    /// By the consumer in the portal.
    Portal,
    /// By the consumer's operations of the API.
    Api,
    /// By the merchant for the consumer.
    Merchant,
}

enum_names!(ReturnSource { Portal, Api, Merchant });

#[cfg(test)]
mod tests {
    use super::*;
    use StageName as N;

    #[test]
    fn a_return_order_is_over_in_all_statuses_but_three() {
        for status in ReturnOrderStatus::IN_PROGRESS {
            assert!(!status.is_over(), "{status:?}");
        }
        for status in [ReturnOrderStatus::Cancelled, ReturnOrderStatus::Expired, ReturnOrderStatus::Rejected] {
            assert!(status.is_over(), "{status:?}");
        }
    }

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
