// Returns: from the request to the refund. returnProcess confirms what arrived, disposes of it, refunds, and sends what is exchanged.
import { inputOnly, notModelled, userError } from './answers.mjs';
import { dropExchanges, readExchanges, readProcessed, readRemoved, sendExchanges } from './exchanges.mjs';
import { fraction, parse, scale } from './money.mjs';
import { giveBack, paymentErrors, readCredit } from './refunds.mjs';
import { closeIfDone, dispose, dropLine, makeReverseOrders, readDispositions } from './reverse.mjs';
import { priceRefund } from './suggestions.mjs';
import { shippingLeft, unitsOf } from './sums.mjs';
import { show } from './views.mjs';

const NOTE_LENGTH = 255;
const wrong = (field, message, code) => userError(field, message, code);
const answer = (shop, made) => ({ return: show(shop, made), userErrors: [] });
const refused = (...userErrors) => ({ return: null, userErrors });
const lineFields = ['fulfillmentLineItemId', 'quantity', 'returnReason', 'returnReasonDefinitionId', 'returnReasonNote', 'customerNote', 'restockingFee'];

/** Returns how many units of a fulfilled line no other return has. */
export function returnable(item) {
  const taken = item.fulfillment.order.returns.filter(({ status }) => !['CANCELED', 'DECLINED'].includes(status))
    .flatMap(({ items }) => items).filter((one) => one.item === item).reduce((sum, { quantity }) => sum + quantity, 0);
  return Math.max(0, Math.min(item.quantity - taken, unitsOf(item.line)));
}

function create(shop, { orderId, returnLineItems, returnShippingFee, exchangeLineItems }, status) {
  const order = shop.find(orderId, 'Order');
  if (!order) return refused(wrong(['orderId'], 'Order not found.', 'NOT_FOUND'));
  const errors = [];
  if (!returnLineItems.length) errors.push(wrong(['returnLineItems'], 'A return needs at least one return line item.', 'BLANK'));
  const asked = new Map();
  const items = returnLineItems.map((one, at) => {
    inputOnly(one, 'ReturnLineItemInput', lineFields);
    const item = shop.find(one.fulfillmentLineItemId, 'FulfillmentLineItem');
    const field = ['returnLineItems', String(at)];
    if (item?.fulfillment.order !== order) return errors.push(wrong([...field, 'fulfillmentLineItemId'], 'Fulfillment Line Item was not found.', 'NOT_FOUND'));
    asked.set(item, (asked.get(item) ?? 0) + one.quantity);
    if (one.quantity < 1) errors.push(wrong([...field, 'quantity'], 'Quantity must be greater than 0.', 'GREATER_THAN'));
    if (asked.get(item) > returnable(item)) errors.push(wrong([...field, 'quantity'], 'Return line item has an invalid quantity.', 'INVALID'));
    if ((one.returnReasonNote ?? '').length > NOTE_LENGTH) errors.push(wrong([...field, 'returnReasonNote'], `Return reason note is too long (maximum is ${NOTE_LENGTH} characters)`, 'TOO_LONG'));
    const definition = one.returnReasonDefinitionId ? shop.reasons.find(({ id }) => id === one.returnReasonDefinitionId) : null;
    if (one.returnReasonDefinitionId && !definition) errors.push(wrong([...field, 'returnReasonDefinitionId'], 'Return reason definition not found.', 'NOT_FOUND'));
    return {
      item, quantity: one.quantity, processed: 0, refunded: 0, disposed: 0, reason: one.returnReason ?? 'UNKNOWN', definition,
      note: one.returnReasonNote ?? '', customerNote: one.customerNote ?? null, fee: one.restockingFee?.percentage ?? null,
    };
  });
  const exchanges = readExchanges(shop, exchangeLineItems, errors);
  const root = status === 'REQUESTED' ? 'input' : 'returnInput';
  if (errors.length) return refused(...errors.map((one) => ({ ...one, field: [root, ...one.field] })));
  const made = shop.keep('Return', {
    order, status, name: `${order.name}-R${order.returns.length + 1}`, createdAt: shop.time(), closedAt: null, approvedAt: null, decline: null,
    refunds: [], reverseOrders: [], shippingFee: returnShippingFee ? parse(returnShippingFee.amount.amount, order.money.presentment) : null,
  });
  made.items = items.map((one) => shop.keep('ReturnLineItem', { return: made, ...one }));
  made.exchanges = exchanges.map((one) => shop.keep('ExchangeLineItem', { return: made, ...one }));
  order.returns.push(made);
  shop.returns.push(made);
  if (status === 'OPEN') makeReverseOrders(shop, made);
  return answer(shop, made); // the order's updatedAt stays
}

/** Changes a return if its status allows that. */
function change(shop, id, allowed, act) {
  const found = shop.find(id, 'Return');
  if (!found) return refused(wrong(['id'], 'Return not found.', 'NOT_FOUND'));
  if (!allowed.includes(found.status)) return refused(wrong(['id'], `Return is in an invalid state: ${found.status}.`, 'INVALID_STATE'));
  const error = act(found);
  if (error) return refused(error);
  const answered = answer(shop, found);
  closeIfDone(shop, found);
  return answered;
}

const touched = ({ items, exchanges, refunds }) => refunds.length > 0 || items.some(({ processed, disposed }) => processed + disposed > 0)
  || exchanges.some(({ processed }) => processed > 0);

export const returnMutations = {
  returnCreate({ returnInput: input }, { shop }) {
    inputOnly(input, 'ReturnInput', ['orderId', 'returnLineItems', 'exchangeLineItems', 'requestedAt', 'returnShippingFee', 'notifyCustomer', 'unprocessed']);
    return create(shop, input, 'OPEN');
  },
  returnRequest({ input }, { shop }) {
    inputOnly(input, 'ReturnRequestInput', ['orderId', 'returnLineItems', 'returnShippingFee']);
    return create(shop, input, 'REQUESTED');
  },
  returnApproveRequest: ({ input }, { shop }) => change(shop, input.id, ['REQUESTED'], (found) => {
    Object.assign(found, { status: 'OPEN', approvedAt: shop.time() });
    makeReverseOrders(shop, found);
  }),
  returnDeclineRequest: ({ input }, { shop }) => change(shop, input.id, ['REQUESTED'], (found) => {
    Object.assign(found, { status: 'DECLINED', decline: { reason: input.declineReason, note: input.declineNote ?? null } });
  }),
  returnCancel: ({ id }, { shop }) => change(shop, id, ['OPEN', 'REQUESTED'], (found) => {
    if (touched(found)) return wrong(['id'], 'Return is not cancelable.', 'INVALID_STATE');
    found.status = 'CANCELED';
    for (const one of found.reverseOrders) one.status = 'CANCELED';
  }),
  returnClose: ({ id }, { shop }) => change(shop, id, ['OPEN'], (found) => {
    Object.assign(found, { status: 'CLOSED', closedAt: shop.time() });
  }),
  returnReopen: ({ id }, { shop }) => change(shop, id, ['CLOSED'], (found) => {
    Object.assign(found, { status: 'OPEN', closedAt: null });
  }),
  removeFromReturn: (args, { shop }) => change(shop, args.returnId, ['OPEN', 'REQUESTED'], (found) => remove(shop, found, args)),
  returnProcess: ({ input }, { shop }) => process(shop, input),
};

/** Units that are processed or disposed of stay in the return. */
function remove(shop, found, { returnLineItems, exchangeLineItems }) {
  const errors = [];
  const dropped = readRemoved(shop, found, exchangeLineItems, errors);
  const wanted = (returnLineItems ?? []).map(({ returnLineItemId, quantity }, at) => {
    const item = shop.find(returnLineItemId, 'ReturnLineItem');
    const field = ['returnLineItems', String(at)];
    if (item?.return !== found || !found.items.includes(item)) errors.push(wrong([...field, 'returnLineItemId'], 'Return line item not found.', 'NOT_FOUND'));
    else if (quantity < 1 || quantity > item.quantity - Math.max(item.processed, item.disposed)) errors.push(wrong([...field, 'quantity'], 'Return line item has an invalid quantity.', 'INVALID'));
    return { item, quantity };
  });
  if (errors.length) return errors[0];
  if (!wanted.length && !dropped.length) return wrong(['returnLineItems'], 'Nothing to remove.', 'BLANK');
  if (wanted.length && wanted.reduce((sum, { quantity }) => sum + quantity, 0) === found.items.reduce((sum, { quantity }) => sum + quantity, 0)) return wrong(['returnLineItems'], 'A return needs at least one return line item.', 'INVALID');
  for (const { item, quantity } of wanted) {
    item.quantity -= quantity;
    if (!item.quantity) dropLine(found, item);
  }
  dropExchanges(found, dropped);
  return undefined;
}

const inputs = {
  process: ['returnId', 'returnLineItems', 'exchangeLineItems', 'refundShipping', 'refundDuties', 'financialTransfer', 'note', 'notifyCustomer'],
  refund: ['orderTransactions', 'refundMethods'],
};

function process(shop, input) {
  inputOnly(input, 'ReturnProcessInput', inputs.process);
  return change(shop, input.returnId, ['OPEN'], (found) => {
    const { order } = found;
    const errors = [];
    const wanted = (input.returnLineItems ?? []).map((one, at) => readItem(shop, found, one, at, errors));
    const sent = readProcessed(shop, found, input.exchangeLineItems, errors);
    if (errors.length) return errors[0];
    const transfer = input.financialTransfer?.issueRefund ?? null;
    const planned = plan(shop, order, input, wanted, transfer, errors);
    if (errors.length) return errors[0];
    if (transfer) {
      const refund = giveBack(shop, order, { ...planned, note: input.note ?? null, reason: null, by: 'api', ofReturn: found });
      if (refund.declined) return wrong(['financialTransfer'], refund.declined, 'INTERNAL_ERROR');
      found.refunds.push(refund);
    } else {
      for (const { line, quantity } of planned.lines) line.refunded += quantity;
    }
    for (const { item, quantity, dispositions } of wanted) {
      item.processed += quantity;
      if (transfer) item.refunded += quantity;
      dispose(shop, dispositions);
    }
    sendExchanges(shop, order, sent);
    return undefined;
  });
}

function readItem(shop, found, { id, quantity, dispositions }, at, errors) {
  const item = shop.find(id, 'ReturnLineItem');
  const field = ['returnLineItems', String(at)];
  if (item?.return !== found) {
    errors.push(wrong([...field, 'id'], 'Return line item not found.', 'NOT_FOUND'));
    return { item: null, quantity, dispositions: [] };
  }
  if (quantity < 1 || quantity > item.quantity - item.processed) errors.push(wrong([...field, 'quantity'], 'Quantity is more than can be processed.', 'INVALID'));
  const read = readDispositions(shop, dispositions ?? [], [...field, 'dispositions'], errors);
  if (read.some(({ line }) => line && line.returned !== item)) errors.push(wrong([...field, 'dispositions'], 'Disposition is of another return line item.', 'INVALID'));
  return { item, quantity, dispositions: read };
}

function plan(shop, order, input, wanted, transfer, errors) {
  const lines = wanted.map(({ item, quantity }) => ({ line: item.item.line, quantity, restockType: 'NO_RESTOCK', location: null }));
  const { fullRefund, shippingRefundAmount } = input.refundShipping ?? {};
  const shipping = fullRefund ? shippingLeft(order) : shippingRefundAmount ? parse(shippingRefundAmount.amount, order.money.presentment) : null;
  const duties = (input.refundDuties ?? []).map(({ dutyId, refundType }) => ({ duty: shop.find(dutyId, 'Duty'), refundType }));
  if (duties.some(({ duty }) => duty?.order !== order)) errors.push(wrong(['refundDuties'], 'Duty not found.', 'NOT_FOUND'));
  if (errors.length) return undefined;
  if (transfer?.allowOverRefunding) throw notModelled('allowOverRefunding: this shop never refunds more than is left');
  if (transfer) inputOnly(transfer, 'ReturnProcessRefundInput', inputs.refund);
  const field = ['financialTransfer', 'issueRefund', 'orderTransactions'];
  const payments = (transfer?.orderTransactions ?? []).map(({ parentId, transactionAmount }) => {
    const payment = shop.find(parentId, 'OrderTransaction');
    if (payment?.order !== order) errors.push(wrong(field, 'Parent transaction not found.', 'NOT_FOUND'));
    if (transactionAmount.currencyCode !== order.money.presentment) errors.push(wrong(field, `Currency must be ${order.money.presentment}`, 'INVALID'));
    return { payment, amount: parse(transactionAmount.amount, order.money.presentment) };
  });
  const credits = (transfer?.refundMethods ?? []).map((method) => readCredit(shop, order, method, errors));
  const priced = priceRefund(order, { lines, shipping, duties });
  if (!errors.length) errors.push(...[...priced.errors, ...paymentErrors(order, payments, credits)].map((one) => ({ ...one, code: 'INVALID' })));
  return { ...priced, payments, credits };
}

/** Returns the restocking fees and the shipping fee of a return's units, in minor units. */
export function feesOf(found, wanted) {
  const restocking = wanted.reduce((sum, { item, subtotal }) => {
    if (item.fee === null) return sum;
    const { top, bottom } = fraction(item.fee);
    return sum + scale(subtotal, top, bottom * 100n);
  }, 0);
  return restocking + (found.refunds.length ? 0 : found.shippingFee ?? 0);
}
