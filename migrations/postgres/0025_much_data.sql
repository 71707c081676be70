-- What keeps its cost however much there is; the indexes of the next migrations go with it. Nothing here takes longer than a
-- look at the catalogue.

-- What nothing asks by: an index of the entries of each request, which are more than anything else.
DROP INDEX IF EXISTS timeline_entries_by_return_request;
-- SQLite finds the next number of a change by these; here a sequence tells it.
DROP INDEX IF EXISTS return_requests_changed;
DROP INDEX IF EXISTS return_orders_changed;

-- Programs that forget what is over do so one after the other.
INSERT INTO worker_turns (name, taken) VALUES ('pruning', 0);

-- By which key a row is known where it is copied to: to a replica of some tables, to another version of Postgres, to another
-- machine. Tables with a primary key need not be told.
ALTER TABLE evidence REPLICA IDENTITY USING INDEX evidence_account_id_id_key;
ALTER TABLE label_requests REPLICA IDENTITY USING INDEX label_requests_account_id_id_key;
ALTER TABLE mail_tasks REPLICA IDENTITY USING INDEX mail_tasks_account_id_about_id_key;
ALTER TABLE mails REPLICA IDENTITY USING INDEX mails_account_id_id_key;
ALTER TABLE parcel_tasks REPLICA IDENTITY USING INDEX parcel_tasks_account_id_shipment_id_key;
ALTER TABLE payment_tasks REPLICA IDENTITY USING INDEX payment_tasks_account_id_return_order_id_key;
ALTER TABLE pending_evidence REPLICA IDENTITY USING INDEX pending_evidence_account_id_id_key;
ALTER TABLE return_locations REPLICA IDENTITY USING INDEX return_locations_account_id_id_key;
ALTER TABLE settlements REPLICA IDENTITY USING INDEX settlements_account_id_id_key;
ALTER TABLE tracking_updates REPLICA IDENTITY USING INDEX tracking_updates_account_id_shipment_id_happened_at_status__key;
ALTER TABLE users REPLICA IDENTITY USING INDEX users_account_id_id_key;
ALTER TABLE webhook_deliveries REPLICA IDENTITY USING INDEX webhook_deliveries_account_id_id_key;
ALTER TABLE webhook_subscriptions REPLICA IDENTITY USING INDEX webhook_subscriptions_account_id_id_key;
ALTER TABLE webhook_timeline_entries REPLICA IDENTITY USING INDEX webhook_timeline_entries_account_id_subscription_id_seq_key;
ALTER TABLE withdrawals REPLICA IDENTITY USING INDEX withdrawals_account_id_id_key;
ALTER TABLE worker_turns REPLICA IDENTITY USING INDEX worker_turns_name_key;
