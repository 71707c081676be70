// Fills a Medusa shop and places orders, only through its own APIs. Each command prints JSON:
//   node shop.mjs seed            once, on an empty shop: products, tax, shipping, coupon; prints an API key
//   node shop.mjs order JSON      places an order as the shop's customer would; see order() for the format of JSON
//   node shop.mjs fulfil ORDER_ID SKU=N…   ships part of an order and marks it as delivered
// MEDUSA_URL is its URL; ADMIN_EMAIL and ADMIN_PASSWORD are those of server.mjs.
import { pathToFileURL } from 'node:url';

const { MEDUSA_URL = 'http://127.0.0.1:9200', ADMIN_EMAIL = 'admin@example.com', ADMIN_PASSWORD = 'test-admin' } = process.env;

/** A client with these headers: call('POST /path', body). Any error is thrown. */
function client(headers = {}) {
  return async function call(what, body) {
    const [method, path] = what.split(' ');
    const response = await fetch(MEDUSA_URL + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${what}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
}

export async function administrator() {
  const { token } = await client()('POST /auth/user/emailpass', { email: ADMIN_EMAIL, password: ADMIN_PASSWORD });
  return client({ authorization: `Bearer ${token}` });
}

// --- the products, in euros, including tax
const products = [
  { name: 'Wool jumper', option: 'Size',
    variants: [['S', 'JUMPER-S', 59.99], ['M', 'JUMPER-M', 59.99], ['L', 'JUMPER-L', 64.99]] },
  { name: 'Canvas bag', option: 'Colour',
    variants: [['Sand', 'BAG-SAND', 24.95], ['Navy', 'BAG-NAVY', 24.95]] },
  { name: 'Enamel mug', option: 'Size',
    variants: [['Small', 'MUG-S', 9.99], ['Large', 'MUG-L', 13.33]] },
];

export async function seed() {
  const admin = await administrator();
  const { sales_channels: [channel] } = await admin('GET /admin/sales-channels');
  const { stores: [store] } = await admin('GET /admin/stores');
  await admin(`POST /admin/stores/${store.id}`, { supported_currencies: [{ currency_code: 'eur', is_default: true, is_tax_inclusive: true }] });
  await admin('POST /admin/regions', { name: 'Europe', currency_code: 'eur', countries: ['de'], is_tax_inclusive: true,
    payment_providers: ['pp_test_test'] });
  await admin('POST /admin/tax-regions', { country_code: 'de', provider_id: 'tp_system',
    default_tax_rate: { name: 'VAT', code: 'VAT20', rate: 20, is_default: true } });

  const { stock_location: location } = await admin('POST /admin/stock-locations', { name: 'Warehouse' });
  await admin(`POST /admin/stock-locations/${location.id}/fulfillment-providers`, { add: ['manual_manual'] });
  await admin(`POST /admin/stock-locations/${location.id}/sales-channels`, { add: [channel.id] });
  const { stock_location: shipsFrom } = await admin(
    `POST /admin/stock-locations/${location.id}/fulfillment-sets?fields=*fulfillment_sets`, { name: 'Parcels', type: 'shipping' });
  const { fulfillment_set: set } = await admin(
    `POST /admin/fulfillment-sets/${shipsFrom.fulfillment_sets[0].id}/service-zones?fields=*service_zones`,
    { name: 'Germany', geo_zones: [{ type: 'country', country_code: 'de' }] });
  const { shipping_profile: profile } = await admin('POST /admin/shipping-profiles', { name: 'Parcel', type: 'default' });
  await admin('POST /admin/shipping-options', { name: 'Standard', service_zone_id: set.service_zones[0].id,
    shipping_profile_id: profile.id, provider_id: 'manual_manual', price_type: 'flat',
    type: { label: 'Standard', description: 'Parcel', code: 'standard' }, prices: [{ currency_code: 'eur', amount: 4.99 }],
    rules: [{ attribute: 'is_return', operator: 'eq', value: 'false' }, { attribute: 'enabled_in_store', operator: 'eq', value: 'true' }] });
  await admin('POST /admin/promotions', { code: 'WELCOME10', type: 'standard', status: 'active', is_tax_inclusive: true,
    application_method: { type: 'percentage', target_type: 'order', value: 10, currency_code: 'eur' } });

  for (const { name, option, variants } of products) {
    const url = `https://shop.example/${name.split(' ')[1]}.png`;
    const { product } = await admin('POST /admin/products?fields=*variants.inventory_items', {
      title: name, status: 'published', thumbnail: url, images: [{ url }], shipping_profile_id: profile.id, sales_channels: [{ id: channel.id }],
      options: [{ title: option, values: variants.map(([value]) => value) }],
      variants: variants.map(([value, sku, amount]) => ({ title: value, sku, manage_inventory: true, options: { [option]: value },
        prices: [{ currency_code: 'eur', amount }] })) });
    for (const { inventory_items: [item] } of product.variants) {
      await admin(`POST /admin/inventory-items/${item.inventory_item_id}/location-levels`, { location_id: location.id, stocked_quantity: 100000 });
    }
  }

  const { api_key: { token: apiKey } } = await admin('POST /admin/api-keys', { title: 'Retour', type: 'secret' });
  return { apiKey };
}

/**
 * Places an order. items: {SKU: quantity}; email; coupon; pay: data for test-payment.js; capture: false leaves it
 * authorised only; fulfil: {SKU: quantity}.
 */
export async function order({ items, email = 'guest@example.com', coupon, pay = {}, capture = true, fulfil }) {
  const admin = await administrator();
  const { api_keys: [{ token, sales_channels }] } = await admin('GET /admin/api-keys?type=publishable&fields=token,*sales_channels');
  if (!sales_channels.length) throw new Error('the publishable key has no sales channel');
  const shop = client({ 'x-publishable-api-key': token });
  const { regions: [region] } = await shop('GET /store/regions');
  const { variants } = await admin('GET /admin/product-variants?fields=id,sku');
  const { cart } = await shop('POST /store/carts', {
    region_id: region.id, email, promo_codes: coupon ? [coupon] : [],
    items: Object.entries(items).map(([sku, quantity]) => ({ variant_id: variants.find((variant) => variant.sku === sku).id, quantity })),
    shipping_address: { first_name: 'Grace', last_name: 'Guest', address_1: 'Hauptstraße 1', city: 'Berlin', postal_code: '10115',
      country_code: 'de', phone: '+49301234567' } });
  const { shipping_options: [option] } = await shop(`GET /store/shipping-options?cart_id=${cart.id}`);
  await shop(`POST /store/carts/${cart.id}/shipping-methods`, { option_id: option.id });
  const { payment_collection: { id } } = await shop('POST /store/payment-collections', { cart_id: cart.id });
  await shop(`POST /store/payment-collections/${id}/payment-sessions`, { provider_id: 'pp_test_test', data: pay });
  const { order: placed } = await shop(`POST /store/carts/${cart.id}/complete`, {});
  if (capture) {
    const { order: { payment_collections } } = await admin(`GET /admin/orders/${placed.id}?fields=*payment_collections.payments`);
    for (const payment of payment_collections.flatMap((collection) => collection.payments)) await admin(`POST /admin/payments/${payment.id}/capture`, {});
  }
  if (fulfil) await ship(placed.id, fulfil);
  return { id: placed.id, displayId: placed.display_id, email: placed.email, total: placed.total };
}

/** Ships {SKU: quantity} of an order and marks the parcel as delivered. */
export async function ship(id, items) {
  const admin = await administrator();
  const { order: { items: lines } } = await admin(`GET /admin/orders/${id}?fields=*items`);
  const { stock_locations: [location] } = await admin('GET /admin/stock-locations');
  const parcel = Object.entries(items).map(([sku, quantity]) => ({ id: lines.find((line) => line.variant_sku === sku).id, quantity }));
  const { order: { fulfillments } } = await admin(`POST /admin/orders/${id}/fulfillments?fields=*fulfillments`, { items: parcel, location_id: location.id });
  const { id: fulfillment } = fulfillments.at(-1);
  await admin(`POST /admin/orders/${id}/fulfillments/${fulfillment}/shipments`, { items: parcel });
  await admin(`POST /admin/orders/${id}/fulfillments/${fulfillment}/mark-as-delivered`, {});
  return { id: fulfillment };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [command, ...args] = process.argv.slice(2);
  const commands = {
    seed,
    order: () => order(JSON.parse(args[0])),
    fulfil: () => ship(args[0], Object.fromEntries(args.slice(1).map((item) => item.split('=')).map(([sku, n]) => [sku, Number(n)]))),
  };
  if (!commands[command]) throw new Error('shop.mjs seed | order JSON | fulfil ORDER_ID SKU=N…');
  console.log(JSON.stringify(await commands[command]()));
}
