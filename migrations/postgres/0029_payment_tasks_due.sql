-- no-transaction
-- Payments that are due in the whole installation, without looking at every account.
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_tasks_due ON payment_tasks (due_at);
