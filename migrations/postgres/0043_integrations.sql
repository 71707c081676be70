-- How calls to the systems that an account is connected to went of late: one row for each kind of operation.
CREATE TABLE integration_operations (
  account_id UUID NOT NULL REFERENCES accounts (id),
  operation TEXT NOT NULL,
  succeeded_at BIGINT, -- to within a minute; NULL: never
  error TEXT NOT NULL DEFAULT '', -- of the last call that failed; empty: none did
  failed_at BIGINT, -- when that was
  failed_attempts BIGINT NOT NULL DEFAULT 0, -- since the last success
  next_attempt_at BIGINT, -- when the call that failed last is made again
  PRIMARY KEY (account_id, operation)
);

-- How often a carrier was asked for a label in vain, and when it is asked again.
ALTER TABLE shipments ADD COLUMN failed_attempts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE shipments ADD COLUMN next_attempt_at BIGINT;
