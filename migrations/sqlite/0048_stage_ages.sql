-- Since when a request is in its present stage, and the number of the change by which it entered it: lists by age are cut by
-- that number. NULL: written by the previous version, until the next housekeeping. A move by the previous version beside this
-- one leaves both as they were.
ALTER TABLE return_requests ADD COLUMN stage_since INTEGER;
ALTER TABLE return_requests ADD COLUMN staged INTEGER;
-- The SKU of its product, to be found by; empty: it has none. NULL: as above.
ALTER TABLE return_requests ADD COLUMN sku TEXT;

-- Views of lists that staff named: a query string of the list.
CREATE TABLE saved_views (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  owner_id BLOB NOT NULL, -- the user or the service user who saved it
  list TEXT NOT NULL, -- return-orders or return-requests
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  is_shared INTEGER NOT NULL, -- true: everybody of the account sees it
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (account_id, id)
) STRICT;
CREATE INDEX saved_views_by_owner ON saved_views (account_id, owner_id, seq);
CREATE INDEX saved_views_shared ON saved_views (account_id, is_shared, seq);
