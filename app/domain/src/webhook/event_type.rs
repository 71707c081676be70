//! The types of events.

use serde::{Deserialize, Serialize};

macro_rules! event_types {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)+) => {
        /// The types of events.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        #[serde(remote = "EventType")]
        pub enum EventType {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
        }

        string_enum!(EventType);

        impl EventType {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name in JSON and SQL.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

event_types! {
    /// A return request entered a stage.
    StageChanged = "return_request.stage_changed";
    /// A return order was submitted.
    ReturnOrderCreated = "return_order.created";
    /// None of its requests is undecided and no payment is due: it can be sent.
    ReturnOrderConfirmed = "return_order.confirmed";
    /// All of its requests have ended, and at least one was settled or denied.
    ReturnOrderCompleted = "return_order.completed";
    /// All of its requests have ended, and none was settled or denied.
    ReturnOrderCancelled = "return_order.cancelled";
    /// Staff added a note to a return order. Consumers never see it.
    NoteAdded = "return_order.note_added";
    /// A return order was given to a user, or taken from one.
    ReturnOrderAssigned = "return_order.assigned";
    /// A parcel got its label: a warehouse can expect it.
    LabelCreated = "shipment.label_created";
    /// A carrier reported where a parcel is.
    TrackingUpdated = "shipment.received_tracking_updates";
    /// A carrier delivered a parcel.
    #[serde(alias = "shipment.received_tracking_updates.delivered")]
    ShipmentDelivered = "shipment.delivered";
    /// A consumer withdrew from a contract.
    WithdrawalReceived = "withdrawal.received";
    /// A consumer's personal data were erased: erase them in your systems, too.
    ConsumerErased = "consumer.erased";
    /// A subscription was disabled because its receiver failed or is gone.
    SubscriptionDisabled = "webhook_subscription.disabled";
    /// A test of the receiver: nothing happened.
    Ping = "test.ping";
}

impl EventType {
    /// The type with that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_type_is_found_by_its_name() {
        for kind in EventType::ALL {
            assert_eq!(EventType::parse(kind.name()), Some(*kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        let of_other_systems = serde_json::json!("shipment.received_tracking_updates.delivered");
        assert_eq!(serde_json::from_value::<EventType>(of_other_systems).unwrap(), EventType::ShipmentDelivered);
    }
}
