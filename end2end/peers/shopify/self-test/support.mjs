// Starts the stand-in and speaks to it as an app does, and as tests do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export async function start() {
  const child = spawn(process.execPath, [new URL('../server.mjs', import.meta.url).pathname], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, PORT: '0' } });
  child.stdout.setEncoding('utf8');
  return new Peer(child, await opened(child));
}

/** Waits for the line about a shop, and returns what an app needs to connect to it. */
async function opened({ stdout }) {
  const [line] = await once(stdout, 'data');
  return JSON.parse(line.slice(line.indexOf('{')));
}

class Peer {
  constructor(child, ready) {
    Object.assign(this, { child, ready, token: ready.accessToken, version: '2026-10' });
  }

  stop() { this.child.stdin.end(); }

  /** Opens another shop in the same program. */
  async another(points = '') {
    this.child.stdin.write(`${points}\n`);
    return new Peer(this.child, await opened(this.child));
  }

  async control(path, body) {
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${this.ready.url}/control/${path}`, request);
    const value = await answer.json();
    if (answer.status !== 200) throw new Error(value.error);
    return value;
  }

  async ask(query, variables, version = this.version) {
    const answer = await fetch(`${this.ready.url}/admin/api/${version}/graphql.json`, {
      method: 'POST', headers: { 'x-shopify-access-token': this.token, 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }),
    });
    return { status: answer.status, headers: answer.headers, ...(await answer.json()) };
  }

  /** Asks and returns the data; fails on any error. */
  async data(query, variables, version) {
    const { status, errors, data } = await this.ask(query, variables, version);
    if (status !== 200 || errors) throw new Error(`${status} ${JSON.stringify(errors)}`);
    return data;
  }

  refund(input, key = crypto.randomUUID(), version = this.version) {
    return this.ask(REFUND, { input, key }, version);
  }
}

export const REFUND = `mutation Refund($input: RefundInput!, $key: String!) {
  refundCreate(input: $input) @idempotent(key: $key) {
    refund { id note totalRefundedSet { presentmentMoney { amount } } transactions(first: 10) { nodes { status gateway } } }
    userErrors { field message }
  }
}`;

/** A refund of money to one payment of an order that /control/orders made. */
export const toPayment = (order, amount, at = 0, more = {}) => ({
  orderId: order.id, ...more,
  transactions: [{ orderId: order.id, parentId: order.transactions[at].id, gateway: order.transactions[at].gateway, kind: 'REFUND', amount }],
});
