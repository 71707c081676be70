-- What an agent asks others to approve about a return request, because it is above the agent's limit. NULL: nothing.
ALTER TABLE return_requests ADD COLUMN proposal TEXT; -- JSON
ALTER TABLE return_requests ADD COLUMN proposal_kind TEXT; -- its kind, to list the requests by
ALTER TABLE return_requests ADD COLUMN proposed_at INTEGER;
