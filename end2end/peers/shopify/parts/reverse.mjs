// Reverse fulfilment orders: what comes back, by which parcel, and where it ends.
import { inputOnly, userError } from './answers.mjs';
import { restock } from './refunds.mjs';
import { show } from './views.mjs';

/** An open return has one reverse fulfilment order for each fulfilment that its lines come from. */
export function makeReverseOrders(shop, found) {
  for (const fulfillment of new Set(found.items.map(({ item }) => item.fulfillment))) {
    const made = shop.keep('ReverseFulfillmentOrder', { return: found, order: found.order, status: 'OPEN', deliveries: [] });
    const own = found.items.filter(({ item }) => item.fulfillment === fulfillment);
    made.lines = own.map((returned) => shop.keep('ReverseFulfillmentOrderLineItem', { reverseOrder: made, returned, dispositions: [] }));
    found.reverseOrders.push(made);
  }
}

const disposed = ({ dispositions }) => dispositions.reduce((sum, { quantity }) => sum + quantity, 0);
const CUSTOM = 'RESTOCKED is an invalid disposition type for a custom line item.';

/** Reads dispositions and adds what is wrong with them to `errors`. */
export function readDispositions(shop, inputs, field, errors) {
  const asked = new Map();
  return inputs.map(({ reverseFulfillmentOrderLineItemId: id, quantity, locationId, dispositionType }, at) => {
    const line = shop.find(id, 'ReverseFulfillmentOrderLineItem');
    const location = locationId ? shop.find(locationId, 'Location') : null;
    const wrong = (name, message, code) => errors.push(userError([...field, String(at), name], message, code));
    if (!line) wrong('reverseFulfillmentOrderLineItemId', 'Reverse fulfillment order line item not found.', 'NOT_FOUND');
    else if (line.reverseOrder.status !== 'OPEN') wrong('reverseFulfillmentOrderLineItemId', 'Reverse fulfillment order is not open.', 'INVALID_STATE');
    else {
      asked.set(line, (asked.get(line) ?? 0) + quantity);
      if (quantity < 1 || asked.get(line) > line.returned.quantity - disposed(line)) wrong('quantity', 'Quantity is more than can be disposed.', 'INVALID');
    }
    if (locationId && !location) wrong('locationId', 'Location not found.', 'NOT_FOUND');
    if (dispositionType === 'RESTOCKED' && !locationId) wrong('locationId', 'Location is required when the disposition type is RESTOCKED.', 'BLANK');
    if (dispositionType === 'RESTOCKED' && line && !line.returned.item.line.variant) wrong('dispositionType', CUSTOM, 'INVALID');
    return { line, quantity, location, dispositionType };
  });
}

/** Records dispositions that readDispositions found right. */
export function dispose(shop, dispositions) {
  for (const { line, quantity, location, dispositionType } of dispositions) {
    line.dispositions.push(shop.keep('ReverseFulfillmentOrderDisposition', { quantity, location, kind: dispositionType, createdAt: shop.time() }));
    line.returned.disposed += quantity;
    if (dispositionType === 'RESTOCKED') restock(location, line.returned.item.line, quantity);
  }
}

/** A return whose units are all processed and disposed of closes by itself, after the answer. Its reverse fulfilment orders stay open. */
export function closeIfDone(shop, found) {
  const isDone = found.items.every(({ quantity, processed, disposed: gone }) => processed === quantity && gone === quantity)
    && found.exchanges.every(({ quantity, processed }) => processed === quantity);
  if (found.status === 'OPEN' && isDone) Object.assign(found, { status: 'CLOSED', closedAt: shop.time() });
}

/** Takes a line that has no units left out of a return. */
export function dropLine(found, returned) {
  found.items = found.items.filter((one) => one !== returned);
  for (const reverseOrder of found.reverseOrders) reverseOrder.lines = reverseOrder.lines.filter((line) => line.returned !== returned);
}

export const reverseMutations = {
  reverseDeliveryCreateWithShipping(args, { shop }) {
    const { reverseFulfillmentOrderId: id, reverseDeliveryLineItems: inputs, trackingInput, labelInput } = args;
    const failed = (...userErrors) => ({ reverseDelivery: null, userErrors });
    const reverseOrder = shop.find(id, 'ReverseFulfillmentOrder');
    if (!reverseOrder) return failed(userError(['reverseFulfillmentOrderId'], 'Reverse fulfillment order not found.', 'NOT_FOUND'));
    if (reverseOrder.status !== 'OPEN') return failed(userError(['reverseFulfillmentOrderId'], 'Reverse fulfillment order is not open.', 'INVALID_STATE'));
    const lines = inputs.length ? inputs.map(({ reverseFulfillmentOrderLineItemId, quantity }) => ({ line: shop.find(reverseFulfillmentOrderLineItemId, 'ReverseFulfillmentOrderLineItem'), quantity }))
      : reverseOrder.lines.map((line) => ({ line, quantity: line.returned.quantity }));
    const bad = lines.findIndex(({ line, quantity }) => line?.reverseOrder !== reverseOrder || quantity < 1 || quantity > line.returned.quantity);
    if (bad >= 0) return failed(userError(['reverseDeliveryLineItems', String(bad)], 'Reverse delivery line item is invalid.', 'INVALID'));
    if (trackingInput) inputOnly(trackingInput, 'ReverseDeliveryTrackingInput', ['number', 'url']);
    const at = shop.time();
    const label = labelInput ? { createdAt: at, updatedAt: at, publicFileUrl: labelInput.fileUrl } : null;
    const made = shop.keep('ReverseDelivery', { reverseOrder, tracking: trackingInput ?? null, label });
    made.lines = lines.map(({ line, quantity }) => shop.keep('ReverseDeliveryLineItem', { line, quantity }));
    reverseOrder.deliveries.push(made);
    return { reverseDelivery: show(shop, made), userErrors: [] };
  },
  reverseFulfillmentOrderDispose({ dispositionInputs }, { shop }) {
    const errors = [];
    const dispositions = readDispositions(shop, dispositionInputs, ['dispositionInputs'], errors);
    const failed = (...userErrors) => ({ reverseFulfillmentOrderLineItems: null, userErrors });
    if (!dispositions.length) return failed(userError(['dispositionInputs'], 'The array cannot be empty.', 'BLANK'));
    const [reverseOrder, ...others] = new Set(dispositions.map(({ line }) => line?.reverseOrder));
    if (!reverseOrder || others.length) return failed(userError(['dispositionInputs'], 'Cannot dispose items from more than one reverse fulfillment order.', 'INVALID'));
    if (errors.length) return failed(...errors);
    dispose(shop, dispositions);
    const lines = [...new Set(dispositions.map(({ line }) => line))].map((line) => show(shop, line));
    closeIfDone(shop, reverseOrder.return);
    return { reverseFulfillmentOrderLineItems: lines, userErrors: [] };
  },
};
