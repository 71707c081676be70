-- The requests of a product.
CREATE INDEX return_requests_by_sku ON return_requests (account_id, sku, seq);
