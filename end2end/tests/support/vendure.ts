import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { end } from './server';
import type { Order } from './shop';

const folder = resolve(__dirname, '../../peers/vendure');

/** An order: shop.mjs has the products. */
export interface Basket {
  /** Units by SKU. */
  items: Record<string, number>;
  coupon?: string;
  /** Sent units by SKU. */
  fulfil: Record<string, number>;
}

/** The shop's refunds, in cents. */
export interface Refund {
  total: number;
  state: string;
  reason: string;
}

/** A real Vendure shop with a database of its own in the throwaway Postgres that `make browser` starts. */
export class Vendure {
  private constructor(
    private readonly server: ChildProcess,
    readonly url: string,
    /** The API key that a merchant gives Retour. */
    readonly secret: string,
  ) {}

  static async start(): Promise<Vendure> {
    if (!process.env.RETOUR_TEST_POSTGRES) throw new Error('Vendure needs a Postgres: `make browser` starts one');
    const env = { ...process.env, PORT: '0', VENDURE_LOG: 'Error' };
    // It ends when its standard input closes, and so with the tests.
    const server = spawn('node', ['server.mjs', '--own-database'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const url = await Promise.race([addressOf(server), once(server, 'exit').then(() => undefined)]);
    if (!url) throw new Error('Vendure did not start');
    const { apiKey } = await script<{ apiKey: string }>(url, 'seed');
    return new Vendure(server, url, apiKey);
  }

  async stop(): Promise<void> {
    await end(this.server);
  }

  /** Suspends it: it accepts calls without answering them until it is resumed. */
  hang(): void {
    this.server.kill('SIGSTOP');
  }

  goOn(): void {
    this.server.kill('SIGCONT');
  }

  /** Places an order as a guest. */
  async buy(basket: Basket): Promise<Order> {
    const email = 'grace@example.com';
    const { code } = await script<{ code: string }>(this.url, 'order', JSON.stringify({ ...basket, email }));
    return { number: code, email };
  }

  /** The refunds of an order, as stored in the shop. */
  async refunds({ number }: Order): Promise<Refund[]> {
    const query = `query($code: String!) { orders(options: { filter: { code: { eq: $code } } }) {
      items { payments { refunds { total state reason } } }
    } }`;
    const answer = await fetch(`${this.url}/admin-api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'vendure-api-key': this.secret },
      body: JSON.stringify({ query, variables: { code: number } }),
    });
    const [order] = (await answer.json()).data.orders.items as { payments: { refunds: Refund[] }[] }[];
    return order.payments.flatMap((payment) => payment.refunds);
  }
}

/** The URL that it prints. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((found) => {
    // All output is read, because a full pipe would block it.
    createInterface(server.stdout!).on('line', (line) => {
      const ready = /^vendure ready on (\S+)/.exec(line);
      if (ready) found(ready[1]);
    });
  });
}

async function script<T>(url: string, ...args: string[]): Promise<T> {
  const env = { ...process.env, VENDURE_URL: url };
  return JSON.parse((await promisify(execFile)('node', ['shop.mjs', ...args], { cwd: folder, env })).stdout);
}
