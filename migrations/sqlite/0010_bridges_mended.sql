-- When the shop was asked that told of an order last: what it answered to an earlier question is older. 0: none was asked.
ALTER TABLE orders ADD COLUMN shop_asked_at INTEGER NOT NULL DEFAULT 0;

-- Which accounts have something to be settled, and what of one is due: nobody goes through what another one has.
CREATE INDEX settlements_by_account ON settlements (account_id, due_at, seq) WHERE due_at IS NOT NULL;
