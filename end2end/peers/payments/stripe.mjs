// Stripe's Checkout Sessions, which no published mock has. Payments become charges of stripe-stateful-mock,
// whose refunds are used unchanged, with its own amounts, errors and idempotency keys.
import { createServer } from 'node:http';
import OfficialStripe from 'stripe';
import mock from 'stripe-stateful-mock';

const id = (prefix) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;
const refusal = (code, message) => ({ status: 400, value: { error: { type: 'invalid_request_error', code, message } } });

// The mock's state is global. Companies can share it, because ids and keys are random and refunds are listed by charge.
const server = createServer(mock.createExpressApp());
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const charges = `http://127.0.0.1:${server.address().port}`;

export class Stripe {
  #sessions = new Map();
  #known = new Map(); // idempotency keys of sessions
  #notices;
  #authorization = 'Bearer sk_test_retour';

  constructor(origin, clock) {
    Object.assign(this, { origin, clock });
  }

  tells(notices) { this.#notices = notices; }
  knows(session) { return this.#sessions.has(session); }

  page(session) {
    const known = this.#sessions.get(session);
    if (!known) return undefined;
    return { amount: known.amount_total, currency: known.currency, back: known.cancel_url, done: known.success_url };
  }

  call(method, path) {
    if (path === '/v1/refunds') return method === 'POST' ? 'refund' : 'refunds';
    if (!path.startsWith('/v1/checkout/sessions')) return undefined;
    if (method === 'GET') return 'look';
    return path.endsWith('/expire') ? 'close' : 'open';
  }

  async answer(call, { url, body, key, authorization }) {
    if (!/^Bearer (sk|rk)_test_/.test(authorization ?? '')) return { status: 401, value: { error: { type: 'invalid_request_error' } } };
    this.#authorization = authorization;
    if (call === 'refund' || call === 'refunds') return this.#ask(url.pathname + url.search, call === 'refund' ? body : undefined, key);
    if (call === 'open') return this.#open(new URLSearchParams(body), body, key);
    const session = this.#sessions.get(url.pathname.split('/')[4]);
    if (session?.status === 'open' && session.expires_at <= this.clock.now()) session.status = 'expired';
    if (!session) return { status: 404, value: { error: { type: 'invalid_request_error', code: 'resource_missing' } } };
    if (call === 'close') {
      if (session.status !== 'open') return refusal(undefined, 'Only Checkout Sessions with a status in ["open"] can be expired.');
      session.status = 'expired';
    }
    const expanded = url.searchParams.get('expand[]') === 'payment_intent';
    return { status: 200, value: { ...session, payment_intent: expanded ? session.payment_intent : session.payment_intent?.id ?? null } };
  }

  #open(fields, body, key) {
    const before = this.#known.get(key);
    if (before && before.body !== body) return { status: 400, value: { error: { type: 'idempotency_error' } } };
    if (before) return before.said;
    const said = this.#make(fields);
    if (key && said.status === 200) this.#known.set(key, { body, said });
    return said;
  }

  #make(fields) {
    const left = Number(fields.get('expires_at')) - this.clock.now();
    if (left < 1800) return refusal(undefined, 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.');
    if (left > 86400) return refusal(undefined, 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.');
    const amount = Number(fields.get('line_items[0][price_data][unit_amount]'));
    if (!(amount >= 50)) return refusal('amount_too_small', 'The Checkout Session\'s total amount must convert to at least 50 cents.');
    if (fields.get('mode') !== 'payment' || fields.get('line_items[0][quantity]') !== '1') return refusal('parameter_missing', 'mode');
    const session = {
      id: id('cs_test'), object: 'checkout.session', status: 'open', payment_status: 'unpaid', payment_intent: null,
      amount_total: amount, currency: fields.get('line_items[0][price_data][currency]'), expires_at: Number(fields.get('expires_at')),
      client_reference_id: fields.get('client_reference_id'), success_url: fields.get('success_url'), cancel_url: fields.get('cancel_url'),
    };
    session.url = `${this.origin}/pay/${session.id}#fidkdWxOYHwnPyd1blpxYHZxWjA0`;
    this.#sessions.set(session.id, session);
    return { status: 200, value: { ...session } };
  }

  async pay(session, how) {
    const known = this.#sessions.get(session);
    if (known.status !== 'open') return;
    known.status = 'complete';
    known.payment_intent = { id: id('pi'), object: 'payment_intent', status: 'processing', latest_charge: null };
    if (how === 'card') await this.#charge(known);
    await this.#tell('checkout.session.completed', known);
  }

  async arrive(session) {
    await this.#charge(this.#sessions.get(session));
    await this.#tell('checkout.session.async_payment_succeeded', this.#sessions.get(session));
  }

  async bounce(session) {
    this.#sessions.get(session).payment_intent.status = 'requires_payment_method';
    await this.#tell('checkout.session.async_payment_failed', this.#sessions.get(session));
  }

  async expire(session) {
    this.#sessions.get(session).status = 'expired';
    await this.#tell('checkout.session.expired', this.#sessions.get(session));
  }

  async #charge(session) {
    const body = new URLSearchParams({ amount: session.amount_total, currency: session.currency, source: 'tok_visa' }).toString();
    const { value } = await this.#ask('/v1/charges', body);
    session.payment_status = 'paid';
    session.payment_intent = { ...session.payment_intent, status: 'succeeded', latest_charge: value.id };
  }

  async #ask(path, body, key) {
    const headers = { authorization: this.#authorization, 'content-type': 'application/x-www-form-urlencoded' };
    if (key) headers['idempotency-key'] = key;
    const answer = await fetch(charges + path, { method: body === undefined ? 'GET' : 'POST', headers, body });
    return { status: answer.status, value: await answer.json() };
  }

  refundByHand(session, amount) {
    const charge = this.#sessions.get(session).payment_intent.latest_charge;
    return this.#ask('/v1/refunds', new URLSearchParams({ charge, amount }).toString());
  }

  async money(order) {
    const paid = [...this.#sessions.values()].filter((one) => one.payment_intent?.latest_charge && (!order || one.client_reference_id === order));
    const charges = await Promise.all(paid.map((one) => this.#ask(`/v1/charges/${one.payment_intent.latest_charge}`)));
    return charges.map(({ value }) => ({ id: value.id, amount: value.amount, refunded: value.amount_refunded }));
  }

  /** Signed by Stripe's own library. It does not wait for an answer. */
  async #tell(type, session) {
    if (!this.#notices) return;
    const { url, secret } = this.#notices;
    const payload = JSON.stringify({ id: id('evt'), object: 'event', type, data: { object: { ...session, payment_intent: session.payment_intent?.id } } });
    const signature = OfficialStripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: this.clock.now() });
    await fetch(url, { method: 'POST', headers: { 'stripe-signature': signature, 'content-type': 'application/json' }, body: payload }).catch(() => {});
  }
}
