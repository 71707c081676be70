-- Photos and papers that consumers lay beside what they bought, while they choose: evidence of a return request once that is
-- sent in, and gone after two days otherwise. The bytes lie in files.
CREATE TABLE pending_evidence (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  consumer_id BLOB NOT NULL,
  purchase_id BLOB NOT NULL, -- no reference: nobody who deletes a purchase has to wait for these to go
  name TEXT NOT NULL, -- as the file was called
  media_type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 BLOB NOT NULL, -- of what was sent
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, consumer_id, purchase_id, sha256),
  FOREIGN KEY (account_id, consumer_id) REFERENCES consumers (account_id, id)
) STRICT;
CREATE INDEX pending_evidence_by_consumer ON pending_evidence (account_id, consumer_id, seq);
CREATE INDEX pending_evidence_by_age ON pending_evidence (created_at);
