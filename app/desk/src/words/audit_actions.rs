//! What was done, in words.

use ui::word_table;

word_table! {
    /// The actions of the audit log.
    AuditActions = EN {
        account_created: "Account created",
        account_updated: "Settings changed",
        preview_created: "Preview link created",
        return_location_created: "Return address added",
        return_location_updated: "Return address changed",
        return_location_deleted: "Return address removed",
        return_reason_created: "Return reason added",
        return_reason_updated: "Return reason changed",
        return_reason_deleted: "Return reason removed",
        shipping_option_created: "Way of sending added",
        shipping_option_updated: "Way of sending changed",
        shipping_option_deleted: "Way of sending removed",
        user_signed_in: "Signed in",
        user_sign_in_failed: "Sign-in failed",
        user_signed_out: "Signed out",
        user_password_set: "Password set",
        user_invited: "Person invited",
        user_invited_again: "Invitation renewed",
        user_updated: "Person changed",
        user_deleted: "Person removed",
        service_user_created: "API key created",
        service_user_updated: "API key changed",
        service_user_rotated: "API key replaced",
        service_user_revoked: "API key revoked",
        orders_imported: "Orders imported",
        purchase_deleted: "Order line deleted",
        evidence_added: "Photo or document added",
        evidence_deleted: "Photo or document deleted",
        shipment_added: "Parcel added",
        shipment_cancelled: "Parcel cancelled",
        draft_rejected: "Draft rejected",
        withdrawal_created: "Withdrawal recorded",
        withdrawal_updated: "Withdrawal changed",
        personal_data_exported: "Personal data exported",
        personal_data_erased: "Personal data erased",
        webhook_subscription_created: "Webhook added",
        webhook_subscription_updated: "Webhook changed",
        webhook_subscription_deleted: "Webhook removed",
        webhook_secret_rotated: "Webhook secret replaced",
        events_redelivered: "Events sent again",
    }
}
