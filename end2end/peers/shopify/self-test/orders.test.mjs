// Orders: prices, look-up, pages, access.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { start } from './support.mjs';

let shop;
before(async () => { shop = await start(); });
after(() => shop.stop());
beforeEach(() => shop.control('reset', {}));

const LINES = `query ($id: ID!) { order(id: $id) {
  totalPriceSet { presentmentMoney { amount } shopMoney { amount currencyCode } } totalTaxSet { presentmentMoney { amount } }
  lineItems(first: 10) { nodes { discountedUnitPriceAfterAllDiscountsSet { presentmentMoney { amount } }
    taxLines { priceSet { presentmentMoney { amount } } } discountAllocations { allocatedAmountSet { presentmentMoney { amount } } } } } } }`;
const amounts = (line) => ({
  unit: line.discountedUnitPriceAfterAllDiscountsSet.presentmentMoney.amount,
  tax: line.taxLines.map(({ priceSet }) => priceSet.presentmentMoney.amount),
  discounts: line.discountAllocations.map(({ allocatedAmountSet }) => allocatedAmountSet.presentmentMoney.amount),
});
const names = async (query) => (await shop.data('query ($q: String) { orders(first: 10, query: $q) { nodes { name } } }', { q: query })).orders.nodes.map(({ name }) => name);

test('a code and an automatic discount are spread over the lines, and tax is inside the price', async () => {
  const { id } = await shop.control('orders', {
    lines: [{ quantity: 2, price: '20.00', taxRate: '0.19' }, { price: '10.00', taxRate: '0.07' }],
    discounts: [{ automatic: 'Summer', percent: '50', lines: [1] }, { code: 'FIVE', amount: '4.50' }],
  });
  const { order } = await shop.data(LINES, { id });
  assert.deepEqual(order.lineItems.nodes.map(amounts), [
    { unit: '18.0', tax: ['5.75'], discounts: ['4.0'] },
    { unit: '4.5', tax: ['0.29'], discounts: ['5.0', '0.5'] },
  ]);
  assert.equal(order.totalPriceSet.presentmentMoney.amount, '40.5');
});

test('tax on top is added to the total', async () => {
  const { id } = await shop.control('orders', { taxesIncluded: false, lines: [{ quantity: 3, price: '10.00', taxRate: '0.0825' }], shipping: { price: '5.00' } });
  const { order } = await shop.data(LINES, { id });
  assert.equal(order.totalTaxSet.presentmentMoney.amount, '2.48');
  assert.equal(order.totalPriceSet.presentmentMoney.amount, '37.48');
});

test('shop money follows the rate, also of a currency without decimals', async () => {
  const { id } = await shop.control('orders', { currency: 'EUR', presentmentCurrency: 'JPY', rate: '160', lines: [{ price: '1600' }] });
  const { order } = await shop.data(LINES, { id });
  assert.deepEqual(order.totalPriceSet, { presentmentMoney: { amount: '1600.0' }, shopMoney: { amount: '10.0', currencyCode: 'EUR' } });
});

test('a search by name finds words, so similar names are found, too', async () => {
  for (const name of ['#1001', '#1001-A', '#10012', 'EN1001']) await shop.control('orders', { name, lines: [{ price: '1.00' }] });
  assert.deepEqual(await names('name:1001'), ['#1001', '#1001-A']);
  assert.deepEqual(await names('name:"#1001" OR name:EN1001'), ['#1001', '#1001-A', 'EN1001']);
  assert.deepEqual(await names('name:1001 -name:"1001-A"'), ['#1001']);
  assert.equal((await shop.ask('{ orders(first: 1, query: "risk_level:high") { nodes { id } } }')).status, 501);
});

test('lines have pages, and more than 250 at once are refused', async () => {
  const { id } = await shop.control('orders', { lines: Array.from({ length: 120 }, (_, at) => ({ title: `Line ${at}`, price: '1.00' })) });
  const query = 'query ($id: ID!, $after: String) { order(id: $id) { lineItems(first: 50, after: $after) { nodes { title } pageInfo { hasNextPage endCursor } } } }';
  const titles = [];
  let cursor = null;
  do {
    const { order: { lineItems: { nodes, pageInfo } } } = await shop.data(query, { id, after: cursor });
    titles.push(...nodes.map(({ title }) => title));
    cursor = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (cursor);
  assert.equal(titles.length, 120);
  assert.equal(titles.at(-1), 'Line 119');
  const { errors } = await shop.ask('{ orders(first: 251) { nodes { id } } }');
  assert.match(errors[0].message, /250/);
});

test('what is not modelled fails with 501, and what the schema lacks with its own error', async () => {
  const { status, errors } = await shop.ask('{ shop { currencyFormats { moneyFormat } } }');
  assert.equal(status, 501);
  assert.match(errors[0].message, /Shop\.currencyFormats/);
  const unknown = await shop.ask('{ shop { nam } }');
  assert.equal(unknown.status, 200);
  assert.equal(unknown.errors[0].extensions.code, 'undefinedField');
  const badInput = await shop.refund({ orderId: 'gid://shopify/Order/1', shipping: { amount: 'much' } });
  assert.equal(badInput.errors[0].extensions.code, 'INVALID_VARIABLE');
});

test('a missing scope denies the field, a wrong token the request', async () => {
  await shop.control('orders', { lines: [{ price: '1.00' }] });
  await shop.control('scopes', { without: ['read_orders', 'write_orders'] });
  const { data, errors } = await shop.ask('{ order(id: "gid://shopify/Order/1001") { id } }');
  assert.equal(data.order, null);
  assert.equal(errors[0].extensions.code, 'ACCESS_DENIED');
  assert.match(errors[0].extensions.requiredAccess, /read_orders/);
  const known = shop.token;
  shop.token = 'shpat_wrong';
  const refused = await shop.ask('{ shop { name } }');
  shop.token = known;
  assert.equal(refused.status, 401);
});

test('orders over 60 days old need read_all_orders', async () => {
  await shop.control('orders', { createdAt: '2020-01-01T00:00:00Z', lines: [{ price: '1.00' }] });
  assert.deepEqual(await names('name:1001'), ['#1001']);
  await shop.control('scopes', { without: ['read_all_orders'] });
  assert.deepEqual(await names('name:1001'), []);
});

test('protected customer data that is not approved is null beside an error', async () => {
  await shop.control('orders', { lines: [{ price: '1.00' }] });
  await shop.control('shop', { protectedData: false });
  const { data, errors } = await shop.ask('{ orders(first: 1) { nodes { name email } } }');
  assert.deepEqual(data.orders.nodes, [{ name: '#1001', email: null }]);
  assert.equal(errors[0].extensions.code, 'ACCESS_DENIED');
});

test('the client-credentials grant gives a token that ends', async () => {
  const fields = { client_id: shop.ready.clientId, client_secret: shop.ready.clientSecret, grant_type: 'client_credentials' };
  const grant = (body) => fetch(`${shop.ready.url}/admin/oauth/access_token`, { method: 'POST', body: new URLSearchParams(body) });
  const given = await (await grant(fields)).json();
  assert.equal(given.expires_in, 86_399);
  const own = shop.token;
  shop.token = given.access_token;
  assert.equal((await shop.ask('{ shop { name } }')).status, 200);
  await shop.control('clock', { advance: 86_400 });
  assert.equal((await shop.ask('{ shop { name } }')).status, 401);
  shop.token = own;
  assert.equal((await grant({ ...fields, client_secret: 'wrong' })).status, 400);
});
