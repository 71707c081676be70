// Fills a Vendure shop and places orders, only through its own APIs. Each command prints JSON:
//   node shop.mjs seed            once, on an empty shop: products, tax, shipping, payment, coupon, an API key
//   node shop.mjs order JSON      places an order as the shop's customer would; see order() for the format of JSON
//   node shop.mjs fulfil CODE SKU=N…   ships part of an order and marks it as delivered
// VENDURE_URL is its URL; SUPERADMIN_NAME and SUPERADMIN_PASSWORD are those of server.mjs.
import { crc32, deflateSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';

const { VENDURE_URL = 'http://127.0.0.1:3900', SUPERADMIN_NAME = 'superadmin', SUPERADMIN_PASSWORD = 'superadmin' } = process.env;

/** A client of one API ('admin-api' or 'shop-api') which keeps its session. Any error is thrown. */
export function client(api, headers = {}) {
  let token;
  return async function call(query, variables = {}, files) {
    const body = JSON.stringify({ query, variables });
    const form = files && new FormData();
    if (form) {
      form.append('operations', body);
      form.append('map', JSON.stringify(Object.fromEntries(files.map((_, i) => [i, [`variables.input.${i}.file`]]))));
      files.forEach((file, i) => form.append(`${i}`, new Blob([file.data], { type: 'image/png' }), file.name));
    }
    const response = await fetch(`${VENDURE_URL}/${api}`, {
      method: 'POST',
      headers: { ...(form ? {} : { 'content-type': 'application/json' }), ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body: form ?? body,
    });
    token = response.headers.get('vendure-auth-token') || token;
    const { data, errors } = await response.json();
    if (errors) throw new Error(`${errors[0].message}: ${query.slice(0, 120)}`);
    const [first] = Object.values(data);
    if (first?.errorCode) throw new Error(`${first.errorCode}: ${first.message} ${first.transitionError ?? ''}`);
    return first;
  };
}

export async function administrator() {
  const admin = client('admin-api');
  await admin(
    `mutation($name: String!, $password: String!) { login(username: $name, password: $password)
       { ... on ErrorResult { errorCode message } } }`,
    { name: SUPERADMIN_NAME, password: SUPERADMIN_PASSWORD },
  );
  return admin;
}

// --- the products, in cents, including tax
const products = [
  { name: 'Wool jumper', colour: [0x8a, 0x3b, 0x2f], option: 'Size',
    variants: [['S', 'JUMPER-S', 5999], ['M', 'JUMPER-M', 5999], ['L', 'JUMPER-L', 6499]] },
  { name: 'Canvas bag', colour: [0x2f, 0x6b, 0x8a], option: 'Colour',
    variants: [['Sand', 'BAG-SAND', 2495], ['Navy', 'BAG-NAVY', 2495]] },
  { name: 'Enamel mug', colour: [0x3f, 0x8a, 0x4b], option: 'Size',
    variants: [['Small', 'MUG-S', 999], ['Large', 'MUG-L', 1333]] },
];

export async function seed() {
  const admin = await administrator();
  const id = async (...call) => (await admin(...call)).id;
  const en = (fields) => [{ languageCode: 'en', ...fields }];
  const op = (code, args = {}) => ({ code, arguments: Object.entries(args).map(([name, value]) => ({ name, value: `${value}` })) });

  const country = await id(`mutation($input: CreateCountryInput!) { createCountry(input: $input) { id } }`,
    { input: { code: 'DE', enabled: true, translations: en({ name: 'Germany' }) } });
  const zone = await id(`mutation($input: CreateZoneInput!) { createZone(input: $input) { id } }`,
    { input: { name: 'Europe', memberIds: [country] } });
  const channel = await id(`{ activeChannel { id } }`);
  await admin(`mutation($input: UpdateChannelInput!) { updateChannel(input: $input) { ... on Channel { id } ... on ErrorResult { errorCode message } } }`,
    { input: { id: channel, defaultTaxZoneId: zone, defaultShippingZoneId: zone, pricesIncludeTax: true,
      defaultCurrencyCode: 'EUR', availableCurrencyCodes: ['EUR'] } });
  const taxCategory = await id(`mutation($input: CreateTaxCategoryInput!) { createTaxCategory(input: $input) { id } }`,
    { input: { name: 'Standard', isDefault: true } });
  await id(`mutation($input: CreateTaxRateInput!) { createTaxRate(input: $input) { id } }`,
    { input: { name: 'VAT 20 %', enabled: true, value: 20, categoryId: taxCategory, zoneId: zone } });
  await id(`mutation($input: CreateShippingMethodInput!) { createShippingMethod(input: $input) { id } }`,
    { input: { code: 'standard', fulfillmentHandler: 'manual-fulfillment', translations: en({ name: 'Standard', description: '' }),
      checker: op('default-shipping-eligibility-checker', { orderMinimum: 0 }),
      calculator: op('default-shipping-calculator', { rate: 499, includesTax: 'include', taxRate: 20 }) } });
  await id(`mutation($input: CreatePaymentMethodInput!) { createPaymentMethod(input: $input) { id } }`,
    { input: { code: 'test', enabled: true, handler: op('test-payment'), translations: en({ name: 'Test', description: '' }) } });
  await id(`mutation($input: CreatePromotionInput!) { createPromotion(input: $input)
      { ... on Promotion { id } ... on ErrorResult { errorCode message } } }`,
    { input: { enabled: true, couponCode: 'WELCOME10', conditions: [], translations: en({ name: '10 % off' }),
      actions: [op('order_percentage_discount', { discount: 10 })] } });
  await id(`mutation($input: CreateCustomerInput!, $password: String) { createCustomer(input: $input, password: $password)
      { ... on Customer { id } ... on ErrorResult { errorCode message } } }`,
    { input: { emailAddress: 'ada@example.com', firstName: 'Ada', lastName: 'Registered' }, password: 'test-customer' });

  const assets = await admin(`mutation($input: [CreateAssetInput!]!) { createAssets(input: $input)
      { ... on Asset { id } ... on ErrorResult { errorCode message } } }`,
    { input: products.map(() => ({ file: null })) },
    products.map(({ name, colour }) => ({ name: `${slug(name)}.png`, data: png(colour) })));
  for (const [i, { name, option, variants }] of products.entries()) {
    const product = await id(`mutation($input: CreateProductInput!) { createProduct(input: $input) { id } }`,
      { input: { translations: en({ name, slug: slug(name), description: name }), featuredAssetId: assets[i].id, assetIds: [assets[i].id] } });
    const group = await admin(`mutation($input: CreateProductOptionGroupInput!) { createProductOptionGroup(input: $input) { id options { id } } }`,
      { input: { code: `${slug(name)}-${slug(option)}`, translations: en({ name: option }),
        options: variants.map(([value]) => ({ code: slug(value), translations: en({ name: value }) })) } });
    await admin(`mutation($product: ID!, $group: ID!) { addOptionGroupToProduct(productId: $product, optionGroupId: $group) { id } }`,
      { product, group: group.id });
    await admin(`mutation($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }`,
      { input: variants.map(([value, sku, price], v) => ({ productId: product, sku, price, taxCategoryId: taxCategory,
        stockOnHand: 100000, trackInventory: 'TRUE', optionIds: [group.options[v].id], translations: en({ name: `${name} ${value}` }) })) });
  }

  // The key that a merchant would give to Retour: it may read and settle orders, and nothing else.
  const role = await id(`mutation($input: CreateRoleInput!) { createRole(input: $input) { id } }`,
    { input: { code: 'returns', description: 'Returns', permissions: ['ReadOrder', 'UpdateOrder'] } });
  const { apiKey } = await admin(`mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey } }`,
    { input: { roleIds: [role], translations: en({ name: 'Retour' }) } });
  return { apiKey };
}

/**
 * Places an order. items: {SKU: quantity}; email of a guest, or ada@example.com with login: true; coupon;
 * pay: the metadata of each payment in turn ([] leaves it unpaid), see test-payment in server.mjs;
 * fulfil: {SKU: quantity}.
 */
export async function order({ items, email = 'guest@example.com', login = false, coupon, pay = [{}], fulfil }) {
  const shop = client('shop-api');
  const checked = (name, argument, type, value) =>
    shop(`mutation($value: ${type}!) { ${name}(${argument}: $value) { __typename ... on Order { id code state }
      ... on ErrorResult { errorCode message } } }`, { value });
  if (login) {
    await shop(`mutation($email: String!) { login(username: $email, password: "test-customer") { ... on ErrorResult { errorCode message } } }`, { email });
  }
  const known = await variants();
  for (const [sku, quantity] of Object.entries(items)) {
    await shop(`mutation($id: ID!, $quantity: Int!) { addItemToOrder(productVariantId: $id, quantity: $quantity)
      { ... on Order { id } ... on ErrorResult { errorCode message } } }`, { id: known[sku], quantity });
  }
  if (coupon) await checked('applyCouponCode', 'couponCode', 'String', coupon);
  if (!login) await checked('setCustomerForOrder', 'input', 'CreateCustomerInput', { emailAddress: email, firstName: 'Grace', lastName: 'Guest' });
  await checked('setOrderShippingAddress', 'input', 'CreateAddressInput',
    { fullName: 'Grace Guest', streetLine1: 'Hauptstraße 1', city: 'Berlin', postalCode: '10115', countryCode: 'DE', phoneNumber: '+49301234567' });
  const [method] = await shop(`{ eligibleShippingMethods { id } }`);
  await checked('setOrderShippingMethod', 'shippingMethodId', '[ID!]', [method.id]);
  let placed = await checked('transitionOrderToState', 'state', 'String', 'ArrangingPayment');
  for (const metadata of pay) placed = await checked('addPaymentToOrder', 'input', 'PaymentInput', { method: 'test', metadata });
  if (fulfil) await ship(placed.code, fulfil);
  return placed;
}

async function variants() {
  const { items } = await client('shop-api')(`{ products { items { variants { id sku } } } }`);
  return Object.fromEntries(items.flatMap((product) => product.variants.map(({ sku, id }) => [sku, id])));
}

/** Ships {SKU: quantity} of an order and marks the parcel as delivered. */
export async function ship(code, items) {
  const admin = await administrator();
  const { items: [found] } = await admin(`query($code: String!) { orders(options: { filter: { code: { eq: $code } } })
      { items { id lines { id productVariant { sku } } } } }`, { code });
  const lines = Object.entries(items).map(([sku, quantity]) =>
    ({ orderLineId: found.lines.find((line) => line.productVariant.sku === sku).id, quantity }));
  const { id } = await admin(`mutation($input: FulfillOrderInput!) { addFulfillmentToOrder(input: $input)
      { ... on Fulfillment { id } ... on ErrorResult { errorCode message } } }`,
    { input: { lines, handler: { code: 'manual-fulfillment', arguments: [{ name: 'method', value: 'Parcel' }, { name: 'trackingCode', value: 'T1' }] } } });
  for (const state of ['Shipped', 'Delivered']) {
    await admin(`mutation($id: ID!, $state: String!) { transitionFulfillmentToState(id: $id, state: $state)
      { ... on ErrorResult { errorCode message } } }`, { id, state });
  }
  return { id };
}

const slug = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** A PNG of one colour, 96 pixels square. */
function png(colour, side = 96) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 2, 0, 0, 0]);
  const row = Buffer.from([0, ...Array(side).fill(colour).flat()]);
  const rows = deflateSync(Buffer.concat(Array(side).fill(row)));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [command, ...args] = process.argv.slice(2);
  const commands = {
    seed,
    order: () => order(JSON.parse(args[0])),
    fulfil: () => ship(args[0], Object.fromEntries(args.slice(1).map((item) => item.split('=')).map(([sku, n]) => [sku, Number(n)]))),
  };
  if (!commands[command]) throw new Error('shop.mjs seed | order JSON | fulfil CODE SKU=N…');
  console.log(JSON.stringify(await commands[command]()));
}
