// Returns and what belongs to them: reverse fulfilment, stock, webhooks.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { start } from './support.mjs';

let shop;
before(async () => { shop = await start(); });
after(() => shop.stop());
beforeEach(() => shop.control('reset', {}));

const order = () => shop.control('orders', { lines: [{ title: 'Shirt', quantity: 2, price: '10.00', taxRate: '0.19', sku: 'S' }], shipping: { price: '5.00' } });
const RETURN = `fragment R on Return { id name status refunds(first: 5) { nodes { id } } returnLineItems(first: 5) { nodes { id processedQuantity refundableQuantity } }
  reverseFulfillmentOrders(first: 5) { nodes { id status lineItems(first: 5) { nodes { id totalQuantity dispositions { type quantity } } } } } }`;
const create = async (made, quantity, more = {}) => (await shop.data(
  `${RETURN} mutation ($input: ReturnInput!) { returnCreate(returnInput: $input) { return { ...R } userErrors { code } } }`,
  { input: { orderId: made.id, returnLineItems: [{ fulfillmentLineItemId: made.lines[0].fulfillmentLineItemIds[0], quantity, returnReason: 'UNWANTED', ...more }] } },
)).returnCreate;
const process = async (input) => (await shop.data(
  `${RETURN} mutation ($input: ReturnProcessInput!) { returnProcess(input: $input) { return { ...R } userErrors { code message } } }`, { input })).returnProcess;

test('a return is processed once: restocked, refunded, and then not again', async () => {
  const made = await order();
  const { return: opened } = await create(made, 1);
  const [line] = opened.reverseFulfillmentOrders.nodes[0].lineItems.nodes;
  const { locations: { nodes: [, centre] } } = await shop.data('{ locations(first: 5) { nodes { id } } }');
  const { return: asked } = await shop.data(`query ($id: ID!, $line: ID!) { return(id: $id) { suggestedFinancialOutcome(returnLineItems: [{ id: $line, quantity: 1 }], exchangeLineItems: []) {
    financialTransfer { __typename ... on RefundReturnOutcome { amount { presentmentMoney { amount } } suggestedTransactions { parentTransaction { id } } } } } } }`, { id: opened.id, line: opened.returnLineItems.nodes[0].id });
  const { amount, suggestedTransactions: [{ parentTransaction: { id: parentId } }] } = asked.suggestedFinancialOutcome.financialTransfer;
  assert.equal(amount.presentmentMoney.amount, '10.0');
  const input = {
    returnId: opened.id, note: 'ours',
    returnLineItems: [{ id: opened.returnLineItems.nodes[0].id, quantity: 1, dispositions: [{ reverseFulfillmentOrderLineItemId: line.id, quantity: 1, dispositionType: 'RESTOCKED', locationId: centre.id }] }],
    financialTransfer: { issueRefund: { orderTransactions: [{ parentId, transactionAmount: { amount: '10.00', currencyCode: 'EUR' } }] } },
  };
  const { return: processed, userErrors } = await process(input);
  assert.deepEqual(userErrors, []);
  assert.equal(processed.refunds.nodes.length, 1);
  assert.equal(processed.returnLineItems.nodes[0].processedQuantity, 1);
  assert.deepEqual([processed.status, processed.reverseFulfillmentOrders.nodes[0].status], ['OPEN', 'OPEN']);
  const { return: later } = await shop.data(`${RETURN} query ($id: ID!) { return(id: $id) { ...R } }`, { id: opened.id });
  assert.deepEqual([later.status, later.reverseFulfillmentOrders.nodes[0].status], ['CLOSED', 'OPEN'], 'it closes by itself');
  assert.equal((await process(input)).userErrors.length, 1);
  assert.deepEqual((await shop.control('ledger')).map((entry) => [entry.amount, entry.note]), [['10.00', 'ours']]);
  const { order: { lineItems: { nodes: [{ variant }] } } } = await shop.data(`query ($id: ID!, $at: ID!) { order(id: $id) { lineItems(first: 1) { nodes { variant { inventoryItem {
    inventoryLevel(locationId: $at) { quantities(names: ["available"]) { quantity } } } } } } } }`, { id: made.id, at: centre.id });
  assert.equal(variant.inventoryItem.inventoryLevel.quantities[0].quantity, 1);
});

test('more than was fulfilled cannot be returned, and a cancelled return frees its units', async () => {
  const made = await order();
  const { return: first } = await create(made, 2);
  assert.deepEqual((await create(made, 1)).userErrors, [{ code: 'INVALID' }]);
  const { returnCancel } = await shop.data('mutation ($id: ID!) { returnCancel(id: $id) { return { status } userErrors { code } } }', { id: first.id });
  assert.equal(returnCancel.return.status, 'CANCELED');
  assert.deepEqual((await create(made, 1)).userErrors, []);
});

test('a request is approved or declined, and staff close a return', async () => {
  const made = await order();
  const asked = await shop.control('return', { order: made.id, lines: [{ line: 0, quantity: 1, reason: 'DEFECTIVE', note: 'torn' }], status: 'REQUESTED' });
  assert.equal(asked.status, 'REQUESTED');
  const { returnApproveRequest } = await shop.data(`${RETURN} mutation ($id: ID!) { returnApproveRequest(input: { id: $id }) { return { ...R } userErrors { code } } }`, { id: asked.id });
  assert.equal(returnApproveRequest.return.status, 'OPEN');
  assert.equal((await shop.control('return/close', { id: asked.id })).status, 'CLOSED');
  const { returnClose } = await shop.data('mutation ($id: ID!) { returnClose(id: $id) { userErrors { code } } }', { id: asked.id });
  assert.deepEqual(returnClose.userErrors, [{ code: 'INVALID_STATE' }]);
});

test('a label becomes a reverse delivery, and only a RESTOCKED unit needs a location', async () => {
  const { return: opened } = await create(await order(), 2);
  const [{ id, lineItems: { nodes: [line] } }] = opened.reverseFulfillmentOrders.nodes;
  const { reverseDeliveryCreateWithShipping: sent } = await shop.data(`mutation ($id: ID!) { reverseDeliveryCreateWithShipping(reverseFulfillmentOrderId: $id, reverseDeliveryLineItems: [],
    trackingInput: { number: "123", url: "https://carrier.example/123" }, labelInput: { fileUrl: "https://returns.example/label.pdf" }, notifyCustomer: false) {
    reverseDelivery { reverseDeliveryLineItems(first: 5) { nodes { quantity } } deliverable { ... on ReverseDeliveryShippingDeliverable { tracking { number } label { publicFileUrl } } } } userErrors { code } } }`, { id });
  assert.deepEqual(sent.reverseDelivery.reverseDeliveryLineItems.nodes, [{ quantity: 2 }]);
  assert.deepEqual(sent.reverseDelivery.deliverable, { tracking: { number: '123' }, label: { publicFileUrl: 'https://returns.example/label.pdf' } });
  const dispose = (dispositionType) => shop.data(`mutation ($of: [ReverseFulfillmentOrderDisposeInput!]!) { reverseFulfillmentOrderDispose(dispositionInputs: $of) { userErrors { code } } }`,
    { of: [{ reverseFulfillmentOrderLineItemId: line.id, quantity: 1, dispositionType }] });
  assert.equal((await dispose('RESTOCKED')).reverseFulfillmentOrderDispose.userErrors.length, 1);
  assert.equal((await dispose('NOT_RESTOCKED')).reverseFulfillmentOrderDispose.userErrors.length, 0);
});

const DISPOSE = 'mutation ($of: [ReverseFulfillmentOrderDisposeInput!]!) { reverseFulfillmentOrderDispose(dispositionInputs: $of) { userErrors { field message code } } }';
const disposed = async (...inputs) => (await shop.data(DISPOSE, { of: inputs.map(([reverseFulfillmentOrderLineItemId, dispositionType, locationId]) => ({ reverseFulfillmentOrderLineItemId, quantity: 1, dispositionType, locationId })) }))
  .reverseFulfillmentOrderDispose.userErrors;

test('units of several fulfilments come back by several reverse fulfilment orders, and each is disposed of by itself', async () => {
  const made = await shop.control('orders', { lines: [{ quantity: 2, price: '10.00' }], fulfillments: [{ lines: [{ line: 0, quantity: 1 }] }, { lines: [{ line: 0, quantity: 1 }] }] });
  const returnLineItems = made.lines[0].fulfillmentLineItemIds.map((fulfillmentLineItemId) => ({ fulfillmentLineItemId, quantity: 1, returnReason: 'UNWANTED' }));
  const { returnCreate: { return: opened } } = await shop.data(`${RETURN} mutation ($input: ReturnInput!) { returnCreate(returnInput: $input) { return { ...R } } }`, { input: { orderId: made.id, returnLineItems } });
  const lines = opened.reverseFulfillmentOrders.nodes.map(({ lineItems }) => lineItems.nodes[0].id);
  assert.equal(lines.length, 2);
  const mixed = { field: ['dispositionInputs'], message: 'Cannot dispose items from more than one reverse fulfillment order.', code: 'INVALID' };
  assert.deepEqual(await disposed([lines[0], 'NOT_RESTOCKED'], [lines[1], 'NOT_RESTOCKED']), [mixed]);
  assert.deepEqual(await disposed([lines[0], 'NOT_RESTOCKED']), []);
});

test('units of a custom line do not go back into stock', async () => {
  const { return: opened } = await create(await shop.control('orders', { lines: [{ quantity: 1, price: '10.00', product: false }] }), 1);
  const [line] = opened.reverseFulfillmentOrders.nodes[0].lineItems.nodes;
  const { locations: { nodes: [{ id }] } } = await shop.data('{ locations(first: 1) { nodes { id } } }');
  const custom = { field: ['dispositionInputs', '0', 'dispositionType'], message: 'RESTOCKED is an invalid disposition type for a custom line item.', code: 'INVALID' };
  assert.deepEqual(await disposed([line.id, 'RESTOCKED', id]), [custom]);
});

test('units that are neither processed nor disposed of can be removed from an open return, and be returned again', async () => {
  const made = await order();
  const { return: opened } = await create(made, 2);
  const [line] = opened.reverseFulfillmentOrders.nodes[0].lineItems.nodes;
  await disposed([line.id, 'NOT_RESTOCKED']);
  const remove = async (quantity) => (await shop.data(`mutation ($id: ID!, $lines: [ReturnLineItemRemoveFromReturnInput!]) { removeFromReturn(returnId: $id, returnLineItems: $lines) {
    return { totalQuantity } userErrors { code } } }`, { id: opened.id, lines: [{ returnLineItemId: opened.returnLineItems.nodes[0].id, quantity }] })).removeFromReturn;
  assert.deepEqual(await remove(2), { return: null, userErrors: [{ code: 'INVALID' }] });
  assert.deepEqual(await remove(1), { return: { totalQuantity: 1 }, userErrors: [] });
  assert.deepEqual((await create(made, 1)).userErrors, []);
  assert.deepEqual((await create(made, 1)).userErrors, [{ code: 'INVALID' }]);
});

test('a notice is signed over its raw body', async () => {
  const seen = [];
  const receiver = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    seen.push({ headers: request.headers, body: Buffer.concat(parts) });
    response.end();
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${receiver.address().port}/`;
  await shop.control('webhook', { url, topic: 'refunds/create', payload: { id: 1 } });
  await shop.control('webhook', { url, topic: 'refunds/create', payload: { id: 1 }, tamper: true });
  receiver.close();
  const right = seen.map(({ headers, body }) => createHmac('sha256', shop.ready.apiSecret).update(body).digest('base64') === headers['x-shopify-hmac-sha256']);
  assert.deepEqual(right, [true, false]);
  assert.equal(seen[0].headers['x-shopify-topic'], 'refunds/create');
  assert.equal(seen[0].headers['x-shopify-shop-domain'], shop.ready.shop);
});

test('a subscription is taken once for each topic and address', async () => {
  const subscribe = async (uri) => (await shop.data(`mutation ($uri: String!) { webhookSubscriptionCreate(topic: REFUNDS_CREATE, webhookSubscription: { uri: $uri }) {
    webhookSubscription { id } userErrors { message } } }`, { uri })).webhookSubscriptionCreate.userErrors.length;
  assert.deepEqual([await subscribe('https://a.example/x'), await subscribe('https://a.example/x'), await subscribe('http://a.example/x')], [0, 1, 1]);
  const { webhookSubscriptions } = await shop.data('{ webhookSubscriptions(first: 5) { nodes { topic uri } } }');
  assert.deepEqual(webhookSubscriptions.nodes, [{ topic: 'REFUNDS_CREATE', uri: 'https://a.example/x' }]);
});

test('metafields are set all or none, and tags are added once', async () => {
  const made = await order();
  const set = async (metafields) => (await shop.data('mutation ($of: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $of) { metafields { value } userErrors { code elementIndex } } }', { of: metafields })).metafieldsSet;
  const field = { ownerId: made.id, namespace: '$app:retour', key: 'return', type: 'json', value: '{"a":1}' };
  assert.deepEqual((await set([field, { ...field, ownerId: 'gid://shopify/Order/9' }])).userErrors, [{ code: 'INVALID', elementIndex: 1 }]);
  assert.deepEqual((await shop.control(`order?id=${encodeURIComponent(made.id)}`)).metafields, []);
  assert.deepEqual((await set([field])).metafields, [{ value: '{"a":1}' }]);
  assert.deepEqual((await set([{ ...field, compareDigest: null }])).userErrors, [{ code: 'STALE_OBJECT', elementIndex: 0 }]);
  const { tagsAdd } = await shop.data('mutation ($id: ID!) { tagsAdd(id: $id, tags: ["b", "a, b"]) { node { ... on Order { tags } } userErrors { message } } }', { id: made.id });
  assert.deepEqual(tagsAdd.node.tags, ['a', 'b']);
});

const removeExchange = async (id, exchange) => (await shop.data(`mutation ($id: ID!, $lines: [ExchangeLineItemRemoveFromReturnInput!]) {
  removeFromReturn(returnId: $id, exchangeLineItems: $lines) { return { exchangeLineItems(first: 5) { nodes { id } } } userErrors { field code } } }`,
{ id, lines: [{ exchangeLineItemId: exchange, quantity: 1 }] })).removeFromReturn;

test('units that were not sent can be removed from what a return sends', async () => {
  const made = await shop.control('orders', { lines: [{ quantity: 1, price: '20.00', sku: 'S-M' }] });
  const { order: { lineItems: { nodes: [{ product }] } } } = await shop.data('query ($id: ID!) { order(id: $id) { lineItems(first: 1) { nodes { product { variants(first: 1) { nodes { id } } } } } } }', { id: made.id });
  const { returnCreate: { return: opened } } = await shop.data(`mutation ($input: ReturnInput!) { returnCreate(returnInput: $input) {
    return { id exchangeLineItems(first: 5) { nodes { id lineItems { id } } } } userErrors { code } } }`,
  { input: { orderId: made.id, returnLineItems: [{ fulfillmentLineItemId: made.lines[0].fulfillmentLineItemIds[0], quantity: 1, returnReason: 'UNWANTED' }], exchangeLineItems: [{ variantId: product.variants.nodes[0].id, quantity: 1 }] } });
  const [exchange] = opened.exchangeLineItems.nodes;
  assert.deepEqual(exchange.lineItems, []);
  assert.deepEqual(await removeExchange(opened.id, exchange.id), { return: { exchangeLineItems: { nodes: [] } }, userErrors: [] });
  assert.deepEqual((await removeExchange(opened.id, exchange.id)).userErrors, [{ field: ['exchangeLineItems', '0', 'exchangeLineItemId'], code: 'NOT_FOUND' }]);
});

test('an exchange sends a variant when its return is processed, once, at the discount that it was given', async () => {
  const made = await shop.control('orders', {
    lines: [{ title: 'Shirt', quantity: 2, price: '20.00', taxRate: '0.19', sku: 'S-M', variants: [{ sku: 'S-L' }] }], discounts: [{ code: 'TEN', percent: '10' }],
  });
  const { order: { lineItems: { nodes: [{ product }] } } } = await shop.data(`query ($id: ID!) { order(id: $id) { lineItems(first: 1) { nodes { product { variants(first: 5) {
    nodes { id sku price availableForSale } } } } } } }`, { id: made.id });
  assert.deepEqual(product.variants.nodes.map(({ sku, price, availableForSale }) => [sku, price, availableForSale]), [['S-M', '20.00', true], ['S-L', '20.00', true]]);
  const exchangeLineItems = [{ variantId: product.variants.nodes[1].id, quantity: 1, appliedDiscount: { value: { percentage: 10 } } }];
  const { returnCreate: { return: opened, userErrors } } = await shop.data(`mutation ($input: ReturnInput!) { returnCreate(returnInput: $input) {
    return { id returnLineItems(first: 5) { nodes { id } } exchangeLineItems(first: 5) { nodes { id variantId processableQuantity } } } userErrors { code } } }`,
  { input: { orderId: made.id, returnLineItems: [{ fulfillmentLineItemId: made.lines[0].fulfillmentLineItemIds[0], quantity: 1, returnReason: 'SIZE_TOO_SMALL' }], exchangeLineItems } });
  assert.deepEqual(userErrors, []);
  const [line, exchange] = [opened.returnLineItems.nodes[0], opened.exchangeLineItems.nodes[0]];
  const outcome = async () => (await shop.data(`query ($id: ID!, $line: ID!, $exchange: ID!) { return(id: $id) { suggestedFinancialOutcome(returnLineItems: [{ id: $line, quantity: 1 }],
    exchangeLineItems: [{ id: $exchange, quantity: 1 }]) { financialTransfer { __typename ... on InvoiceReturnOutcome { amount { presentmentMoney { amount } } } } } } }`,
  { id: opened.id, line: line.id, exchange: exchange.id })).return.suggestedFinancialOutcome.financialTransfer;
  assert.equal(await outcome(), null);
  await shop.control('variant', { order: made.id, sku: 'S-L', price: '30.00' });
  assert.equal((await outcome()).amount.presentmentMoney.amount, '9.0');
  await shop.control('variant', { order: made.id, sku: 'S-L', price: '20.00', forSale: false });
  const input = { returnId: opened.id, returnLineItems: [{ id: line.id, quantity: 1 }], exchangeLineItems: [{ id: exchange.id, quantity: 1 }] };
  assert.deepEqual((await process(input)).userErrors, []);
  assert.equal((await process({ ...input, returnLineItems: [] })).userErrors.length, 1);
  assert.deepEqual((await removeExchange(opened.id, exchange.id)).userErrors, [{ field: ['exchangeLineItems', '0', 'quantity'], code: 'INVALID' }]);
  const after = await shop.control(`order?id=${encodeURIComponent(made.id)}`);
  assert.deepEqual(after.lines.map(({ sku, current, total }) => [sku, current, total]), [['S-M', 1, '36.00'], ['S-L', 1, '18.00']]);
  assert.deepEqual(await shop.control('ledger'), []);
});
