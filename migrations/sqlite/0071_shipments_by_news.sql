-- When the parcels of a return last changed.
CREATE INDEX shipments_by_news ON shipments (account_id, return_order_id, updated_at);
