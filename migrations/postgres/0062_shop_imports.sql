-- Imports of all orders of a connected shop, so that one that was interrupted continues. No personal data.
CREATE TABLE shop_imports (
  account_id UUID NOT NULL REFERENCES accounts (id),
  shop TEXT NOT NULL, -- as in orders.shop
  lease_id UUID NOT NULL, -- the command that works on it
  leased_until BIGINT NOT NULL, -- 0: none does
  operation_id TEXT NOT NULL, -- the shop's id of the export under way; empty: none
  created_since BIGINT, -- the export has only orders created since; NULL: all
  changed_since BIGINT, -- the export has only orders changed since; NULL: all
  asked_at BIGINT NOT NULL, -- when the shop was asked for the export
  bytes_done BIGINT NOT NULL, -- the part of the export's file whose orders are stored
  orders_done BIGINT NOT NULL, -- the orders in that part
  orders_left_out BIGINT NOT NULL, -- those of them that a look-up does not show
  orders_unreadable BIGINT NOT NULL, -- those of them that Retour could not read
  completed_at BIGINT, -- when the last import ended; NULL: none has
  completed_orders BIGINT NOT NULL, -- the orders of that import
  complete_from BIGINT, -- Retour has the orders created since; NULL: all
  complete_until BIGINT NOT NULL, -- and changed until
  PRIMARY KEY (account_id, shop)
);
