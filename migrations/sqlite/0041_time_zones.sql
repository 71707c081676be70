-- Whose days the days of an account's policy are: a name of the IANA time zone database.
ALTER TABLE accounts ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
