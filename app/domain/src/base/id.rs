//! Identifiers. Each resource has its own type, so that a consumer's id cannot be passed where a purchase's is
//! expected. All are `UUIDv7` (RFC 9562), created on the server only.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        #[cfg_attr(feature = "openapi", schemars(inline))]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::try_parse(text).map(Self)
            }
        }
    )+};
}

ids! {
    /// A merchant's account.
    AccountId
    /// A program that calls the API with a key.
    ServiceUserId
    /// A member of a merchant's staff.
    UserId
    /// A session of a user: at the desk, or a token of the API.
    UserSessionId
    /// A passkey of a user.
    PasskeyId
    /// A consumer: one proven pair of order number and e-mail address or postal code.
    ConsumerId
    /// A sales order of the shop.
    OrderId
    /// A line of a sales order.
    PurchaseId
    /// A shipping option.
    ShippingOptionId
    /// A return reason.
    ReturnReasonId
    /// A return location: an address that parcels are sent to.
    ReturnLocationId
    /// A photo or document of a return request.
    EvidenceId
    /// A draft of a return order.
    DraftReturnOrderId
    /// A return order.
    ReturnOrderId
    /// A note of staff about a return order.
    NoteId
    /// A return request: one purchase within a return order.
    ReturnRequestId
    /// A resolution that the shop is asked to carry out. The shop receives this id.
    TransactionId
    /// A shipment: one parcel of a return order.
    ShipmentId
    /// A parcel that the warehouse has counted.
    ReceivingId
    /// What the warehouse recorded of one return request: a receipt or an inspection.
    WarehouseStepId
    /// What an agent asks others to approve about a return request.
    ProposalId
    /// A parcel that arrived without papers.
    FoundParcelId
    /// A payment for a return.
    PaymentId
    /// A mail to a shopper.
    MailId
    /// A consumer's withdrawal from a contract.
    WithdrawalId
    /// An event that webhooks deliver.
    EventId
    /// A webhook subscription.
    WebhookSubscriptionId
    /// A delivery of one event to one subscription.
    WebhookDeliveryId
    /// A filter of a list that staff named.
    SavedViewId
    /// A change of many return requests.
    BulkRunId
    /// A process that sends webhooks.
    WebhookSenderId
}

impl WebhookDeliveryId {
    /// Derived from both ids, so that writing deliveries needs no randomness. The time part is the event's.
    pub fn of(event: EventId, subscription: WebhookSubscriptionId) -> Self {
        const RANDOM: u128 = (1 << 62) - 1; // the bits that are neither time nor version nor variant
        Self(Uuid::from_u128(event.0.as_u128() ^ (subscription.0.as_u128() & RANDOM)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subscription_has_its_own_delivery_of_an_event() {
        let event = EventId(Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0001));
        let of = |subscription| WebhookDeliveryId::of(event, WebhookSubscriptionId(Uuid::from_u128(subscription)));
        let ids: std::collections::BTreeSet<Uuid> = (0..62).map(|bit| of(1_u128 << bit).0).collect();
        assert_eq!(ids.len(), 62);
        assert_eq!(of(1 << 62), of(1 << 63), "the variant and the time are the event's");
    }
}
