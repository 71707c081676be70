-- What keeps its cost however much there is.

-- Drafts whose time is over: those that became returns stay for good, and nobody who looks for the others goes through them.
CREATE INDEX IF NOT EXISTS draft_return_orders_open_by_expiry ON draft_return_orders (expires_at) WHERE status = 'Open';
CREATE INDEX IF NOT EXISTS draft_return_orders_unsent_by_expiry ON draft_return_orders (expires_at) WHERE status <> 'Accepted';
DROP INDEX IF EXISTS draft_return_orders_by_expiry;

-- What is due in the whole installation, without looking at every account.
CREATE INDEX IF NOT EXISTS label_requests_due ON label_requests (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS payment_tasks_due ON payment_tasks (due_at);
CREATE INDEX IF NOT EXISTS parcel_tasks_due ON parcel_tasks (due_at);
CREATE INDEX IF NOT EXISTS mail_tasks_due ON mail_tasks (due_at) WHERE due_at IS NOT NULL;

-- What nothing asks by: an index of the entries of each request, which are more than anything else.
DROP INDEX IF EXISTS timeline_entries_by_return_request;

-- Programs that forget what is over do so one after the other.
INSERT INTO worker_turns (name, taken) VALUES ('pruning', 0);
