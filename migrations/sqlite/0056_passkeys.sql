-- Passkeys of users (WebAuthn). Public keys are no secrets.
CREATE TABLE passkeys (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  user_id BLOB NOT NULL,
  id BLOB NOT NULL,
  credential BLOB NOT NULL, -- the authenticator's own, at most 1,023 bytes
  public_key BLOB NOT NULL, -- COSE
  name TEXT NOT NULL,
  sign_count INTEGER NOT NULL, -- of the last use; 0: the authenticator does not count
  may_be_synced INTEGER NOT NULL, -- the flag BE, which never changes
  created_at INTEGER NOT NULL,
  last_used_at INTEGER, -- NULL: never
  PRIMARY KEY (account_id, user_id, id)
) STRICT;
-- A passkey names its user, and with them the account. So one id in two accounts confuses nobody.
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (account_id, credential);

-- What authenticators have to sign, each once: the hash of a random value, and of what and whom it is for. Nobody is known yet when
-- a sign-in begins, so the rows have no account.
CREATE TABLE passkey_challenges (
  challenge_hash BLOB NOT NULL PRIMARY KEY, -- SHA-256
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
