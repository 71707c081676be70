-- What people are to be told by mail: of each return while it goes on, the links that somebody asked for, and that a
-- withdrawal has arrived.
CREATE TABLE mail_tasks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  about_id BLOB NOT NULL, -- the return order or the withdrawal; of a link, an id of its own
  kind TEXT NOT NULL, -- 'Return', 'Link', 'Withdrawal'
  language TEXT NOT NULL, -- BCP 47; empty: the account's
  recipient TEXT NOT NULL DEFAULT '', -- who asked for a link; what is about a return goes to its consumer
  told TEXT NOT NULL DEFAULT '', -- what was told last
  due_at INTEGER, -- not before; NULL: there is nothing new
  held_until INTEGER NOT NULL DEFAULT 0, -- until then a program is at it
  tries INTEGER NOT NULL DEFAULT 0, -- in a row that failed
  woken INTEGER NOT NULL DEFAULT 0, -- how often something happened
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, about_id)
) STRICT;
-- Which accounts have something due, and which of one: nobody goes through what another one has.
CREATE INDEX mail_tasks_by_account ON mail_tasks (account_id, due_at, seq) WHERE due_at IS NOT NULL;
CREATE INDEX mail_tasks_by_recipient ON mail_tasks (account_id, recipient) WHERE kind = 'Link';
INSERT INTO worker_turns (name, taken) VALUES ('mails', 0);

-- What was handed over, and what never will be. To whom is not kept.
CREATE TABLE mails (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id BLOB NOT NULL REFERENCES accounts (id),
  id BLOB NOT NULL,
  about TEXT NOT NULL, -- what it told: 'Ready', 'Done', 'SignIn' …
  return_order_id BLOB, -- NULL: of none
  language TEXT NOT NULL,
  status TEXT NOT NULL, -- 'Sent', 'Failed'
  attempts INTEGER NOT NULL,
  error_code INTEGER, -- the server's answer, SMTP
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, id)
) STRICT;
CREATE INDEX mails_by_return_order ON mails (account_id, return_order_id, seq);
CREATE INDEX mails_by_account ON mails (account_id, seq);
CREATE INDEX mails_by_status ON mails (account_id, status, seq);
CREATE INDEX mails_by_created ON mails (account_id, created_at, seq);
CREATE INDEX mails_by_time ON mails (created_at);

-- What links in mail open, under the hash of what they hold.
CREATE TABLE mail_links (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  token_hash BLOB NOT NULL,
  consumer_id BLOB, -- whose return it opens
  return_order_id BLOB, -- which
  email TEXT NOT NULL DEFAULT '', -- whose orders it opens, where it was asked for
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, token_hash)
) STRICT;
CREATE INDEX mail_links_by_consumer ON mail_links (account_id, consumer_id);
CREATE INDEX mail_links_by_time ON mail_links (expires_at);

-- Who wants no mail that is not needed.
CREATE TABLE mail_opt_outs (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  email_hash BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, email_hash)
) STRICT;
