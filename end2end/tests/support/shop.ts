import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Api } from './api';

/** One line of an order. `total` is in minor units, for all its units. */
export interface Line {
  product: string;
  total: number;
  quantity?: number;
  /** Units that were sent; by default all. */
  sent?: number;
  finalSale?: boolean;
  sku?: string;
  attributes?: string;
  /** What it can be exchanged for: `sku=name;sku=name`. */
  exchangeOptions?: string;
  /** Name of a picture in public/demo. */
  image?: string;
}

/** The host of the shops' pictures. It does not exist: the tests answer its requests (support/test.ts). */
export const pictures = 'https://pictures.example';

/** The credentials of an order. */
export interface Order {
  number: string;
  email: string;
}

/** An order that shows each rule: mugs at £12.50, one of which cost a penny more. */
export const basket: Line[] = [
  { product: 'Linen shirt', total: 5900, attributes: 'Colour=Sage;Size=M', exchangeOptions: 'LS-S=Size S;LS-L=Size L', image: 'linen-shirt' },
  { product: 'Stoneware mug', quantity: 4, total: 5001, attributes: 'Glaze=Oatmeal', image: 'ceramic-mug' },
  { product: 'Canvas tote', quantity: 2, total: 3800 },
  { product: 'Gift card', total: 5000, finalSale: true },
  { product: 'Desk lamp', total: 12900, sent: 0, image: 'desk-lamp' },
];

/**
 * A merchant's account. Tests run in parallel on one server and units are finite, so each test uses an order of
 * its own: in the demo shop (three shipping options, store credit), or in a shop with its own rules.
 */
export class Shop {
  static readonly demo = new Shop('fjord-fern', 'GBP');

  private constructor(
    readonly slug: string,
    readonly currency: string,
  ) {}

  /** Creates a shop with other rules than the defaults (docs/policy.md). It has one shipping option: a free label. */
  static async open(policy: object = {}, currency = 'GBP', name = 'Plain & Simple'): Promise<Shop> {
    const slug = `test-${unique()}`;
    await withFile('policy.json', JSON.stringify(policy), (file) =>
      retour('account', 'create', '--slug', slug, '--name', name, '--currency', currency, '--policy', file),
    );
    return new Shop(slug, currency);
  }

  /** Imports an order for one test. */
  async order(lines: Line[] = basket, { daysAgo = 3, shippingPaid = 0, postalCode = '' } = {}): Promise<Order> {
    const number = `T-${unique()}`.toUpperCase();
    const order = { number, email: `${number.toLowerCase()}@example.com` };
    await this.take(order, lines, { daysAgo, shippingPaid, postalCode });
    return order;
  }

  /** Imports an order, or its new state. */
  async take(order: Order, lines: Line[], { daysAgo = 3, shippingPaid = 0, postalCode = '' } = {}): Promise<void> {
    const sent = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
    const ordered = new Date(Date.now() - (daysAgo + 1) * 86_400_000).toISOString();
    const digits = new Intl.NumberFormat('en', { style: 'currency', currency: this.currency }).resolvedOptions()
      .maximumFractionDigits!;
    const decimal = (minor: number) => (minor / 10 ** digits).toFixed(digits);
    const columns =
      'order_number,ordered_at,email,postal_code,currency,shipping_paid,sku,product,attributes,exchange_options,image_urls,quantity,fulfilled,fulfilled_at,total,final_sale';
    const rows = lines.map(({ product, total, quantity = 1, sent: units, finalSale, sku, attributes, exchangeOptions, image }) => {
      const whole = [order.number, ordered, order.email, postalCode, this.currency, decimal(shippingPaid)];
      const part = [sku ?? '', product, attributes ?? '', exchangeOptions ?? '', image ? `${pictures}/${image}.svg` : '', quantity, units ?? quantity];
      return [...whole, ...part, units === 0 ? '' : sent, decimal(total), finalSale ?? false].map(cell).join(',');
    });
    const said = await withFile('orders.csv', [columns, ...rows, ''].join('\n'), (file) =>
      retour('import', 'orders', '--account', this.slug, '--format', 'retour', file),
    );
    if (!said.includes('\n0 lines skipped')) throw new Error(said);
  }

  /** Adds a host of the shop's own for the portal. */
  async at(host: string): Promise<void> {
    await retour('account', 'update', '--slug', this.slug, '--domain', host);
  }

  /** The API, with a key that has all permissions in this shop. */
  async api(): Promise<Api> {
    const scopes = 'read,write,admin';
    const key = await retour('service-user', 'create', '--account', this.slug, '--name', 'test', '--scopes', scopes);
    return new Api(key.trim());
  }
}

function unique(): string {
  return randomUUID().replaceAll('-', '').slice(0, 12);
}

function cell(value: string | number | boolean): string {
  return `"${String(value).replaceAll('"', '""')}"`;
}

async function withFile<T>(name: string, text: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'retour-test-'));
  try {
    await writeFile(join(folder, name), text);
    return await work(join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function retour(...args: string[]): Promise<string> {
  const { RETOUR_BIN, RETOUR_DATABASE_URL } = process.env;
  if (!RETOUR_BIN || !RETOUR_DATABASE_URL) throw new Error('set RETOUR_BIN and RETOUR_DATABASE_URL beside RETOUR_URL');
  const env = { ...process.env, DATABASE_URL: RETOUR_DATABASE_URL, LOG: 'warn' };
  return (await promisify(execFile)(RETOUR_BIN, args, { env })).stdout;
}
