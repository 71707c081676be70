-- Whether everything in the account is a test: its labels are specimens, and its carrier and warehouse may be simulated.
ALTER TABLE accounts ADD COLUMN test BOOLEAN NOT NULL DEFAULT FALSE;
