// Several shops of one program: each has its own port, state and plan.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { start } from './support.mjs';

let shop;
before(async () => { shop = await start(); });
after(() => shop.stop());

test('a line on standard input opens a shop of its own', async () => {
  const [other, third] = [await shop.another(), await shop.another('5000')];
  await shop.control('orders', { name: '#1', lines: [{ price: '1.00' }] });
  await shop.control('clock', { advance: 86_400 });
  assert.equal((await other.control('many', { count: 2, lines: [{ price: '1.00' }] })).count, 2);
  assert.notEqual((await other.control('clock', {})).now, (await shop.control('clock', {})).now);
  assert.deepEqual(await third.control('calls'), []);
  const maximum = async (one) => (await one.control('bucket', {})).maximumAvailable;
  assert.deepEqual([await maximum(shop), await maximum(third)], [2_000, 100_000]);
  await third.control('reset', {});
  assert.deepEqual([await maximum(third), (await shop.control('order?id=%231')).name], [100_000, '#1']);
});

test('a request that is no URL ends no program', async () => {
  const { hostname, port } = new URL(shop.ready.url);
  const status = await new Promise((resolve) => request({ hostname, port, path: '//' }, ({ statusCode }) => resolve(statusCode)).end());
  assert.equal(status, 400);
  assert.deepEqual(await shop.control('calls'), []);
});
