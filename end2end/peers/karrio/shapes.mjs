// The JSON of karrio's objects.
import { randomUUID } from 'node:crypto';

export const SERVICES = [
  { service: 'standard_service', name: 'STANDARD', charge: 4.5, days: 3 },
  { service: 'express_service', name: 'EXPRESS', charge: 9.9, days: 1 },
];
export const CONNECTION = 'car_00000000000000000000000000000001';
const ADDRESS = ['postal_code', 'city', 'federal_tax_id', 'state_tax_id', 'person_name', 'company_name', 'country_code', 'email',
  'phone_number', 'state_code', 'residential', 'street_number', 'address_line1', 'address_line2', 'validate_location'];
const PARCEL = ['weight', 'width', 'height', 'length', 'packaging_type', 'package_preset', 'description', 'content', 'is_document',
  'weight_unit', 'dimension_unit', 'items', 'reference_number', 'freight_class'];
const COMMODITY = ['weight', 'weight_unit', 'title', 'description', 'quantity', 'sku', 'hs_code', 'value_amount', 'value_currency',
  'origin_country', 'product_url', 'image_url', 'product_id', 'variant_id', 'parent_id', 'metadata'];
const CUSTOMS = ['duty_billing_address', 'content_type', 'content_description', 'incoterm', 'invoice', 'invoice_date',
  'commercial_invoice', 'certify', 'signer'];
const PAYMENT = ['paid_by', 'currency', 'account_number'];
const EVENT = ['date', 'time', 'timestamp', 'status', 'code', 'reason', 'description', 'latitude', 'longitude'];
const INFO = ['carrier_tracking_link', 'customer_name', 'expected_delivery', 'note', 'order_date', 'order_id', 'package_weight',
  'package_weight_unit', 'shipment_package_count', 'shipment_pickup_date', 'shipment_delivery_date', 'shipment_service',
  'shipment_origin_country', 'shipment_origin_postal_code', 'shipment_destination_country', 'shipment_destination_postal_code',
  'shipping_date', 'signed_by'];

export const id = (kind) => `${kind}_${randomUUID().replaceAll('-', '')}`;
const short = (kind) => id(kind).slice(0, kind.length + 13);
/** All keys are present, even without a value. */
export const whole = (keys, given) => Object.fromEntries(keys.map((key) => [key, given?.[key] ?? null]));

/** A carrier's rate. */
export function rateOf({ service, name, charge, days }) {
  return {
    id: id('rat'), object_type: 'rate', carrier_name: 'post', carrier_id: 'post', currency: 'EUR', service, total_charge: charge,
    transit_days: days, extra_charges: [{ name: 'Base Charge', amount: charge, currency: 'EUR', id: null }],
    estimated_delivery: null,
    meta: { carrier: 'post', carrier_connection_id: CONNECTION, ext: 'generic', rate_provider: 'post', service_name: name,
      shipping_charges: charge, shipping_currency: 'EUR' },
    test_mode: false,
  };
}

const address = (given) => ({ id: short('adr'), ...whole(ADDRESS, { residential: false, validate_location: false, ...given }),
  meta: {}, object_type: 'address', validation: null });

function parcel(given) {
  const own = short('pcl');
  // Without a reference of its own, a parcel's reference is derived from its id.
  const filled = { is_document: false, items: [], reference_number: own.slice(4), ...given };
  return { id: own, ...whole(PARCEL, filled), options: {}, meta: {}, object_type: 'parcel' };
}

const customs = (given) => given && {
  commodities: given.commodities.map((one) => ({ ...whole(COMMODITY, { quantity: 1, ...one }), meta: {} })),
  duty: given.duty ? whole(['paid_by', 'currency', 'declared_value', 'account_number'], given.duty) : null,
  ...whole(CUSTOMS, given), options: given.options ?? {},
};

/** The next working day at ten: karrio's default. */
function shippingDate() {
  const day = new Date();
  do day.setUTCDate(day.getUTCDate() + 1); while ([0, 6].includes(day.getUTCDay()));
  return `${day.toISOString().slice(0, 10)}T10:00`;
}

/** A draft. */
export function draftOf(body, rates, services) {
  const date = body.options?.shipping_date ?? shippingDate();
  return {
    id: id('shp'), object_type: 'shipment', tracking_url: null, shipper: address(body.shipper), recipient: address(body.recipient),
    return_address: body.return_address ? address(body.return_address) : null,
    billing_address: body.billing_address ? address(body.billing_address) : null, parcels: body.parcels.map(parcel), services,
    options: { ...body.options, shipping_date: date, shipment_date: body.options?.shipment_date ?? date.slice(0, 10) },
    payment: whole(PAYMENT, { paid_by: 'sender', currency: body.options?.currency, ...body.payment }),
    customs: customs(body.customs) ?? null, rates, reference: body.reference ?? null, order_id: body.order_id ?? null,
    label_type: body.label_type ?? 'PDF', carrier_ids: body.carrier_ids ?? [], tracker_id: null,
    created_at: new Date().toISOString().replace('T', ' ').replace('Z', '000+00:00'), metadata: body.metadata ?? {}, messages: [],
    is_archived: false, archived_at: null, status: 'draft', carrier_name: null, carrier_id: null, tracking_number: null,
    shipment_identifier: null, selected_rate: null, meta: { request_id: id('req') }, return_shipment: null, service: null,
    selected_rate_id: null, test_mode: false, is_return: body.is_return ?? false, label_url: null, invoice_url: null,
    shipping_documents: [],
  };
}

/** The state of a parcel for which only a label was bought. */
export function trackerOf(tracking_number) {
  const now = new Date();
  const [date, clock] = now.toISOString().split('T');
  const hour = now.getUTCHours();
  const time = `${String(hour % 12 || 12).padStart(2, '0')}:${clock.slice(3, 5)} ${hour < 12 ? 'AM' : 'PM'}`;
  const made = { date, time, timestamp: now.toISOString(), status: 'created', code: 'CREATED', description: 'Shipment label created' };
  return {
    id: id('trk'), carrier_name: 'generic', carrier_id: 'post', tracking_number, info: { ...whole(INFO), source: 'api' },
    events: [eventOf(made)], delivered: false, test_mode: false, status: 'pending', estimated_delivery: null,
    meta: { carrier: 'post' }, object_type: 'tracker', is_archived: false, archived_at: null, metadata: {}, messages: [],
    delivery_image_url: null, signature_image_url: null,
  };
}

/** All keys of an event are present, except its place if there is none. */
export const eventOf = (given) => ({ ...whole(EVENT, given), ...(given.location ? { location: given.location } : {}) });
