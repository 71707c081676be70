-- The part of `total` that is import duties. A settlement names it to a shop that counts duties apart from goods.
ALTER TABLE purchases ADD COLUMN duties BIGINT NOT NULL DEFAULT 0;
