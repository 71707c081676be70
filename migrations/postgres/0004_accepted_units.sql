-- Units whose resolution was approved: what sending an order cost comes back when all of its units are, and what the shop
-- refunded itself is not approved once more.
ALTER TABLE purchases ADD COLUMN accepted BIGINT NOT NULL DEFAULT 0;
UPDATE purchases SET accepted = settled;
