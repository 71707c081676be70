-- Drafts that came to nothing, to be deleted.
CREATE INDEX draft_return_orders_unsent_by_expiry ON draft_return_orders (expires_at) WHERE status <> 'Accepted';
