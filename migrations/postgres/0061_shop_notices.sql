-- Stored orders that are read again from their shop, because something has changed there. One row for each order.
CREATE TABLE order_refreshes (
  account_id UUID NOT NULL REFERENCES accounts (id),
  order_id UUID NOT NULL, -- the order may be gone by the time
  due_at BIGINT NOT NULL, -- not before
  held_until BIGINT NOT NULL DEFAULT 0, -- until then an instance reads the order
  tries BIGINT NOT NULL DEFAULT 0, -- failed calls in a row
  woken BIGINT NOT NULL DEFAULT 0, -- how often the shop reported a change since
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, order_id)
);
CREATE INDEX order_refreshes_by_account ON order_refreshes (account_id, due_at);
CREATE INDEX order_refreshes_held ON order_refreshes (account_id, held_until);
CREATE INDEX order_refreshes_due ON order_refreshes (due_at);

-- What of a shop's changes was read, and when they are read next. One row for each account whose shop lists its changes.
CREATE TABLE shop_reconciliations (
  account_id UUID NOT NULL REFERENCES accounts (id),
  shop TEXT NOT NULL, -- which one: a key, as in orders
  changes_read_through BIGINT NOT NULL, -- all changes until then were read
  begun_at BIGINT NOT NULL DEFAULT 0, -- when the present reading began; 0: there is none
  list_cursor TEXT NOT NULL DEFAULT '', -- where the present reading goes on; empty: at the beginning
  due_at BIGINT NOT NULL, -- not before
  held_until BIGINT NOT NULL DEFAULT 0, -- until then an instance reads
  tries BIGINT NOT NULL DEFAULT 0, -- failed calls in a row
  woken BIGINT NOT NULL DEFAULT 0, -- how often it was asked for at once since
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id)
);
CREATE INDEX shop_reconciliations_by_account ON shop_reconciliations (account_id, due_at);
CREATE INDEX shop_reconciliations_due ON shop_reconciliations (due_at);

-- What shops ask about the data of their customers. Rows are deleted when they are done.
CREATE TABLE privacy_requests (
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL, -- from a hash of the request, so that a repeated one is the same row
  shop TEXT NOT NULL, -- which one asks: a key, as in orders
  work TEXT NOT NULL, -- 'EraseCustomer', 'EraseShop', 'Export'
  email TEXT NOT NULL, -- the customer's, until it is erased
  orders TEXT NOT NULL, -- the shop's ids of the customer's orders that remain, JSON
  reference TEXT NOT NULL, -- the shop's number of the request; may be empty
  last_order_id UUID, -- the last order of the shop whose buyer was erased
  due_at BIGINT NOT NULL, -- not before
  held_until BIGINT NOT NULL DEFAULT 0, -- until then an instance works on it
  tries BIGINT NOT NULL DEFAULT 0, -- failed attempts in a row
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX privacy_requests_by_account ON privacy_requests (account_id, due_at);
CREATE INDEX privacy_requests_due ON privacy_requests (due_at);

INSERT INTO worker_turns (name, taken) VALUES ('order refreshes', 0), ('reconciliations', 0), ('privacy requests', 0)
  ON CONFLICT DO NOTHING;

-- Shops that are connected already: the changes of the last sixty days.
INSERT INTO shop_reconciliations (account_id, shop, changes_read_through, due_at, created_at)
  SELECT id, 'shopify ' || (bridge::json ->> 'url'), CAST(EXTRACT(EPOCH FROM now()) - 5184000 AS BIGINT) * 1000000, 0, CAST(EXTRACT(EPOCH FROM now()) AS BIGINT) * 1000000
  FROM accounts WHERE bridge::json ->> 'kind' = 'shopify';
