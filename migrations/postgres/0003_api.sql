-- What the whole API needs: lists by every field that one would look for, people, files, tracking, erasure.

ALTER TABLE accounts ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
UPDATE accounts SET updated_at = created_at;

-- Lists sorted by the last change are cut by `changed`: each change gets the next number.
ALTER TABLE return_requests ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE return_requests ADD COLUMN resolution_value BIGINT NOT NULL DEFAULT 0; -- what is given for it, minor units
UPDATE return_requests SET changed = seq, resolution_value = value;
CREATE INDEX return_requests_changed ON return_requests (changed);
CREATE INDEX return_requests_newest_changed ON return_requests (account_id, changed);
CREATE INDEX return_requests_by_stage ON return_requests (account_id, stage, seq);
CREATE INDEX return_requests_by_stage_changed ON return_requests (account_id, stage, changed);
CREATE INDEX return_requests_by_consumer ON return_requests (account_id, consumer_id, seq);
CREATE INDEX return_requests_by_reason ON return_requests (account_id, return_reason_id, seq);
CREATE INDEX return_requests_by_resolution ON return_requests (account_id, requested_resolution, seq);
CREATE INDEX return_requests_by_creation ON return_requests (account_id, created_at);
CREATE INDEX return_requests_by_update ON return_requests (account_id, updated_at);

ALTER TABLE return_orders ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE return_orders ADD COLUMN order_number_key TEXT NOT NULL DEFAULT '';
UPDATE return_orders SET changed = seq, order_number_key = (SELECT c.order_number_key FROM consumers c
  WHERE c.account_id = return_orders.account_id AND c.id = return_orders.consumer_id);
CREATE INDEX return_orders_changed ON return_orders (changed);
CREATE INDEX return_orders_newest_changed ON return_orders (account_id, changed);
CREATE INDEX return_orders_by_status ON return_orders (account_id, status, seq);
CREATE INDEX return_orders_by_status_changed ON return_orders (account_id, status, changed);
CREATE INDEX return_orders_by_order_number ON return_orders (account_id, order_number_key, seq);
CREATE INDEX return_orders_by_creation ON return_orders (account_id, created_at);
CREATE INDEX return_orders_by_update ON return_orders (account_id, updated_at);

CREATE SEQUENCE changes;
SELECT setval('changes', 1 + GREATEST(
  (SELECT COALESCE(MAX(changed), 0) FROM return_requests),
  (SELECT COALESCE(MAX(changed), 0) FROM return_orders)));
CREATE VIEW next_change AS SELECT nextval('changes') AS number;

-- Beginnings of words are found by comparing bytes, whatever the language of the database.
ALTER TABLE consumers ALTER COLUMN order_number_key TYPE TEXT COLLATE "C";
ALTER TABLE orders ALTER COLUMN number_key TYPE TEXT COLLATE "C";
ALTER TABLE orders ALTER COLUMN email_key TYPE TEXT COLLATE "C";

CREATE INDEX draft_return_orders_newest ON draft_return_orders (account_id, seq);
CREATE INDEX draft_return_orders_by_consumer ON draft_return_orders (account_id, consumer_id, seq);
CREATE INDEX draft_return_orders_by_shipping_option ON draft_return_orders (account_id, shipping_option_id, seq);
CREATE INDEX draft_return_orders_by_status ON draft_return_orders (account_id, status, seq);
CREATE INDEX draft_return_orders_by_creation ON draft_return_orders (account_id, created_at);
ALTER TABLE draft_return_orders ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

-- People are found by e-mail, name and last name, whole or by their beginning: lower case, empty where unknown.
ALTER TABLE consumers ADD COLUMN email_key TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE consumers ADD COLUMN name_key TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE consumers ADD COLUMN last_name_key TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE consumers ADD COLUMN erased_at BIGINT;
UPDATE consumers SET email_key = LOWER(REPLACE(email, ' ', ''));
UPDATE consumers SET name_key = LOWER(TRIM(COALESCE(address::json ->> 'name', '')));
UPDATE consumers SET last_name_key = regexp_replace(name_key, '^.* ', '');
CREATE INDEX consumers_newest ON consumers (account_id, seq);
CREATE INDEX consumers_by_email ON consumers (account_id, email_key, seq);
CREATE INDEX consumers_by_name ON consumers (account_id, name_key);
CREATE INDEX consumers_by_last_name ON consumers (account_id, last_name_key);
CREATE INDEX consumers_by_order_number ON consumers (account_id, order_number_key, seq);
CREATE INDEX consumers_by_creation ON consumers (account_id, created_at);

ALTER TABLE orders ADD COLUMN name_key TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN last_name_key TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE orders SET name_key = LOWER(TRIM(COALESCE(address::json ->> 'name', '')));
UPDATE orders SET last_name_key = regexp_replace(name_key, '^.* ', '');
CREATE INDEX orders_by_email ON orders (account_id, email_key);
CREATE INDEX orders_by_name ON orders (account_id, name_key);
CREATE INDEX orders_by_last_name ON orders (account_id, last_name_key);
CREATE INDEX purchases_newest ON purchases (account_id, seq);

-- Parcels: a number of the row to cut pages by, and what carriers say of them.
ALTER TABLE shipments ADD COLUMN seq BIGINT GENERATED ALWAYS AS IDENTITY;
ALTER TABLE shipments ADD COLUMN carrier TEXT NOT NULL DEFAULT ''; -- empty: nobody has said
ALTER TABLE shipments ADD COLUMN tracking_number TEXT NOT NULL DEFAULT '';
ALTER TABLE shipments ADD COLUMN tracking_url TEXT NOT NULL DEFAULT '';
ALTER TABLE shipments ADD COLUMN error_code TEXT NOT NULL DEFAULT '';
ALTER TABLE shipments ADD COLUMN error_message TEXT NOT NULL DEFAULT '';
ALTER TABLE shipments ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
DROP INDEX shipments_by_return_order;
CREATE INDEX shipments_newest ON shipments (account_id, seq);
CREATE INDEX shipments_by_return_order ON shipments (account_id, return_order_id, seq);
CREATE INDEX shipments_by_status ON shipments (account_id, status, seq);
CREATE INDEX shipments_by_tracking_number ON shipments (account_id, tracking_number, seq);
CREATE INDEX shipments_by_creation ON shipments (account_id, created_at);

-- What a carrier reported, each report once.
CREATE TABLE tracking_updates (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  shipment_id UUID NOT NULL,
  status TEXT NOT NULL,
  explanation TEXT NOT NULL,
  happened_at BIGINT NOT NULL, -- in the carrier's time
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, shipment_id, happened_at, status, explanation),
  FOREIGN KEY (account_id, shipment_id) REFERENCES shipments (account_id, id)
);

-- A merchant's settings.
CREATE TABLE return_locations (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  is_default BOOLEAN NOT NULL, -- true: where parcels go unless their way of sending says otherwise
  archived_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  UNIQUE (account_id, id)
);
CREATE INDEX return_locations_newest ON return_locations (account_id, seq);

ALTER TABLE shipping_options ADD COLUMN seq BIGINT GENERATED ALWAYS AS IDENTITY;
ALTER TABLE shipping_options ADD COLUMN return_location_id UUID; -- where its parcels go; NULL: to the account's address
ALTER TABLE shipping_options ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE shipping_options ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE shipping_options ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
UPDATE shipping_options o SET created_at = a.created_at, updated_at = a.created_at FROM accounts a WHERE a.id = o.account_id;
CREATE INDEX shipping_options_newest ON shipping_options (account_id, seq);

ALTER TABLE return_reasons ADD COLUMN seq BIGINT GENERATED ALWAYS AS IDENTITY;
ALTER TABLE return_reasons ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE return_reasons ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE return_reasons ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
UPDATE return_reasons r SET created_at = a.created_at, updated_at = a.created_at FROM accounts a WHERE a.id = r.account_id;
CREATE INDEX return_reasons_newest ON return_reasons (account_id, seq);

-- Programs and people of a merchant.
ALTER TABLE service_users ADD COLUMN seq BIGINT GENERATED ALWAYS AS IDENTITY;
ALTER TABLE service_users ADD COLUMN key_last_four TEXT NOT NULL DEFAULT ''; -- to tell keys apart; empty for those from before this was kept
ALTER TABLE service_users ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE service_users ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
UPDATE service_users SET updated_at = created_at;
CREATE INDEX service_users_newest ON service_users (account_id, seq);

CREATE TABLE users (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL, -- admin, agent or viewer
  password_hash TEXT NOT NULL, -- PHC string of argon2id; empty until one was set
  last_signed_in_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  UNIQUE (account_id, id)
);
CREATE INDEX users_newest ON users (account_id, seq);

-- An e-mail is one user's in the whole installation: who signs in names no account.
CREATE TABLE user_emails (
  email_key TEXT NOT NULL PRIMARY KEY, -- without spaces and case
  account_id UUID NOT NULL,
  user_id UUID NOT NULL,
  FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id)
);

CREATE TABLE user_tokens (
  account_id UUID NOT NULL REFERENCES accounts (id),
  token_hash BYTEA NOT NULL, -- SHA-256
  user_id UUID NOT NULL,
  purpose TEXT NOT NULL, -- access or password: the latter sets a password, once
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, token_hash),
  FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id)
);
CREATE INDEX user_tokens_by_user ON user_tokens (account_id, user_id);
CREATE INDEX user_tokens_by_expiry ON user_tokens (expires_at);

-- Wrong guesses at an order, an e-mail or a password, by a hash of what was guessed at, for the whole installation.
CREATE TABLE guesses (
  subject_hash BYTEA NOT NULL PRIMARY KEY, -- SHA-256 of account, kind, what was guessed at, and the day
  failures BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX guesses_by_expiry ON guesses (expires_at);

-- Addresses that have guessed right before: they are not held up by others' wrong guesses.
CREATE TABLE trusted_addresses (
  subject_hash BYTEA NOT NULL, -- SHA-256 of account, kind and what was guessed at
  address_hash BYTEA NOT NULL, -- SHA-256 of subject and address
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (subject_hash, address_hash)
);
CREATE INDEX trusted_addresses_by_expiry ON trusted_addresses (expires_at);

-- Photos and papers that a consumer or the merchant added to a request. The bytes lie in files.
CREATE TABLE evidence (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  return_request_id UUID NOT NULL,
  name TEXT NOT NULL, -- as the file was called
  media_type TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  sha256 BYTEA NOT NULL,
  actor TEXT NOT NULL, -- who added it
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, return_request_id) REFERENCES return_requests (account_id, id)
);
CREATE INDEX evidence_by_return_request ON evidence (account_id, return_request_id, seq);

-- People who asked to be forgotten, by a hash of their e-mail, so that a later import does not bring them back.
CREATE TABLE erasures (
  account_id UUID NOT NULL REFERENCES accounts (id),
  email_hash BYTEA NOT NULL, -- SHA-256 of account and e-mail
  consumer_id UUID NOT NULL, -- one of those who had it
  requested_at BIGINT NOT NULL,
  completed_at BIGINT, -- NULL while a return is still open
  PRIMARY KEY (account_id, email_hash)
);

CREATE INDEX erasures_by_completion ON erasures (completed_at);
CREATE INDEX events_by_return_order ON events (account_id, return_order_id, seq);
CREATE INDEX consumer_tokens_by_consumer ON consumer_tokens (account_id, consumer_id);

-- Which of the merchant's users or programs it was; NULL for consumers and rules.
ALTER TABLE timeline_entries ADD COLUMN actor_id UUID;
CREATE INDEX timeline_entries_by_return_request ON timeline_entries (account_id, return_request_id, seq);
