-- no-transaction
-- Mail that is due in the whole installation, without looking at every account.
CREATE INDEX CONCURRENTLY IF NOT EXISTS mail_tasks_due ON mail_tasks (due_at) WHERE due_at IS NOT NULL;
