-- no-transaction
-- Lists the return requests with a proposal. There are few.
CREATE INDEX CONCURRENTLY IF NOT EXISTS return_requests_by_proposal ON return_requests (account_id, proposal_kind, seq)
  WHERE proposal_kind IS NOT NULL;
