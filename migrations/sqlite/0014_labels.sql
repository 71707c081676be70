-- Who makes the labels of an account's parcels: JSON.
ALTER TABLE accounts ADD COLUMN carrier TEXT NOT NULL DEFAULT '{"kind":"own"}';
-- What is known of a parcel's label, as JSON, and what scanners read on it.
ALTER TABLE shipments ADD COLUMN label TEXT NOT NULL DEFAULT '{"by":"own"}';
ALTER TABLE shipments ADD COLUMN label_barcode TEXT NOT NULL DEFAULT '';
UPDATE shipments SET label_barcode = sscc;
CREATE INDEX shipments_by_label_barcode ON shipments (account_id, label_barcode, seq);

-- Labels that a carrier is asked for: from the moment that one is needed until it is there.
CREATE TABLE label_requests (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL, -- the transaction by which the carrier knows it
  shipment_id BLOB NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0, -- without an answer that says how it ended
  due_at INTEGER, -- not before; NULL: it waits for a person
  held_until INTEGER NOT NULL DEFAULT 0, -- until then a program is at it
  first_asked_at INTEGER, -- NULL: the carrier was not asked yet
  asked_shop TEXT NOT NULL DEFAULT '', -- which component it was; what one may have made, another is not asked for
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, shipment_id),
  FOREIGN KEY (account_id, shipment_id) REFERENCES shipments (account_id, id)
) STRICT;
-- Which accounts wait for labels, and which of one are due: nobody goes through what another one has.
CREATE INDEX label_requests_by_account ON label_requests (account_id, due_at, seq) WHERE due_at IS NOT NULL;
INSERT INTO worker_turns (name, taken) VALUES ('labels', 0);
