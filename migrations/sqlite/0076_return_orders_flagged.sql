-- The return orders with a flag, to be counted by the index alone: they are few.
CREATE INDEX return_orders_flagged ON return_orders (account_id, status, flags)
    WHERE flags <> '[]';
