// Notices by themselves: which topics a change has, what they contain, and how they get lost.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { picked } from '../parts/notices.mjs';
import { start, toPayment } from './support.mjs';

let shop;
let receiver;
let url;
let seen = [];

before(async () => {
  shop = await start();
  receiver = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    seen.push({ topic: request.headers['x-shopify-topic'], headers: request.headers, body: Buffer.concat(parts).toString() });
    response.end();
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${receiver.address().port}/`;
});
beforeEach(async () => {
  await shop.control('reset', {});
  seen = [];
});
after(() => {
  receiver.close();
  shop.stop();
});

const SUBSCRIBE = `mutation ($topic: WebhookSubscriptionTopic!, $webhook: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhook) { webhookSubscription { includeFields } userErrors { message } } }`;
const TOPICS = ['ORDERS_UPDATED', 'ORDERS_CANCELLED', 'ORDERS_EDITED', 'ORDERS_DELETE', 'REFUNDS_CREATE', 'FULFILLMENTS_CREATE', 'FULFILLMENTS_UPDATE',
  'RETURNS_APPROVE', 'RETURNS_CLOSE', 'RETURNS_UPDATE', 'APP_UNINSTALLED'];
const subscribe = async (includeFields) => {
  for (const topic of TOPICS) await shop.data(SUBSCRIBE, { topic, webhook: { uri: url, includeFields } });
};
const order = () => shop.control('orders', { lines: [{ quantity: 2, price: '10.00', fulfilled: 1 }], payments: [{ gateway: 'paypal' }] });
const topicsAfter = async (act) => {
  seen = [];
  await act();
  for (let round = 0; round < 50 && !seen.length; round += 1) await setTimeout(10);
  await setTimeout(50);
  return seen.map(({ topic }) => topic).sort();
};

test('each change is told to the subscriptions of its topics', async () => {
  await subscribe();
  const made = await order();
  const { name } = made;
  const told = (...topics) => ['orders/updated', ...topics].sort();
  assert.deepEqual(await topicsAfter(() => shop.control('refund', { order: name, amount: '1.00' })), told('refunds/create'));
  assert.deepEqual(await topicsAfter(() => shop.refund(toPayment(made, '1.00'))), told('refunds/create'));
  assert.deepEqual(await topicsAfter(() => shop.control('edit', { order: name, line: 0, current: 1 })), told('orders/edited'));
  assert.deepEqual(await topicsAfter(() => shop.control('fulfill', { order: name, lines: [{ line: 0, quantity: 1 }] })), told('fulfillments/create'));
  assert.deepEqual(await topicsAfter(() => shop.control('deliver', { order: name })), told('fulfillments/update'));
  const { order: before } = await shop.data('query ($id: ID!) { order(id: $id) { updatedAt } }', { id: made.id });
  await shop.control('clock', { advance: 60 });
  assert.deepEqual(await topicsAfter(() => shop.control('return', { order: name, lines: [{ line: 0, quantity: 1 }] })), ['returns/approve']);
  assert.deepEqual((await shop.data('query ($id: ID!) { order(id: $id) { updatedAt } }', { id: made.id })).order, before, 'a return does not change the order');
  assert.deepEqual(await topicsAfter(() => shop.control('cancel', { order: name })), told('orders/cancelled'));
  assert.deepEqual(await topicsAfter(() => shop.control('delete', { order: name })), ['orders/delete']);
  assert.deepEqual(await topicsAfter(() => shop.control('uninstall', {})), ['app/uninstalled']);
  assert.equal((await shop.ask('{ shop { name } }')).status, 401);
  await shop.control('install', {});
  assert.equal((await shop.ask('{ shop { name } }')).status, 200);
});

test('a notice is signed, names the shop, and has only the fields that were asked for', async () => {
  await subscribe(['id', 'admin_graphql_api_id']);
  const { name, id } = await order();
  await topicsAfter(() => shop.control('refund', { order: name, amount: '1.00' }));
  const { headers, body } = seen.find(({ topic }) => topic === 'orders/updated');
  assert.deepEqual(JSON.parse(body), { id: Number(id.split('/').at(-1)), admin_graphql_api_id: id });
  assert.equal(headers['x-shopify-hmac-sha256'], createHmac('sha256', shop.ready.apiSecret).update(body).digest('base64'));
  assert.equal(headers['x-shopify-shop-domain'], new URL(shop.ready.url).host);
  await shop.control('travel', { domain: 'other.myshopify.com' });
  await topicsAfter(() => shop.control('refund', { order: name, amount: '1.00' }));
  assert.equal(seen[0].headers['x-shopify-shop-domain'], 'other.myshopify.com');
  assert.deepEqual(picked({ a: { b: 1, c: 2 }, d: null }, ['a.b', 'd', 'x.y']), { a: { b: 1 }, d: null });
});

test('notices get lost, repeated and reordered as asked', async () => {
  await subscribe();
  const { name } = await order();
  await shop.control('travel', { lose: 1 });
  await shop.control('refund', { order: name, amount: '0.01' });
  await setTimeout(50);
  assert.deepEqual(seen, []);
  assert.deepEqual((await shop.control('notices')).map(({ lost }) => lost), [true, true]);
  await shop.control('travel', { lose: 0, repeat: 1 });
  assert.equal((await topicsAfter(() => shop.control('refund', { order: name, amount: '0.01' }))).length, 4);
  await shop.control('travel', { lose: 0.5, repeat: 0, delay: 20, seed: 3 });
  for (let at = 0; at < 20; at += 1) await shop.control('refund', { order: name, amount: '0.01' });
  const lost = (await shop.control('notices')).slice(4).filter((one) => one.lost).length;
  assert.ok(lost > 5 && lost < 35, `${lost}`);
});
