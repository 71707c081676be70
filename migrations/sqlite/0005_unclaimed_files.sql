-- Files of evidence on disk that no evidence is of: being written just now, or to be deleted. Without this list a program that
-- is killed between the database and the disk would leave somebody's photo behind.
CREATE TABLE unclaimed_files (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  since INTEGER NOT NULL, -- 0: nobody will claim it any more
  PRIMARY KEY (account_id, id)
) STRICT;

CREATE INDEX unclaimed_files_by_age ON unclaimed_files (since);
