-- no-transaction
-- Lists of the return orders of one person.
CREATE INDEX CONCURRENTLY IF NOT EXISTS return_orders_by_assignee ON return_orders (account_id, assignee_id, seq);
