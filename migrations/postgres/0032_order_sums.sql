-- What an order's shop tells of its sums, and what of it is not here.
ALTER TABLE orders ADD COLUMN paid BIGINT;
ALTER TABLE orders ADD COLUMN refunded BIGINT NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN is_partial BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE orders ADD COLUMN review TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN billing_postal_code TEXT NOT NULL DEFAULT '';

-- What needs no parcel, and units that were taken out of the order before they were sent.
ALTER TABLE purchases ADD COLUMN requires_shipping BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE purchases ADD COLUMN removed BIGINT NOT NULL DEFAULT 0;
