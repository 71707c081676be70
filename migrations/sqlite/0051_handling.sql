-- Who of the merchant's staff has a return order, how they flag it, and whether changes of many rows leave it out.
ALTER TABLE return_orders ADD COLUMN assignee_id BLOB;
ALTER TABLE return_orders ADD COLUMN flags TEXT NOT NULL DEFAULT '[]'; -- up to five texts, JSON
ALTER TABLE return_orders ADD COLUMN leave_out_of_bulk INTEGER NOT NULL DEFAULT 0;

-- What staff added to the value of a request, or took off, minor units.
ALTER TABLE return_requests ADD COLUMN adjustment INTEGER NOT NULL DEFAULT 0;

-- How often staff had the last mail about a return sent again.
ALTER TABLE mail_tasks ADD COLUMN resent INTEGER NOT NULL DEFAULT 0;

-- The same flags, one row each, to find return orders by them.
CREATE TABLE return_order_flags (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  flag TEXT NOT NULL,
  return_order_id BLOB NOT NULL,
  PRIMARY KEY (account_id, flag, return_order_id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
) STRICT;
CREATE INDEX return_order_flags_by_return_order ON return_order_flags (account_id, return_order_id);

-- Notes of staff about a return order. Consumers never see them.
CREATE TABLE return_order_notes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  return_order_id BLOB NOT NULL,
  author_id BLOB, -- the user or service user; NULL: the operator
  text TEXT NOT NULL, -- empty after an erasure
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
) STRICT;
CREATE INDEX return_order_notes_by_return_order ON return_order_notes (account_id, return_order_id, seq);

-- When staff last looked at a return order. Rows are deleted after some minutes.
CREATE TABLE return_order_visits (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  return_order_id BLOB NOT NULL,
  visitor_id BLOB NOT NULL, -- the user or service user
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, return_order_id, visitor_id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
) STRICT;
CREATE INDEX return_order_visits_by_age ON return_order_visits (seen_at);
