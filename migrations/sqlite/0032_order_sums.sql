-- What an order's shop tells of its sums, and what of it is not here.
ALTER TABLE orders ADD COLUMN paid INTEGER;
ALTER TABLE orders ADD COLUMN refunded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN is_partial INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN review TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN billing_postal_code TEXT NOT NULL DEFAULT '';

-- What needs no parcel, and units that were taken out of the order before they were sent.
ALTER TABLE purchases ADD COLUMN requires_shipping INTEGER NOT NULL DEFAULT 1;
ALTER TABLE purchases ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
