//! Identifiers: one type each, so that a consumer's id cannot be passed where a purchase's is meant.
//! All are `UUIDv7` (RFC 9562), minted on the server only.

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
    /// A merchant.
    AccountId
    /// A program that uses the API with a key.
    ServiceUserId
    /// One of a merchant's people.
    UserId
    /// One pair of order credentials.
    ConsumerId
    /// A sales order as the shop knows it.
    OrderId
    /// One line of a sales order.
    PurchaseId
    /// A way to send things back.
    ShippingOptionId
    /// Why something is sent back.
    ReturnReasonId
    /// Where parcels go.
    ReturnLocationId
    /// A photo or paper that belongs to a return request.
    EvidenceId
    /// A return that is still being put together.
    DraftReturnOrderId
    /// One act of returning.
    ReturnOrderId
    /// One purchase within a return order.
    ReturnRequestId
    /// What a shop knows a resolution by that it is asked to carry out.
    TransactionId
    /// One parcel of a return order.
    ShipmentId
    /// What is to be paid for a return.
    PaymentId
    /// A mail to a shopper.
    MailId
    /// A consumer's statement that they withdraw from a contract.
    WithdrawalId
    /// Something that happened, as told to other systems.
    EventId
    /// Who wants to be told.
    WebhookSubscriptionId
    /// One event on its way to one subscription.
    WebhookDeliveryId
    /// A program that delivers webhooks.
    WebhookSenderId
}

impl WebhookDeliveryId {
    /// Made of both its parts: nobody needs randomness where deliveries are written. The time is the event's.
    pub fn of(event: EventId, subscription: WebhookSubscriptionId) -> Self {
        const RANDOM: u128 = (1 << 62) - 1; // the bits that are neither time nor version nor variant
        Self(Uuid::from_u128(event.0.as_u128() ^ (subscription.0.as_u128() & RANDOM)))
    }
}
