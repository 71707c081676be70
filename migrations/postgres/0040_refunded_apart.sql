-- Units that the shop refunded by itself: when Retour took units for a return, it had refunded more than were in returns.
ALTER TABLE purchases ADD COLUMN refunded_apart BIGINT NOT NULL DEFAULT 0;
