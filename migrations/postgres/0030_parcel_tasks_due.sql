-- no-transaction
-- Parcels that are due in the whole installation, without looking at every account.
CREATE INDEX CONCURRENTLY IF NOT EXISTS parcel_tasks_due ON parcel_tasks (due_at);
