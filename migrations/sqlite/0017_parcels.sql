-- What a way of sending costs from certain weights on: JSON, the lightest first; and the heaviest that it takes, grams.
ALTER TABLE shipping_options ADD COLUMN weight_prices TEXT NOT NULL DEFAULT '[]';
ALTER TABLE shipping_options ADD COLUMN max_weight INTEGER;
-- What the account's carrier calls it; empty: the cheapest that the carrier has.
ALTER TABLE shipping_options ADD COLUMN carrier_service TEXT NOT NULL DEFAULT '';
-- Which units are in a parcel, as JSON; NULL: all that is sent.
ALTER TABLE shipments ADD COLUMN contents TEXT;
