// Makes an order from a short description, with the arithmetic of a checkout: discounts, taxes, shipping, duties and payments.
import { Currencies, fraction, parse, scale, split, text } from './money.mjs';
import { totalOf } from './sums.mjs';

const known = {
  order: ['name', 'email', 'phone', 'locale', 'createdAt', 'currency', 'presentmentCurrency', 'rate', 'taxesIncluded', 'tags', 'note', 'address',
    'customer', 'lines', 'discounts', 'shipping', 'fulfillments', 'payments', 'paid', 'metafields', 'test', 'attributes'],
  line: ['title', 'sku', 'variantTitle', 'quantity', 'price', 'taxRate', 'tags', 'image', 'fulfilled', 'giftCard', 'tip', 'duty', 'current',
    'requiresShipping', 'productType', 'vendor', 'metafields', 'attributes', 'product', 'variant', 'variants', 'taxTitle', 'group', 'barcode', 'grams', 'hsCode', 'origin'],
  variant: ['title', 'sku', 'price', 'forSale'],
  discount: ['code', 'automatic', 'manual', 'percent', 'amount', 'lines', 'shipping'],
  payment: ['gateway', 'amount', 'captured', 'refund'],
  fulfillment: ['lines', 'createdAt', 'deliveredAt', 'tracking', 'status', 'displayStatus', 'location'],
};
const only = (input, what) => {
  const strange = Object.keys(input).filter((name) => !known[what].includes(name));
  if (strange.length) throw new Error(`a description of ${what} has no ${strange.join(', ')}; it has ${known[what].join(', ')}`);
};
const DAY = 86_400_000;
const DEFAULT_AGE = 10; // days, so that an order has arrived
const later = (time, days) => `${new Date(Date.parse(time) + days * DAY).toISOString().slice(0, 19)}Z`;
const DEFAULT_ADDRESS = { firstName: 'Ada', lastName: 'Lovelace', address1: 'Road 1', zip: '10115', city: 'Berlin', countryCode: 'DE' };

export function makeOrder(shop, described) {
  only(described, 'order');
  const shopCurrency = described.currency ?? shop.currency;
  const money = new Currencies(shopCurrency, described.presentmentCurrency ?? shopCurrency, described.rate ?? '1');
  const createdAt = described.createdAt ?? later(shop.time(), -DEFAULT_AGE);
  const sequence = shop.next('order number');
  const email = described.email === undefined ? 'ada@example.com' : described.email;
  const address = described.address === null ? null : { ...DEFAULT_ADDRESS, ...described.address };
  const { firstName, lastName } = address ?? {};
  const order = shop.keep('Order', {
    sequence, money, createdAt, updatedAt: createdAt, email, address,
    name: described.name ?? `${shop.prefix}${sequence}${shop.suffix}`,
    phone: described.phone ?? null, locale: described.locale ?? 'en', note: described.note ?? null, tags: described.tags ?? [],
    taxesIncluded: described.taxesIncluded ?? shop.taxesIncluded, test: described.test ?? false, attributes: described.attributes ?? [],
    customer: described.customer === false || !email ? null : shop.customerOf({ email, firstName, lastName, locale: described.locale }),
    metafields: described.metafields ?? [], cancelledAt: null, closedAt: null, edited: false, refunds: [], returns: [], transactions: [],
  });
  order.lines = described.lines.map((line) => makeLine(shop, order, line));
  order.shipping = described.shipping ? makeShipping(shop, order, described.shipping) : null;
  order.discounts = (described.discounts ?? []).map((discount, index) => applyDiscount(order, discount, index));
  for (const line of order.lines) line.tax = taxOn(order, line.total, line.taxRate);
  if (order.shipping) order.shipping.tax = taxOn(order, order.shipping.total, order.shipping.taxRate);
  makePayments(shop, order, described);
  order.fulfillments = planFulfillments(order, described).map((one, at) => makeFulfillment(shop, order, one, at));
  shop.orders.push(order);
  return order;
}

function taxOn(order, amount, rate) {
  const { top, bottom } = fraction(rate);
  return scale(amount, top, order.taxesIncluded ? bottom + top : bottom);
}

function makeLine(shop, order, described) {
  only(described, 'line');
  const { presentment } = order.money;
  const quantity = described.quantity ?? 1;
  const unit = parse(described.price, presentment);
  const line = shop.keep('LineItem', {
    order, quantity, unit, total: unit * quantity, allocations: [], refunded: 0, removed: quantity - (described.current ?? quantity),
    title: described.title ?? (described.tip ? 'Tip' : 'Product'), sku: described.sku ?? null, variantTitle: described.variantTitle ?? null,
    taxRate: described.taxRate ?? '0', taxTitle: described.taxTitle ?? 'VAT', giftCard: described.giftCard ?? false, tip: described.tip ?? false,
    image: described.image ?? null, vendor: described.vendor ?? null, attributes: described.attributes ?? [],
    requiresShipping: described.requiresShipping ?? !(described.giftCard || described.tip),
    fulfilled: described.fulfilled, duty: null, product: null, variant: null, group: described.group ?? null,
    weight: described.grams === undefined ? null : { unit: 'GRAMS', value: described.grams },
  });
  if (line.removed) order.edited = true;
  if (described.duty) line.duty = shop.keep('Duty', { price: parse(described.duty, presentment), refunded: 0, order });
  if (!line.tip && described.product !== false) makeProduct(shop, line, described);
  return line;
}

function makeProduct(shop, line, { tags = [], productType = '', metafields = [], image = null, variant, barcode = null, variants = [], hsCode = null, origin = null }) {
  line.product = shop.keep('Product', { title: line.title, tags, productType, metafields, vendor: line.vendor ?? '', image, createdAt: line.order.createdAt, variants: [] });
  const { sku, unit, order, product } = line;
  if (variant === false) return; // deleted after the sale
  const make = (more) => {
    const made = shop.keep('ProductVariant', { sku: null, product, unit, order, image, barcode: null, forSale: true, ...more });
    made.inventory = shop.keep('InventoryItem', { variant: made, hsCode, origin });
    product.variants.push(made);
    return made;
  };
  line.variant = make({ title: line.variantTitle ?? 'Default Title', sku, barcode });
  for (const other of variants) {
    only(other, 'variant');
    make({ title: other.title ?? other.sku, sku: other.sku ?? null, forSale: other.forSale ?? true, unit: other.price ? parse(other.price, order.money.presentment) : unit });
  }
}

/** Adds a line to an order, as an exchange does: units of a variant at its price, less a share of it in percent. */
export function addLine(shop, order, { variant, quantity, percent = '0', taxRate }) {
  const line = makeLine(shop, order, { title: variant.product.title, sku: variant.sku, variantTitle: variant.title, quantity, price: text(variant.unit, order.money.presentment), taxRate, product: false });
  Object.assign(line, { product: variant.product, variant });
  const { top, bottom } = fraction(percent);
  const off = scale(line.total, top, bottom * 100n);
  if (off > 0) {
    line.total -= off;
    line.allocations.push({ application: { index: order.discounts.length, percent, shipping: false, explicit: true, kind: 'ManualDiscountApplication', title: 'Exchange', amount: null }, amount: off });
  }
  line.tax = taxOn(order, line.total, taxRate);
  order.lines.push(line);
  Object.assign(order, { edited: true });
  return line;
}

function makeShipping(shop, order, { title = 'Standard', price, taxRate = '0', code = title }) {
  const amount = parse(price, order.money.presentment);
  return shop.keep('ShippingLine', { order, title, code, price: amount, total: amount, taxRate, allocations: [], refunded: 0 });
}

function applyDiscount(order, described, index) {
  only(described, 'discount');
  const application = {
    index, percent: described.percent ?? null, shipping: described.shipping ?? false, explicit: Boolean(described.lines),
    kind: described.code ? 'DiscountCodeApplication' : described.automatic ? 'AutomaticDiscountApplication' : 'ManualDiscountApplication',
    title: described.code ?? described.automatic ?? described.manual ?? 'Discount',
    amount: described.amount ? parse(described.amount, order.money.presentment) : null,
  };
  const targets = application.shipping ? [order.shipping].filter(Boolean)
    : described.lines ? described.lines.map((at) => order.lines[at])
      : order.lines.filter((line) => !line.tip && !line.giftCard);
  const base = targets.reduce((sum, target) => sum + target.total, 0);
  const { top, bottom } = fraction(application.percent ?? '0');
  const amount = application.percent === null ? Math.min(application.amount, base) : scale(base, top, bottom * 100n);
  split(amount, targets.map((target) => target.total)).forEach((share, at) => {
    targets[at].total -= share;
    if (share > 0) targets[at].allocations.push({ application, amount: share });
  });
  return application;
}

function makePayments(shop, order, described) {
  if (described.paid === false) return;
  let left = totalOf(order);
  for (const payment of described.payments ?? [{ gateway: 'shopify_payments' }]) {
    only(payment, 'payment');
    const amount = payment.amount ? parse(payment.amount, order.money.presentment) : left;
    if (amount > left) throw new Error('the payments are more than the order costs');
    left -= amount;
    if (amount === 0) continue;
    const at = { gateway: payment.gateway, amount, status: 'SUCCESS', createdAt: order.createdAt, refund: payment.refund ?? 'success' };
    const authorization = payment.captured ? addTransaction(shop, order, { ...at, kind: 'AUTHORIZATION' }) : null;
    addTransaction(shop, order, { ...at, kind: authorization ? 'CAPTURE' : 'SALE', parent: authorization });
  }
}

export function addTransaction(shop, order, transaction) {
  const made = shop.keep('OrderTransaction', { order, parent: null, createdAt: shop.time(), ...transaction });
  order.transactions.push(made);
  return made;
}

function planFulfillments(order, described) {
  if (described.fulfillments) return described.fulfillments;
  const shipped = order.lines.map((line, at) => ({ line: at, quantity: line.fulfilled ?? (line.tip ? 0 : line.quantity - line.removed) }));
  const lines = shipped.filter(({ quantity }) => quantity > 0);
  return lines.length ? [{ lines, createdAt: later(order.createdAt, 1), deliveredAt: later(order.createdAt, 3) }] : [];
}

export function makeFulfillment(shop, order, described, at) {
  only(described, 'fulfillment');
  const createdAt = described.createdAt ?? later(order.createdAt, 1);
  const deliveredAt = described.deliveredAt ?? null;
  const fulfillment = shop.keep('Fulfillment', {
    order, createdAt, deliveredAt, name: `${order.name}-F${at + 1}`, tracking: [described.tracking ?? []].flat(),
    status: described.status ?? 'SUCCESS', displayStatus: described.displayStatus ?? (deliveredAt ? 'DELIVERED' : 'FULFILLED'),
    location: shop.locations[described.location ?? 0],
  });
  fulfillment.items = described.lines.map(({ line, quantity }) =>
    shop.keep('FulfillmentLineItem', { fulfillment, line: order.lines[line], quantity: quantity ?? order.lines[line].quantity }));
  return fulfillment;
}
