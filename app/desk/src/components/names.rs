//! States and kinds in words.

use crate::words::{Names, Words};
use domain::{
    audit::AuditSubjectKind,
    returning::{ReturnOrderStatus, ShipmentStatus},
};

/// The state of a return.
pub fn order_text(status: ReturnOrderStatus, words: &Words) -> &'static str {
    let names: &Names = words.names;
    match status {
        ReturnOrderStatus::Requested => names.order_requested,
        ReturnOrderStatus::AwaitingPayment => names.order_awaiting_payment,
        ReturnOrderStatus::Open => names.order_open,
        ReturnOrderStatus::Completed => names.order_completed,
        ReturnOrderStatus::Cancelled => names.order_cancelled,
        ReturnOrderStatus::Expired => names.order_expired,
        ReturnOrderStatus::Rejected => names.order_rejected,
    }
}

/// The state of a parcel.
pub fn parcel_text(status: ShipmentStatus, words: &Words) -> &'static str {
    let words = words.return_order;
    match status {
        ShipmentStatus::New => words.parcel_new,
        ShipmentStatus::LabelFailed => words.parcel_label_failed,
        ShipmentStatus::LabelCreated => words.parcel_label,
        ShipmentStatus::InTransit => words.parcel_transit,
        ShipmentStatus::Exception => words.parcel_exception,
        ShipmentStatus::Delivered => words.parcel_delivered,
        ShipmentStatus::Cancelled => words.parcel_cancelled,
    }
}

/// The state of a payment, or of a try to pay, by its name in the API.
pub fn payment_text(status: &str, words: &Words) -> String {
    let names = words.names;
    let text = match status {
        "Pending" => names.payment_pending,
        "Begun" => names.payment_begun,
        "Open" => names.payment_open,
        "Processing" => names.payment_processing,
        "Paid" => names.payment_paid,
        "Closed" | "Expired" => names.payment_ended,
        other => other,
    };
    text.to_owned()
}

/// The state of a delivery of a webhook, by its name in the API.
pub fn delivery_text(status: &str, words: &Words) -> String {
    let names = words.names;
    let text = match status {
        "Pending" => names.delivery_pending,
        "Delivered" => names.delivery_delivered,
        "Failed" => names.delivery_failed,
        other => other,
    };
    text.to_owned()
}

/// What a mail says, by its name in the API. A name that has no text stands as it is.
pub fn mail_text(about: &str, words: &Words) -> String {
    let names = words.names;
    let text = match about {
        "Review" => names.mail_review,
        "Evidence" => names.mail_evidence,
        "Pay" => names.mail_pay,
        "PaymentReminder" => names.mail_payment_reminder,
        "LabelPending" => names.mail_label_pending,
        "Ready" => names.mail_ready,
        "Kept" => names.mail_kept,
        "HandInReminder" => names.mail_hand_in_reminder,
        "LabelFailed" => names.mail_label_failed,
        "Transit" => names.mail_transit,
        "Delayed" => names.mail_delayed,
        "Arrived" => names.mail_arrived,
        "Checking" => names.mail_checking,
        "Coming" => names.mail_coming,
        "Done" => names.mail_done,
        "Denied" => names.mail_denied,
        "Cancelled" => names.mail_cancelled,
        "Expired" => names.mail_expired,
        "Rejected" => names.mail_rejected,
        "SignIn" => names.mail_sign_in,
        "Withdrawal" => names.mail_withdrawal,
        other => other,
    };
    text.to_owned()
}

/// The kind of thing that an entry of the audit log is about.
pub fn subject_text(kind: AuditSubjectKind, words: &Words) -> &'static str {
    let names: &Names = words.names;
    match kind {
        AuditSubjectKind::Account => names.subject_account,
        AuditSubjectKind::User => names.subject_user,
        AuditSubjectKind::ServiceUser => names.subject_service_user,
        AuditSubjectKind::ReturnLocation => names.subject_return_location,
        AuditSubjectKind::ReturnReason => names.subject_return_reason,
        AuditSubjectKind::ShippingOption => names.subject_shipping_option,
        AuditSubjectKind::WebhookSubscription => names.subject_webhook,
        AuditSubjectKind::Event => names.subject_event,
        AuditSubjectKind::WebhookDelivery => names.subject_delivery,
        AuditSubjectKind::Purchase => names.subject_purchase,
        AuditSubjectKind::Consumer => names.subject_consumer,
        AuditSubjectKind::DraftReturnOrder => names.subject_draft,
        AuditSubjectKind::ReturnOrder => names.subject_return_order,
        AuditSubjectKind::ReturnRequest => names.subject_return_request,
        AuditSubjectKind::Shipment => names.subject_shipment,
        AuditSubjectKind::Evidence => names.subject_evidence,
        AuditSubjectKind::Withdrawal => names.subject_withdrawal,
        AuditSubjectKind::FoundParcel => names.subject_found_parcel,
        AuditSubjectKind::BulkRun => names.subject_bulk_run,
    }
}
