// Refunds: by refundCreate, by returnProcess, and by hand in the admin. Money never leaves twice: all of them end in `giveBack`.
import { inputOnly, notModelled, requestError, userError } from './answers.mjs';
import { credit } from './credits.mjs';
import { once } from './idempotency.mjs';
import { addTransaction } from './make_order.mjs';
import { parse, text } from './money.mjs';
import { priceRefund, spread } from './suggestions.mjs';
import { leftOf, leftOn, shippingLeft } from './sums.mjs';
import { show } from './views.mjs';

const known = {
  input: ['orderId', 'currency', 'note', 'notify', 'refundLineItems', 'shipping', 'refundDuties', 'transactions', 'refundMethods', 'discrepancyReason'],
};

/** The mutation refundCreate. */
export async function refundCreate({ input }, context, info) {
  const { shop } = context;
  if (input.allowOverRefunding) throw notModelled('allowOverRefunding: this shop never refunds more than is left');
  inputOnly(input, 'RefundInput', known.input);
  const failed = (userErrors) => ({ refund: null, order: null, userErrors });
  return once(context, info, { input }, failed, (key) => {
    const order = shop.find(input.orderId, 'Order');
    if (!order) return { failed: [userError(['orderId'], 'Order does not exist')] };
    const planned = planRefund(shop, order, input, key);
    if (planned.errors.length) return { failed: planned.errors };
    const refund = giveBack(shop, order, planned);
    return refund.declined ? { failed: [userError(null, refund.declined)] } : { made: refund };
  }, (refund) => ({ refund: show(shop, refund), order: show(shop, refund.order), userErrors: [] }));
}

function planRefund(shop, order, input, key) {
  const errors = [];
  const { shop: shopCurrency, presentment } = order.money;
  if (!input.currency && shopCurrency !== presentment) {
    errors.push(userError(['currency'], 'Currency is required for orders whose currency and presentment currency differ'));
  }
  if (input.currency && input.currency !== presentment) errors.push(userError(['currency'], `Currency must be the presentment currency ${presentment}`));
  const lines = (input.refundLineItems ?? []).map((one, at) => readLine(shop, order, one, at, errors));
  const duties = (input.refundDuties ?? []).map(({ dutyId, refundType }) => ({ duty: shop.find(dutyId, 'Duty'), refundType }));
  if (duties.some(({ duty }) => duty?.order !== order)) errors.push(userError(['refundDuties'], 'Duty does not exist'));
  const payments = (input.transactions ?? []).map((one, at) => readTransaction(shop, order, one, at, errors));
  const credits = (input.refundMethods ?? []).map((method) => readCredit(shop, order, method, errors));
  if (errors.length) return { errors };
  const { amount, fullRefund } = input.shipping ?? {};
  const shipping = fullRefund ? shippingLeft(order) : amount == null ? null : parse(amount, presentment);
  const priced = priceRefund(order, { lines, shipping, duties });
  const nothing = !lines.length && !duties.length && !shipping && !payments.length && !credits.length;
  if (nothing) errors.push(userError(null, 'A refund needs line items, duties, shipping or transactions'));
  errors.push(...priced.errors, ...paymentErrors(order, payments, credits));
  return { ...priced, errors, payments, credits, note: input.note ?? null, reason: input.discrepancyReason ?? null, by: 'api', key };
}

function readLine(shop, order, { lineItemId, quantity, restockType, locationId }, at, errors) {
  const line = shop.find(lineItemId, 'LineItem');
  if (line?.order !== order) errors.push(userError(['refundLineItems', String(at), 'lineItemId'], 'Line item does not exist'));
  const restocks = restockType && restockType !== 'NO_RESTOCK';
  if (restockType === 'LEGACY_RESTOCK') throw notModelled('LEGACY_RESTOCK');
  const location = locationId ? shop.find(locationId, 'Location') : null;
  if (locationId && !location) errors.push(userError(['refundLineItems', String(at), 'locationId'], 'Location does not exist'));
  if (restocks && !locationId) errors.push(userError(['refundLineItems', String(at), 'locationId'], 'Location is required to restock'));
  return { line, quantity, restockType: restockType ?? 'NO_RESTOCK', location: restocks ? location : null };
}

function readTransaction(shop, order, { orderId, parentId, kind, gateway, amount }, at, errors) {
  const wrong = (field, message) => errors.push(userError(['transactions', String(at), field], message));
  const payment = parentId ? shop.find(parentId, 'OrderTransaction') : null;
  if (kind !== 'REFUND') errors.push(userError(null, `Kind ${kind.toLowerCase()} is not a valid transaction`));
  if (orderId !== order.id) wrong('orderId', 'Order does not match the refund');
  if (payment?.order !== order || !['SALE', 'CAPTURE'].includes(payment?.kind)) {
    errors.push(userError(['transactions'], 'Transactions require a parent_id associated with the order'));
  } else if (payment.gateway !== gateway) wrong('gateway', 'Gateway does not match the parent transaction');
  return { payment, amount: readAmount(amount, order, (message) => wrong('amount', message)) };
}

function readAmount(amount, order, wrong) {
  try {
    const minor = parse(amount, order.money.presentment);
    if (minor <= 0) wrong('Amount must be greater than 0');
    return minor;
  } catch (error) {
    return wrong(error.message);
  }
}

export function readCredit(shop, order, { storeCreditRefund }, errors) {
  const wrong = (message) => errors.push(userError(['refundMethods'], message));
  if (!storeCreditRefund) throw notModelled('a refund method other than storeCreditRefund');
  const { amount: { amount, currencyCode }, expiresAt } = storeCreditRefund;
  if (!shop.storeCredit) wrong('Store credit is not enabled');
  if (!order.customer) wrong('The order has no customer');
  if (currencyCode !== order.money.presentment) wrong(`Currency must be ${order.money.presentment}`);
  return { amount: readAmount(amount, order, wrong), expiresAt: expiresAt ?? null };
}

/** Returns the errors of a refund that is more than is left of the order or of one payment. */
export function paymentErrors(order, payments, credits) {
  const errors = [];
  const { presentment } = order.money;
  const onEach = new Map();
  if ([...payments, ...credits].some(({ amount }) => !(amount > 0))) errors.push(userError(['transactions'], 'Amount must be greater than 0'));
  for (const { payment, amount } of payments) onEach.set(payment, (onEach.get(payment) ?? 0) + amount);
  for (const [payment, amount] of onEach) {
    if (amount > leftOn(payment)) {
      errors.push(userError(['transactions'], `Refund amount ${text(amount, presentment)} is more than the refundable amount ${text(leftOn(payment), presentment)}`));
    }
  }
  const whole = [...payments, ...credits].reduce((sum, { amount }) => sum + amount, 0);
  if (!errors.length && whole > leftOf(order)) {
    const [wanted, left] = [text(whole, presentment), text(leftOf(order), presentment)];
    errors.push(userError(null, `Refund amount $${wanted} is greater than net payment received $${left}`));
  }
  return errors;
}

/**
 * Executes a priced refund: returns it, or `declined` if the payment provider refused the first payment. A provider that refuses a
 * later one leaves a refund with a failed transaction.
 */
export function giveBack(shop, order, { lines, duties, shipping, shippingTax, total, payments, credits, note, reason, by, key = null, ofReturn = null }) {
  if (payments.length && payments[0].payment.refund === 'failure' && !credits.length) return { declined: 'The payment provider declined the refund' };
  const refund = shop.keep('Refund', { order, createdAt: shop.time(), note, reason, by, key, duties, shipping, shippingTax, return: ofReturn, transactions: [] });
  refund.lines = lines.map((one) => {
    one.line.refunded += one.quantity;
    if (one.location) restock(one.location, one.line, one.quantity);
    return shop.keep('RefundLineItem', { ...one });
  });
  for (const { duty, amount } of duties) duty.refunded += amount;
  if (shipping) order.shipping.refunded += shipping;
  for (const one of payments) payBack(shop, refund, one);
  for (const one of credits) payCredit(shop, refund, one);
  // Positive in the merchant's favour, as Order.refundDiscrepancySet is.
  refund.discrepancy = total - refund.transactions.reduce((sum, { amount }) => sum + amount, 0);
  order.refunds.push(refund);
  order.updatedAt = shop.time();
  return refund;
}

export function restock(location, line, quantity) {
  const item = line.variant?.inventory;
  if (item) location.stock.set(item, (location.stock.get(item) ?? 0) + quantity);
}

function payBack(shop, refund, { payment, amount }) {
  const { order } = refund;
  const status = { success: 'SUCCESS', pending: 'PENDING', failure: 'FAILURE' }[payment.refund];
  refund.transactions.push(addTransaction(shop, order, { kind: 'REFUND', gateway: payment.gateway, amount, status, parent: payment }));
  if (status !== 'FAILURE') enter(shop, refund, { gateway: payment.gateway, parent: payment.id, minor: amount });
}

function payCredit(shop, refund, { amount, expiresAt }) {
  const { order } = refund;
  const { presentment: currency } = order.money;
  if (shop.creditTransactions) refund.transactions.push(addTransaction(shop, order, { kind: 'REFUND', gateway: 'shopify_store_credit', amount, status: 'SUCCESS' }));
  credit(shop, order.customer, { amount, currency, expiresAt, event: 'ORDER_REFUND' });
  enter(shop, refund, { gateway: 'shopify_store_credit', parent: null, minor: amount });
}

function enter(shop, { id, order, by, note, key }, entry) {
  shop.pay({ order: order.id, kind: 'refund', currency: order.money.presentment, by, note, key, refund: id, ...entry });
}

/**
 * A refund that staff make in the admin. `described` is the body of /control/refund. A duty may be refunded in part: the API does this
 * for units only.
 */
export function refundByHand(shop, { order: id, amount, note = null, lines = [], shipping, duties = [], gateway }) {
  const order = shop.find(id, 'Order');
  if (!order) throw requestError('no such order', 'CONTROL');
  const { presentment } = order.money;
  const priced = priceRefund(order, {
    lines: lines.map(({ line, quantity }) => ({ line: order.lines[line], quantity, restockType: 'NO_RESTOCK', location: null })),
    shipping: shipping == null ? null : parse(shipping, presentment),
  });
  priced.duties = duties.map((one) => ({ duty: order.lines[one.line].duty, amount: parse(one.amount, presentment) }));
  if (priced.duties.some((one) => one.amount > one.duty.price - one.duty.refunded)) throw requestError('more than is left of the duty', 'CONTROL');
  priced.total += priced.duties.reduce((sum, one) => sum + one.amount, 0);
  const wanted = amount == null ? priced.total : parse(amount, presentment);
  const payments = gateway ? [{ payment: order.transactions.find((one) => one.gateway === gateway && one.kind !== 'REFUND'), amount: wanted }] : spread(order, wanted);
  const paid = payments.filter((one) => one.amount > 0);
  const errors = [...priced.errors, ...paymentErrors(order, paid, [])];
  if (paid.reduce((sum, one) => sum + one.amount, 0) !== wanted) errors.push(userError(null, 'more than is left'));
  if (errors.length) throw requestError(errors[0].message, 'CONTROL');
  return giveBack(shop, order, { ...priced, payments: paid, credits: [], note, reason: null, by: 'hand' });
}
