//! Names that databases store: they must not change.

use crate::{
    mail::MailStatus,
    order::OrderReview,
    party::Actor,
    payment::{PaymentKind, PaymentState, PaymentStatus},
    policy::Resolution,
    returning::{DraftStatus, ReturnSource, ShipmentStatus},
    shipping::ShippingMethod,
    stage::Scan,
    webhook::{DeliveryStatus, DisabledReason},
};
use std::fmt::Debug;

/// Each value has its stored name and is found by it; no other name finds a value.
fn check<T: Copy + Debug + PartialEq>(
    name: impl Fn(T) -> &'static str,
    from_name: impl Fn(&str) -> Option<T>,
    all: &[(T, &str)],
) {
    for &(one, expected) in all {
        assert_eq!((name(one), from_name(expected)), (expected, Some(one)));
    }
    for unknown in ["", "xyzzy", "sent", "PAID"] {
        assert_eq!(from_name(unknown), None, "{unknown}");
    }
}

#[test]
fn stored_names_do_not_change() {
    use Resolution::{Exchange, Refund, StoreCredit};
    use ShippingMethod::{DropOff, InStore, Label, OwnCarrier, Paperless, PickUp};
    check(OrderReview::name, OrderReview::from_name, &[(OrderReview::SumsDiffer, "SumsDiffer")]);
    check(MailStatus::name, MailStatus::from_name, &[(MailStatus::Sent, "Sent"), (MailStatus::Failed, "Failed")]);
    let resolutions = [(Refund, "Refund"), (Exchange, "Exchange"), (StoreCredit, "StoreCredit")];
    check(Resolution::name, Resolution::from_name, &resolutions);
    let sources = [(ReturnSource::Portal, "Portal"), (ReturnSource::Api, "Api"), (ReturnSource::Merchant, "Merchant")];
    check(ReturnSource::name, ReturnSource::from_name, &sources);
    let actors = [(Actor::Consumer, "Consumer"), (Actor::Merchant, "Merchant"), (Actor::System, "System")];
    check(Actor::name, Actor::from_name, &actors);
    let ways = [(Label, "Label"), (Paperless, "Paperless"), (DropOff, "DropOff")];
    check(ShippingMethod::name, ShippingMethod::from_name, &ways);
    let ways = [(PickUp, "PickUp"), (InStore, "InStore"), (OwnCarrier, "OwnCarrier")];
    check(ShippingMethod::name, ShippingMethod::from_name, &ways);
    let scans = [(Scan::InTransit, "InTransit"), (Scan::Exception, "Exception"), (Scan::Delivered, "Delivered")];
    check(Scan::name, Scan::from_name, &scans);
    let (pending, delivered) = (DeliveryStatus::Pending, DeliveryStatus::Delivered);
    let deliveries = [(pending, "Pending"), (delivered, "Delivered"), (DeliveryStatus::Failed, "Failed")];
    check(DeliveryStatus::name, DeliveryStatus::from_name, &deliveries);
    let (gone, failing) = (DisabledReason::Gone, DisabledReason::Failing);
    let disabled = [(DisabledReason::ByMerchant, "ByMerchant"), (gone, "Gone"), (failing, "Failing")];
    check(DisabledReason::name, DisabledReason::from_name, &disabled);
    let (paid, expired) = (PaymentState::Paid, PaymentState::Expired);
    let payments = [(PaymentState::Pending, "Pending"), (paid, "Paid"), (expired, "Expired")];
    check(PaymentState::name, PaymentState::from_name, &payments);
    let (none, simulated) = (PaymentKind::None, PaymentKind::Simulated);
    check(PaymentKind::name, PaymentKind::from_name, &[(none, "none"), (simulated, "simulated")]);
    let (stripe, mollie) = (PaymentKind::Stripe, PaymentKind::Mollie);
    check(PaymentKind::name, PaymentKind::from_name, &[(stripe, "stripe"), (mollie, "mollie")]);
}

#[test]
fn names_are_the_same_in_json_and_sql() {
    for &status in ShipmentStatus::all() {
        assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        assert_eq!(ShipmentStatus::from_name(status.name()), Some(status));
    }
    assert_eq!(PaymentStatus::NotRequired.to_string(), "NotRequired");
    assert_eq!(DraftStatus::from_name("open"), None);
}
