-- Imports of all orders of a connected shop, so that one that was interrupted continues. No personal data.
CREATE TABLE shop_imports (
  account_id BLOB NOT NULL REFERENCES accounts (id),
  shop TEXT NOT NULL, -- as in orders.shop
  lease_id BLOB NOT NULL, -- the command that works on it
  leased_until INTEGER NOT NULL, -- 0: none does
  operation_id TEXT NOT NULL, -- the shop's id of the export under way; empty: none
  created_since INTEGER, -- the export has only orders created since; NULL: all
  changed_since INTEGER, -- the export has only orders changed since; NULL: all
  asked_at INTEGER NOT NULL, -- when the shop was asked for the export
  bytes_done INTEGER NOT NULL, -- the part of the export's file whose orders are stored
  orders_done INTEGER NOT NULL, -- the orders in that part
  orders_left_out INTEGER NOT NULL, -- those of them that a look-up does not show
  orders_unreadable INTEGER NOT NULL, -- those of them that Retour could not read
  completed_at INTEGER, -- when the last import ended; NULL: none has
  completed_orders INTEGER NOT NULL, -- the orders of that import
  complete_from INTEGER, -- Retour has the orders created since; NULL: all
  complete_until INTEGER NOT NULL, -- and changed until
  PRIMARY KEY (account_id, shop)
) STRICT;
