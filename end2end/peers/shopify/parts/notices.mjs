// Notices by themselves: after each call, the stand-in compares the orders with what they were, and tells the subscriptions.
import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { SECRET } from './shop.mjs';

/** What of an order is worth a notice. */
const stateOf = (order) => ({
  cancelled: order.cancelledAt, note: order.note, email: order.email, tags: order.tags.join(), name: order.name,
  lines: order.lines.map(({ quantity, removed, refunded }) => `${quantity} ${removed} ${refunded}`).join(),
  payments: order.transactions.map(({ id, status }) => `${id} ${status}`).join(),
  refunds: order.refunds.map(({ id }) => id),
  fulfillments: order.fulfillments.map(({ id, status, deliveredAt }) => ({ id, state: `${status} ${deliveredAt}` })),
  removed: order.lines.map(({ removed }) => removed).join(),
});

/** What of an order's returns is worth a notice. It is no change of the order. */
const returnsOf = (order) => order.returns.map(({ id, status, items, exchanges, reverseOrders }) => ({
  id, status, processed: [...items, ...exchanges].map(({ processed }) => processed).join(),
  rest: items.map(({ quantity, disposed }) => `${quantity} ${disposed}`).join() + reverseOrders.map(({ deliveries }) => deliveries.length).join(),
}));

const numberOf = (id) => Number(id.split('/').at(-1));
const RETURN_TOPICS = { REQUESTED: 'RETURNS_REQUEST', OPEN: 'RETURNS_APPROVE', DECLINED: 'RETURNS_DECLINE', CANCELED: 'RETURNS_CANCEL', CLOSED: 'RETURNS_CLOSE' };

/** Remembers the orders as they are, so that only later changes are told. */
export function remember(shop) {
  if (!shop.webhooks.length) return;
  for (const order of shop.orders) if (!shop.told.has(order.id)) shop.told.set(order.id, { state: stateOf(order), returns: returnsOf(order) });
}

/** Tells the subscriptions what has changed since the last call. */
export function tellChanges(shop) {
  if (!shop.webhooks.length) return shop.told.clear();
  const gone = [...shop.told.keys()].filter((id) => !shop.find(id, 'Order'));
  for (const id of gone) {
    shop.told.delete(id);
    tell(shop, 'ORDERS_DELETE', { id: numberOf(id) });
  }
  for (const order of shop.orders) {
    const before = shop.told.get(order.id);
    const now = { state: stateOf(order), returns: returnsOf(order) };
    shop.told.set(order.id, now);
    if (!before) continue;
    if (JSON.stringify(before.state) !== JSON.stringify(now.state)) tellOrder(shop, order, before.state, now.state);
    for (const one of now.returns) tellReturn(shop, order, before.returns.find(({ id }) => id === one.id), one);
  }
}

function tellReturn(shop, order, before, { id, status, processed, rest }) {
  const body = {
    id: numberOf(id), admin_graphql_api_id: id, status: status.toLowerCase(), order: { id: order.number, admin_graphql_api_id: order.id },
  };
  if (before?.status !== status) tell(shop, before?.status === 'CLOSED' && status === 'OPEN' ? 'RETURNS_REOPEN' : RETURN_TOPICS[status], body);
  if (!before) return;
  if (before.processed !== processed) tell(shop, 'RETURNS_PROCESS', body);
  if (before.rest !== rest) tell(shop, 'RETURNS_UPDATE', body);
}

function tellOrder(shop, order, before, now) {
  order.updatedAt = shop.time();
  const of = { id: order.number, admin_graphql_api_id: order.id };
  const whole = { ...of, name: order.name, email: order.email, updated_at: order.updatedAt, customer: { email: order.email } };
  tell(shop, 'ORDERS_UPDATED', whole);
  if (now.cancelled && !before.cancelled) tell(shop, 'ORDERS_CANCELLED', whole);
  if (now.removed !== before.removed) tell(shop, 'ORDERS_EDITED', { order_edit: { id: order.number + 1, order_id: order.number } });
  for (const id of now.refunds.filter((one) => !before.refunds.includes(one))) {
    tell(shop, 'REFUNDS_CREATE', { id: numberOf(id), order_id: order.number, note: 'by hand', created_at: order.updatedAt });
  }
  for (const { id, state } of now.fulfillments) {
    const known = before.fulfillments.find((one) => one.id === id);
    const body = { id: numberOf(id), order_id: order.number, email: order.email, updated_at: order.updatedAt };
    if (known?.state !== state) tell(shop, known ? 'FULFILLMENTS_UPDATE' : 'FULFILLMENTS_CREATE', body);
  }
}

/** Sends a notice to each subscription of a topic, unless it is lost on the way. */
export function tell(shop, topic, payload) {
  for (const { topic: wanted, uri, includeFields } of shop.webhooks) {
    if (wanted !== topic) continue;
    const { lose, repeat, delay } = shop.travel;
    const body = JSON.stringify(includeFields.length ? picked(payload, includeFields) : payload);
    const note = { topic, uri, body, lost: shop.chance() < lose, statuses: [] };
    shop.notices.push(note);
    if (note.lost) continue;
    const ids = { id: crypto.randomUUID(), event: crypto.randomUUID() };
    const times = shop.chance() < repeat ? 2 : 1;
    for (let at = 0; at < times; at += 1) send(shop, note, ids, shop.chance() * delay);
  }
}

async function send(shop, note, { id, event }, wait) {
  const headers = headersOf(shop, { topic: nameOf(note.topic), body: note.body, id, event, domain: shop.travel.domain ?? shop.host });
  await setTimeout(wait);
  try {
    note.statuses.push((await fetch(note.uri, { method: 'POST', headers, body: note.body, redirect: 'manual' })).status);
  } catch {
    note.statuses.push(0);
  }
}

/** ORDERS_UPDATED is called orders/updated in a notice. */
const nameOf = (topic) => {
  const subject = ['FULFILLMENT_EVENTS', 'ORDER_TRANSACTIONS'].find((one) => topic.startsWith(`${one}_`)) ?? topic.split('_')[0];
  return `${subject}/${topic.slice(subject.length + 1)}`.toLowerCase();
};

/** The headers of a signed notice. */
export function headersOf(shop, { topic, body, id, event, domain, version = '2026-10' }) {
  return {
    'content-type': 'application/json', 'x-shopify-topic': topic, 'x-shopify-shop-domain': domain, 'x-shopify-api-version': version,
    'x-shopify-webhook-id': id, 'x-shopify-event-id': event, 'x-shopify-triggered-at': shop.time(), 'user-agent': 'Shopify-Captain-Hook',
    'x-shopify-hmac-sha256': createHmac('sha256', SECRET).update(body).digest('base64'),
  };
}

/** The parts of a payload that `includeFields` names, such as `order.id`. */
export function picked(payload, fields) {
  const result = {};
  for (const field of fields) {
    const names = field.split('.');
    let [from, to] = [payload, result];
    for (const [at, name] of names.entries()) {
      if (from === null || typeof from !== 'object' || !(name in from)) break;
      if (at === names.length - 1) to[name] = from[name];
      else to = (to[name] ??= {});
      from = from[name];
    }
  }
  return result;
}
