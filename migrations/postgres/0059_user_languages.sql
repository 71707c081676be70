-- The language of a user's pages and mails (BCP 47); empty: as the browser and the account say.
ALTER TABLE users ADD COLUMN language TEXT NOT NULL DEFAULT '';
