-- What consumers stated when they withdrew from a contract (Directive 2011/83/EU, article 11a), and what became of it. Name,
-- contract and e-mail address stay as they were sent, until the person is forgotten.
CREATE TABLE withdrawals (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  number TEXT NOT NULL, -- W-XXXXXXXX
  name TEXT NOT NULL,
  contract TEXT NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL, -- without spaces and case
  language TEXT NOT NULL,
  status TEXT NOT NULL, -- Received, OrderFound, Returned or Closed
  order_numbers TEXT NOT NULL, -- those that it names and that are known, JSON
  consumer_id UUID, -- who proved one of those
  return_order_id UUID, -- the return that came of it
  note TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  UNIQUE (account_id, id),
  UNIQUE (account_id, number),
  FOREIGN KEY (account_id, consumer_id) REFERENCES consumers (account_id, id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
);
CREATE INDEX withdrawals_newest ON withdrawals (account_id, seq);
CREATE INDEX withdrawals_by_status ON withdrawals (account_id, status, seq);
CREATE INDEX withdrawals_by_email ON withdrawals (account_id, email_key, seq);
CREATE INDEX withdrawals_by_return_order ON withdrawals (account_id, return_order_id, seq);
CREATE INDEX withdrawals_by_creation ON withdrawals (account_id, created_at);
