-- Since when a request is in its present stage, and the number of the change by which it entered it: lists by age are cut by
-- that number. NULL: written by the previous version, until the next housekeeping. A move by the previous version beside this
-- one leaves both as they were.
ALTER TABLE return_requests ADD COLUMN stage_since BIGINT;
ALTER TABLE return_requests ADD COLUMN staged BIGINT;
-- The SKU of its product, to be found by; empty: it has none. NULL: as above.
ALTER TABLE return_requests ADD COLUMN sku TEXT COLLATE "C";

-- Views of lists that staff named: a query string of the list.
CREATE TABLE saved_views (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  owner_id UUID NOT NULL, -- the user or the service user who saved it
  list TEXT NOT NULL, -- return-orders or return-requests
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  is_shared BOOLEAN NOT NULL, -- true: everybody of the account sees it
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX saved_views_by_owner ON saved_views (account_id, owner_id, seq);
CREATE INDEX saved_views_shared ON saved_views (account_id, is_shared, seq);
