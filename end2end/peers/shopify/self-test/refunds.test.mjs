// Refunds: what they move, when they are refused, once for each key, and failures.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { start, toPayment } from './support.mjs';

let shop;
before(async () => { shop = await start(); });
after(() => shop.stop());
beforeEach(() => shop.control('reset', {}));

const order = (more = {}) => shop.control('orders', { lines: [{ quantity: 3, price: '10.00', taxRate: '0.19' }], ...more });
const ledger = async () => (await shop.control('ledger')).map(({ gateway, amount, by }) => `${by} ${gateway} ${amount}`);
const messages = ({ data }) => data.refundCreate.userErrors.map(({ message }) => message);

test('a refund moves its units and its money, and suggests what is left', async () => {
  const made = await order({ shipping: { price: '4.90' }, payments: [{ gateway: 'gift_card', amount: '12.00' }, { gateway: 'shopify_payments' }] });
  const refundLineItems = [{ lineItemId: made.lines[0].id, quantity: 1, restockType: 'NO_RESTOCK' }];
  const { data } = await shop.refund(toPayment(made, '10.00', 1, { refundLineItems, note: 'ours' }));
  assert.deepEqual(data.refundCreate.userErrors, []);
  assert.equal(data.refundCreate.refund.note, 'ours');
  const now = await shop.data(`query ($id: ID!) { order(id: $id) { displayFinancialStatus lineItems(first: 1) { nodes { refundableQuantity currentQuantity } }
    suggestedRefund(suggestFullRefund: true, refundShipping: true) { amountSet { presentmentMoney { amount } } maximumRefundableSet { presentmentMoney { amount } }
      suggestedTransactions { gateway amountSet { presentmentMoney { amount } } } } } }`, { id: made.id });
  assert.equal(now.order.displayFinancialStatus, 'PARTIALLY_REFUNDED');
  assert.deepEqual(now.order.lineItems.nodes, [{ refundableQuantity: 2, currentQuantity: 2 }]);
  const { suggestedRefund } = now.order;
  assert.equal(suggestedRefund.amountSet.presentmentMoney.amount, '24.9');
  assert.deepEqual(suggestedRefund.suggestedTransactions.map(({ gateway, amountSet }) => [gateway, amountSet.presentmentMoney.amount]), [['gift_card', '12.0'], ['shopify_payments', '12.9']]);
  assert.deepEqual(await ledger(), ['api shopify_payments 10.00']);
});

test('more than is left is refused, also after staff refunded by hand', async () => {
  const made = await order();
  await shop.control('refund', { order: made.id, amount: '25.00' });
  assert.match(messages(await shop.refund(toPayment(made, '5.01')))[0], /5\.01 .* 5\.00/);
  assert.deepEqual(messages(await shop.refund(toPayment(made, '5.00'))), []);
  assert.deepEqual(await ledger(), ['hand shopify_payments 25.00', 'api shopify_payments 5.00']);
});

test('staff refund a part of a duty, and the API the share of units, as far as it is left', async () => {
  const made = await order({ lines: [{ quantity: 4, price: '10.00', duty: '4.00' }] });
  await shop.control('refund', { order: made.id, duties: [{ line: 0, amount: '3.50' }] });
  const refundLineItems = [{ lineItemId: made.lines[0].id, quantity: 1, restockType: 'NO_RESTOCK' }];
  const refundDuties = [{ dutyId: made.lines[0].dutyId, refundType: 'PROPORTIONAL' }];
  assert.deepEqual(messages(await shop.refund(toPayment(made, '11.00', 0, { refundLineItems, refundDuties }))), []);
  const { order: now } = await shop.data('query ($id: ID!) { order(id: $id) { refunds { duties { amountSet { presentmentMoney { amount } } } } } }', { id: made.id });
  assert.deepEqual(now.refunds.map(({ duties }) => duties[0].amountSet.presentmentMoney.amount), ['3.5', '0.5']);
  assert.deepEqual(await ledger(), ['hand shopify_payments 3.50', 'api shopify_payments 11.00']);
  await assert.rejects(shop.control('refund', { order: made.id, duties: [{ line: 0, amount: '0.01' }] }), /more than is left of the duty/);
});

test('money without units is a discrepancy, in the customer\'s favour below zero', async () => {
  const made = await order();
  await shop.refund(toPayment(made, '4.00'));
  await shop.refund({ orderId: made.id, refundLineItems: [{ lineItemId: made.lines[0].id, quantity: 1 }] });
  const { order: now } = await shop.data(`query ($id: ID!) { order(id: $id) { refundDiscrepancySet { presentmentMoney { amount } }
    refunds(first: 5) { orderAdjustments(first: 5) { nodes { amountSet { presentmentMoney { amount } } } } } } }`, { id: made.id });
  assert.deepEqual(now.refunds.map(({ orderAdjustments }) => orderAdjustments.nodes[0].amountSet.presentmentMoney.amount), ['-4.0', '10.0']);
  assert.equal(now.refundDiscrepancySet.presentmentMoney.amount, '6.0');
});

test('more units than are left are refused, also after an edit', async () => {
  const made = await order();
  await shop.control('edit', { order: made.id, line: 0, current: 1 });
  const lines = (quantity) => ({ orderId: made.id, refundLineItems: [{ lineItemId: made.lines[0].id, quantity }] });
  assert.deepEqual((await shop.refund(lines(2))).data.refundCreate.userErrors, [
    { field: ['refundLineItems', '0', 'quantity'], message: 'Quantity cannot refund more items than were purchased' },
  ]);
  assert.deepEqual(messages(await shop.refund(lines(1))), []);
});

test('the parts of a line add up to its price without losing a cent', async () => {
  const made = await order({ lines: [{ quantity: 3, price: '3.34' }], discounts: [{ code: 'CENT', amount: '0.02' }] });
  const subtotals = [];
  for (let at = 0; at < 3; at += 1) {
    const { order: { suggestedRefund } } = await shop.data(`query ($id: ID!, $line: ID!) { order(id: $id) {
      suggestedRefund(refundLineItems: [{ lineItemId: $line, quantity: 1 }]) { amountSet { presentmentMoney { amount } } } } }`, { id: made.id, line: made.lines[0].id });
    const { amount } = suggestedRefund.amountSet.presentmentMoney;
    subtotals.push(Math.round(Number(amount) * 100));
    await shop.refund(toPayment(made, Number(amount).toFixed(2), 0, { refundLineItems: [{ lineItemId: made.lines[0].id, quantity: 1 }] }));
  }
  assert.equal(subtotals.reduce((sum, one) => sum + one), 1000);
  assert.equal((await shop.control(`order?id=${encodeURIComponent(made.id)}`)).left, '0.00');
});

test('a key refunds once: again the same, with another input an error, after 24 hours anew', async () => {
  const made = await order();
  const first = await shop.refund(toPayment(made, '5.00'), 'key');
  const again = await shop.refund(toPayment(made, '5.00'), 'key', '2026-07');
  assert.equal(again.data.refundCreate.refund.id, first.data.refundCreate.refund.id);
  assert.match(messages(await shop.refund(toPayment(made, '6.00'), 'key'))[0], /different operation parameters/);
  assert.equal((await ledger()).length, 1);
  await shop.control('clock', { advance: 24 * 3600 + 1 });
  await shop.refund(toPayment(made, '5.00'), 'key');
  assert.equal((await ledger()).length, 2);
});

test('a key whose attempt failed stays failed, and a missing key is an error', async () => {
  const made = await order();
  await shop.refund(toPayment(made, '99.00'), 'key');
  assert.match(messages(await shop.refund(toPayment(made, '99.00'), 'key'))[0], /previous request .* failed/);
  const { errors } = await shop.ask('mutation ($input: RefundInput!) { refundCreate(input: $input) { userErrors { message } } }', { input: toPayment(made, '1.00') });
  assert.match(errors[0].message, /@idempotent directive is required/);
  assert.deepEqual(await ledger(), []);
});

test('a second call with the key of a running one is refused', async () => {
  const made = await order();
  await shop.control('fail', { operation: 'refundCreate', how: 'held' });
  const slow = shop.refund(toPayment(made, '5.00'), 'key');
  while ((await shop.control('calls')).length === 0); // until the first has arrived
  assert.match(messages(await shop.refund(toPayment(made, '5.00'), 'key'))[0], /in progress/);
  await shop.control('release', {});
  assert.deepEqual(messages(await slow), []);
  assert.equal((await ledger()).length, 1);
});

test('a failure before has no effect, one after has', async () => {
  const made = await order();
  const fails = async (how) => {
    await shop.control('fail', { operation: 'refundCreate', order: made.id, how });
    return shop.refund(toPayment(made, '5.00')).then(({ status }) => status, () => 'closed');
  };
  assert.equal(await fails('before'), 502);
  assert.equal(await fails('before-close'), 'closed');
  assert.deepEqual(await ledger(), []);
  assert.equal(await fails('after'), 502);
  assert.equal(await fails('after-close'), 'closed');
  assert.equal((await ledger()).length, 2);
  assert.equal(await fails('429'), 429);
  assert.equal((await shop.refund(toPayment(made, '5.00'))).status, 200);
  assert.equal((await ledger()).length, 3);
});

test('an empty bucket throttles and fills again', async () => {
  await shop.control('bucket', { available: 2, restore: 0.001 });
  const query = '{ orders(first: 1) { nodes { id } } }';
  const { errors, extensions } = await shop.ask(query);
  assert.equal(errors[0].extensions.code, 'THROTTLED');
  assert.equal(extensions.cost.actualQueryCost, null);
  assert.equal(extensions.cost.throttleStatus.currentlyAvailable, 2);
  await shop.control('clock', { advance: 10_000 });
  const { data, extensions: { cost } } = await shop.ask(query);
  assert.deepEqual(data.orders.nodes, []);
  assert.ok(cost.requestedQueryCost >= cost.actualQueryCost);
  await shop.control('bucket', { sizing: 'linear', available: 2000 });
  const large = await shop.ask('{ orders(first: 250) { nodes { lineItems(first: 10) { nodes { id } } } } }');
  assert.equal(large.errors[0].extensions.code, 'MAX_COST_EXCEEDED');
});

test('presentment currency is required where it differs, and money goes back in it', async () => {
  const made = await order({ currency: 'EUR', presentmentCurrency: 'USD', rate: '1.10' });
  assert.match(messages(await shop.refund(toPayment(made, '11.00')))[0], /Currency is required/);
  assert.deepEqual(messages(await shop.refund(toPayment(made, '11.00', 0, { currency: 'USD' }))), []);
  const [entry] = await shop.control('ledger');
  assert.deepEqual([entry.amount, entry.currency], ['11.00', 'USD']);
});

test('store credit goes to the customer and lessens what is left', async () => {
  const made = await order();
  const credit = (amount) => ({ orderId: made.id, refundMethods: [{ storeCreditRefund: { amount: { amount, currencyCode: 'EUR' } } }] });
  assert.deepEqual(messages(await shop.refund(credit('20.00'))), []);
  assert.equal(messages(await shop.refund(toPayment(made, '10.01'))).length, 1);
  const { storeCreditAccountCredit: { storeCreditAccountTransaction: given } } = await shop.data(`mutation ($id: ID!) {
    storeCreditAccountCredit(id: $id, creditInput: { creditAmount: { amount: "1.50", currencyCode: EUR } }) {
      storeCreditAccountTransaction { balanceAfterTransaction { amount } } userErrors { code } } }`, { id: made.customerId });
  assert.equal(given.balanceAfterTransaction.amount, '21.5');
  assert.deepEqual(await ledger(), ['api shopify_store_credit 20.00', 'api shopify_store_credit 1.50']);
});

test('a provider that declines moves nothing; one that declines the second payment leaves a failed transaction', async () => {
  const made = await order({ payments: [{ gateway: 'gift_card', amount: '10.00' }, { gateway: 'paypal', refund: 'failure' }] });
  assert.equal(messages(await shop.refund(toPayment(made, '5.00', 1))).length, 1);
  assert.deepEqual(await ledger(), []);
  const [first, second] = [toPayment(made, '10.00', 0), toPayment(made, '5.00', 1)];
  const { data } = await shop.refund({ ...first, transactions: [...first.transactions, ...second.transactions] });
  assert.deepEqual(data.refundCreate.refund.transactions.nodes.map(({ status }) => status), ['SUCCESS', 'FAILURE']);
  assert.deepEqual(await ledger(), ['api gift_card 10.00']);
});

test('over random refunds with random failures, no order gives back more than it received', async () => {
  let seed = 20_261_127;
  const random = (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const made = await order({ payments: [{ gateway: 'gift_card', amount: '7.77' }, { gateway: 'paypal', captured: true }] });
  const payments = made.transactions.filter(({ kind }) => kind !== 'AUTHORIZATION');
  const hows = ['before', 'after', 'after-close', 'before-close', 'throttled'];
  for (let at = 0; at < 60; at += 1) {
    if (random(3) === 0) await shop.control('fail', { operation: 'refundCreate', how: hows[random(hows.length)] });
    const payment = made.transactions.indexOf(payments[random(payments.length)]);
    const refundLineItems = random(4) ? [] : [{ lineItemId: made.lines[0].id, quantity: 1 }];
    await shop.refund(toPayment(made, `${random(4)}.${random(10)}1`, payment, { refundLineItems })).catch(() => {});
  }
  const entries = await shop.control('ledger');
  const given = entries.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  const { left, received } = await shop.control(`order?id=${encodeURIComponent(made.name)}`);
  assert.equal(received, '30.00');
  assert.ok(entries.length > 5 && given <= 3000);
  assert.equal(Math.round(Number(left) * 100), 3000 - given);
});
