-- no-transaction
-- The return orders that somebody of the staff has, to be counted by the index alone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS return_orders_assigned ON return_orders (account_id, assignee_id, status)
    WHERE assignee_id IS NOT NULL;
