-- Files of evidence on disk that no evidence is of: being written just now, or to be deleted. Without this list a program that
-- is killed between the database and the disk would leave somebody's photo behind.
CREATE TABLE unclaimed_files (
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  since BIGINT NOT NULL, -- 0: nobody will claim it any more
  PRIMARY KEY (account_id, id)
);

CREATE INDEX unclaimed_files_by_age ON unclaimed_files (since);
