// Returns as GraphQL objects.
import { notModelled, pages } from './answers.mjs';
import { exchangePrice } from './exchanges.mjs';
import { fraction, parse, scale } from './money.mjs';
import { feesOf } from './returns.mjs';
import { priceRefund, shippingRefundView, suggestedCredit, suggestedTransactions } from './suggestions.mjs';
import { leftOf, shippingLeft } from './sums.mjs';
import { register, show } from './views.mjs';

const returnView = (shop, found) => ({
  __typename: 'Return', id: found.id, name: found.name, status: found.status, createdAt: found.createdAt, closedAt: found.closedAt,
  requestApprovedAt: found.approvedAt, decline: found.decline, order: () => show(shop, found.order),
  totalQuantity: found.items.reduce((sum, { quantity }) => sum + quantity, 0),
  returnLineItems: pages(() => found.items.map((one) => show(shop, one))),
  exchangeLineItems: pages(() => found.exchanges.map((one) => show(shop, one))),
  refunds: pages(() => found.refunds.map((one) => show(shop, one))),
  transactions: pages(() => found.refunds.flatMap(({ transactions }) => transactions).map((one) => show(shop, one))),
  reverseFulfillmentOrders: pages(() => found.reverseOrders.map((one) => show(shop, one))),
  returnShippingFees: found.shippingFee === null ? [] : [{ id: `gid://shopify/ReturnShippingFee/${found.number}`, amountSet: found.order.money.bag(found.shippingFee) }],
  suggestedFinancialOutcome: (args) => outcome(shop, found, args),
});

const itemView = (shop, one) => {
  const { order } = one.return;
  const value = scale(one.item.line.total, one.quantity, one.item.line.quantity);
  return {
    __typename: 'ReturnLineItem', id: one.id, quantity: one.quantity, processedQuantity: one.processed, processableQuantity: one.quantity - one.processed,
    unprocessedQuantity: one.quantity - one.processed, refundedQuantity: one.refunded, refundableQuantity: one.quantity - one.refunded,
    returnReason: one.reason, returnReasonDefinition: one.definition && show(shop, one.definition), returnReasonNote: one.note, customerNote: one.customerNote,
    fulfillmentLineItem: () => show(shop, one.item), withCodeDiscountedTotalPriceSet: order.money.bag(value),
    restockingFee: one.fee === null ? null : { id: `gid://shopify/RestockingFee/${one.number}`, percentage: Number(one.fee), amountSet: order.money.bag(part(value, one.fee)) },
  };
};

const exchangeView = (shop, one) => ({
  __typename: 'ExchangeLineItem', id: one.id, quantity: one.quantity, processedQuantity: one.processed, processableQuantity: one.quantity - one.processed,
  unprocessedQuantity: one.quantity - one.processed, variantId: one.variant.id, variantSku: one.variant.sku, variantTitle: one.variant.title,
  productId: one.variant.product.id, title: one.variant.product.title, lineItem: () => show(shop, one.lines[0] ?? null),
  lineItems: () => one.lines.map((line) => show(shop, line)),
});

function part(amount, percentage) {
  const { top, bottom } = fraction(percentage);
  return scale(amount, top, bottom * 100n);
}

function outcome(shop, found, args) {
  const { order } = found;
  if (args.tipLineId) throw notModelled('tips of Return.suggestedFinancialOutcome');
  const sent = args.exchangeLineItems.map(({ id, quantity }) => ({ exchange: shop.find(id, 'ExchangeLineItem'), quantity }));
  const wanted = args.returnLineItems.map(({ id, quantity }) => ({ item: shop.find(id, 'ReturnLineItem'), quantity }));
  if (wanted.some(({ item }) => item?.return !== found) || sent.some(({ exchange }) => exchange?.return !== found)) return null;
  const { fullRefund, shippingRefundAmount } = args.refundShipping ?? {};
  const shipping = fullRefund ? shippingLeft(order) : shippingRefundAmount ? parse(shippingRefundAmount.amount, order.money.presentment) : null;
  const duties = (args.refundDuties ?? []).map(({ dutyId, refundType }) => ({ duty: shop.find(dutyId, 'Duty'), refundType }));
  const priced = priceRefund(order, { lines: wanted.map(({ item, quantity }) => ({ line: item.item.line, quantity })), shipping, duties });
  const fees = feesOf(found, wanted.map(({ item }, at) => ({ item, subtotal: priced.lines[at].subtotal })));
  const amount = Math.min(priced.total - fees - exchangePrice(shop, order, sent), leftOf(order));
  const bag = (minor) => order.money.bag(minor);
  return {
    __typename: 'SuggestedReturnFinancialOutcome', discountedSubtotal: bag(priced.subtotal), maximumRefundable: bag(leftOf(order)), totalTax: bag(priced.tax),
    totalDuties: bag(priced.dutySum), totalAdditionalFees: bag(0), totalCartDiscountAmount: bag(0), shipping: shippingRefundView(order, priced),
    refundDuties: priced.duties.map(({ duty, amount: minor }) => ({ amountSet: bag(minor), originalDuty: show(shop, duty) })),
    financialTransfer: () => transferView(shop, order, amount, args.refundMethodAllocation === 'STORE_CREDIT'),
  };
}

function transferView(shop, order, amount, asCredit) {
  if (amount === 0) return null;
  if (amount < 0) return { __typename: 'InvoiceReturnOutcome', amount: order.money.bag(-amount) };
  return {
    __typename: 'RefundReturnOutcome', amount: order.money.bag(amount), suggestedTransactions: asCredit ? [] : suggestedTransactions(shop, order, amount),
    suggestedRefundMethods: asCredit ? [suggestedCredit(order, amount)] : [],
  };
}

const reverseOrderView = (shop, one) => ({
  __typename: 'ReverseFulfillmentOrder', id: one.id, status: one.status, order: () => show(shop, one.order),
  lineItems: pages(() => one.lines.map((line) => show(shop, line))),
  reverseDeliveries: pages(() => one.deliveries.map((delivery) => show(shop, delivery))),
});

const reverseLineView = (shop, line) => ({
  __typename: 'ReverseFulfillmentOrderLineItem', id: line.id, totalQuantity: line.returned.quantity, fulfillmentLineItem: () => show(shop, line.returned.item),
  dispositions: line.dispositions.map((one) => show(shop, one)),
});

const dispositionView = (shop, one) => ({
  __typename: 'ReverseFulfillmentOrderDisposition', id: one.id, quantity: one.quantity, createdAt: one.createdAt, location: () => show(shop, one.location), type: one.kind,
});

const deliveryView = (shop, delivery) => ({
  __typename: 'ReverseDelivery', id: delivery.id, reverseFulfillmentOrder: () => show(shop, delivery.reverseOrder),
  reverseDeliveryLineItems: pages(() => delivery.lines.map((one) => show(shop, one))),
  deliverable: {
    __typename: 'ReverseDeliveryShippingDeliverable', label: delivery.label,
    tracking: delivery.tracking && { carrierName: null, number: delivery.tracking.number ?? null, url: delivery.tracking.url ?? null },
  },
});

const deliveryLineView = (shop, one) => ({
  __typename: 'ReverseDeliveryLineItem', id: one.id, quantity: one.quantity, reverseFulfillmentOrderLineItem: () => show(shop, one.line),
  dispositions: one.line.dispositions.map((disposition) => show(shop, disposition)),
});

const reasonView = (shop, { id, handle, name, deleted }) => ({ __typename: 'ReturnReasonDefinition', id, handle, name, deleted });

for (const [type, view] of Object.entries({
  Return: returnView, ReturnLineItem: itemView, ExchangeLineItem: exchangeView, ReverseFulfillmentOrder: reverseOrderView, ReverseFulfillmentOrderLineItem: reverseLineView,
  ReverseFulfillmentOrderDisposition: dispositionView, ReverseDelivery: deliveryView, ReverseDeliveryLineItem: deliveryLineView, ReturnReasonDefinition: reasonView,
})) register(type, view);
