// Exchanges: what a return sends out instead. Processing adds a line to the order, and nothing else happens before.
import { inputOnly, notModelled, userError } from './answers.mjs';
import { addLine } from './make_order.mjs';

/** Reads the exchange lines of a return to make and adds what is wrong with them to `errors`. */
export function readExchanges(shop, inputs, errors) {
  return (inputs ?? []).map((one, at) => {
    inputOnly(one, 'ExchangeLineItemInput', ['variantId', 'quantity', 'appliedDiscount']);
    const variant = shop.find(one.variantId, 'ProductVariant');
    const field = ['exchangeLineItems', String(at)];
    if (!variant) errors.push(userError([...field, 'variantId'], 'Product variant not found.', 'NOT_FOUND'));
    if (one.quantity < 1) errors.push(userError([...field, 'quantity'], 'Quantity must be greater than 0.', 'GREATER_THAN'));
    const { amount, percentage } = one.appliedDiscount?.value ?? {};
    if (amount) throw notModelled('a discount of an exchange by an amount; use a percentage');
    if (percentage < 0 || percentage > 100) errors.push(userError([...field, 'appliedDiscount'], 'Discount percentage is invalid.', 'INVALID'));
    return { variant, quantity: one.quantity, percent: String(percentage ?? 0), processed: 0, lines: [] };
  });
}

/** Reads which exchange lines a return processes. */
export function readProcessed(shop, found, inputs, errors) {
  const asked = new Map();
  return (inputs ?? []).map(({ id, quantity }, at) => {
    const exchange = shop.find(id, 'ExchangeLineItem');
    const field = ['exchangeLineItems', String(at)];
    if (exchange?.return !== found) errors.push(userError([...field, 'id'], 'Exchange line item not found.', 'NOT_FOUND'));
    else {
      asked.set(exchange, (asked.get(exchange) ?? 0) + quantity);
      if (quantity < 1 || asked.get(exchange) > exchange.quantity - exchange.processed) errors.push(userError([...field, 'quantity'], 'Quantity is more than can be processed.', 'INVALID'));
    }
    return { exchange, quantity };
  });
}

/** Reads which units leave a return that would be sent. Those that were sent stay. */
export function readRemoved(shop, found, inputs, errors) {
  return (inputs ?? []).map(({ exchangeLineItemId, quantity }, at) => {
    const exchange = shop.find(exchangeLineItemId, 'ExchangeLineItem');
    const field = ['exchangeLineItems', String(at)];
    if (exchange?.return !== found || !found.exchanges.includes(exchange)) errors.push(userError([...field, 'exchangeLineItemId'], 'Exchange line item not found.', 'NOT_FOUND'));
    else if (quantity < 1 || quantity > exchange.quantity - exchange.processed) errors.push(userError([...field, 'quantity'], 'Quantity is more than can be removed.', 'INVALID'));
    return { exchange, quantity };
  });
}

/** Takes units out of a return that would be sent. */
export function dropExchanges(found, dropped) {
  for (const { exchange, quantity } of dropped) exchange.quantity -= quantity;
  found.exchanges = found.exchanges.filter(({ quantity }) => quantity > 0);
}

/** The tax rate of an exchange is that of the order's line of the same product. */
const taxRateOf = (order, variant) => order.lines.find(({ product }) => product === variant.product)?.taxRate ?? '0';

/** Sends the units: they become a line of the order. */
export function sendExchanges(shop, order, processed) {
  for (const { exchange, quantity } of processed) {
    const { variant, percent } = exchange;
    exchange.lines.push(addLine(shop, order, { variant, quantity, percent, taxRate: taxRateOf(order, variant) }));
    exchange.processed += quantity;
  }
}

/** Returns what units cost the customer, with a tax on top. */
export function exchangePrice(shop, order, processed) {
  return processed.reduce((sum, { exchange: { variant, percent }, quantity }) => {
    // A line of an order that is thrown away: the arithmetic is the same.
    const { total, tax } = addLine(shop, { ...order, lines: [], discounts: [] }, { variant, quantity, percent, taxRate: taxRateOf(order, variant) });
    return sum + total + (order.taxesIncluded ? 0 : tax);
  }, 0);
}
