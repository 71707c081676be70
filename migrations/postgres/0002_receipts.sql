-- What arrived of a return request, each delivery once by the reference of whoever reports it.
CREATE TABLE receipts (
  account_id UUID NOT NULL REFERENCES accounts (id),
  return_request_id UUID NOT NULL,
  external_reference TEXT NOT NULL,
  units BIGINT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (account_id, return_request_id, external_reference),
  FOREIGN KEY (account_id, return_request_id) REFERENCES return_requests (account_id, id)
);
