// The shop, its customers, locations, inventory and app as GraphQL objects.
import { createHash } from 'node:crypto';
import { notModelled, pages, readsOnly } from './answers.mjs';
import { v2 } from './money.mjs';
import { register, show } from './views.mjs';

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });
const CURRENCIES = new Intl.DisplayNames('en', { type: 'currency' });

/** A MailingAddress. */
export function addressView(owner, address) {
  const { firstName = null, lastName = null, company = null, address1 = null, address2 = null, zip = null, city = null, countryCode = null } = address;
  const { province = null, provinceCode = null, phone = null } = address;
  const name = [firstName, lastName].filter(Boolean).join(' ') || null;
  return {
    __typename: 'MailingAddress', id: `gid://shopify/MailingAddress/${owner.number}?model_name=Address`, firstName, lastName, name, company,
    address1, address2, zip, city, province, provinceCode, phone, countryCodeV2: countryCode, country: countryCode && COUNTRIES.of(countryCode),
    coordinatesValidated: false, latitude: null, longitude: null, formattedArea: [city, countryCode].filter(Boolean).join(', '),
  };
}

/** The fields of HasMetafields over a list that the owner keeps. */
export function metafieldsOf(list, ownerType) {
  const view = (one) => metafieldView(one, ownerType);
  return {
    metafield: ({ namespace, key }) => {
      const found = list.find((one) => one.key === key && one.namespace === (namespace ?? '$app'));
      return found ? view(found) : null;
    },
    metafields: (args, context, info) => {
      const { namespace, keys } = args;
      const fits = (one) => (!namespace || one.namespace === namespace) && (!keys || keys.includes(`${one.namespace}.${one.key}`));
      return pages(() => list.filter(fits).map(view))({ ...args, namespace: undefined, keys: undefined }, context, info);
    },
  };
}

const metafieldView = ({ id = 'gid://shopify/Metafield/0', namespace, key, type, value }, ownerType) => ({
  __typename: 'Metafield', id, namespace, key, type, value, ownerType,
  jsonValue: type?.startsWith('json') || type === 'boolean' || type?.startsWith('number') ? JSON.parse(value) : value,
  compareDigest: createHash('sha256').update(value).digest('hex'),
});

const customerView = (shop, customer) => ({
  __typename: 'Customer', id: customer.id, legacyResourceId: String(customer.number), firstName: customer.firstName ?? null,
  lastName: customer.lastName ?? null, displayName: [customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.email,
  email: customer.email, locale: customer.locale, createdAt: customer.createdAt, updatedAt: customer.createdAt, tags: [], state: 'DISABLED',
  phone: null, defaultPhoneNumber: null, defaultEmailAddress: { emailAddress: customer.email, validFormat: true, marketingState: 'NOT_SUBSCRIBED' },
  storeCreditAccounts: pages(() => customer.accounts.map((one) => show(shop, one))),
});

const accountView = (shop, account) => ({
  __typename: 'StoreCreditAccount', id: account.id, balance: v2(account.balance, account.currency), owner: () => show(shop, account.owner),
  transactions: pages(() => [...account.credits].reverse().map((one) => show(shop, one))),
});

const creditView = (shop, credit) => ({
  __typename: 'StoreCreditAccountCreditTransaction', id: credit.id, account: () => show(shop, credit.account), createdAt: credit.createdAt,
  amount: v2(credit.amount, credit.account.currency), remainingAmount: v2(credit.amount, credit.account.currency),
  balanceAfterTransaction: v2(credit.balanceAfter, credit.account.currency), expiresAt: credit.expiresAt, event: credit.event, origin: null,
});

const locationView = (shop, location) => ({
  __typename: 'Location', id: location.id, legacyResourceId: String(location.number), name: location.name, isActive: true, fulfillsOnlineOrders: true,
  shipsInventory: true, hasActiveInventory: true, isFulfillmentService: false, isPrimary: location === shop.locations[0],
  address: { address1: 'Yard 1', address2: null, city: 'Berlin', zip: '10115', country: 'Germany', countryCode: 'DE', province: null, provinceCode: null, phone: null },
});

const inventoryItemView = (shop, item) => ({
  __typename: 'InventoryItem', id: item.id, sku: item.variant.sku, tracked: true, requiresShipping: true, variant: () => show(shop, item.variant),
  harmonizedSystemCode: item.hsCode, countryCodeOfOrigin: item.origin,
  inventoryLevel: (args, context, info) => {
    readsOnly(args, info, ['locationId']);
    return levelView(shop, item, shop.find(args.locationId, 'Location'));
  },
  inventoryLevels: pages(() => shop.locations.map((location) => levelView(shop, item, location))),
});

const levelView = (shop, item, location) => location && {
  __typename: 'InventoryLevel', id: `gid://shopify/InventoryLevel/${location.number}?inventory_item_id=${item.number}`, isActive: true,
  item: () => show(shop, item), location: () => show(shop, location),
  quantities: ({ names }) => names.map((name) => {
    if (!['available', 'on_hand'].includes(name)) throw notModelled(`the quantity ${name} of an inventory level`);
    return { id: `gid://shopify/InventoryQuantity/${location.number}-${item.number}?name=${name}`, name, quantity: location.stock.get(item) ?? 0 };
  }),
};

/** The Shop. */
export function shopView(shop, url) {
  const presentments = [...new Set([shop.currency, ...shop.orders.map(({ money }) => money.presentment)])];
  return {
    __typename: 'Shop', id: 'gid://shopify/Shop/1', name: shop.name, email: 'owner@example.com', contactEmail: 'owner@example.com',
    myshopifyDomain: shop.domain, url, primaryDomain: { id: 'gid://shopify/Domain/1', host: shop.domain, url, sslEnabled: false },
    currencyCode: shop.currency, enabledPresentmentCurrencies: presentments, ianaTimezone: 'Europe/Berlin', timezoneAbbreviation: 'CET',
    taxesIncluded: shop.taxesIncluded, taxShipping: true, orderNumberFormatPrefix: shop.prefix, orderNumberFormatSuffix: shop.suffix,
    createdAt: '2020-01-01T00:00:00Z', shopOwnerName: 'Olive Owner', weightUnit: 'KILOGRAMS', unitSystem: 'METRIC_SYSTEM',
    plan: { publicDisplayName: 'Development', partnerDevelopment: true, shopifyPlus: false },
    currencySettings: pages(() => presentments.map((currencyCode) => ({ currencyCode, currencyName: CURRENCIES.of(currencyCode), enabled: true }))),
    shopAddress: { id: 'gid://shopify/ShopAddress/1', address1: 'Yard 1', city: 'Berlin', zip: '10115', countryCodeV2: 'DE', country: 'Germany' },
  };
}

/** The installation of the app that holds the token. */
export const installationView = (shop) => ({
  __typename: 'AppInstallation', id: 'gid://shopify/AppInstallation/1', launchUrl: 'https://app.example', uninstallUrl: null,
  accessScopes: shop.scopes.map((handle) => ({ handle, description: handle })),
  app: { __typename: 'App', id: 'gid://shopify/App/1', title: 'Retour', handle: 'retour', apiKey: 'stand-in-client-id', webhookApiVersion: '2026-10' },
});

for (const [type, view] of Object.entries({
  Customer: customerView, StoreCreditAccount: accountView, StoreCreditAccountCreditTransaction: creditView, Location: locationView,
  InventoryItem: inventoryItemView,
})) register(type, view);
