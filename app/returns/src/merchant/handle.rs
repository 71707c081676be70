//! The use cases of the staff of one account.

use crate::base::{Retour, Staff};

/// The use cases of a merchant's users and service users. Each one reads and changes only their own account.
///
/// - Return orders and return requests (`merchant/returns/list.rs`):
///   [`return_requests`](Self::return_requests), [`return_request`](Self::return_request),
///   [`return_orders`](Self::return_orders), [`return_order`](Self::return_order)
/// - Queues (`merchant/returns/queues.rs`):
///   [`queues`](Self::queues)
/// - Figures, and what the caller worked on (`merchant/returns/figures.rs`):
///   [`figures_summary`](Self::figures_summary), [`worked_return_orders`](Self::worked_return_orders)
/// - A search over everything (`merchant/returns/find.rs`):
///   [`find`](Self::find)
/// - Drafts, and returns that the merchant makes (`merchant/returns/drafts.rs`):
///   [`draft_return_orders`](Self::draft_return_orders), [`draft_return_order`](Self::draft_return_order),
///   [`create_draft`](Self::create_draft), [`create_return_order`](Self::create_return_order),
///   [`accept_draft`](Self::accept_draft), [`mail_draft`](Self::mail_draft), [`reject_draft`](Self::reject_draft)
/// - Progress of a return (`merchant/returns/progress.rs`):
///   [`update_status`](Self::update_status), [`receive`](Self::receive), [`inspect`](Self::inspect),
///   [`cancel_return_order`](Self::cancel_return_order), [`receipts`](Self::receipts),
///   [`inspection`](Self::inspection), [`inspections`](Self::inspections), [`timeline`](Self::timeline)
/// - Many moves at once (`merchant/returns/batch.rs`):
///   [`update_many`](Self::update_many)
/// - Changes of many return requests (`merchant/returns/bulk.rs`, `bulk_plan.rs`):
///   [`create_bulk_run`](Self::create_bulk_run), [`continue_bulk_run`](Self::continue_bulk_run),
///   [`bulk_run`](Self::bulk_run), [`bulk_runs`](Self::bulk_runs), [`plan_bulk_run`](Self::plan_bulk_run)
/// - The value of a return request (`merchant/returns/adjustments.rs`):
///   [`adjust`](Self::adjust)
/// - What an agent asks others to approve (`merchant/returns/proposals.rs`):
///   [`propose`](Self::propose), [`approve_proposal`](Self::approve_proposal),
///   [`refuse_proposal`](Self::refuse_proposal)
/// - What a return request asks for (`merchant/returns/amendments.rs`):
///   [`amend`](Self::amend), [`preview_amendment`](Self::preview_amendment)
/// - Another way of sending (`merchant/returns/shipping_changes.rs`):
///   [`change_shipping`](Self::change_shipping), [`preview_shipping`](Self::preview_shipping)
/// - Who handles a return order (`merchant/returns/handling.rs`):
///   [`change_return_order`](Self::change_return_order), [`assignees`](Self::assignees)
/// - Notes (`merchant/returns/notes.rs`):
///   [`notes`](Self::notes), [`add_note`](Self::add_note), [`change_note`](Self::change_note)
/// - What happened to a return order, and who looks at it (`merchant/returns/activity.rs`, `visits.rs`):
///   [`activity`](Self::activity), [`visit_return_order`](Self::visit_return_order)
/// - Receiving parcels (`merchant/returns/receiving.rs`):
///   [`create_receiving`](Self::create_receiving)
/// - Taking back what the warehouse recorded (`merchant/returns/take_back.rs`):
///   [`reverse_receiving`](Self::reverse_receiving), [`reverse_receipt`](Self::reverse_receipt),
///   [`delete_inspection`](Self::delete_inspection)
/// - Scanned codes (`merchant/returns/scan.rs`):
///   [`scan`](Self::scan), [`scan_tally`](Self::scan_tally)
/// - The sheet of command codes (`merchant/returns/command_sheet.rs`):
///   [`command_sheet`](Self::command_sheet)
/// - Parcels without papers (`merchant/returns/found_parcels.rs`):
///   [`found_parcels`](Self::found_parcels), [`found_parcel`](Self::found_parcel),
///   [`create_found_parcel`](Self::create_found_parcel), [`change_found_parcel`](Self::change_found_parcel)
/// - Shipments and labels (`merchant/returns/shipments.rs`):
///   [`shipments`](Self::shipments), [`shipment`](Self::shipment), [`label`](Self::label),
///   [`retry_label`](Self::retry_label), [`cancel_parcel`](Self::cancel_parcel), [`track`](Self::track)
/// - The sender of a shipment (`merchant/returns/senders.rs`):
///   [`correct_sender`](Self::correct_sender)
/// - Another shipment (`merchant/returns/new_shipment.rs`):
///   [`add_parcel`](Self::add_parcel)
/// - Evidence (`merchant/returns/evidence.rs`):
///   [`add_evidence`](Self::add_evidence), [`evidence`](Self::evidence), [`evidence_file`](Self::evidence_file),
///   [`delete_evidence`](Self::delete_evidence)
/// - Purchases (`merchant/catalog/purchases.rs`):
///   [`all_purchases`](Self::all_purchases), [`purchase`](Self::purchase), [`put_purchase`](Self::put_purchase),
///   [`delete_purchase`](Self::delete_purchase)
/// - Importing orders (`merchant/catalog/import.rs`):
///   [`import_orders`](Self::import_orders), [`import_file`](Self::import_file),
///   [`import_before`](Self::import_before), [`is_import_answered`](Self::is_import_answered)
/// - The account (`merchant/settings/account.rs`):
///   [`account_settings`](Self::account_settings), [`change_account`](Self::change_account)
/// - Previews of the portal (`merchant/settings/preview.rs`):
///   [`preview`](Self::preview)
/// - Return locations (`merchant/settings/return_locations.rs`):
///   [`return_locations`](Self::return_locations), [`return_location`](Self::return_location),
///   [`create_return_location`](Self::create_return_location),
///   [`change_return_location`](Self::change_return_location),
///   [`delete_return_location`](Self::delete_return_location)
/// - Return reasons (`merchant/settings/return_reasons.rs`):
///   [`return_reasons`](Self::return_reasons), [`return_reason`](Self::return_reason),
///   [`create_return_reason`](Self::create_return_reason), [`change_return_reason`](Self::change_return_reason),
///   [`delete_return_reason`](Self::delete_return_reason)
/// - Shipping options (`merchant/settings/shipping_options.rs`):
///   [`shipping_options`](Self::shipping_options), [`shipping_option`](Self::shipping_option),
///   [`create_shipping_option`](Self::create_shipping_option),
///   [`change_shipping_option`](Self::change_shipping_option),
///   [`delete_shipping_option`](Self::delete_shipping_option)
/// - Integrations (`merchant/settings/integrations.rs`):
///   [`integrations`](Self::integrations)
/// - Users (`merchant/team/users.rs`):
///   [`users`](Self::users), [`user`](Self::user), [`invite_user`](Self::invite_user),
///   [`invite_user_again`](Self::invite_user_again), [`update_user`](Self::update_user),
///   [`delete_user`](Self::delete_user)
/// - Sessions of users (`merchant/team/sessions.rs`):
///   [`user_sessions`](Self::user_sessions), [`end_user_session`](Self::end_user_session),
///   [`end_user_sessions`](Self::end_user_sessions)
/// - Second factors and passkeys of users (`merchant/team/factors.rs`):
///   [`reset_factors`](Self::reset_factors)
/// - Saved views (`merchant/team/saved_views.rs`):
///   [`saved_views`](Self::saved_views), [`create_saved_view`](Self::create_saved_view),
///   [`change_saved_view`](Self::change_saved_view), [`share_saved_view`](Self::share_saved_view),
///   [`delete_saved_view`](Self::delete_saved_view)
/// - Service users (`merchant/team/service_users.rs`):
///   [`service_users`](Self::service_users), [`service_user`](Self::service_user),
///   [`add_service_user`](Self::add_service_user), [`update_service_user`](Self::update_service_user),
///   [`rotate_service_user`](Self::rotate_service_user), [`revoke_service_user`](Self::revoke_service_user)
/// - The audit log (`merchant/team/audit_log.rs`):
///   [`audit_entries`](Self::audit_entries)
/// - Events and deliveries (`merchant/webhooks/events.rs`):
///   [`events`](Self::events), [`event`](Self::event), [`webhook_deliveries`](Self::webhook_deliveries),
///   [`webhook_delivery`](Self::webhook_delivery), [`redeliver`](Self::redeliver),
///   [`redeliver_event`](Self::redeliver_event)
/// - Testing a subscription (`merchant/webhooks/ping.rs`):
///   [`test_webhook_subscription`](Self::test_webhook_subscription)
/// - Secrets of subscriptions (`merchant/webhooks/secrets.rs`):
///   [`webhook_secret`](Self::webhook_secret), [`rotate_webhook_secret`](Self::rotate_webhook_secret)
/// - Webhook subscriptions (`merchant/webhooks/subscriptions.rs`):
///   [`webhook_subscriptions`](Self::webhook_subscriptions), [`webhook_subscription`](Self::webhook_subscription),
///   [`webhook_timeline`](Self::webhook_timeline),
///   [`create_webhook_subscription`](Self::create_webhook_subscription),
///   [`change_webhook_subscription`](Self::change_webhook_subscription),
///   [`delete_webhook_subscription`](Self::delete_webhook_subscription), [`redeliver_since`](Self::redeliver_since)
/// - Consumers (`merchant/people/consumers.rs`):
///   [`consumers`](Self::consumers), [`consumer`](Self::consumer)
/// - A consumer that staff look up (`merchant/people/new_consumer.rs`):
///   [`create_consumer`](Self::create_consumer)
/// - Personal data (`merchant/people/erasure.rs`):
///   [`personal_data`](Self::personal_data), [`personal_data_of_email`](Self::personal_data_of_email),
///   [`erase_consumer`](Self::erase_consumer), [`erase_email`](Self::erase_email)
/// - Mail (`merchant/people/mails.rs`):
///   [`sent_mails`](Self::sent_mails), [`resend_mail`](Self::resend_mail)
/// - Withdrawals (`merchant/people/withdrawals.rs`):
///   [`withdrawals`](Self::withdrawals), [`withdrawal`](Self::withdrawal),
///   [`create_withdrawal`](Self::create_withdrawal), [`change_withdrawal`](Self::change_withdrawal)
#[derive(Debug, Clone, Copy)]
pub struct MerchantHandle<'a> {
    pub(crate) retour: &'a Retour,
    pub(crate) staff: Staff,
}

impl Retour {
    /// The use cases of staff. [`crate::Caller::as_staff`] checks their permissions.
    pub fn merchant(&self, staff: &Staff) -> MerchantHandle<'_> {
        MerchantHandle { retour: self, staff: *staff }
    }
}
