-- The host at which an account's portal is shown, beside its place at ours.
ALTER TABLE accounts ADD COLUMN domain TEXT;
CREATE UNIQUE INDEX accounts_by_domain ON accounts (domain);
