import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { end } from './server';

/** An imitation of payment providers: end2end/peers/payments. */
export class Company {
  private constructor(
    private readonly server: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<Company> {
    const cwd = resolve(__dirname, '../../peers/payments');
    // It ends when its standard input closes, and so with the tests.
    const server = spawn('node', ['server.mjs'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(server.stdout!), 'line');
    return new Company(server, String(line).replace('payments ready on ', ''));
  }

  /** Sets the effect on the next calls of a kind. */
  async next(call: string, does: 'lose' | 'fail' | 'refuse', times = 1): Promise<void> {
    await this.control('next', { call, does, times });
  }

  /** Sets where Stripe sends its webhooks. */
  async tells(url: string, secret: string): Promise<void> {
    await this.control('notices', { url, secret });
  }

  /** What was paid and refunded, in cents. */
  async money(): Promise<{ amount: number; refunded: number }[]> {
    return (await fetch(`${this.url}/control/money`)).json() as Promise<{ amount: number; refunded: number }[]>;
  }

  private async control(what: string, body: object): Promise<void> {
    await fetch(`${this.url}/control/${what}`, { method: 'POST', body: JSON.stringify(body) });
  }

  async stop(): Promise<void> {
    await end(this.server);
  }
}
