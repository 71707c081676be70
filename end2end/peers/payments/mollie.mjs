// Mollie's payments and refunds, by its documentation. Most open payments cannot be cancelled: they
// expire, with most methods after 15 minutes.

const EXPIRES_AFTER = 15 * 60;
const id = (prefix) => `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`;
const refusal = (field, detail) => ({ status: 422, value: { status: 422, title: 'Unprocessable Entity', detail, field } });
const minor = (amount) => Math.round(Number(amount.value) * 100);

export class Mollie {
  #payments = new Map();
  #known = new Map();

  constructor(origin, clock) { Object.assign(this, { origin, clock }); }

  knows(payment) { return this.#payments.has(payment); }

  page(payment) {
    const known = this.#current(payment);
    return known && { amount: known.amount.value, currency: known.amount.currency, back: known.cancelUrl ?? known.redirectUrl, done: known.redirectUrl };
  }

  call(method, path) {
    if (!path.startsWith('/v2/payments')) return undefined;
    if (path.endsWith('/refunds')) return method === 'POST' ? 'refund' : 'refunds';
    return { POST: 'open', GET: 'look', DELETE: 'close' }[method];
  }

  async answer(call, { url, body, key, authorization }) {
    if (!/^Bearer test_/.test(authorization ?? '')) return { status: 401, value: { status: 401, title: 'Unauthorized Request' } };
    const fields = body ? JSON.parse(body) : {};
    if (key && this.#known.has(key)) return this.#known.get(key);
    const said = this.#do(call, url.pathname.split('/')[3], fields);
    if (key && said.status < 300) this.#known.set(key, said);
    return said;
  }

  #do(call, which, fields) {
    if (call === 'open') return this.#open(fields);
    const payment = this.#current(which);
    if (!payment) return { status: 404, value: { status: 404, title: 'Not Found' } };
    if (call === 'look') return { status: 200, value: this.#shown(payment) };
    if (call === 'refunds') return { status: 200, value: { count: payment.refunds.length, _embedded: { refunds: payment.refunds } } };
    if (call === 'close') {
      return refusal(undefined, 'The payment cannot be canceled.');
    }
    if (payment.status !== 'paid') return refusal(undefined, 'The payment is not paid.');
    if (minor(fields.amount) > minor(payment.amount) - this.#given(payment)) return refusal('amount', 'The specified amount cannot be refunded.');
    const refund = { resource: 'refund', id: id('re'), status: 'pending', amount: fields.amount, metadata: fields.metadata, paymentId: payment.id };
    payment.refunds.push(refund);
    return { status: 201, value: refund };
  }

  /** A payment in its current state. */
  #current(payment) {
    const known = this.#payments.get(payment);
    if (known?.status === 'open' && this.clock.now() * 1000 >= Date.parse(known.expiresAt)) known.status = 'expired';
    return known;
  }

  #given(payment) {
    return payment.refunds.filter((one) => one.status !== 'failed').reduce((sum, one) => sum + minor(one.amount), 0);
  }

  refunds(status) {
    for (const payment of this.#payments.values()) {
      for (const refund of payment.refunds) if (refund.status === 'pending') refund.status = status;
    }
  }

  refundByHand(payment, given) {
    const { amount, refunds } = this.#payments.get(payment);
    refunds.push({ resource: 'refund', id: id('re'), status: 'refunded', amount: { ...amount, value: (given / 100).toFixed(2) } });
  }

  #open({ amount, description, redirectUrl, cancelUrl, webhookUrl, metadata }) {
    if (!/^\d+\.\d\d$/.test(amount?.value ?? '')) return refusal('amount', 'The amount contains an invalid value.');
    if (!description || !redirectUrl) return refusal('description', 'missing');
    if (webhookUrl && new URL(webhookUrl).hostname === 'localhost') return refusal('webhookUrl', 'The webhook URL is invalid because it is unreachable.');
    const payment = {
      resource: 'payment', id: id('tr'), mode: 'test', status: 'open', isCancelable: false, amount, description, redirectUrl, cancelUrl, webhookUrl,
      metadata, refunds: [], expiresAt: new Date((this.clock.now() + EXPIRES_AFTER) * 1000).toISOString(),
    };
    this.#payments.set(payment.id, payment);
    return { status: 201, value: this.#shown(payment) };
  }

  #shown({ refunds, ...payment }) {
    const checkout = payment.status === 'open' ? { checkout: { href: `${this.origin}/pay/${payment.id}`, type: 'text/html' } } : {};
    return { ...payment, _links: { self: { href: `${this.origin}/v2/payments/${payment.id}` }, ...checkout } };
  }

  async pay(payment, how) {
    const known = this.#current(payment);
    if (known.status !== 'open') return;
    await this.#turn(payment, how === 'card' ? 'paid' : 'pending');
  }

  arrive(payment) { return this.#turn(payment, 'paid'); }
  bounce(payment) { return this.#turn(payment, 'failed'); }
  expire(payment) { return this.#turn(payment, 'expired'); }

  /** Its webhooks contain only the id. */
  async #turn(payment, status) {
    const known = this.#payments.get(payment);
    known.status = status;
    if (known.webhookUrl) await fetch(known.webhookUrl, { method: 'POST', body: new URLSearchParams({ id: payment }) }).catch(() => {});
  }

  money(order) {
    const paid = [...this.#payments.values()].filter((one) => one.status === 'paid' && (!order || one.metadata.returnOrder === order));
    return paid.map((one) => ({ id: one.id, amount: minor(one.amount), refunded: this.#given(one) }));
  }
}
