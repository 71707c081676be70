-- Webhooks: who wants to be told of what, what is to be delivered to them, and what came of it.

-- Which stage a request entered, for events that tell of one; empty otherwise. Subscriptions choose by it.
ALTER TABLE events ADD COLUMN stage TEXT NOT NULL DEFAULT '';
UPDATE events SET stage = COALESCE(data::json ->> 'stage', '') WHERE type = 'return_request.stage_changed';
CREATE INDEX events_by_type ON events (account_id, type, seq);
CREATE INDEX events_by_stage ON events (account_id, stage, seq);
CREATE INDEX events_by_creation ON events (account_id, created_at);
CREATE INDEX events_by_age ON events (created_at);

CREATE TABLE webhook_subscriptions (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  url TEXT NOT NULL,
  event_types TEXT NOT NULL, -- JSON; empty: all
  stages TEXT NOT NULL, -- JSON; empty: all
  description TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  disabled_because TEXT NOT NULL DEFAULT '', -- ByMerchant, Gone or Failing; empty while it is enabled
  disabled_at BIGINT,
  secret TEXT NOT NULL, -- encrypted
  previous_secret TEXT NOT NULL DEFAULT '', -- encrypted; signs too until it ends
  previous_secret_ends_at BIGINT,
  failing_since BIGINT, -- first of the failures since the last success
  last_failed_at BIGINT,
  catch_up_after BIGINT, -- events behind this number are to be delivered again; NULL: nothing to catch up with
  catch_up_until BIGINT, -- the last of them
  catch_up_all BOOLEAN NOT NULL, -- also what was delivered
  sender_id UUID, -- the sender that delivers to it
  deleted_at BIGINT, -- what is left of it goes in small steps
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  UNIQUE (account_id, id)
);
CREATE INDEX webhook_subscriptions_newest ON webhook_subscriptions (account_id, seq);
CREATE INDEX webhook_subscriptions_by_claim ON webhook_subscriptions (sender_id);

-- What happened to a subscription.
CREATE TABLE webhook_timeline_entries (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  subscription_id UUID NOT NULL,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  actor_id UUID,
  change TEXT NOT NULL,
  UNIQUE (account_id, subscription_id, seq),
  FOREIGN KEY (account_id, subscription_id) REFERENCES webhook_subscriptions (account_id, id)
);

-- One event on its way to one subscription, written with the event.
CREATE TABLE webhook_deliveries (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  id UUID NOT NULL,
  subscription_id UUID NOT NULL,
  event_id UUID NOT NULL,
  event_seq BIGINT NOT NULL, -- their order
  return_order_id UUID NOT NULL, -- those of one are sent one after the other
  status TEXT NOT NULL, -- Pending, Delivered or Failed
  attempts BIGINT NOT NULL DEFAULT 0,
  tries BIGINT NOT NULL DEFAULT 0, -- attempts since it was last asked for: the schedule goes by them
  due_at BIGINT NOT NULL, -- not before; those behind one that waits wait as long
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, event_id, subscription_id),
  FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, subscription_id) REFERENCES webhook_subscriptions (account_id, id)
);
CREATE INDEX webhook_deliveries_by_subscription ON webhook_deliveries (account_id, subscription_id, seq);
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (account_id, subscription_id, status, seq);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (account_id, subscription_id, due_at, event_seq) WHERE status = 'Pending';
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (account_id, subscription_id, return_order_id, event_seq)
  WHERE status = 'Pending';

-- Each exchange with a receiver, and what came of it.
CREATE TABLE webhook_attempts (
  account_id UUID NOT NULL REFERENCES accounts (id),
  delivery_id UUID NOT NULL,
  number BIGINT NOT NULL,
  at BIGINT NOT NULL,
  duration BIGINT NOT NULL, -- microseconds
  outcome TEXT NOT NULL,
  status_code BIGINT, -- NULL: there was no answer
  answer TEXT NOT NULL, -- its beginning
  PRIMARY KEY (account_id, delivery_id, number),
  FOREIGN KEY (account_id, delivery_id) REFERENCES webhook_deliveries (account_id, id) ON DELETE CASCADE
);

-- The programs that deliver, and when each was last seen. Whoever was not seen for a while has lost its claims.
CREATE TABLE webhook_senders (
  id UUID NOT NULL PRIMARY KEY,
  seen_at BIGINT NOT NULL
);
