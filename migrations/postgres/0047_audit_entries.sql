-- What people and programs change, apart from the moves of returns, which are in their timelines. Rows are only added, and
-- deleted after two years.
CREATE TABLE audit_entries (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id UUID NOT NULL REFERENCES accounts (id),
  created_at BIGINT NOT NULL,
  actor TEXT NOT NULL, -- 'User', 'ServiceUser', 'Operator', 'Nobody'
  actor_id UUID, -- of the user or service user
  action TEXT NOT NULL, -- such as 'user.invited'
  topic TEXT NOT NULL, -- 'Money', 'Settings', 'Team', 'Data', 'Webhooks'
  subject TEXT NOT NULL, -- the kind of object that changed
  subject_id TEXT NOT NULL, -- the object's id
  network TEXT NOT NULL, -- /24 of IPv4, /56 of IPv6; empty: unknown
  session_id UUID, -- the session at the desk
  request_id TEXT NOT NULL, -- X-Request-Id; empty: no request
  before TEXT, -- JSON
  after TEXT, -- JSON
  PRIMARY KEY (account_id, seq)
);
CREATE INDEX audit_entries_by_actor ON audit_entries (account_id, actor_id, seq);
CREATE INDEX audit_entries_by_action ON audit_entries (account_id, action, seq);
CREATE INDEX audit_entries_by_topic ON audit_entries (account_id, topic, seq);
CREATE INDEX audit_entries_by_subject ON audit_entries (account_id, subject, seq);
CREATE INDEX audit_entries_by_subject_id ON audit_entries (account_id, subject_id, seq);
CREATE INDEX audit_entries_by_created ON audit_entries (account_id, created_at, seq);
CREATE INDEX audit_entries_by_time ON audit_entries (created_at);
