import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Order } from './shop';

/** A carrier's answer about a label: the answer to `/get-label`. */
export type Label = Record<string, unknown>;

/** A merchant's component (docs/bridge.md) with one shirt in each order, and labels as the test sets. */
export class Component {
  readonly secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  private answer: (label: Label) => void = () => {};
  private label = new Promise<Label>((resolve) => (this.answer = resolve));

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Component> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const component = new Component(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', async (request, response) => {
      const asked = JSON.parse(await body(request));
      const answer = request.url === '/get-label' ? await component.label : sold(asked.credentials);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    return component;
  }

  /** Sets the answer for labels, including pending ones. */
  give(label: Label): void {
    this.answer(label);
    this.label = Promise.resolve(label);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
  }
}

async function body(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function sold({ orderNumber, email }: { orderNumber: string; email: Order['email'] }): object {
  const gbp = (value: string) => ({ value, currency: 'GBP' });
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const order = { id: orderNumber, number: orderNumber, orderedAt: at, currency: 'GBP', shippingPaid: gbp('0.00') };
  const address = { name: 'Ada Lovelace', street: '12 Analytical Lane', postalCode: 'EC1A 1BB', city: 'London', country: 'GB' };
  const shirt = { purchaseId: `${orderNumber}-1`, order, product: { name: 'Linen shirt' }, quantity: 1, paid: gbp('59.00'), tax: gbp('9.00'), taxIncluded: true, refundedQuantity: 0, fulfilledAt: at };
  return { consumer: { email, firstName: 'Ada', addresses: [address] }, purchases: [shirt] };
}
