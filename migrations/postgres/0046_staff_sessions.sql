-- Sessions of the desk are tokens of users, as those of the API are: one rule ends both.
ALTER TABLE user_tokens ADD COLUMN id UUID; -- NULL: an invitation, or from before this column
ALTER TABLE user_tokens ADD COLUMN started_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE user_tokens ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0; -- to the minute
ALTER TABLE user_tokens ADD COLUMN step TEXT NOT NULL DEFAULT 'Complete'; -- what the sign-in still needs: 'SecondFactor', 'Enrol', 'Complete'
ALTER TABLE user_tokens ADD COLUMN confirmed_at BIGINT; -- when the user last proved who they are
ALTER TABLE user_tokens ADD COLUMN device TEXT NOT NULL DEFAULT ''; -- browser and system
ALTER TABLE user_tokens ADD COLUMN network TEXT NOT NULL DEFAULT ''; -- the address, cut to /24 or /56
ALTER TABLE user_tokens ADD COLUMN wrong_codes BIGINT NOT NULL DEFAULT 0; -- in a row

-- The second factor of a user: codes that an authenticator app shows (RFC 6238).
ALTER TABLE users ADD COLUMN totp_secret TEXT NOT NULL DEFAULT ''; -- encrypted; empty: none
ALTER TABLE users ADD COLUMN totp_pending TEXT NOT NULL DEFAULT ''; -- the same, until the first code confirms it
ALTER TABLE users ADD COLUMN totp_since BIGINT; -- when it was set up; NULL: none
ALTER TABLE users ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0; -- of the last code that was accepted: each code counts once
ALTER TABLE users ADD COLUMN factor_due_at BIGINT; -- when the time without a required second factor ends; NULL: it has not begun
ALTER TABLE users ADD COLUMN wrong_sign_ins BIGINT NOT NULL DEFAULT 0; -- since the last sign-in that succeeded

-- Codes that replace the second factor, each once.
CREATE TABLE user_recovery_codes (
  account_id UUID NOT NULL REFERENCES accounts (id),
  user_id UUID NOT NULL,
  code_hash BYTEA NOT NULL, -- SHA-256
  PRIMARY KEY (account_id, user_id, code_hash)
);

-- Mails to users: which user, and what the mail says.
ALTER TABLE mail_tasks ADD COLUMN user_id UUID; -- NULL: the mail goes to a shopper
ALTER TABLE mail_tasks ADD COLUMN notice TEXT NOT NULL DEFAULT ''; -- JSON; empty: the mail goes to a shopper
