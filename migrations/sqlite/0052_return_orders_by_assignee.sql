-- Lists of the return orders of one person.
CREATE INDEX return_orders_by_assignee ON return_orders (account_id, assignee_id, seq);
