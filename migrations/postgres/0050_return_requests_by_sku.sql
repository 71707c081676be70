-- no-transaction
-- The requests of a product.
CREATE INDEX CONCURRENTLY IF NOT EXISTS return_requests_by_sku ON return_requests (account_id, sku, seq);
