-- What an order's shop had given back when the last refund of the order was approved: what it tells later may be that refund.
ALTER TABLE orders ADD COLUMN refunded_before BIGINT NOT NULL DEFAULT 0;
-- What a return request does not give because no more is left of its order, minor units.
ALTER TABLE return_requests ADD COLUMN refund_limit BIGINT NOT NULL DEFAULT 0;
