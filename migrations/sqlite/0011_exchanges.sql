-- With an exchange: what is to be sent in its place, JSON; NULL: nothing was named.
ALTER TABLE return_requests ADD COLUMN exchange_for TEXT;
