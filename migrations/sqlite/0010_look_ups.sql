-- When the shop was asked that told of an order last: what it answered to an earlier question is older. 0: none was asked.
ALTER TABLE orders ADD COLUMN shop_asked_at INTEGER NOT NULL DEFAULT 0;
