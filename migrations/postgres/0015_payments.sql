-- Who takes an account's payments: JSON.
ALTER TABLE accounts ADD COLUMN payment TEXT NOT NULL DEFAULT '{"kind":"none"}';
-- What is to be paid for a return, as JSON; NULL: nothing is. payment_status says where that stands.
ALTER TABLE return_orders ADD COLUMN payment TEXT;
