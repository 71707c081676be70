-- no-transaction
-- The completed requests by the time of their completion. With the other columns, sums read the index alone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS return_requests_completed ON return_requests
    (account_id, stage_since, currency, requested_resolution, resolution_value, value, created_at)
    WHERE stage = 'Resolution: Completed';
