// Bulk operations: their rules, their files, and the failures that tests ask for.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { start } from './support.mjs';

let shop;
before(async () => { shop = await start(); });
after(() => shop.stop());
beforeEach(() => shop.control('reset', {}));

const ORDERS = '{ orders { edges { node { id name email lineItems { edges { node { id title } } } } } } }';
const RUN = `mutation ($query: String!, $group: Boolean!) { bulkOperationRunQuery(query: $query, groupObjects: $group) {
  bulkOperation { id status } userErrors { code message } } }`;
const POLL = 'query ($id: ID!) { bulkOperation(id: $id) { status errorCode url partialDataUrl fileSize objectCount rootObjectCount } }';
const run = async (query, group = true) => (await shop.data(RUN, { query, group })).bulkOperationRunQuery;

async function ended(query, group) {
  const { bulkOperation, userErrors } = await run(query, group);
  assert.deepEqual(userErrors, []);
  assert.equal(bulkOperation.status, 'CREATED');
  for (;;) {
    const found = (await shop.data(POLL, { id: bulkOperation.id })).bulkOperation;
    if (!['CREATED', 'RUNNING'].includes(found.status)) return found;
    await setTimeout(5);
  }
}

test('the file may have another size than the operation says, and its server may say none', async () => {
  await shop.control('orders', { lines: [{ price: '1.00' }] });
  await shop.control('file', { sizeOff: -3, withoutSize: true });
  const { url, fileSize } = await ended(ORDERS);
  const whole = await fetch(url);
  assert.equal(whole.headers.get('content-length'), null);
  assert.equal((await whole.text()).length, Number(fileSize) + 3);
  const part = await fetch(url, { headers: { range: 'bytes=10-' } });
  assert.match(part.headers.get('content-range'), /^bytes 10-\d+\/\*$/);
  await part.text();
});

const linesOf = async ({ url }) => (await (await fetch(url)).text()).trim().split('\n').map((line) => JSON.parse(line));

test('an operation ends with a file of lines that name their parents', async () => {
  await shop.control('many', { count: 2, lines: [{ title: 'Shirt', price: '1.00' }, { title: 'Mug', price: '1.00' }] });
  const done = await ended(ORDERS);
  assert.deepEqual([done.status, done.objectCount, done.rootObjectCount], ['COMPLETED', '6', '2']);
  const lines = await linesOf(done);
  assert.equal(lines[1].__parentId, lines[0].id);
  assert.deepEqual(lines.map(({ title, name }) => title ?? name), ['#1001', 'Shirt', 'Mug', '#1002', 'Shirt', 'Mug']);
  const apart = await linesOf(await ended(ORDERS, false));
  assert.deepEqual(apart.map(({ title, name }) => title ?? name), ['#1001', '#1002', 'Shirt', 'Mug', 'Shirt', 'Mug']);
});

test('copies of an order differ in ids, name and address, and are in the file only', async () => {
  await shop.control('many', { count: 2500, copies: true, lines: [{ price: '1.00' }] });
  const done = await ended(ORDERS);
  assert.deepEqual([done.objectCount, done.rootObjectCount], ['5000', '2500']);
  const lines = await linesOf(done);
  assert.equal(new Set(lines.map(({ id }) => id)).size, 5000);
  assert.equal(new Set(lines.filter(({ name }) => name).map(({ name, email }) => `${name} ${email}`)).size, 2500);
  assert.ok(lines.every(({ __parentId }, at) => !__parentId || __parentId === lines[at - 1].id));
  assert.equal((await shop.data('{ orders(first: 10) { nodes { id } } }')).orders.nodes.length, 1);
});

test('a query that Shopify would refuse is refused', async () => {
  const nested = (fields) => `{ orders { edges { node { id ${fields} } } } }`;
  for (const [query, expected] of [
    ['{ shop { name } }', /at least one connection/],
    ['query ($n: Int) { orders(first: $n) { edges { node { id } } } }', /variables/],
    ['{ shop { name } orders { edges { node { id } } } }', /one top-level field/],
    ['{ node(id: "gid://shopify/Order/1") { id } }', /node and nodes/],
    [nested('fulfillments(first: 10) { id fulfillmentLineItems { edges { node { id } } } }'), /within a list field/],
    [nested('lineItems { nodes { id } }'), /edges and node/],
    [nested('lineItems { edges { node { id nam } } }'), /Cannot query field/],
    [nested('returns { edges { node { id reverseFulfillmentOrders { edges { node { id lineItems { edges { node { id } } } } } } } } }'), /two levels/],
  ]) {
    const { bulkOperation, userErrors: [error] } = await run(query);
    assert.equal(bulkOperation, null);
    assert.match(error.message, expected, query);
  }
});

test('failures, expired files, missing bytes and broken connections come on demand', async () => {
  await shop.control('orders', { lines: [{ price: '1.00' }] });
  await shop.control('bulk', { status: 'FAILED', errorCode: 'TIMEOUT', partial: true });
  const failed = await ended(ORDERS);
  assert.deepEqual([failed.status, failed.errorCode, failed.url], ['FAILED', 'TIMEOUT', null]);
  assert.ok((await linesOf({ url: failed.partialDataUrl })).length > 0);

  await shop.control('file', { after: ['{}', 100], cut: 7, breakAt: 20 });
  const { url, fileSize } = await ended(ORDERS);
  await assert.rejects(async () => (await fetch(url)).text());
  const rest = await fetch(url, { headers: { range: 'bytes=10-' } });
  assert.deepEqual([rest.status, rest.headers.get('content-range')], [206, `bytes 10-${fileSize - 8}/${fileSize - 7}`]);
  assert.equal((await (await fetch(url)).text()).length, fileSize - 7);

  await shop.control('bulk', { expire: true });
  assert.equal((await fetch(url)).status, 404);
  await shop.control('file', { url: 'http://10.0.0.1/x', raw: 'hello' });
  assert.equal((await ended(ORDERS)).url, 'http://10.0.0.1/x');
});

test('a missing scope lets the operation fail', async () => {
  await shop.control('orders', { lines: [{ price: '1.00' }] });
  await shop.control('scopes', { without: ['read_orders', 'write_orders'] });
  const { status, errorCode } = await ended(ORDERS);
  assert.deepEqual([status, errorCode], ['FAILED', 'ACCESS_DENIED']);
});
