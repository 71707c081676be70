-- Where a way of sending is offered, as a list of ISO 3166-1 codes; [] means everywhere.
ALTER TABLE shipping_options ADD COLUMN countries TEXT NOT NULL DEFAULT '[]';
-- What has to go back for it to cost nothing, as a list of amounts, one for each currency.
ALTER TABLE shipping_options ADD COLUMN free_from TEXT NOT NULL DEFAULT '[]';
