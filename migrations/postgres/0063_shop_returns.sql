-- Returns that a shop shows, too: one row for each sales order of a return order.
CREATE TABLE shop_returns (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  return_order_id UUID NOT NULL,
  order_id UUID NOT NULL, -- the sales order
  shop TEXT NOT NULL, -- which shop has the return; another one is not asked
  external_id TEXT NOT NULL DEFAULT '', -- the shop's id of the return; empty while it has none
  due_at BIGINT, -- when both are compared; NULL: no more
  held_until BIGINT NOT NULL DEFAULT 0, -- until then an instance compares them
  begun_at BIGINT, -- when a change began whose result is not known
  tries BIGINT NOT NULL DEFAULT 0, -- failures in a row
  woken BIGINT NOT NULL DEFAULT 0, -- how often the return order has changed
  error TEXT NOT NULL DEFAULT '', -- the latest failure; empty after a success
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, return_order_id, order_id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
);
CREATE INDEX shop_returns_by_account ON shop_returns (account_id, due_at, seq);
CREATE INDEX shop_returns_due ON shop_returns (due_at);
INSERT INTO worker_turns (name, taken) VALUES ('shop_returns', 0) ON CONFLICT (name) DO NOTHING;
ALTER TABLE shop_returns REPLICA IDENTITY USING INDEX shop_returns_account_id_id_key;
