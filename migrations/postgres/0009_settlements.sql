-- Resolutions that a shop carries out: from their approval until that is done.
CREATE TABLE settlements (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL, -- the transaction by which the shop knows it
  return_request_id UUID NOT NULL,
  order_id UUID NOT NULL, -- the sales order: one of its settlements is carried out at a time
  tries BIGINT NOT NULL DEFAULT 0, -- without an answer that says how it ended
  due_at BIGINT, -- not before; NULL: it waits for a person
  held_until BIGINT NOT NULL DEFAULT 0, -- until then a program is at it
  first_asked_at BIGINT, -- NULL: the shop was not asked yet
  asked_shop TEXT NOT NULL DEFAULT '', -- which shop it was; what one may have paid, another is not asked to
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, return_request_id),
  FOREIGN KEY (account_id, return_request_id) REFERENCES return_requests (account_id, id)
);
CREATE INDEX settlements_due ON settlements (due_at, seq);
CREATE INDEX settlements_by_order ON settlements (account_id, order_id, held_until);

-- Workers whose programs look for work one after the other: whoever looks writes here first.
CREATE TABLE worker_turns (
  name TEXT NOT NULL,
  taken BIGINT NOT NULL,
  UNIQUE (name)
);
INSERT INTO worker_turns (name, taken) VALUES ('settlements', 0);
