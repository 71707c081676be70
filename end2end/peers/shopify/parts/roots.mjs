// The root fields of queries and mutations.
import './order_view.mjs';
import './refund_view.mjs';
import './return_view.mjs';
import { connection, inputOnly, notModelled, pages, userError } from './answers.mjs';
import { bulkMutations, bulkQueries } from './bulk.mjs';
import { storeCreditAccountCredit } from './credits.mjs';
import { refundCreate } from './refunds.mjs';
import { returnable, returnMutations } from './returns.mjs';
import { reverseMutations } from './reverse.mjs';
import { orderFilter, sortOrders } from './search.mjs';
import { installationView, shopView } from './shop_view.mjs';
import { show } from './views.mjs';
import { webhookMutations, webhookQueries } from './webhooks.mjs';

const READ_DAYS = 60; // older orders need read_all_orders
const DAY = 86_400_000;
const mayRead = (shop, order) => shop.allows('read_all_orders') || Date.parse(order.createdAt) > shop.now() - READ_DAYS * DAY;
const byId = (type) => ({ id }, { shop }) => show(shop, shop.find(id, type));

function node(shop, id) {
  const found = shop.everything.get(id);
  if (found?.type === 'Order' && !mayRead(shop, found)) return null;
  return show(shop, found ?? null);
}

/** The orders that a bulk operation writes at once. Notes how many there are in all, and how often each one counts. */
function partOf(all, part) {
  const found = all.slice(part.from, part.from + part.count);
  Object.assign(part, { total: all.length, copies: found.map(({ copies }) => copies ?? 1) });
  return found;
}

export const queries = {
  shop: (args, { shop, url }) => shopView(shop, url),
  currentAppInstallation: (args, { shop }) => installationView(shop),
  publicApiVersions: (args, { versions }) => versions.map((handle) => ({ handle, displayName: handle, supported: true })),
  order: ({ id }, { shop }) => {
    const order = shop.find(id, 'Order');
    return order && mayRead(shop, order) ? show(shop, order) : null;
  },
  orders: (args, context, info) => {
    const { shop } = context;
    const fits = orderFilter(args.query);
    const all = sortOrders(shop.orders.filter((order) => mayRead(shop, order) && fits(order)), args.sortKey);
    const found = context.part ? partOf(all, context.part) : all;
    return connection((context.bulk ? found : found.slice(0, shop.longestList)).map((order) => show(shop, order)), args, context, info, ['query', 'sortKey']);
  },
  node: ({ id }, { shop }) => node(shop, id),
  nodes: ({ ids }, { shop }) => ids.map((id) => node(shop, id)),
  return: byId('Return'),
  reverseFulfillmentOrder: byId('ReverseFulfillmentOrder'),
  reverseDelivery: byId('ReverseDelivery'),
  returnableFulfillments: (args, context, info) => {
    const { shop } = context;
    const order = shop.find(args.orderId, 'Order');
    return connection((order?.fulfillments ?? []).map((one) => returnableView(shop, one)).filter(({ any }) => any), args, context, info, ['orderId']);
  },
  returnReasonDefinitions: (args, context, info) => {
    const { handles, ids } = args;
    const found = context.shop.reasons.filter(({ handle, id }) => (!handles || handles.includes(handle)) && (!ids || ids.includes(id)));
    return connection(found.map((one) => show(context.shop, one)), args, context, info, ['handles', 'ids']);
  },
  customer: byId('Customer'),
  storeCreditAccount: byId('StoreCreditAccount'),
  location: (args, { shop }) => show(shop, args.id ? shop.find(args.id, 'Location') : shop.locations[0]),
  locations: (args, context, info) =>
    connection(context.shop.locations.map((one) => show(context.shop, one)), args, context, info, ['includeInactive', 'sortKey']),
  ...bulkQueries,
  ...webhookQueries,
};

function returnableView(shop, fulfillment) {
  const items = fulfillment.items.map((item) => ({ item, quantity: returnable(item) })).filter(({ quantity }) => quantity > 0);
  return {
    __typename: 'ReturnableFulfillment', id: `gid://shopify/ReturnableFulfillment/${fulfillment.number}`, any: items.length > 0,
    fulfillment: () => show(shop, fulfillment),
    returnableFulfillmentLineItems: pages(() => items.map(({ item, quantity }) => ({ quantity, fulfillmentLineItem: () => show(shop, item) }))),
  };
}

export const mutations = {
  refundCreate, storeCreditAccountCredit, tagsAdd, metafieldsSet, orderUpdate, ...returnMutations, ...reverseMutations, ...bulkMutations, ...webhookMutations,
};

const touch = (shop, order) => { order.updatedAt = shop.time(); };
const merged = (tags, more) => [...new Set([...tags, ...more.flatMap((one) => one.split(',')).map((tag) => tag.trim()).filter(Boolean)])].sort();

function tagsAdd({ id, tags }, { shop }) {
  const order = shop.find(id, 'Order');
  if (!order) return { node: null, userErrors: [userError(['id'], 'Resource does not exist')] };
  order.tags = merged(order.tags, tags);
  touch(shop, order);
  return { node: show(shop, order), userErrors: [] };
}

const MOST_METAFIELDS = 25;

function metafieldsSet({ metafields }, { shop }) {
  const failed = (at, field, message, code) => ({ metafields: null, userErrors: [{ ...userError(['metafields', String(at), field], message, code), elementIndex: at }] });
  if (metafields.length > MOST_METAFIELDS) return failed(0, 'metafields', `Exceeded the maximum metafields input limit of ${MOST_METAFIELDS}.`, 'LESS_THAN_OR_EQUAL_TO');
  const set = [];
  for (const [at, { ownerId, namespace, key, type, value, compareDigest }] of metafields.entries()) {
    const owner = shop.find(ownerId, 'Order');
    if (!owner) return failed(at, 'ownerId', 'Owner does not exist.', 'INVALID');
    const known = owner.metafields.find((one) => one.key === key && one.namespace === (namespace ?? '$app'));
    if (!known && !type) return failed(at, 'type', 'Type can\'t be blank', 'BLANK');
    if (value === '') return failed(at, 'value', 'Value can\'t be blank', 'BLANK');
    if (compareDigest !== undefined) {
      const digest = known ? show(shop, owner).metafield({ namespace, key }).compareDigest : null;
      if (digest !== compareDigest) return failed(at, 'compareDigest', 'The resource has been updated since it was loaded. Try again with an updated `compareDigest` value.', 'STALE_OBJECT');
    }
    set.push({ owner, known, next: { namespace: namespace ?? '$app', key, type: type ?? known.type, value } });
  }
  for (const { owner, known, next } of set) {
    if (known) Object.assign(known, next);
    else owner.metafields.push({ id: `gid://shopify/Metafield/${shop.next('Metafield')}`, ...next });
    touch(shop, owner);
  }
  return { metafields: set.map(({ owner, next }) => show(shop, owner).metafield(next)), userErrors: [] };
}

function orderUpdate({ input }, { shop }) {
  inputOnly(input, 'OrderInput', ['id', 'note', 'tags', 'email', 'metafields', 'customAttributes']);
  const order = shop.find(input.id, 'Order');
  if (!order) return { order: null, userErrors: [userError(['id'], 'Order does not exist')] };
  if (input.metafields) throw notModelled('OrderInput.metafields; use metafieldsSet');
  for (const [field, own] of [['note', 'note'], ['tags', 'tags'], ['email', 'email'], ['customAttributes', 'attributes']]) {
    if (input[field] !== undefined) order[own] = input[field];
  }
  touch(shop, order);
  return { order: show(shop, order), userErrors: [] };
}
