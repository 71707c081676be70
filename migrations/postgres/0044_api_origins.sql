-- Origins of the websites whose scripts may call the consumer operations of an account: a JSON array of texts.
ALTER TABLE accounts ADD COLUMN api_origins TEXT NOT NULL DEFAULT '[]';
