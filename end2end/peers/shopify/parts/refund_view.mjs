// Refunds and transactions as GraphQL objects.
import { pages } from './answers.mjs';
import { refundLineView } from './suggestions.mjs';
import { register, show } from './views.mjs';

const GATEWAYS = { shopify_payments: 'Shopify Payments', paypal: 'PayPal', gift_card: 'Gift Card', manual: 'Manual', shopify_store_credit: 'Store Credit' };

const refundView = (shop, refund) => {
  const { order } = refund;
  const bag = (amount) => order.money.bag(amount);
  return {
    __typename: 'Refund', id: refund.id, legacyResourceId: String(refund.number), createdAt: refund.createdAt, updatedAt: refund.createdAt,
    processedAt: refund.createdAt, note: refund.note, staffMember: null, order: () => show(shop, order), return: () => show(shop, refund.return),
    duties: refund.duties.map(({ duty, amount }) => ({ amountSet: bag(amount), originalDuty: show(shop, duty) })),
    refundLineItems: pages(() => refund.lines.map((one) => refundLineView(shop, order, one))),
    refundShippingLines: pages(() => (refund.shipping ? [{
      id: `gid://shopify/RefundShippingLine/${refund.number}`, shippingLine: show(shop, order.shipping),
      subtotalAmountSet: bag(refund.shipping), taxAmountSet: bag(refund.shippingTax),
    }] : [])),
    orderAdjustments: pages(() => (refund.discrepancy ? [{
      id: `gid://shopify/OrderAdjustment/${refund.number}`, amountSet: bag(refund.discrepancy), taxAmountSet: bag(0), reason: refund.reason ?? 'REFUND_DISCREPANCY',
    }] : [])),
    totalRefundedSet: bag(refund.transactions.filter(({ status }) => status === 'SUCCESS').reduce((sum, { amount }) => sum + amount, 0)),
    transactions: pages(() => refund.transactions.map((one) => show(shop, one))),
  };
};

const transactionView = (shop, transaction) => {
  const { order } = transaction;
  return {
    __typename: 'OrderTransaction', id: transaction.id, kind: transaction.kind, status: transaction.status, gateway: transaction.gateway,
    formattedGateway: GATEWAYS[transaction.gateway] ?? transaction.gateway, manualPaymentGateway: transaction.gateway === 'manual',
    amountSet: order.money.bag(transaction.amount), createdAt: transaction.createdAt, processedAt: transaction.createdAt, test: order.test,
    parentTransaction: () => show(shop, transaction.parent), order: () => show(shop, order), errorCode: transaction.status === 'FAILURE' ? 'GENERIC_ERROR' : null,
    // Shopify fills these two for suggested refunds only.
    maximumRefundable: null, maximumRefundableV2: null,
    paymentId: `${order.name}.${transaction.number}`, manuallyCapturable: false, multiCapturable: false,
    paymentDetails: transaction.gateway === 'shopify_payments'
      ? { __typename: 'CardPaymentDetails', company: 'Visa', number: '•••• •••• •••• 4242', paymentMethodName: 'card', name: null, wallet: null, expirationMonth: 1, expirationYear: 2030 }
      : null,
  };
};

register('Refund', refundView);
register('OrderTransaction', transactionView);
