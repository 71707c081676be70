-- What programs write to find out whether anything can be written: one row of no account.
CREATE TABLE write_probes (
  name TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL
);
