-- Payments that their providers are to be asked about: while one can be paid, is on its way, or is to go back.
CREATE TABLE payment_tasks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  return_order_id BLOB NOT NULL,
  due_at INTEGER NOT NULL, -- not before
  held_until INTEGER NOT NULL DEFAULT 0, -- until then a program is at it
  tries INTEGER NOT NULL DEFAULT 0, -- in a row, without an answer
  asked_at INTEGER NOT NULL DEFAULT 0, -- when the provider has answered last
  woken INTEGER NOT NULL DEFAULT 0, -- how often somebody said that something has happened
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, return_order_id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
) STRICT;
-- Which accounts have something due, and which of one: nobody goes through what another one has.
CREATE INDEX payment_tasks_by_account ON payment_tasks (account_id, due_at, seq);
INSERT INTO worker_turns (name, taken) VALUES ('payments', 0);
