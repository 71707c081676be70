-- The same tables stand in ../postgres; a test compares the two. Times are microseconds since 1970 (UTC),
-- amounts are minor units, JSON is text. `account_id` leads every key of a tenant's table, so that rows can
-- be spread by it. `seq` numbers rows in the order they were written: pages are cut by it.

CREATE TABLE accounts (
  id BLOB NOT NULL PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  currency TEXT NOT NULL,
  policy TEXT NOT NULL,
  branding TEXT NOT NULL,
  next_parcel INTEGER NOT NULL, -- serial of the next SSCC
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE service_users (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL, -- comma-separated
  key_hash BLOB NOT NULL, -- SHA-256; the key itself is shown once
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, key_hash)
) STRICT;

CREATE TABLE orders (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  external_id TEXT NOT NULL,
  number TEXT NOT NULL,
  number_key TEXT NOT NULL, -- without '#', spaces and case
  email_key TEXT NOT NULL, -- without spaces and case; empty matches nothing
  postal_code_key TEXT NOT NULL,
  email TEXT NOT NULL,
  address TEXT NOT NULL,
  currency TEXT NOT NULL,
  ordered_at INTEGER NOT NULL,
  shipping_paid INTEGER NOT NULL,
  shipping_returned INTEGER NOT NULL DEFAULT 0, -- what of it was promised back
  tags TEXT NOT NULL,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, external_id),
  CONSTRAINT shipping_comes_back_once CHECK (0 <= shipping_returned)
) STRICT;

CREATE INDEX orders_by_number ON orders (account_id, number_key);

CREATE TABLE purchases (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  order_id BLOB NOT NULL,
  external_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  product TEXT NOT NULL,
  bought INTEGER NOT NULL,
  fulfilled INTEGER NOT NULL,
  taken INTEGER NOT NULL DEFAULT 0, -- units in returns of ours, open or settled
  taken_dear INTEGER NOT NULL DEFAULT 0, -- those of them that are one minor unit dearer
  settled INTEGER NOT NULL DEFAULT 0, -- those of them that are settled
  shop_refunded INTEGER NOT NULL,
  total INTEGER NOT NULL,
  tax INTEGER NOT NULL,
  discount INTEGER NOT NULL,
  final_sale INTEGER NOT NULL,
  fulfilled_at INTEGER,
  delivered_at INTEGER,
  UNIQUE (account_id, id),
  UNIQUE (account_id, external_id),
  FOREIGN KEY (account_id, order_id) REFERENCES orders (account_id, id),
  CONSTRAINT units_were_bought CHECK (0 <= taken AND taken <= bought AND 0 <= fulfilled AND fulfilled <= bought),
  CONSTRAINT settled_were_taken CHECK (0 <= settled AND settled <= taken),
  CONSTRAINT dear_were_taken CHECK (0 <= taken_dear AND taken_dear <= taken)
) STRICT;

CREATE INDEX purchases_by_order ON purchases (account_id, order_id, seq);

CREATE TABLE shipping_options (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  method TEXT NOT NULL,
  prices TEXT NOT NULL,
  archived_at INTEGER,
  PRIMARY KEY (account_id, id)
) STRICT;

CREATE TABLE return_reasons (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  parent_id BLOB,
  position INTEGER NOT NULL,
  description TEXT NOT NULL,
  rules TEXT NOT NULL,
  archived_at INTEGER,
  PRIMARY KEY (account_id, id)
) STRICT;

CREATE TABLE consumers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  order_number_key TEXT NOT NULL,
  proof_kind TEXT NOT NULL, -- email or postalCode
  proof_key TEXT NOT NULL,
  email TEXT NOT NULL,
  address TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, order_number_key, proof_kind, proof_key)
) STRICT;

CREATE TABLE consumer_tokens (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  token_hash BLOB NOT NULL, -- SHA-256
  consumer_id BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, token_hash)
) STRICT;

CREATE INDEX consumer_tokens_by_expiry ON consumer_tokens (expires_at);

CREATE TABLE draft_return_orders (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  consumer_id BLOB NOT NULL,
  status TEXT NOT NULL,
  items TEXT NOT NULL,
  shipping_option_id BLOB,
  cost_breakdown TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, consumer_id) REFERENCES consumers (account_id, id)
) STRICT;

CREATE INDEX draft_return_orders_by_expiry ON draft_return_orders (expires_at);

CREATE TABLE return_orders (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  number TEXT NOT NULL,
  consumer_id BLOB NOT NULL,
  draft_return_order_id BLOB NOT NULL,
  status TEXT NOT NULL,
  payment_status TEXT NOT NULL,
  order_numbers TEXT NOT NULL,
  shipping_option TEXT, -- as it was when it was chosen
  cost_breakdown TEXT NOT NULL,
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, number),
  UNIQUE (account_id, draft_return_order_id),
  FOREIGN KEY (account_id, consumer_id) REFERENCES consumers (account_id, id)
) STRICT;

CREATE INDEX return_orders_newest ON return_orders (account_id, seq);
CREATE INDEX return_orders_by_consumer ON return_orders (account_id, consumer_id, seq);

CREATE TABLE return_requests (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  return_order_id BLOB NOT NULL,
  consumer_id BLOB NOT NULL,
  purchase_id BLOB NOT NULL,
  purchase_external_id TEXT NOT NULL,
  purchase_order_number TEXT NOT NULL,
  purchase_order_number_key TEXT NOT NULL,
  return_reason_id BLOB NOT NULL,
  return_reason_comment TEXT NOT NULL,
  requested_resolution TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  value INTEGER NOT NULL, -- what the units cost, minor units
  currency TEXT NOT NULL,
  product TEXT NOT NULL,
  kept INTEGER NOT NULL, -- the consumer keeps it and is refunded all the same
  stage TEXT NOT NULL, -- name of the stage within `state`, to be found by
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id),
  FOREIGN KEY (account_id, purchase_id) REFERENCES purchases (account_id, id)
) STRICT;

CREATE INDEX return_requests_newest ON return_requests (account_id, seq);
CREATE INDEX return_requests_by_order_number ON return_requests (account_id, purchase_order_number_key, seq);
CREATE INDEX return_requests_by_return_order ON return_requests (account_id, return_order_id, seq);
CREATE INDEX return_requests_by_purchase ON return_requests (account_id, purchase_id);

CREATE TABLE shipments (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  return_order_id BLOB NOT NULL,
  status TEXT NOT NULL,
  sscc TEXT NOT NULL,
  sender TEXT NOT NULL,
  receiver TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, sscc),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
) STRICT;

CREATE INDEX shipments_by_return_order ON shipments (account_id, return_order_id, id);

CREATE TABLE timeline_entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  return_order_id BLOB NOT NULL,
  return_request_id BLOB NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  from_stage TEXT,
  to_stage TEXT NOT NULL,
  comment TEXT NOT NULL,
  UNIQUE (account_id, seq),
  FOREIGN KEY (account_id, return_request_id) REFERENCES return_requests (account_id, id)
) STRICT;

CREATE INDEX timeline_entries_by_return_order ON timeline_entries (account_id, return_order_id, seq);

-- What other systems are to be told, written with what it tells.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  type TEXT NOT NULL,
  return_order_id BLOB NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, id)
) STRICT;

CREATE INDEX events_newest ON events (account_id, seq);

-- Answers that are given again when a client repeats itself, written with the effect they tell of.
CREATE TABLE idempotency_keys (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  credential TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint BLOB NOT NULL, -- SHA-256 of method, path and body
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, credential, key)
) STRICT;

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

-- The portal's sessions: no tenant's table, a browser may visit several shops.
CREATE TABLE sessions (
  id_hash BLOB NOT NULL PRIMARY KEY, -- SHA-256
  data TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_by_expiry ON sessions (expires_at);
