-- A link in a mail may open a draft that staff have prepared for the consumer.
ALTER TABLE mail_links ADD COLUMN draft_return_order_id UUID;
