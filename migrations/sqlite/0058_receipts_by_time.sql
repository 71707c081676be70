-- The units that arrived within a time. With them, the sum reads the index alone.
CREATE INDEX receipts_by_time ON receipts (account_id, at, units);
