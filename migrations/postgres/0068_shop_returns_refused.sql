-- What a shop refused of a return is not asked again. A notice of a return names the sales order.
ALTER TABLE shop_returns ADD COLUMN refused TEXT NOT NULL DEFAULT '[]'; -- JSON: names of parcels, dispositions and removals
CREATE INDEX shop_returns_by_order ON shop_returns (account_id, order_id);
