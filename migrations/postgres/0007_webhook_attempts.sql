-- The last attempt stands with its delivery, because most have only one; those before it stay where they were.
ALTER TABLE webhook_deliveries ADD COLUMN tried_at BIGINT; -- NULL, as all of these: it was not tried yet
ALTER TABLE webhook_deliveries ADD COLUMN duration BIGINT; -- microseconds
ALTER TABLE webhook_deliveries ADD COLUMN outcome TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN status_code BIGINT; -- NULL also: there was no answer
ALTER TABLE webhook_deliveries ADD COLUMN answer TEXT; -- its beginning
UPDATE webhook_deliveries SET tried_at = a.at, duration = a.duration, outcome = a.outcome, status_code = a.status_code,
  answer = a.answer FROM webhook_attempts a WHERE a.account_id = webhook_deliveries.account_id
  AND a.delivery_id = webhook_deliveries.id AND a.number = webhook_deliveries.attempts;
DELETE FROM webhook_attempts WHERE EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.account_id = webhook_attempts.account_id
  AND d.id = webhook_attempts.delivery_id AND d.attempts = webhook_attempts.number);

-- Whoever the event is about asked to be forgotten: answers to it are not kept, whenever they come.
ALTER TABLE webhook_deliveries ADD COLUMN is_erased BOOLEAN NOT NULL DEFAULT false;
