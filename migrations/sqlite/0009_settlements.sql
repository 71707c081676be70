-- Resolutions that a shop carries out: from their approval until that is done.
CREATE TABLE settlements (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL, -- the transaction by which the shop knows it
  return_request_id BLOB NOT NULL,
  order_id BLOB NOT NULL, -- the sales order: one of its settlements is carried out at a time
  tries INTEGER NOT NULL DEFAULT 0, -- without an answer that says how it ended
  due_at INTEGER, -- not before; NULL: it waits for a person
  held_until INTEGER NOT NULL DEFAULT 0, -- until then a program is at it
  first_asked_at INTEGER, -- NULL: the shop was not asked yet
  asked_shop TEXT NOT NULL DEFAULT '', -- which shop it was; what one may have paid, another is not asked to
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, return_request_id),
  FOREIGN KEY (account_id, return_request_id) REFERENCES return_requests (account_id, id)
) STRICT;
CREATE INDEX settlements_due ON settlements (due_at, seq);
CREATE INDEX settlements_by_order ON settlements (account_id, order_id, held_until);

-- Workers whose programs look for work one after the other: whoever looks writes here first.
CREATE TABLE worker_turns (
  name TEXT NOT NULL,
  taken INTEGER NOT NULL,
  UNIQUE (name)
) STRICT;
INSERT INTO worker_turns (name, taken) VALUES ('settlements', 0);
