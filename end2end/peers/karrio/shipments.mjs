// Karrio's data: drafts with rates, bought labels, and the state of the parcels.
import { label } from './label.mjs';
import { mistakes } from './mistakes.mjs';
import { CONNECTION, draftOf, eventOf, id, rateOf, SERVICES, trackerOf } from './shapes.mjs';

const HEAVIEST = 31.5;
const KILOGRAMS = { KG: 1, G: 0.001, LB: 0.45359237, OZ: 0.028349523 };
// The status of a shipment by its tracker's status. Every status that is not listed is in_transit, even a way back.
const FOLLOWS = { delivered: 'delivered', picked_up: 'shipped', out_for_delivery: 'out_for_delivery',
  delivery_failed: 'delivery_failed', on_hold: 'needs_attention', delivery_delayed: 'needs_attention' };

// A copy, because an answer may be sent later.
const ok = (value, status = 200) => ({ status, value: structuredClone(value) });

export function problem(status, code, message, level = [404, 429].includes(status) ? 'warning' : 'error') {
  return { status, value: { errors: [{ code, level, message }] } };
}
const refused = (code, message) => ({
  status: 424,
  value: { messages: [{ carrier_id: 'post', carrier_name: 'generic', code, message }] },
});
const notOffered = () => problem(400, 'service_unavailable', 'The service you selected is not available for this shipment.');

/** One page of shipments, newest first. */
function page(all, url) {
  const [limit, offset] = [['limit', 20], ['offset', 0]].map(([key, usual]) => Number(url.searchParams.get(key) ?? usual));
  const other = (at) => {
    const link = new URL(url);
    link.searchParams.set('limit', limit);
    if (at > 0) link.searchParams.set('offset', at);
    else link.searchParams.delete('offset');
    link.searchParams.sort();
    return String(link);
  };
  return ok({ count: all.length, next: offset + limit < all.length ? other(offset + limit) : null,
    previous: offset > 0 ? other(offset - limit) : null, results: all.slice(offset, offset + limit) });
}

export class Shipments {
  #all = []; // newest first: {shown, label, numbers}
  #trackers = [];

  #find(shipment) {
    return this.#all.find(({ shown }) => shown.id === shipment);
  }

  connections() {
    const post = { id: CONNECTION, object_type: 'carrier-connection', carrier_name: 'generic', display_name: 'Post',
      carrier_id: 'post', capabilities: ['rating', 'shipping'], config: {}, metadata: {}, is_system: false, active: true,
      test_mode: false };
    return ok({ count: 1, next: null, previous: null, results: [post] });
  }

  list(url) {
    const asked = (key) => url.searchParams.get(key);
    // Like karrio: the key exists, and any key has the value. Clients must check the pair.
    const matches = ({ status, reference, metadata }) =>
      (!asked('metadata_key') || asked('metadata_key') in metadata) &&
      (!asked('metadata_value') || Object.values(metadata).includes(asked('metadata_value'))) &&
      (!asked('reference') || (reference ?? '').toLowerCase().includes(asked('reference').toLowerCase())) &&
      (!asked('status') || url.searchParams.getAll('status').includes(status));
    return page(this.#all.map(({ shown }) => shown).filter(matches), url);
  }

  draft(body) {
    const errors = mistakes(body).map((message) => ({ code: 'validation', level: 'error', message }));
    if (errors.length) return { status: 400, value: { errors } };
    const wanted = body.carrier_ids ?? [];
    if (wanted.length && !wanted.includes('post')) {
      return problem(404, 'not_found', 'No active carrier connection found to process the request');
    }
    const tooHeavy = body.parcels.some((one) => one.weight * KILOGRAMS[one.weight_unit] > HEAVIEST);
    const services = body.service ? [body.service] : (body.services ?? []);
    const named = SERVICES.filter(({ service }) => services.includes(service));
    // Only a request for a specific service gets the reason why it is not offered. Other requests get an empty list.
    if (tooHeavy && named.length) return refused('invalid_weight', `the weight exceeds service ${named[0].service} max weight`);
    const rates = tooHeavy ? [] : (named.length ? named : SERVICES).map(rateOf);
    if (body.service && !named.length) return notOffered();

    const shown = draftOf(body, rates, services);
    this.#all.unshift({ shown, numbers: [] });
    return body.service ? { ...this.buy(shown.id, body), status: 201 } : ok(shown, 201);
  }

  look(shipment) {
    const found = this.#find(shipment);
    return found ? ok(found.shown) : problem(404, 'not_found', 'Shipment not found');
  }

  /** Asks the carriers again: earlier rates become invalid. */
  rates(shipment) {
    const shown = this.#find(shipment)?.shown;
    if (!shown) return problem(404, 'not_found', 'Shipment not found');
    if (shown.status !== 'draft') return problem(409, 'state_error', `The shipment is '${shown.status}' and cannot be updated`);
    shown.rates = shown.rates.map(({ service }) => rateOf(SERVICES.find((one) => one.service === service)));
    return ok(shown);
  }

  #offered(shown, { selected_rate_id, service }) {
    return shown.rates.find((one) => (selected_rate_id ? one.id === selected_rate_id : one.service === service));
  }

  /** Why it cannot be bought, if it cannot. */
  unpurchasable(shipment, body) {
    const found = this.#find(shipment);
    if (!found) return problem(404, 'not_found', 'Shipment not found');
    const { status } = found.shown;
    if (status === 'created') return problem(409, 'state_error', `The shipment is '${status}' and cannot be purchased again`);
    if (status !== 'draft') return problem(409, 'state_error', `Shipment is ${status} and cannot be updated anymore...`);
    const wrong = mistakes.label(body);
    if (wrong) return problem(400, 'validation', wrong);
    if (!body.selected_rate_id && !body.service) {
      return problem(400, 'validation_error', "Either 'selected_rate_id' or 'service' must be provided.");
    }
    if (!this.#offered(found.shown, body)) return notOffered();
    // The carrier has no special service for returns: they are shipments from the shopper.
    if (found.shown.is_return) return refused('SHIPPING_SDK_NON_SUPPORTED_ERROR', 'this operation is not supported.');
    return undefined;
  }

  /** Buys a label without checking whether there is one. */
  buy(shipment, body) {
    const found = this.#find(shipment);
    const { shown } = found;
    const chosen = this.#offered(shown, body);
    const number = `RT${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}`;
    const type = body.label_type ?? 'PDF'; // the draft's type is ignored
    found.label = label(type, number, shown);
    found.numbers.push(number);
    Object.assign(shown, {
      status: 'created', label_type: type, tracking_number: number, shipment_identifier: number, carrier_name: 'generic',
      carrier_id: 'post', tracking_url: `/v1/trackers/post/${number}`, service: chosen.service, selected_rate_id: chosen.id,
      selected_rate: { ...chosen, meta: { ...chosen.meta, custom_carrier_name: 'post' } },
      parcels: shown.parcels.map((one, at) => (at === 0 ? { ...one, reference_number: number } : one)),
      metadata: { ...shown.metadata, ...body.metadata }, reference: body.reference ?? shown.reference,
      meta: { request_id: id('req'), service_name: chosen.meta.service_name, ext: 'generic', carrier: 'generic',
        rate_provider: 'generic', custom_carrier_name: 'post' },
      label_url: `/v1/shipments/${shipment}/label.${type.toLowerCase()}`,
    });
    this.#trackers = this.#trackers.filter((one) => one.id !== shown.tracker_id);
    // Like a carrier with tracking: karrio tracks this parcel from now on.
    this.#trackers.unshift(trackerOf(number));
    shown.tracker_id = this.#trackers[0].id;
    shown.shipping_documents = [{ category: 'label', format: type, url: shown.label_url, base64: null }];
    // Only this answer contains the label.
    return ok({ ...shown, shipping_documents: [{ ...shown.shipping_documents[0], base64: found.label }] });
  }

  label(shipment) {
    const found = this.#find(shipment);
    if (!found?.label) {
      return { status: 404, value: { errors: [{ message: `Shipment '${shipment}' not found or has no label` }] } };
    }
    const { label_type, label_url } = found.shown;
    return ok({ category: 'label', format: label_type, print_format: null, url: label_url, base64: found.label });
  }

  cancel(shipment) {
    const shown = this.#find(shipment)?.shown;
    if (!shown) return problem(404, 'not_found', 'Resource not found');
    if (shown.status === 'cancelled') return ok(shown, 202);
    if (!['draft', 'created'].includes(shown.status)) {
      return problem(409, 'state_error', `The shipment is '${shown.status}' and can not be cancelled anymore...`);
    }
    this.#trackers = this.#trackers.filter((one) => one.id !== shown.tracker_id);
    Object.assign(shown, { status: 'cancelled', tracker_id: null });
    return ok(shown);
  }

  /** The carrier's refusal. */
  refusal(call, shipment) {
    if (call === 'draft') return refused('not_served', 'the carrier does not serve this destination');
    // A carrier's code may be a number.
    if (call === 'purchase') return refused(68, 'xmlParseEntityRef: no name, line 8, column 85 (<string>, line 8)');
    if (call === 'cancel') return refused('not_cancellable', `the carrier does not take ${shipment} back`);
    throw new Error(`no carrier is asked for ${call}`);
  }

  tracker(asked) {
    const found = this.#trackers.find((one) => [one.id, one.tracking_number].includes(asked));
    return found ? ok(found) : problem(404, 'not_found', 'Tracking not found');
  }

  trackers(url) {
    const part = url.searchParams.get('tracking_number') ?? '';
    return page(this.#trackers.filter((one) => one.tracking_number.includes(part)), url);
  }

  /** Moves parcel NUMBER. New events are inserted first, because the newest come first. */
  move(number, { status, events = [], estimated_delivery }) {
    const tracker = this.#trackers.find((one) => one.tracking_number === number);
    if (!tracker) return undefined;
    tracker.status = status ?? tracker.status;
    tracker.delivered = tracker.status === 'delivered';
    tracker.estimated_delivery = estimated_delivery ?? tracker.estimated_delivery;
    tracker.events = [...events.map(eventOf), ...tracker.events];
    const { shown } = this.#all.find((one) => one.shown.tracker_id === tracker.id);
    if (tracker.status !== 'pending') shown.status = FOLLOWS[tracker.status] ?? 'in_transit';
    return tracker;
  }

  summary() {
    return this.#all.map(({ shown, numbers }) => ({ id: shown.id, status: shown.status, metadata: shown.metadata,
      service: shown.service, purchased: numbers.length, tracking_numbers: numbers }));
  }
}
