-- What the warehouse recorded of a return request, with the request before and after, so that it can be taken back.
CREATE TABLE warehouse_steps (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  return_order_id UUID NOT NULL,
  return_request_id UUID NOT NULL,
  receiving_id UUID, -- the parcel that it was counted with
  kind TEXT NOT NULL, -- Receipt or Inspection
  external_reference TEXT NOT NULL, -- of the receipt; empty for an inspection
  units BIGINT NOT NULL, -- that arrived
  refused BIGINT NOT NULL,
  state_before TEXT NOT NULL, -- JSON
  state_after TEXT NOT NULL, -- JSON
  actor_id UUID, -- the user or service user; none for the operator
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX warehouse_steps_by_return_order ON warehouse_steps (account_id, return_order_id, seq);
CREATE INDEX warehouse_steps_by_actor ON warehouse_steps (account_id, actor_id, created_at);
CREATE INDEX warehouse_steps_by_age ON warehouse_steps (created_at);

-- Parcels that arrived and that no paper or number connects with a return.
CREATE TABLE found_parcels (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  number TEXT NOT NULL, -- F-XXXXXXXX
  status TEXT NOT NULL, -- Open, Matched or Closed
  code TEXT NOT NULL, -- that was scanned; may be empty
  carrier TEXT NOT NULL,
  contents TEXT NOT NULL,
  note TEXT NOT NULL,
  return_order_id UUID, -- the return that it belongs to
  finder_id UUID, -- the user or service user; none for the operator
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, number),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
);
CREATE INDEX found_parcels_newest ON found_parcels (account_id, seq);
CREATE INDEX found_parcels_by_status ON found_parcels (account_id, status, seq);
CREATE INDEX found_parcels_by_code ON found_parcels (account_id, code, seq);
CREATE INDEX found_parcels_by_return_order ON found_parcels (account_id, return_order_id, seq);
CREATE INDEX found_parcels_by_creation ON found_parcels (account_id, created_at);
