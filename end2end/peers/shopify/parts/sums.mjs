// What an order's parts add up to, after edits and refunds. All amounts are presentment minor units.
import { scale, shareOf } from './money.mjs';

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const MOVED = ['SUCCESS', 'PENDING']; // a pending refund has left, too: it cannot be given a second time

export const refundsOf = (order) => order.transactions.filter(({ kind, status }) => kind === 'REFUND' && MOVED.includes(status));
export const paymentsOf = (order) => order.transactions.filter(({ kind, status }) => ['SALE', 'CAPTURE'].includes(kind) && status === 'SUCCESS');
export const received = (order) => sum(paymentsOf(order), ({ amount }) => amount);
export const refunded = (order) => sum(refundsOf(order), ({ amount }) => amount);

/** Returns what can still be refunded of the whole order. */
export const leftOf = (order) => received(order) - refunded(order);

/** Returns what can still be refunded to one payment. */
export const leftOn = (payment) =>
  payment.amount - sum(refundsOf(payment.order).filter(({ parent }) => parent === payment), ({ amount }) => amount);

/** Returns how many units of a line the customer still has to pay or can return. */
export const unitsOf = (line) => line.quantity - line.removed - line.refunded;

/** Returns the price of `count` more units of a line, after all discounts, and their tax. */
export function unitsPrice(line, count) {
  const earlier = line.refunded;
  return { subtotal: shareOf(line.total, line.quantity, earlier, count), tax: shareOf(line.tax, line.quantity, earlier, count) };
}

/** Returns the discounted total of the units that are left, and their tax. */
const current = (line) => unitsPrice(line, unitsOf(line));

export const shippingLeft = ({ shipping }) => (shipping ? shipping.total - shipping.refunded : 0);

/** Returns the tax on a part of the shipping price. */
export const shippingTax = ({ shipping }, amount) => (shipping?.total ? scale(shipping.tax, amount, shipping.total) : 0);

/** Returns the sums of an order that Shopify shows, now and as it was placed. */
export function sumsOf(order) {
  const goods = order.lines.filter((line) => !line.tip);
  const withTax = (subtotal, tax) => subtotal + (order.taxesIncluded ? 0 : tax);
  const shipping = shippingLeft(order);
  const leftTax = sum(order.lines, (line) => current(line).tax) + shippingTax(order, shipping);
  const duties = order.lines.filter(({ duty }) => duty);
  const currentDuties = sum(duties, ({ duty }) => duty.price - duty.refunded);
  const allocations = order.lines.flatMap((line) => line.allocations).concat(order.shipping?.allocations ?? []);
  return {
    subtotal: sum(goods, ({ total }) => total),
    tax: sum(order.lines, ({ tax }) => tax) + (order.shipping?.tax ?? 0),
    discounts: sum(allocations, ({ amount }) => amount),
    tips: sum(order.lines.filter((line) => line.tip), ({ total }) => total),
    duties: duties.length ? sum(duties, ({ duty }) => duty.price) : null,
    currentDuties: duties.length ? currentDuties : null,
    currentSubtotal: sum(goods, (line) => current(line).subtotal),
    currentTax: leftTax,
    currentTotal: withTax(sum(order.lines, (line) => current(line).subtotal) + shipping, leftTax) + currentDuties,
    shippingRefunded: order.shipping?.refunded ?? 0,
    total: totalOf(order),
  };
}

/** Returns PAID, PARTIALLY_REFUNDED and so on. */
export function financialStatus(order) {
  if (order.transactions.length === 0) return 'PENDING';
  if (refunded(order) === 0) return received(order) < sumsOf(order).currentTotal ? 'PARTIALLY_PAID' : 'PAID';
  return leftOf(order) > 0 ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
}

/** Returns what the order costs, before refunds and edits. */
export function totalOf(order) {
  const lines = order.lines.reduce((sum, line) => sum + line.total + (order.taxesIncluded ? 0 : line.tax) + (line.duty?.price ?? 0), 0);
  const { shipping } = order;
  return lines + (shipping ? shipping.total + (order.taxesIncluded ? 0 : shipping.tax) : 0);
}

/** Returns the status that the admin shows beside an order with returns. */
export function returnStatusOf({ returns }) {
  const statuses = returns.map(({ status }) => status).filter((status) => !['CANCELED', 'DECLINED'].includes(status));
  if (statuses.includes('OPEN')) return 'IN_PROGRESS';
  if (statuses.includes('REQUESTED')) return 'RETURN_REQUESTED';
  return statuses.length ? 'RETURNED' : 'NO_RETURN';
}
