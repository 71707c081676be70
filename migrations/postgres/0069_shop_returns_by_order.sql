-- no-transaction
-- A notice of a return names the sales order.
CREATE INDEX CONCURRENTLY IF NOT EXISTS shop_returns_by_order ON shop_returns (account_id, order_id);
