-- When something happens to a request without anybody doing anything, as its state says; NULL: never.
ALTER TABLE return_requests ADD COLUMN due_at INTEGER;
-- To the second, and after it rather than before. After a label's life there is a week, in which late reports come.
UPDATE return_requests SET due_at = 1000000 * (1 + CASE stage WHEN 'Submitted: Ready' THEN 604800 ELSE 0 END
  + CAST(strftime('%s', COALESCE(json_extract(state, '$.stage.due'), json_extract(state, '$.stage.expires'))) AS INTEGER))
  WHERE stage IN ('Requested: Evidence Pending', 'Submitted: Payment Pending', 'Submitted: Ready', 'Received: Partial');
CREATE INDEX return_requests_due ON return_requests (due_at) WHERE due_at IS NOT NULL;
