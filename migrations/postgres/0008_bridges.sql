-- Where an account's purchases come from and its resolutions are carried out: JSON, the secret in it encrypted.
ALTER TABLE accounts ADD COLUMN bridge TEXT NOT NULL DEFAULT '{"kind":"catalog"}';
-- Why the shop itself does not take a line back; empty: it does.
ALTER TABLE purchases ADD COLUMN obstacle TEXT NOT NULL DEFAULT '';
-- Which shop told of an order: its kind and address; empty: it was taken in here.
ALTER TABLE orders ADD COLUMN shop TEXT NOT NULL DEFAULT '';
