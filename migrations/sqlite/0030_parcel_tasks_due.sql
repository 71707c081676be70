-- Parcels that are due in the whole installation, without looking at every account.
CREATE INDEX parcel_tasks_due ON parcel_tasks (due_at);
