-- Which parcels something is wrong with: a filter of their list.
CREATE INDEX shipments_by_error_code ON shipments (account_id, error_code, seq);
-- Who was asked for a label is a carrier, whichever component that is.
ALTER TABLE label_requests RENAME COLUMN asked_shop TO asked_carrier;
