-- What a shop refused of a return is not asked again.
ALTER TABLE shop_returns ADD COLUMN refused TEXT NOT NULL DEFAULT '[]'; -- JSON: names of parcels, dispositions and removals
