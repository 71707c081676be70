//! What was done, in words.

use crate::words::Words;
use domain::audit::{AuditAction, AuditTopic};

/// The words of a topic.
pub(super) fn topic_text(topic: AuditTopic, words: &Words) -> &'static str {
    match topic {
        AuditTopic::Money => words.audit.topic_money,
        AuditTopic::Settings => words.audit.topic_settings,
        AuditTopic::Team => words.audit.topic_team,
        AuditTopic::Data => words.audit.topic_data,
        AuditTopic::Webhooks => words.audit.topic_webhooks,
    }
}

/// The words of an action.
#[expect(clippy::too_many_lines, reason = "one line for each action")]
pub(super) fn action_text(action: AuditAction, words: &Words) -> &'static str {
    let words = words.audit_actions;
    match action {
        AuditAction::AccountCreated => words.account_created,
        AuditAction::AccountUpdated => words.account_updated,
        AuditAction::PreviewCreated => words.preview_created,
        AuditAction::ReturnLocationCreated => words.return_location_created,
        AuditAction::ReturnLocationUpdated => words.return_location_updated,
        AuditAction::ReturnLocationDeleted => words.return_location_deleted,
        AuditAction::ReturnReasonCreated => words.return_reason_created,
        AuditAction::ReturnReasonUpdated => words.return_reason_updated,
        AuditAction::ReturnReasonDeleted => words.return_reason_deleted,
        AuditAction::ShippingOptionCreated => words.shipping_option_created,
        AuditAction::ShippingOptionUpdated => words.shipping_option_updated,
        AuditAction::ShippingOptionDeleted => words.shipping_option_deleted,
        AuditAction::UserSignedIn => words.user_signed_in,
        AuditAction::UserSignInFailed => words.user_sign_in_failed,
        AuditAction::UserSignedOut => words.user_signed_out,
        AuditAction::UserPasswordSet => words.user_password_set,
        AuditAction::UserSignedInWithPasskey => words.user_signed_in_with_passkey,
        AuditAction::UserPasskeyRefused => words.user_passkey_refused,
        AuditAction::UserPasskeyAdded => words.user_passkey_added,
        AuditAction::UserPasskeyRenamed => words.user_passkey_renamed,
        AuditAction::UserPasskeyRemoved => words.user_passkey_removed,
        AuditAction::UserFactorAdded => words.user_factor_added,
        AuditAction::UserFactorRemoved => words.user_factor_removed,
        AuditAction::UserRecoveryCodesRenewed => words.user_recovery_codes_renewed,
        AuditAction::UserFactorsReset => words.user_factors_reset,
        AuditAction::UserSessionsEnded => words.user_sessions_ended,
        AuditAction::ConsumerCreated => words.consumer_created,
        AuditAction::RulesOverridden => words.rules_overridden,
        AuditAction::DraftMailed => words.draft_mailed,
        AuditAction::FoundParcelCreated => words.found_parcel_created,
        AuditAction::FoundParcelUpdated => words.found_parcel_updated,
        AuditAction::UserInvited => words.user_invited,
        AuditAction::UserInvitedAgain => words.user_invited_again,
        AuditAction::UserUpdated => words.user_updated,
        AuditAction::UserDeleted => words.user_deleted,
        AuditAction::ServiceUserCreated => words.service_user_created,
        AuditAction::ServiceUserUpdated => words.service_user_updated,
        AuditAction::ServiceUserRotated => words.service_user_rotated,
        AuditAction::ServiceUserRevoked => words.service_user_revoked,
        AuditAction::OrdersImported => words.orders_imported,
        AuditAction::PurchaseDeleted => words.purchase_deleted,
        AuditAction::AdjustmentMade => words.adjustment_made,
        AuditAction::ProposalMade => words.proposal_made,
        AuditAction::ProposalApproved => words.proposal_approved,
        AuditAction::ProposalRefused => words.proposal_refused,
        AuditAction::RequestAmended => words.request_amended,
        AuditAction::EvidenceAdded => words.evidence_added,
        AuditAction::EvidenceDeleted => words.evidence_deleted,
        AuditAction::ShipmentAdded => words.shipment_added,
        AuditAction::ShippingChanged => words.shipping_changed,
        AuditAction::SenderCorrected => words.sender_corrected,
        AuditAction::ShipmentCancelled => words.shipment_cancelled,
        AuditAction::DraftRejected => words.draft_rejected,
        AuditAction::ReturnOrderUpdated => words.return_order_updated,
        AuditAction::BulkRunCreated => words.bulk_run_created,
        AuditAction::WithdrawalCreated => words.withdrawal_created,
        AuditAction::WithdrawalUpdated => words.withdrawal_updated,
        AuditAction::PersonalDataExported => words.personal_data_exported,
        AuditAction::PersonalDataErased => words.personal_data_erased,
        AuditAction::PersonalDataRequested => words.personal_data_requested,
        AuditAction::WebhookSubscriptionCreated => words.webhook_subscription_created,
        AuditAction::WebhookSubscriptionUpdated => words.webhook_subscription_updated,
        AuditAction::WebhookSubscriptionDeleted => words.webhook_subscription_deleted,
        AuditAction::WebhookSecretRotated => words.webhook_secret_rotated,
        AuditAction::EventsRedelivered => words.events_redelivered,
    }
}
