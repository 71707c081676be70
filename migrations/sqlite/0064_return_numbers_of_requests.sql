-- A copy of the return order's number, so that a request is read from one table. NULL in rows of earlier versions.
ALTER TABLE return_requests ADD COLUMN return_number TEXT;
