// An imitation of Stripe (/v1/…) and Mollie (/v2/…), by their documentation, for tests. It prints
// "payments ready on http://127.0.0.1:PORT" and ends when its standard input closes, and so with the program that started it:
//   PORT=4900 node server.mjs
// Each line on its standard input opens another one, with a port and a state of its own, and prints the same line about it, so that
// many tests share one program.
// Shoppers pay on /pay/ID. Tests control it:
//   POST /control/pay/ID?how=card|days   pays, at once or by a method that takes days, which /control/arrive/ID or /control/bounce/ID ends
//   POST /control/expire/ID              the page expires
//   POST /control/notices {url, secret}  where Stripe sends its webhooks, and the secret that signs them
//   POST /control/next {call, does, times}  the effect on the next calls of a kind (open, look, close, refund):
//                                        'lose': executed, but the answer is lost; 'fail': 500, not executed; 'refuse': 400, not executed
//   POST /control/forgive                cancels the effects on next calls
//   POST /control/now {seconds}          sets the time
//   POST /control/refunds/STATUS         the result of Mollie's pending refunds: refunded, failed
//   POST /control/byhand/ID?how=MINOR    the merchant refunds an amount in the provider's dashboard
//   GET  /control/calls                  the calls: name, key and fields
//   GET  /control/money, /control/money/RETURN_ORDER  what was paid and what was refunded
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Clock } from './clock.mjs';
import { Mollie } from './mollie.mjs';
import { Stripe } from './stripe.mjs';

const { PORT = '0' } = process.env;
const read = async (request) => Buffer.concat(await request.toArray()).toString();

function answer(response, status, value, headers = {}) {
  // The client may have given up. An error here would end the companies of all tests.
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

function page(response, { amount, currency, back }) {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Pay</title>
    <main><h1>Pay ${amount} ${currency}</h1><form method="post"><button>Pay</button></form>
    <p><a href="${back.replaceAll('"', '&quot;')}">Back to the shop</a></p></main></html>`);
}

/** Both companies, as one test sees them. */
class Companies {
  #calls = [];
  #next = [];
  #clock = new Clock();
  #origin;
  #stripe;
  #mollie;

  /** Serves on a port; returns the address. */
  async open(port) {
    const server = createServer((request, response) => this.#serve(request, response));
    await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.#origin = `http://127.0.0.1:${server.address().port}`;
    this.#stripe = new Stripe(this.#origin, this.#clock);
    this.#mollie = new Mollie(this.#origin, this.#clock);
    return this.#origin;
  }

  /** Applies the effect that a test has set for a call. */
  #fate(call) {
    const at = this.#next.findIndex((one) => one.call === call && one.times > 0);
    if (at < 0) return undefined;
    this.#next[at].times -= 1;
    return this.#next[at].does;
  }

  async #serve(request, response) {
    try {
      const url = new URL(request.url, this.#origin);
      const [, first, second, id] = url.pathname.split('/');
      const company = () => [this.#stripe, this.#mollie].find((one) => one.knows(first === 'pay' ? second : id));
      if (first === 'pay') {
        if (!company()?.page(second)) return answer(response, 404, {});
        if (request.method === 'GET') return page(response, company().page(second));
        await company().pay(second, url.searchParams.get('how') ?? 'card');
        response.writeHead(303, { location: company().page(second).done });
        return response.end();
      }
      if (first === 'control') return await this.#control(request, response, { second, id, url, company: company() });
      const body = await read(request);
      for (const one of [this.#stripe, this.#mollie]) {
        const call = one.call(request.method, url.pathname);
        if (!call) continue;
        const key = request.headers['idempotency-key'];
        this.#calls.push({ call, key, authorization: request.headers.authorization, body });
        const does = this.#fate(call);
        if (does === 'fail') return answer(response, 500, { error: { type: 'api_error' } });
        if (does === 'refuse') return answer(response, 400, { error: { type: 'card_error', code: 'not_today' } });
        const { status, value } = await one.answer(call, { url, body, key, authorization: request.headers.authorization });
        return does === 'lose' ? request.socket.destroy() : answer(response, status, value);
      }
      answer(response, 404, {});
    } catch (error) {
      console.error(error);
      answer(response, 500, { error: { type: 'stand_in', message: String(error) } });
    }
  }

  async #control(request, response, { second, id, url, company }) {
    const body = request.method === 'POST' ? await read(request) : '';
    switch (second) {
      case 'calls': return answer(response, 200, this.#calls);
      case 'money': return answer(response, 200, [...(await this.#stripe.money(id)), ...this.#mollie.money(id)]);
      case 'now': this.#clock.set(JSON.parse(body).seconds); return answer(response, 200, {});
      case 'next': this.#next.push(JSON.parse(body)); return answer(response, 200, {});
      case 'refunds': this.#mollie.refunds(id); return answer(response, 200, {});
      case 'byhand': await company.refundByHand(id, Number(url.searchParams.get('how'))); return answer(response, 200, {});
      case 'forgive': this.#next.length = 0; return answer(response, 200, {});
      case 'notices': this.#stripe.tells(JSON.parse(body)); return answer(response, 200, {});
      case 'pay': await company.pay(id, url.searchParams.get('how') ?? 'card'); return answer(response, 200, {});
      case 'arrive': await company.arrive(id); return answer(response, 200, {});
      case 'bounce': await company.bounce(id); return answer(response, 200, {});
      case 'expire': await company.expire(id); return answer(response, 200, {});
      default: return answer(response, 404, {});
    }
  }
}

const open = async (port) => console.log(`payments ready on ${await new Companies().open(port)}`);
await open(Number(PORT));
createInterface({ input: process.stdin }).on('line', () => open(0)).on('close', () => process.exit());
