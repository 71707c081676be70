-- A part of the data: the return orders number $FROM up to $TO and everything that belongs to them, with one statement for each table.
-- `ID(kind, milliseconds, number)` is a UUID of version 7, as the service makes them. The other statements read from `grown` and
-- `items`. Two return orders are 94.6 seconds apart: 1,000,000 in three years.

DELETE FROM grown;

INSERT INTO grown (g, account_id, order_id, consumer_id, draft_id, return_order_id, shipment_id, at, name, email, h)
SELECT g, account_id, ID(2, ms, g), ID(3, ms, g), ID(4, ms, g), ID(5, ms, g), ID(6, ms, g), ms * 1000,
  w2 || ' ' || w1 || w3, w1 || w3 || '.' || w2 || (g % 100) || '@example.com', (g * 7919) % 1000
FROM (SELECT g, 1700000000000 + g * 94600 AS ms,
  SYLLABLE(g * 31) || SYLLABLE(g * 17 + g / 22) AS w1, SYLLABLE(g * 7) || SYLLABLE(g * 3 + g / 484) AS w2,
  SYLLABLE(g / 22) || SYLLABLE(g / 484) AS w3,
  (SELECT s.account_id FROM shares s WHERE s.low <= (g * 7919) % 1000000 ORDER BY s.low DESC LIMIT 1) AS account_id
  FROM (NUMBERS($FROM, $TO)) AS numbers) AS made;

INSERT INTO orders (account_id, id, external_id, number, number_key, email_key, postal_code_key, email, address, currency,
  ordered_at, shipping_paid, tags, name_key, last_name_key)
SELECT account_id, order_id, 'gid://shopify/Order/' || (5500000000 + g), '#A-' || g, 'a-' || g, email, 'eh' || (g % 9973), email,
  '{"name":"' || name || '","street":"' || (g % 200) || ' Harbour Street","additional":"","postalCode":"EH' || (g % 9973)
  || '","city":"Edinburgh","province":"","country":"GB"}', 'EUR', at - 864000000000, 495, '[]', name, substr(name, 6)
FROM grown;

INSERT INTO purchases (account_id, id, order_id, external_id, position, product, bought, fulfilled, taken, settled, shop_refunded,
  total, tax, discount, final_sale, fulfilled_at)
SELECT g.account_id, ID(7, g.at / 1000, g.g * 10 + f.i), g.order_id, 'gid://shopify/LineItem/' || (9900000000 + g.g * 10 + f.i), f.i,
  '{"name":"Stoneware mug, large","sku":"CM-' || (g.g % 5000) || '","barcode":"4006381' || (100000 + g.g % 5000)
  || '","imageUrls":["https://cdn.example.com/products/' || (g.g % 5000) || '.jpg"],"attributes":{"colour":"sea green"}}',
  5, 5, 5, 0, 0, 12450, 1990, 0, FALSE, at - 700000000000
FROM grown g CROSS JOIN items f WHERE f.i < 2;

INSERT INTO consumers (account_id, id, order_number_key, proof_kind, proof_key, email, address, created_at, email_key, name_key,
  last_name_key)
SELECT account_id, consumer_id, 'a-' || g, 'email', email, email,
  '{"name":"' || name || '","street":"' || (g % 200) || ' Harbour Street","additional":"","postalCode":"EH' || (g % 9973)
  || '","city":"Edinburgh","province":"","country":"GB"}', at, email, name, substr(name, 6)
FROM grown;

INSERT INTO draft_return_orders (account_id, id, consumer_id, status, items, cost_breakdown, created_at, updated_at, expires_at)
SELECT account_id, draft_id, consumer_id, 'Accepted', $ITEMS, $COSTS, at, at, at + 86400000000
FROM grown;

INSERT INTO return_orders (account_id, id, number, consumer_id, draft_return_order_id, status, payment_status, order_numbers,
  cost_breakdown, source, created_at, updated_at, version, order_number_key, changed, flags)
SELECT account_id, return_order_id, 'R-' || (10000000 + g), consumer_id, draft_id, CASE WHEN h < 940 THEN 'Completed'
  WHEN h < 970 THEN 'Open' WHEN h < 990 THEN 'Requested' ELSE 'Cancelled' END, 'NotRequired', '["#A-' || g || '"]', $COSTS,
  'Portal', at, at + 86400000000, 3, 'a-' || g, g + 1, CASE WHEN g % 20 = 0 THEN '["VIP"]' ELSE '[]' END
FROM grown;

INSERT INTO return_requests (account_id, id, return_order_id, consumer_id, purchase_id, purchase_external_id,
  purchase_order_number, purchase_order_number_key, return_reason_id, return_reason_comment, requested_resolution, quantity,
  value, currency, product, kept, stage, state, created_at, updated_at, version, resolution_value, changed, due_at, stage_since,
  staged, sku)
SELECT account_id, ID(8, at / 1000, n), return_order_id, consumer_id, ID(7, at / 1000, g * 10 + n % 2),
  'gid://shopify/LineItem/' || (9900000000 + g * 10 + n % 2), '#A-' || g, 'a-' || g, ID(9, 1700000000000, n % 12),
  'The glaze has a crack near the handle', CASE WHEN n % 1009 = 7 THEN 'Exchange' WHEN n % 10 = 1 THEN 'StoreCredit' ELSE 'Refund' END,
  1, 2490, 'EUR', '{"name":"Stoneware mug, large","sku":"CM-' || (g % 5000) || '","barcode":"4006381' || (100000 + g % 5000)
  || '","imageUrls":["https://cdn.example.com/products/' || (g % 5000) || '.jpg"],"attributes":{"colour":"sea green"}}',
  FALSE, stage, '{"stage":{"stage":"' || stage || '","reason":"No."},"quantity":1,"taken":{"units":1,"dear":0},"kept":false,"scanned":true,'
  || '"received":1,"surplus":0,"inspection":null,"withoutReceipt":false,"undecided":false,"approvedUnits":1}',
  at, at + 86400000000, 4, 2490, n + 1, CASE WHEN h >= 960 AND h < 962 THEN at + 316000000000000 ELSE NULL END, at + 86400000000,
  n + 1, 'CM-' || (g % 5000)
FROM (SELECT g.*, g.g * 10 + f.i AS n, CASE WHEN (g.g * 10 + f.i) % 1013 = 7 THEN 'Resolution: Failed' WHEN h < 890 THEN
  'Resolution: Completed' WHEN h < 940 THEN 'Resolution: Denied' WHEN h < 960 THEN 'Shipment: In Transit' WHEN h < 970 THEN
  'Inspection: Pending' WHEN h < 990 THEN 'Requested: Review' ELSE 'Closed: Cancelled' END AS stage
  FROM grown g CROSS JOIN items f) AS made;

INSERT INTO timeline_entries (account_id, return_order_id, return_request_id, at, actor, from_stage, to_stage, comment)
SELECT g.account_id, g.return_order_id, ID(8, g.at / 1000, g.g * 10 + f.i), g.at + k.i * 86400000000, 'System',
  'Shipment: In Transit', 'Received: Complete', ''
FROM grown g CROSS JOIN items f CROSS JOIN items k WHERE k.i < $ENTRIES;

INSERT INTO shipments (account_id, id, return_order_id, status, sscc, sender, receiver, created_at, updated_at, carrier,
  tracking_number, tracking_url, label_barcode)
SELECT account_id, shipment_id, return_order_id, CASE WHEN h < 940 THEN 'Delivered' WHEN h < 970 THEN 'InTransit'
  WHEN h < 990 THEN 'LabelCreated' ELSE 'Cancelled' END, '0' || (9521234000000000 + g) || '3',
  '{"name":"' || name || '","street":"' || (g % 200) || ' Harbour Street","additional":"","postalCode":"EH' || (g % 9973)
  || '","city":"Edinburgh","province":"","country":"GB"}',
  '{"name":"Fjord & Fern","street":"1 Quay","additional":"","postalCode":"EH6","city":"Leith","province":"","country":"GB"}',
  at, at + 86400000000, 'royal_mail', 'RM' || (100000000 + g) || 'GB', 'https://www.royalmail.com/track/RM' || (100000000 + g),
  '0' || (9521234000000000 + g) || '3'
FROM grown;

INSERT INTO evidence (account_id, id, return_request_id, name, media_type, bytes, sha256, actor, created_at)
SELECT account_id, ID(10, at / 1000, g), ID(8, at / 1000, g * 10), 'IMG_2041.jpg', 'image/jpeg', 2400000, BYTES(g), 'Consumer', at
FROM grown WHERE g % 5 = 0;

INSERT INTO events (account_id, id, type, stage, return_order_id, data, created_at)
SELECT g.account_id, ID(11, g.at / 1000, g.g * 100 + f.i * 10 + k.i), 'return_request.stage_changed', CASE k.i WHEN 0 THEN
  'Submitted: Ready' WHEN 1 THEN 'Received: Complete' ELSE 'Resolution: Completed' END, g.return_order_id, $DATA, g.at + k.i * 1000
FROM grown g CROSS JOIN items f CROSS JOIN items k WHERE k.i < 3 AND g.g >= $RECENT;

INSERT INTO webhook_deliveries (account_id, id, subscription_id, event_id, event_seq, return_order_id, status, attempts, tries,
  due_at, created_at, tried_at, duration, outcome, status_code, answer)
SELECT e.account_id, ID(12, g.at / 1000, g.g * 100 + f.i * 10 + k.i), w.id, e.id, e.seq, e.return_order_id,
  CASE WHEN g.g % 200 = 3 THEN 'Pending' ELSE 'Delivered' END, 1, 1,
  CASE WHEN g.g % 400 = 3 THEN e.created_at + 316000000000000 ELSE e.created_at END, e.created_at, e.created_at, 40000,
  'Delivered', 200, ''
FROM grown g CROSS JOIN items f CROSS JOIN items k
JOIN events e ON e.account_id = g.account_id AND e.id = ID(11, g.at / 1000, g.g * 100 + f.i * 10 + k.i)
JOIN webhook_subscriptions w ON w.account_id = g.account_id WHERE k.i < 3 AND g.g >= $RECENT;

INSERT INTO mails (account_id, id, about, return_order_id, language, status, attempts, created_at)
SELECT g.account_id, ID(13, g.at / 1000, g.g * 10 + f.i), CASE f.i WHEN 0 THEN 'Ready' ELSE 'Done' END, g.return_order_id, 'en-GB',
  CASE WHEN g.g % 500 = 0 THEN 'Failed' ELSE 'Sent' END, 1, g.at + f.i
FROM grown g CROSS JOIN items f WHERE f.i < 2 AND g.g >= $RECENT;

INSERT INTO mail_tasks (account_id, about_id, kind, language, due_at, created_at)
SELECT account_id, return_order_id, 'Return', 'en-GB', CASE WHEN g % 500 = 40 THEN at WHEN g % 100 = 90 THEN at + 316000000000000
  ELSE NULL END, at
FROM grown WHERE g % 50 = 40;

INSERT INTO parcel_tasks (account_id, shipment_id, work, carrier, reference, due_at, created_at)
SELECT account_id, shipment_id, 'Follow', 'karrio', 'shp_' || g, CASE WHEN g % 500 = 41 THEN at ELSE at + 316000000000000 END, at
FROM grown WHERE g % 50 = 41;

INSERT INTO payment_tasks (account_id, return_order_id, due_at, created_at)
SELECT account_id, return_order_id, CASE WHEN g % 1000 = 42 THEN at ELSE at + 316000000000000 END, at
FROM grown WHERE g % 200 = 42;

INSERT INTO settlements (account_id, id, return_request_id, order_id, due_at, created_at)
SELECT account_id, ID(14, at / 1000, g), ID(8, at / 1000, g * 10), order_id, CASE WHEN g % 1000 = 43 THEN at ELSE NULL END, at
FROM grown WHERE g % 200 = 43;

INSERT INTO label_requests (account_id, id, shipment_id, due_at, created_at)
SELECT account_id, ID(15, at / 1000, g), shipment_id, CASE WHEN g % 1000 = 44 THEN at ELSE at + 316000000000000 END, at
FROM grown WHERE g % 500 = 44;

INSERT INTO idempotency_keys (account_id, credential, key, fingerprint, status, body, expires_at)
SELECT account_id, 'consumer', 'k-' || g, BYTES(g), 200, $DATA, at + 86400000000 FROM grown WHERE g >= $RECENT;

INSERT INTO consumer_tokens (account_id, token_hash, consumer_id, expires_at)
SELECT account_id, BYTES(g), consumer_id, at + 86400000000 FROM grown WHERE g >= $RECENT;

INSERT INTO sessions (id_hash, data, expires_at)
SELECT BYTES(g), $SESSION, at + 86400000000 FROM grown WHERE g >= $RECENT
