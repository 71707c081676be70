-- Order numbers as they are compared (NFKC, one dash, ASCII digits, without "Order #" before them), where that is another text
-- than the order's number_key. A hint: what is found by it is compared with the order's number.
CREATE TABLE order_spellings (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  spelling TEXT NOT NULL,
  order_id BLOB NOT NULL,
  PRIMARY KEY (account_id, spelling, order_id)
);

-- The last order whose number was looked at for it; the version before knows nothing of it.
ALTER TABLE accounts ADD COLUMN spelled_order_id BLOB;
