// What tests control: POST /control/… with JSON. README.md has an example of each.
import { expire } from './bulk.mjs';
import { Bucket } from './cost.mjs';
import { makeFulfillment, makeOrder } from './make_order.mjs';
import { parse, text } from './money.mjs';
import { headersOf, remember, tell } from './notices.mjs';
import { refundByHand } from './refunds.mjs';
import { returnMutations } from './returns.mjs';
import { Shop } from './shop.mjs';
import { leftOf, leftOn, paymentsOf, received, refunded, unitsOf } from './sums.mjs';

const HOWS = ['before', 'before-close', 'after', 'after-close', 'throttled', 'slow', 'slow-after', 'held', '429', 'user-error'];
const FILE = ['raw', 'after', 'cut', 'breakAt', 'url', 'withoutRanges', 'withoutSize', 'sizeOff'];

/** Returns the value of a control call. `state` is { shop, points, bucket, sizing }. */
export async function control(state, path, body, search) {
  const act = actions[path];
  if (!act) throw new Error(`there is no /control/${path}`);
  remember(state.shop);
  return (await act(state, body, search)) ?? {};
}

const orderOf = (shop, wanted) => {
  const order = shop.find(wanted, 'Order') ?? shop.orders.find(({ name }) => name === wanted);
  if (!order) throw new Error(`there is no order ${wanted}`);
  return order;
};

export const actions = {
  orders({ shop }, described) { return summary(shop, makeOrder(shop, described)); },
  order({ shop }, body, search) { return summary(shop, orderOf(shop, search.get('id'))); },
  ledger({ shop }, body, search) {
    const order = search.get('order') && orderOf(shop, search.get('order')).id;
    return shop.ledger.filter((entry) => !order || entry.order === order);
  },
  calls({ shop }) { return shop.calls; },
  fail({ shop }, failure) {
    if (!HOWS.includes(failure.how)) throw new Error(`how is one of ${HOWS.join(', ')}`);
    shop.failures.push({ times: 1, ...failure });
  },
  forgive({ shop }) { shop.failures.length = 0; },
  release({ shop }) { for (const go of shop.held.splice(0)) go(); },
  refund({ shop }, body) {
    const refund = refundByHand(shop, { ...body, order: orderOf(shop, body.order).id });
    // Units of a return that are refunded without being processed.
    const items = body.return ? shop.find(body.return, 'Return').items : [];
    for (const { line, quantity } of refund.lines) {
      const item = items.find((one) => one.item.line === line);
      if (item) item.refunded += quantity;
    }
    return { id: refund.id, transactions: refund.transactions.map(({ id }) => id) };
  },
  edit({ shop }, { order: wanted, line, current }) {
    const order = orderOf(shop, wanted);
    order.lines[line].removed = order.lines[line].quantity - order.lines[line].refunded - current;
    Object.assign(order, { edited: true, updatedAt: shop.time() });
    return summary(shop, order);
  },
  variant({ shop }, { order: wanted, sku, price, forSale }) {
    const order = orderOf(shop, wanted);
    const variant = order.lines.flatMap(({ product }) => product?.variants ?? []).find((one) => one.sku === sku);
    if (!variant) throw new Error(`the order's products have no variant ${sku}`);
    if (price !== undefined) variant.unit = parse(price, order.money.presentment);
    if (forSale !== undefined) variant.forSale = forSale;
  },
  cancel({ shop }, { order }) { Object.assign(orderOf(shop, order), { cancelledAt: shop.time(), updatedAt: shop.time() }); },
  fulfill({ shop }, { order: wanted, lines }) {
    const order = orderOf(shop, wanted);
    order.fulfillments.push(makeFulfillment(shop, order, { lines, createdAt: shop.time() }, order.fulfillments.length));
    order.updatedAt = shop.time();
    return summary(shop, order);
  },
  deliver({ shop }, { order: wanted }) {
    const order = orderOf(shop, wanted);
    order.updatedAt = shop.time();
    for (const one of order.fulfillments) Object.assign(one, { deliveredAt: one.deliveredAt ?? shop.time(), displayStatus: 'DELIVERED' });
  },
  delete({ shop }, { order: wanted }) {
    const order = orderOf(shop, wanted);
    shop.orders.splice(shop.orders.indexOf(order), 1);
    shop.everything.delete(order.id);
  },
  uninstall({ shop }) {
    tell(shop, 'APP_UNINSTALLED', { id: 1, name: shop.name, domain: shop.domain, email: 'owner@example.com' });
    Object.assign(shop, { installed: false, webhooks: [] });
    shop.forgetTokens(false);
  },
  install({ shop }) { shop.installed = true; },
  travel({ shop }, body) {
    for (const name of Object.keys(body)) if (!(name in shop.travel)) throw new Error(`travel has no ${name}`);
    Object.assign(shop.travel, body);
  },
  notices({ shop }) { return shop.notices; },
  gateway({ shop }, { order, gateway, refund }) {
    for (const payment of paymentsOf(orderOf(shop, order))) if (!gateway || payment.gateway === gateway) payment.refund = refund;
  },
  settle({ shop }, { order, status }) {
    for (const transaction of orderOf(shop, order).transactions) if (transaction.status === 'PENDING') transaction.status = status;
  },
  bucket(state, body) {
    state.bucket.set(body);
    if (body.sizing) state.sizing = body.sizing;
    return state.bucket.status();
  },
  scopes({ shop }, { scopes, without = [] }) {
    shop.scopes = (scopes ?? shop.scopes).filter((scope) => !without.includes(scope));
    return { scopes: shop.scopes };
  },
  tokens({ shop }, { forget, custom, expiresIn }) {
    if (forget) shop.forgetTokens(custom);
    if (expiresIn !== undefined) shop.expireTokens(expiresIn);
  },
  clock({ shop }, body) {
    shop.moveClock(body);
    return { now: shop.time() };
  },
  shop({ shop }, body) {
    for (const [name, value] of Object.entries(body)) {
      if (!['name', 'currency', 'prefix', 'suffix', 'taxesIncluded', 'storeCredit', 'creditTransactions', 'protectedData', 'bulkPolls', 'longestList'].includes(name)) throw new Error(`the shop has no ${name}`);
      shop[name] = value;
    }
  },
  reset(state) {
    state.shop = Object.assign(new Shop(), { host: state.shop.host });
    state.bucket = new Bucket(state.shop, state.points);
  },
  many({ shop }, { count, copies = false, ...described }) {
    // Copies exist only in the files of bulk operations, so that 100,000 orders need no memory.
    if (copies) makeOrder(shop, described).copies = count;
    else for (let at = 0; at < count; at += 1) makeOrder(shop, described);
    return { count: shop.orders.length };
  },
  return({ shop }, { order: wanted, lines, status = 'OPEN' }) {
    const order = orderOf(shop, wanted);
    const items = order.fulfillments.flatMap(({ items: sent }) => sent);
    const returnLineItems = lines.map(({ line, quantity, reason, note }) => ({
      fulfillmentLineItemId: items.find((item) => item.line === order.lines[line])?.id, quantity, returnReason: reason, returnReasonNote: note,
    }));
    const input = { orderId: order.id, returnLineItems };
    const { returnRequest, returnCreate } = returnMutations;
    return done(status === 'REQUESTED' ? returnRequest({ input }, { shop }) : returnCreate({ returnInput: input }, { shop }));
  },
  'return/close': ({ shop }, { id }) => done(returnMutations.returnClose({ id }, { shop })),
  'return/cancel': ({ shop }, { id }) => done(returnMutations.returnCancel({ id }, { shop })),
  'return/approve': ({ shop }, { id }) => done(returnMutations.returnApproveRequest({ input: { id } }, { shop })),
  'return/decline': ({ shop }, { id, reason = 'OTHER', note }) => done(returnMutations.returnDeclineRequest({ input: { id, declineReason: reason, declineNote: note } }, { shop })),
  bulk({ shop }, { status = 'FAILED', errorCode = 'TIMEOUT', partial = false, expire: isExpired = false }) {
    if (isExpired) expire(shop);
    else shop.planned.failure = { status, errorCode, partial };
  },
  file({ shop }, file) {
    const strange = Object.keys(file).filter((name) => !FILE.includes(name));
    if (strange.length) throw new Error(`a file has no ${strange.join(', ')}; it has ${FILE.join(', ')}`);
    shop.planned.file = file;
  },
  downloads({ shop }) { return shop.downloads; },
  subscriptions({ shop }) { return shop.webhooks; },
  webhook: ({ shop }, body) => sendWebhook(shop, body),
};

function done({ return: made, userErrors: [error] }) {
  if (error) throw new Error(error.message);
  return { id: made.id, name: made.name, status: made.status };
}

/** An order as tests see it: amounts in presentment currency. */
export function summary(shop, order) {
  const { presentment } = order.money;
  const written = (amount) => text(amount, presentment);
  return {
    id: order.id, name: order.name, customerId: order.customer?.id ?? null, currency: presentment, tags: order.tags, note: order.note,
    received: written(received(order)), refunded: written(refunded(order)), left: written(leftOf(order)),
    lines: order.lines.map((line) => ({
      id: line.id, sku: line.sku, quantity: line.quantity, current: unitsOf(line), refunded: line.refunded, total: written(line.total), tax: written(line.tax), dutyId: line.duty?.id ?? null,
      fulfillmentLineItemIds: order.fulfillments.flatMap(({ items }) => items).filter((item) => item.line === line).map(({ id }) => id),
    })),
    transactions: order.transactions.map((one) => ({
      id: one.id, kind: one.kind, status: one.status, gateway: one.gateway, amount: written(one.amount), parent: one.parent?.id ?? null,
      ...(['SALE', 'CAPTURE'].includes(one.kind) ? { left: written(leftOn(one)) } : {}),
    })),
    refunds: order.refunds.map(({ id, note, by }) => ({ id, note, by })),
    returns: order.returns.map(({ id, name, status, exchanges }) => ({
      id, name, status, exchanges: exchanges.map(({ id: exchangeId, variant, quantity, processed }) => ({ id: exchangeId, sku: variant.sku, quantity, processed })),
    })),
    credit: (order.customer?.accounts ?? []).map(({ id, currency, balance }) => ({ id, currency, balance: text(balance, currency) })),
    metafields: order.metafields,
  };
}

/** Sends a signed notice as Shopify does. With `tamper`, the body differs from what was signed. */
async function sendWebhook(shop, { url, topic, payload = {}, id = crypto.randomUUID(), event = crypto.randomUUID(), tamper = false, domain = shop.domain, version }) {
  const body = JSON.stringify(payload);
  const headers = headersOf(shop, { topic, body, id, event, domain, version });
  const answer = await fetch(url, { method: 'POST', headers, body: tamper ? `${body} ` : body, redirect: 'manual' });
  return { status: answer.status, id, event };
}
