// The state of the stand-in: one shop in memory, with its orders, customers, locations, ledger and app.
import { gid } from './answers.mjs';
import { digitsOf, text } from './money.mjs';

export const CLIENT_ID = 'stand-in-client-id';
export const SECRET = 'shpss_stand_in_secret';
export const CUSTOM_TOKEN = 'shpat_stand_in_custom_app';
/** Every scope that a part of the stand-in asks for. */
export const SCOPES = [
  'read_orders', 'write_orders', 'read_all_orders', 'read_returns', 'write_returns', 'read_products', 'read_customers', 'read_locations',
  'read_inventory', 'read_store_credit_accounts', 'read_store_credit_account_transactions', 'write_store_credit_account_transactions',
];
const GRANT_LASTS = 86_399; // seconds, as documented

export class Shop {
  domain = 'stand-in.myshopify.com';
  host = ''; // the address of the stand-in, which takes the place of the domain
  name = 'Stand-in';
  currency = 'EUR';
  prefix = '#';
  suffix = '';
  taxesIncluded = true;
  storeCredit = true;
  /** Whether a refund as store credit shows as a transaction of the order. Shopify does not document it. */
  creditTransactions = true;
  protectedData = true;
  scopes = [...SCOPES];
  orders = [];
  customers = [];
  returns = [];
  ledger = [];
  calls = [];
  failures = [];
  held = []; // calls that wait for /control/release
  webhooks = [];
  told = new Map(); // the orders as the last notices told them
  notices = []; // what was told, or lost
  // How notices travel: the shares that are lost and repeated, the most milliseconds before one is sent, and the domain that it names.
  travel = { lose: 0, repeat: 0, delay: 0, seed: 1, domain: null };
  installed = true; // whether the shop has the app
  bulkOperations = [];
  planned = { failure: null, file: {} }; // how the next bulk operation ends, if not well, and what is wrong with its file
  downloads = []; // requests for the files of bulk operations
  bulkPolls = 1; // how often a bulk operation is still running when the app asks
  longestList = 25_000; // the objects after which a list of orders has no more pages
  keys = new Map(); // idempotency keys of mutations
  everything = new Map(); // by global id, for `node`
  #tokens = new Map([[CUSTOM_TOKEN, Infinity]]);
  #last = new Map();
  #offset = 0; // milliseconds that the clock is ahead

  // Some of Shopify's library of reasons.
  reasons = ['Size too small', 'Size too large', 'Unwanted', 'Not as described', 'Wrong item', 'Defective', 'Style', 'Color', 'Other', 'Unknown']
    .map((name, at) => ({ id: gid('ReturnReasonDefinition', at + 1), handle: name.toLowerCase().replaceAll(' ', '-'), name, deleted: false, type: 'ReturnReasonDefinition' }));

  constructor() {
    for (const reason of this.reasons) this.everything.set(reason.id, reason);
    this.locations = ['Berlin', 'Returns centre'].map((name) => this.keep('Location', { name, stock: new Map() }));
  }

  /** A number from 0 to 1, the same sequence for the same seed. */
  chance() {
    this.travel.seed = (this.travel.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.travel.seed ^ (this.travel.seed >>> 15), 1 | this.travel.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** The shop's time in milliseconds, which tests can move. */
  now() { return Date.now() + this.#offset; }
  time() { return `${new Date(this.now()).toISOString().slice(0, 19)}Z`; }
  moveClock({ now, advance }) {
    if (now) this.#offset = Date.parse(now) - Date.now();
    if (advance) this.#offset += advance * 1000;
  }

  /** Gives a thing its global id and finds it by that id later. */
  keep(type, thing, number = this.next(type)) {
    thing.id = gid(type, number);
    thing.number = number;
    thing.type = type;
    this.everything.set(thing.id, thing);
    return thing;
  }

  next(type) {
    const number = (this.#last.get(type) ?? 1000) + 1;
    this.#last.set(type, number);
    return number;
  }

  find(id, type) {
    const found = this.everything.get(id);
    return found?.type === type ? found : undefined;
  }

  grant(lasts = GRANT_LASTS) {
    const token = `shpat_${crypto.randomUUID().replaceAll('-', '')}`;
    this.#tokens.set(token, this.now() + lasts * 1000);
    return { access_token: token, scope: this.scopes.join(','), expires_in: lasts };
  }

  accepts(token) { return this.installed && (this.#tokens.get(token) ?? 0) > this.now(); }

  forgetTokens(custom) {
    for (const token of this.#tokens.keys()) if (custom || token !== CUSTOM_TOKEN) this.#tokens.delete(token);
  }

  expireTokens(seconds) {
    for (const token of this.#tokens.keys()) if (token !== CUSTOM_TOKEN) this.#tokens.set(token, this.now() + seconds * 1000);
  }

  /** Write scopes include the read scope of the same name. */
  allows(scope) {
    return this.scopes.includes(scope) || (scope.startsWith('read_') && this.scopes.includes(scope.replace('read_', 'write_')));
  }

  customerOf({ email, firstName, lastName, locale }) {
    const known = this.customers.find((one) => one.email === email);
    if (known) return known;
    const customer = this.keep('Customer', { email, firstName, lastName, locale: locale ?? 'en', accounts: [], createdAt: this.time() });
    this.customers.push(customer);
    return customer;
  }

  /** Notes that money left the shop. */
  pay(entry) {
    if (digitsOf(entry.currency) === undefined || !(entry.minor > 0)) throw new Error('a ledger entry has an amount above zero');
    const { minor, ...rest } = entry;
    this.ledger.push({ n: this.ledger.length + 1, ...rest, amount: text(minor, entry.currency), at: this.time() });
  }
}
