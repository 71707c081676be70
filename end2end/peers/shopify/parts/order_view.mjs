// Orders as GraphQL objects. A field that is missing here makes the request fail: see execute.mjs.
import { firstOf, notModelled, pages, readsOnly } from './answers.mjs';
import { scale } from './money.mjs';
import { financialStatus, leftOf, received, refunded, returnStatusOf, sumsOf, unitsOf, unitsPrice } from './sums.mjs';
import { addressView, metafieldsOf } from './shop_view.mjs';
import { suggestedRefund } from './suggestions.mjs';
import { register, show } from './views.mjs';

function orderView(shop, order) {
  const { money } = order;
  const sums = sumsOf(order);
  const bag = (amount) => money.bag(amount);
  const optional = (amount) => (amount === null ? null : bag(amount));
  return {
    __typename: 'Order', id: order.id, legacyResourceId: String(order.number), name: order.name, number: order.sequence,
    createdAt: order.createdAt, processedAt: order.createdAt, updatedAt: order.updatedAt, cancelledAt: order.cancelledAt,
    closedAt: order.closedAt, closed: order.closedAt !== null, confirmed: true, test: order.test, edited: order.edited,
    email: order.email, phone: order.phone, note: order.note, tags: order.tags, customerLocale: order.locale,
    customAttributes: order.attributes, currencyCode: money.shop, presentmentCurrencyCode: money.presentment,
    taxesIncluded: order.taxesIncluded, taxExempt: false, dutiesIncluded: false, estimatedTaxes: false,
    customer: () => show(shop, order.customer),
    billingAddress: () => order.address && addressView(order, order.address),
    shippingAddress: () => order.address && addressView(order, order.address),
    displayAddress: () => order.address && addressView(order, order.address),
    billingAddressMatchesShippingAddress: true,
    requiresShipping: order.lines.some((line) => line.requiresShipping),
    displayFinancialStatus: financialStatus(order), displayFulfillmentStatus: fulfillmentStatus(order), returnStatus: returnStatusOf(order),
    fullyPaid: received(order) >= sums.total, refundable: leftOf(order) > 0, restockable: true,
    lineItems: pages(() => order.lines.map((line) => show(shop, line))),
    fulfillments: firstOf(() => order.fulfillments.map((one) => show(shop, one))),
    fulfillmentsCount: { count: order.fulfillments.length, precision: 'EXACT' },
    refunds: firstOf(() => order.refunds.map((refund) => show(shop, refund))),
    returns: pages(() => order.returns.map((one) => show(shop, one))),
    transactions: firstOf(() => order.transactions.map((one) => show(shop, one))),
    paymentGatewayNames: [...new Set(order.transactions.filter(({ kind }) => kind !== 'REFUND').map(({ gateway }) => gateway))],
    shippingLine: () => show(shop, order.shipping),
    shippingLines: pages(() => [order.shipping].filter(Boolean).map((one) => show(shop, one))),
    discountApplications: pages(() => order.discounts.map((one) => applicationView(one, order))),
    discountCode: codesOf(order)[0] ?? null, discountCodes: codesOf(order),
    taxLines: sums.tax ? [taxView(order, 'VAT', null, sums.tax)] : [],
    currentTaxLines: sums.currentTax ? [taxView(order, 'VAT', null, sums.currentTax)] : [],
    subtotalPriceSet: bag(sums.subtotal), currentSubtotalPriceSet: bag(sums.currentSubtotal),
    totalPriceSet: bag(sums.total), originalTotalPriceSet: bag(sums.total), currentTotalPriceSet: bag(sums.currentTotal),
    totalTaxSet: bag(sums.tax), currentTotalTaxSet: bag(sums.currentTax), totalDiscountsSet: bag(sums.discounts),
    totalShippingPriceSet: bag(order.shipping?.total ?? 0), currentShippingPriceSet: bag((order.shipping?.total ?? 0) - sums.shippingRefunded),
    totalRefundedShippingSet: bag(sums.shippingRefunded), totalTipReceivedSet: bag(sums.tips),
    originalTotalDutiesSet: optional(sums.duties), currentTotalDutiesSet: optional(sums.currentDuties),
    totalReceivedSet: bag(received(order)), totalRefundedSet: bag(refunded(order)), netPaymentSet: bag(leftOf(order)),
    totalOutstandingSet: bag(sums.currentTotal - leftOf(order)),
    subtotalLineItemsQuantity: order.lines.reduce((total, { quantity }) => total + quantity, 0),
    currentSubtotalLineItemsQuantity: order.lines.reduce((total, line) => total + unitsOf(line), 0),
    refundDiscrepancySet: bag(order.refunds.reduce((sum, { discrepancy }) => sum + discrepancy, 0)),
    suggestedRefund: (args) => suggestedRefund(shop, order, args),
    ...metafieldsOf(order.metafields, 'ORDER'),
  };
}

const codesOf = (order) => order.discounts.filter(({ kind }) => kind === 'DiscountCodeApplication').map(({ title }) => title);

function fulfillmentStatus(order) {
  const wanted = order.lines.filter((line) => line.requiresShipping).reduce((total, line) => total + line.quantity - line.removed, 0);
  const sent = order.fulfillments.filter(({ status }) => status === 'SUCCESS').flatMap(({ items }) => items)
    .filter(({ line }) => line.requiresShipping).reduce((total, { quantity }) => total + quantity, 0);
  if (sent === 0) return 'UNFULFILLED';
  return sent < wanted ? 'PARTIALLY_FULFILLED' : 'FULFILLED';
}

const taxView = (order, title, rate, amount) => ({
  title, rate: rate === null ? null : Number(rate), ratePercentage: rate === null ? null : Number(rate) * 100, source: 'Shopify',
  channelLiable: false, priceSet: order.money.bag(amount),
});

function lineView(shop, line) {
  const { order } = line;
  const bag = (amount) => order.money.bag(amount);
  // Shopify's discountedTotal leaves out discounts on the whole order, and codes unless the request asks for them.
  const discounted = (codes) => line.allocations
    .filter(({ application }) => application.explicit && (codes || application.kind !== 'DiscountCodeApplication'))
    .reduce((rest, { amount }) => rest - amount, line.unit * line.quantity);
  const left = unitsPrice(line, unitsOf(line));
  return {
    __typename: 'LineItem', id: line.id, title: line.title, name: line.variantTitle ? `${line.title} - ${line.variantTitle}` : line.title,
    variantTitle: line.variantTitle, sku: line.sku, vendor: line.vendor, quantity: line.quantity, currentQuantity: unitsOf(line),
    refundableQuantity: unitsOf(line), unfulfilledQuantity: line.tip ? 0 : unfulfilled(line), nonFulfillableQuantity: line.requiresShipping ? line.refunded : line.quantity,
    isGiftCard: line.giftCard, requiresShipping: line.requiresShipping, taxable: line.taxRate !== '0', restockable: line.variant !== null,
    merchantEditable: true, weight: line.weight, customAttributes: line.attributes, sellingPlan: null, contract: null,
    lineItemGroup: line.group && { id: `gid://shopify/LineItemGroup/${line.group}`, title: line.group, quantity: 1 },
    image: () => imageView(line.image), product: () => show(shop, line.product), variant: () => show(shop, line.variant),
    originalUnitPriceSet: bag(line.unit), originalTotalSet: bag(line.unit * line.quantity),
    discountedTotalSet: ({ withCodeDiscounts }) => bag(discounted(withCodeDiscounts)),
    discountedUnitPriceSet: bag(scale(discounted(false), 1, line.quantity)),
    discountedUnitPriceAfterAllDiscountsSet: bag(scale(line.total, 1, line.quantity)),
    totalDiscountSet: bag(line.unit * line.quantity - discounted(true)),
    priceAfterAllDiscountsBeforeTaxesSet: bag(left.subtotal - (order.taxesIncluded ? left.tax : 0)),
    discountAllocations: line.allocations.map((one) => allocationView(one, order)),
    taxLines: firstOf(() => (line.tax ? [taxView(order, line.taxTitle, line.taxRate, line.tax)] : [])),
    duties: line.duty ? [show(shop, line.duty)] : [],
  };
}

function unfulfilled(line) {
  const sent = line.order.fulfillments.flatMap(({ items }) => items).filter((item) => item.line === line);
  return Math.max(0, line.quantity - line.removed - sent.reduce((total, { quantity }) => total + quantity, 0));
}

const dutyView = (shop, duty) => ({
  __typename: 'Duty', id: duty.id, price: duty.order.money.bag(duty.price), taxLines: [], countryCodeOfOrigin: null, harmonizedSystemCode: null,
});

const allocationView = ({ application, amount }, order) => ({
  allocatedAmountSet: order.money.bag(amount), discountApplication: applicationView(application, order),
});

function applicationView(application, order) {
  const each = application.explicit && application.percent !== null;
  return {
    __typename: application.kind, index: application.index, title: application.title, description: application.title, code: application.title,
    allocationMethod: each ? 'EACH' : 'ACROSS', targetSelection: application.explicit ? 'EXPLICIT' : 'ALL',
    targetType: application.shipping ? 'SHIPPING_LINE' : 'LINE_ITEM',
    value: application.percent === null
      ? order.money.bag(application.amount).presentmentMoney
      : { __typename: 'PricingPercentageValue', percentage: Number(application.percent) },
  };
}

function shippingView(shop, shipping) {
  const { order } = shipping;
  return {
    __typename: 'ShippingLine', id: shipping.id, title: shipping.title, code: shipping.code, custom: false, isRemoved: false, source: 'shopify',
    carrierIdentifier: null, deliveryCategory: null, phone: null, originalPriceSet: order.money.bag(shipping.price),
    discountedPriceSet: order.money.bag(shipping.total), currentDiscountedPriceSet: order.money.bag(shipping.total - shipping.refunded),
    discountAllocations: shipping.allocations.map((one) => allocationView(one, order)),
    taxLines: shipping.tax ? [taxView(order, 'VAT', shipping.taxRate, shipping.tax)] : [],
  };
}

function fulfillmentView(shop, fulfillment) {
  return {
    __typename: 'Fulfillment', id: fulfillment.id, legacyResourceId: String(fulfillment.number), name: fulfillment.name,
    createdAt: fulfillment.createdAt, updatedAt: fulfillment.createdAt, deliveredAt: fulfillment.deliveredAt,
    status: fulfillment.status, displayStatus: fulfillment.displayStatus, requiresShipping: true,
    totalQuantity: fulfillment.items.reduce((total, { quantity }) => total + quantity, 0),
    location: () => show(shop, fulfillment.location), order: () => show(shop, fulfillment.order),
    trackingInfo: firstOf(() => fulfillment.tracking.map(({ company = null, number = null, url = null }) => ({ company, number, url }))),
    fulfillmentLineItems: pages(() => fulfillment.items.map((item) => show(shop, item))),
  };
}

const fulfillmentItemView = (shop, item) => ({
  __typename: 'FulfillmentLineItem', id: item.id, quantity: item.quantity, lineItem: () => show(shop, item.line),
  originalTotalSet: item.line.order.money.bag(item.line.unit * item.quantity),
  discountedTotalSet: item.line.order.money.bag(scale(item.line.total, item.quantity, item.line.quantity)),
});

const imageView = (url) => url && {
  id: null, altText: null, width: 800, height: 800,
  url: (args, context, info) => {
    readsOnly({ ...args, transform: undefined }, info, []);
    return url;
  },
};

function productView(shop, product) {
  return {
    __typename: 'Product', id: product.id, legacyResourceId: String(product.number), title: product.title, handle: `product-${product.number}`,
    tags: product.tags, productType: product.productType, vendor: product.vendor, isGiftCard: false, status: 'ACTIVE',
    createdAt: product.createdAt, updatedAt: product.createdAt, onlineStoreUrl: null, hasOnlyDefaultVariant: product.variants.length < 2,
    variants: pages(() => product.variants.map((one) => show(shop, one))),
    featuredMedia: () => product.image && {
      __typename: 'MediaImage', id: `gid://shopify/MediaImage/${product.number}`, alt: null, mediaContentType: 'IMAGE', status: 'READY',
      image: imageView(product.image), preview: { image: imageView(product.image), status: 'READY' },
    },
    ...metafieldsOf(product.metafields, 'PRODUCT'),
  };
}

function variantView(shop, variant) {
  const { order } = variant;
  return {
    __typename: 'ProductVariant', id: variant.id, legacyResourceId: String(variant.number), title: variant.title, sku: variant.sku, barcode: variant.barcode,
    displayName: variant.title, price: order.money.money(variant.unit), product: () => show(shop, variant.product),
    inventoryItem: () => show(shop, variant.inventory), taxable: true, availableForSale: variant.forSale,
    selectedOptions: [{ name: 'Title', value: variant.title }],
    inventoryQuantity: () => { throw notModelled('ProductVariant.inventoryQuantity; use inventoryItem'); },
    image: () => imageView(variant.image),
  };
}

for (const [type, view] of Object.entries({
  Order: orderView, LineItem: lineView, Duty: dutyView, ShippingLine: shippingView, Fulfillment: fulfillmentView,
  FulfillmentLineItem: fulfillmentItemView, Product: productView, ProductVariant: variantView,
})) register(type, view);
