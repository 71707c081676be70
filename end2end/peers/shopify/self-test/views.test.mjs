// Each field of each view exists in the schema and has a value of its type, so that no version answers with an error of the stand-in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getNamedType, getNullableType, isAbstractType, isLeafType, isListType, isNonNullType } from 'graphql';
import { actions } from '../parts/control.mjs';
import { mutations, queries } from '../parts/roots.mjs';
import { Shop } from '../parts/shop.mjs';
import { installationView, shopView } from '../parts/shop_view.mjs';
import { show } from '../parts/views.mjs';
import { schemaOf } from '../schema.mjs';

const VERSIONS = ['2026-07', '2026-10'];

/** A shop with one of everything that has a view. */
function richShop() {
  const shop = new Shop();
  const order = actions.orders({ shop }, {
    taxesIncluded: false, presentmentCurrency: 'USD', rate: '1.1', shipping: { price: '5.00', taxRate: '0.1' }, metafields: [{ namespace: 'a', key: 'b', type: 'json', value: '{}' }],
    lines: [
      { quantity: 2, price: '10.00', taxRate: '0.19', duty: '1.00', image: 'https://cdn.example/a.png', grams: 100, group: 'Set', variantTitle: 'M' },
      { price: '5.00', giftCard: true }, { price: '2.00', tip: true },
    ],
    discounts: [{ code: 'A', percent: '10' }, { automatic: 'B', amount: '1.00', lines: [0] }, { manual: 'C', percent: '100', shipping: true }],
    payments: [{ gateway: 'gift_card', amount: '3.00' }, { gateway: 'shopify_payments', captured: true }],
    fulfillments: [{ lines: [{ line: 0 }], deliveredAt: '2026-11-01T00:00:00Z', tracking: { company: 'DHL', number: '1', url: 'https://dhl.example/1' } }],
  });
  actions.refund({ shop }, { order: order.id, lines: [{ line: 1, quantity: 1 }] });
  const { id } = actions.return({ shop }, { order: order.id, lines: [{ line: 0, quantity: 1, reason: 'UNWANTED', note: 'torn' }] });
  const [reverse] = shop.find(id, 'Return').reverseOrders;
  mutations.reverseDeliveryCreateWithShipping({ reverseFulfillmentOrderId: reverse.id, reverseDeliveryLineItems: [], labelInput: { fileUrl: 'https://l.example/1.pdf' } }, { shop });
  mutations.reverseFulfillmentOrderDispose({ dispositionInputs: [{ reverseFulfillmentOrderLineItemId: reverse.lines[0].id, quantity: 1, dispositionType: 'NOT_RESTOCKED' }] }, { shop });
  mutations.storeCreditAccountCredit({ id: order.customerId, creditInput: { creditAmount: { amount: '1.00', currencyCode: 'USD' } } }, { shop });
  mutations.webhookSubscriptionCreate({ topic: 'REFUNDS_CREATE', webhookSubscription: { uri: 'https://a.example/' } }, { shop, version: '2026-10' });
  return shop;
}

/** Adds what is wrong with a value of a type to `problems`. Functions are resolvers and are not called. */
function check(schema, type, value, place, problems) {
  if (value === null || value === undefined) {
    if (isNonNullType(type)) problems.push(`${place} is null`);
    return;
  }
  if (typeof value === 'function') return;
  const nullable = getNullableType(type);
  if (isListType(nullable)) return value.forEach((one) => check(schema, nullable.ofType, one, `${place}[]`, problems));
  if (isLeafType(nullable)) {
    try {
      nullable.serialize(value);
    } catch (error) {
      problems.push(`${place}: ${error.message}`);
    }
    return;
  }
  const object = isAbstractType(nullable) ? schema.getType(value.__typename) : nullable;
  if (!object) return problems.push(`${place} has no __typename`);
  for (const [name, part] of Object.entries(value)) {
    const field = object.getFields()[name];
    if (field) check(schema, field.type, part, `${object.name}.${name}`, problems);
    else if (!isHelper(object.name, name)) problems.push(`${object.name} has no ${name}`);
  }
}

// What views carry for each other, or for several types of one interface.
const isHelper = (type, name) => ['__typename', 'any'].includes(name) || (type.endsWith('Application') && ['title', 'description', 'code'].includes(name));

for (const version of VERSIONS) {
  test(`views fit the schema of ${version}`, () => {
    const schema = schemaOf(version);
    const shop = richShop();
    const problems = [];
    const seen = new Set();
    for (const thing of shop.everything.values()) {
      if (thing.type === 'RefundLineItem') continue; // shown by its refund
      const view = show(shop, thing);
      seen.add(view.__typename);
      check(schema, schema.getType(view.__typename), view, view.__typename, problems);
    }
    check(schema, schema.getType('Shop'), shopView(shop, 'http://127.0.0.1'), 'Shop', problems);
    check(schema, schema.getType('AppInstallation'), installationView(shop), 'AppInstallation', problems);
    assert.deepEqual([...new Set(problems)], []);
    assert.ok(seen.size > 20, `${[...seen]}`);
    for (const name of Object.keys(queries)) assert.ok(schema.getQueryType().getFields()[name], name);
    for (const name of Object.keys(mutations)) assert.ok(getNamedType(schema.getMutationType().getFields()[name].type), name);
  });
}
