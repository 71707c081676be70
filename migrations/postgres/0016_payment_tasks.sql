-- Payments that their providers are to be asked about: while one can be paid, is on its way, or is to go back.
CREATE TABLE payment_tasks (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  return_order_id UUID NOT NULL,
  due_at BIGINT NOT NULL, -- not before
  held_until BIGINT NOT NULL DEFAULT 0, -- until then a program is at it
  tries BIGINT NOT NULL DEFAULT 0, -- in a row, without an answer
  asked_at BIGINT NOT NULL DEFAULT 0, -- when the provider has answered last
  woken BIGINT NOT NULL DEFAULT 0, -- how often somebody said that something has happened
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, return_order_id),
  FOREIGN KEY (account_id, return_order_id) REFERENCES return_orders (account_id, id)
);
-- Which accounts have something due, and which of one: nobody goes through what another one has.
CREATE INDEX payment_tasks_by_account ON payment_tasks (account_id, due_at, seq);
INSERT INTO worker_turns (name, taken) VALUES ('payments', 0);
