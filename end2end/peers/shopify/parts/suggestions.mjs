// What a refund of some lines, shipping and duties is worth, and to which payments it can go.
import { parse, text } from './money.mjs';
import { leftOf, leftOn, paymentsOf, shippingLeft, shippingTax, unitsOf, unitsPrice } from './sums.mjs';
import { userError } from './answers.mjs';
import { show } from './views.mjs';

/**
 * Returns the parts of a refund and their sum in presentment minor units. `wanted` has `lines` ({ line, quantity }), `shipping` (an
 * amount, or null) and `duties` ({ duty, refundType }). `errors` are Shopify's user errors.
 */
export function priceRefund(order, { lines = [], shipping = null, duties = [] }) {
  const errors = [];
  const units = new Map();
  for (const [at, { line, quantity }] of lines.entries()) {
    units.set(line, (units.get(line) ?? 0) + quantity);
    const field = ['refundLineItems', String(at), 'quantity'];
    if (quantity < 0) errors.push(userError(field, 'Quantity must be greater than or equal to 0'));
    if (units.get(line) > unitsOf(line)) errors.push(userError(field, 'Quantity cannot refund more items than were purchased'));
  }
  if (shipping !== null && shipping > shippingLeft(order)) {
    errors.push(userError(['shipping'], `Shipping refund amount cannot be more than ${text(shippingLeft(order), order.money.presentment)}`));
  }
  const priced = lines.map((one) => ({ ...one, ...unitsPrice(one.line, one.quantity) }));
  const paidDuties = duties.map(({ duty, refundType }) => ({ duty, amount: dutyAmount(order, duty, refundType, units) }));
  const subtotal = priced.reduce((sum, one) => sum + one.subtotal, 0);
  const shippingTaxes = shipping ? shippingTax(order, shipping) : 0;
  const tax = priced.reduce((sum, one) => sum + one.tax, 0) + shippingTaxes;
  const dutySum = paidDuties.reduce((sum, { amount }) => sum + amount, 0);
  const total = subtotal + (shipping ?? 0) + (order.taxesIncluded ? 0 : tax) + dutySum;
  return { errors, lines: priced, duties: paidDuties, shipping: shipping ?? 0, shippingTax: shippingTaxes, subtotal, tax, dutySum, total };
}

function dutyAmount(order, duty, refundType, units) {
  const left = duty.price - duty.refunded;
  if (refundType !== 'PROPORTIONAL') return left;
  const line = order.lines.find((one) => one.duty === duty);
  return Math.min(left, Math.round((duty.price * (units.get(line) ?? 0)) / line.quantity));
}

/** Returns how an amount is spread over the payments in the order in which they were made. */
export function spread(order, amount) {
  let rest = Math.min(amount, leftOf(order));
  return paymentsOf(order).map((payment) => {
    const share = Math.min(rest, leftOn(payment));
    rest -= share;
    return { payment, amount: share };
  });
}

/** Order.suggestedRefund. */
export function suggestedRefund(shop, order, args) {
  const lines = args.suggestFullRefund
    ? order.lines.filter((line) => unitsOf(line) > 0).map((line) => ({ line, quantity: unitsOf(line), restockType: 'NO_RESTOCK' }))
    : (args.refundLineItems ?? []).map((one) => ({ ...one, line: shop.find(one.lineItemId, 'LineItem') })).filter(({ line }) => line?.order === order);
  const full = args.refundShipping ? shippingLeft(order) : null;
  const shipping = args.shippingAmount == null ? full : parse(args.shippingAmount, order.money.presentment);
  const duties = (args.refundDuties ?? []).map(({ dutyId, refundType }) => ({ duty: shop.find(dutyId, 'Duty'), refundType })).filter(({ duty }) => duty?.order === order);
  const priced = priceRefund(order, { lines, shipping, duties });
  const amount = Math.min(priced.total, leftOf(order));
  return suggestionView(shop, order, { ...priced, amount }, args.refundMethodAllocation === 'STORE_CREDIT');
}

function suggestionView(shop, order, priced, asCredit) {
  const bag = (amount) => order.money.bag(amount);
  return {
    __typename: 'SuggestedRefund', amountSet: bag(priced.amount), maximumRefundableSet: bag(leftOf(order)),
    subtotalSet: bag(priced.subtotal), discountedSubtotalSet: bag(priced.subtotal), totalTaxSet: bag(priced.tax), totalDutiesSet: bag(priced.dutySum),
    totalCartDiscountAmountSet: bag(0),
    refundDuties: priced.duties.map(({ duty, amount }) => ({ amountSet: bag(amount), originalDuty: show(shop, duty) })),
    refundLineItems: priced.lines.map((one) => refundLineView(shop, order, one)),
    shipping: shippingRefundView(order, priced),
    suggestedTransactions: asCredit ? [] : suggestedTransactions(shop, order, priced.amount),
    suggestedRefundMethods: asCredit ? [suggestedCredit(order, priced.amount)] : [],
  };
}

export const suggestedCredit = (order, amount) => ({
  __typename: 'SuggestedStoreCreditRefund', amount: order.money.bag(amount), maximumRefundable: order.money.bag(leftOf(order)), expiresAt: null,
});

export const shippingRefundView = (order, { shipping, shippingTax: tax }) => ({
  amountSet: order.money.bag(shipping), maximumRefundableSet: order.money.bag(shippingLeft(order)), taxSet: order.money.bag(tax),
});

/** The list SuggestedRefund.suggestedTransactions. */
export const suggestedTransactions = (shop, order, amount) => spread(order, amount).map(({ payment, amount: share }) => ({
  __typename: 'SuggestedOrderTransaction', kind: 'SUGGESTED_REFUND', gateway: payment.gateway, formattedGateway: payment.gateway, accountNumber: null,
  amountSet: order.money.bag(share), maximumRefundableSet: order.money.bag(Math.min(leftOn(payment), leftOf(order))),
  parentTransaction: show(shop, payment),
}));

/** A RefundLineItem. */
export const refundLineView = (shop, order, { id = null, line, quantity, restockType = 'NO_RESTOCK', location = null, subtotal, tax }) => ({
  __typename: 'RefundLineItem', id, lineItem: () => show(shop, line), quantity, restockType, restocked: restockType !== 'NO_RESTOCK',
  location: () => show(shop, location), priceSet: order.money.bag(line.unit), subtotalSet: order.money.bag(subtotal), totalTaxSet: order.money.bag(tax),
});
