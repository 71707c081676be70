//! Names of states and kinds that several pages show.

use ui::word_table;

word_table! {
    /// The names of states and kinds.
    Names = EN {
        // The state of a return
        order_requested: "Undecided",
        order_awaiting_payment: "Waiting for payment",
        order_open: "Under way",
        order_completed: "Completed",
        order_cancelled: "Cancelled",
        order_expired: "Expired",
        order_rejected: "Rejected",
        // A payment, and a try to pay
        payment_pending: "waiting for the customer",
        payment_begun: "page requested",
        payment_open: "page opened",
        payment_processing: "on its way",
        payment_paid: "paid",
        payment_ended: "ended without a payment",
        // A message to a program
        delivery_pending: "waiting",
        delivery_delivered: "delivered",
        delivery_failed: "failed",
        // What a mail says
        mail_review: "Return received",
        mail_evidence: "Photos needed",
        mail_pay: "Please pay",
        mail_payment_reminder: "Reminder to pay",
        mail_label_pending: "Label follows",
        mail_ready: "Ready to send",
        mail_kept: "Keep the items",
        mail_hand_in_reminder: "Reminder to send",
        mail_label_failed: "Label delayed",
        mail_transit: "On its way",
        mail_delayed: "Parcel delayed",
        mail_arrived: "Parcel arrived",
        mail_checking: "Return under review",
        mail_coming: "Refund approved",
        mail_done: "Completed",
        mail_denied: "Refund denied",
        mail_cancelled: "Cancelled",
        mail_expired: "Expired",
        mail_rejected: "Rejected",
        mail_sign_in: "Link to orders",
        mail_withdrawal: "Withdrawal received",
        // What an entry of the audit log is about
        subject_account: "Account",
        subject_user: "Person",
        subject_service_user: "API key",
        subject_return_location: "Return address",
        subject_return_reason: "Return reason",
        subject_shipping_option: "Way of sending",
        subject_webhook: "Webhook",
        subject_event: "Event",
        subject_delivery: "Webhook message",
        subject_purchase: "Order line",
        subject_consumer: "Customer",
        subject_draft: "Draft",
        subject_return_order: "Return",
        subject_return_request: "Returned item",
        subject_shipment: "Parcel",
        subject_evidence: "Photo or document",
        subject_withdrawal: "Withdrawal",
        subject_found_parcel: "Parcel without papers",
        subject_bulk_run: "Bulk change",
    }
}
