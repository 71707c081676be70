-- no-transaction
-- The requests of a stage, those that entered it first at the beginning. The other columns
-- let counting read the index alone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS return_requests_by_stage_age ON return_requests (account_id, stage, staged, stage_since,
  return_order_id);
