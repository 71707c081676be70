-- Changes of many return requests, each started by a member of the staff. Rows are deleted after some days.
CREATE TABLE bulk_runs (
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  owner_id UUID NOT NULL, -- the user or service user who started it; nil: the operator
  change TEXT NOT NULL, -- what it does, JSON; without what people wrote once all items have a result
  items TEXT NOT NULL, -- the return requests, JSON
  results TEXT NOT NULL, -- of the first items, JSON
  total BIGINT NOT NULL, -- how many items there are
  done BIGINT NOT NULL, -- how many have a result
  failed BIGINT NOT NULL, -- how many of these were not changed
  leased_until BIGINT NOT NULL, -- an instance works on it until then; 0: none does
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX bulk_runs_by_owner ON bulk_runs (account_id, owner_id, created_at);
CREATE INDEX bulk_runs_by_age ON bulk_runs (created_at);

-- The return orders that a user worked on, and when the last time was. Rows are deleted after some months.
CREATE TABLE worked_return_orders (
  account_id UUID NOT NULL REFERENCES accounts (id),
  user_id UUID NOT NULL,
  return_order_id UUID NOT NULL,
  worked_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, user_id, return_order_id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
);
CREATE INDEX worked_return_orders_newest ON worked_return_orders (account_id, user_id, worked_at);
CREATE INDEX worked_return_orders_by_age ON worked_return_orders (worked_at);

-- Whether the visitor writes something about the return order.
ALTER TABLE return_order_visits ADD COLUMN is_writing BOOLEAN NOT NULL DEFAULT FALSE;
