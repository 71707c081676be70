-- no-transaction
-- The requests of a stage, those that entered it first at the beginning. The time
-- lets counting read the index alone. (With more columns, SQLite would prefer it to indexes that find fewer rows.)
CREATE INDEX CONCURRENTLY IF NOT EXISTS return_requests_by_stage_age ON return_requests (account_id, stage, staged, stage_since);
