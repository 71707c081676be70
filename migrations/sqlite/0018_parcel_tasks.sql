-- What carriers are to be asked of parcels, besides making their labels.
CREATE TABLE parcel_tasks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  shipment_id BLOB NOT NULL,
  work TEXT NOT NULL, -- 'Follow': where it is; 'Void', 'VoidUnheard': to void its label, or what may have been made
  carrier TEXT NOT NULL, -- who made the label
  reference TEXT NOT NULL, -- what they call it, or the transaction under which they were asked
  due_at INTEGER NOT NULL, -- not before
  held_until INTEGER NOT NULL DEFAULT 0, -- until then a program is at it
  tries INTEGER NOT NULL DEFAULT 0, -- in a row, without an answer or refused
  asked_at INTEGER NOT NULL DEFAULT 0, -- when the carrier has answered last
  woken INTEGER NOT NULL DEFAULT 0, -- how often somebody said that something has happened
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, shipment_id),
  FOREIGN KEY (account_id, shipment_id) REFERENCES shipments (account_id, id)
) STRICT;
-- Which accounts have something due, and which of one: nobody goes through what another one has.
CREATE INDEX parcel_tasks_by_account ON parcel_tasks (account_id, due_at, seq);
INSERT INTO worker_turns (name, taken) VALUES ('parcels', 0);
