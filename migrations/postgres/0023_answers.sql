-- What the consumer answered to the questions of the reason, each with its question as it was asked then, JSON.
ALTER TABLE return_requests ADD COLUMN answers TEXT NOT NULL DEFAULT '[]';
