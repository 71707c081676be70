-- Passkeys of users (WebAuthn). Public keys are no secrets.
CREATE TABLE passkeys (
  account_id UUID NOT NULL REFERENCES accounts (id),
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  credential BYTEA NOT NULL, -- the authenticator's own, at most 1,023 bytes
  public_key BYTEA NOT NULL, -- COSE
  name TEXT NOT NULL,
  sign_count BIGINT NOT NULL, -- of the last use; 0: the authenticator does not count
  may_be_synced BOOLEAN NOT NULL, -- the flag BE, which never changes
  created_at BIGINT NOT NULL,
  last_used_at BIGINT, -- NULL: never
  PRIMARY KEY (account_id, user_id, id)
);
-- A passkey names its user, and with them the account. So one id in two accounts confuses nobody.
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (account_id, credential);

-- What authenticators have to sign, each once: the hash of a random value, and of what and whom it is for. Nobody is known yet when
-- a sign-in begins, so the rows have no account.
CREATE TABLE passkey_challenges (
  challenge_hash BYTEA NOT NULL PRIMARY KEY, -- SHA-256
  expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
