//! The stages of a return request, as staff read them.

use ui::word_table;

word_table! {
    /// The names of the stages.
    Stages = EN {
        evidence_pending: "Waiting for photos",
        review: "To decide",
        approved: "Approved",
        rejected: "Rejected",
        payment_pending: "Waiting for payment",
        label_pending: "Label in progress",
        label_failed: "Label failed",
        ready: "With the customer",
        in_transit: "On its way",
        exception: "Delivery problem",
        delivered: "Delivered",
        received_partial: "Partly here",
        received_complete: "Here",
        inspection_pending: "To inspect",
        resolution_pending: "To settle",
        resolution_approved: "To pay out",
        resolution_processing: "Being paid out",
        completed: "Done",
        resolution_failed: "Payout failed",
        denied: "Denied",
        cancelled: "Cancelled",
        expired: "Expired",
    }
}
