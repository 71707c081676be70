-- Labels that are due in the whole installation, without looking at every account.
CREATE INDEX label_requests_due ON label_requests (due_at) WHERE due_at IS NOT NULL;
