-- What arrived of a return request, each delivery once by the reference of whoever reports it.
CREATE TABLE receipts (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  return_request_id BLOB NOT NULL,
  external_reference TEXT NOT NULL,
  units INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, return_request_id, external_reference),
  FOREIGN KEY (account_id, return_request_id) REFERENCES return_requests (account_id, id)
) STRICT;
