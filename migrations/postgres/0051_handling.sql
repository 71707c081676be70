-- Who of the merchant's staff has a return order, how they flag it, and whether changes of many rows leave it out.
ALTER TABLE return_orders ADD COLUMN assignee_id UUID;
ALTER TABLE return_orders ADD COLUMN flags TEXT NOT NULL DEFAULT '[]'; -- up to five texts, JSON
ALTER TABLE return_orders ADD COLUMN leave_out_of_bulk BOOLEAN NOT NULL DEFAULT FALSE;

-- What staff added to the value of a request, or took off, minor units.
ALTER TABLE return_requests ADD COLUMN adjustment BIGINT NOT NULL DEFAULT 0;

-- How often staff had the last mail about a return sent again.
ALTER TABLE mail_tasks ADD COLUMN resent BIGINT NOT NULL DEFAULT 0;

-- The same flags, one row each, to find return orders by them.
CREATE TABLE return_order_flags (
  account_id UUID NOT NULL REFERENCES accounts (id),
  flag TEXT NOT NULL,
  return_order_id UUID NOT NULL,
  PRIMARY KEY (account_id, flag, return_order_id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
);
CREATE INDEX return_order_flags_by_return_order ON return_order_flags (account_id, return_order_id);

-- Notes of staff about a return order. Consumers never see them.
CREATE TABLE return_order_notes (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  return_order_id UUID NOT NULL,
  author_id UUID, -- the user or service user; NULL: the operator
  text TEXT NOT NULL, -- empty after an erasure
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
);
CREATE INDEX return_order_notes_by_return_order ON return_order_notes (account_id, return_order_id, seq);

-- When staff last looked at a return order. Rows are deleted after some minutes.
CREATE TABLE return_order_visits (
  account_id UUID NOT NULL REFERENCES accounts (id),
  return_order_id UUID NOT NULL,
  visitor_id UUID NOT NULL, -- the user or service user
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, return_order_id, visitor_id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
);
CREATE INDEX return_order_visits_by_age ON return_order_visits (seen_at);
