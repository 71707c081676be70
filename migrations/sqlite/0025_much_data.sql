-- What keeps its cost however much there is; the indexes of the next migrations go with it.

-- What nothing asks by: an index of the entries of each request, which are more than anything else.
DROP INDEX IF EXISTS timeline_entries_by_return_request;

-- Programs that forget what is over do so one after the other.
INSERT INTO worker_turns (name, taken) VALUES ('pruning', 0);
