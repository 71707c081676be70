-- Counts the changes of an account's shipping options and return reasons: a program that has read them once reads them again only
-- after a change.
ALTER TABLE accounts ADD COLUMN settings_version INTEGER NOT NULL DEFAULT 0;
