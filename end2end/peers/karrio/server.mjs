// An imitation of karrio, a server that buys labels from carriers, for tests. It answers like karrio 2026.1: real.sh
// starts the real one. It prints "karrio ready on http://127.0.0.1:PORT" and ends when its standard input closes, and so with
// the program that started it:
//   PORT=4900 node server.mjs
// Each line on its standard input opens another one, with a port and a state of its own, and prints the same line about it, so that
// many tests share one program.
// Its key is key_test. Its carrier is "post", with two services, up to 31.5 kg. Tests control it:
//   POST /control/next {call, does, times, seconds}  the effect on the next calls of a kind (list, look, draft, rates, purchase,
//                                        label, cancel, track, connections): 'lose': executed, but the answer is lost;
//                                        'fail': 500, not executed; 'refuse': the carrier (of a draft, purchase or cancel)
//                                        refuses, 424, not executed; 'slow': executed, answered after some seconds; 'late': executed
//                                        only then, like a slow carrier: until then it looks undone, and may be
//                                        executed twice; 'throttle': 429, not executed
//   POST /control/forgive                cancels the effects on next calls
//   POST /control/webhook {url, secret}  where it sends webhooks about parcels that move
//   POST /control/track/NUMBER {status, events}  moves a parcel. Answers with the receiver's answer
//   GET  /control/calls                  the calls: name, the shipment's (or tracker's) id, body and authorization
//   GET  /control/shipments              id, status, metadata, how often it was purchased (more than once is an error),
//                                        and the numbers of the parcels
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { problem, Shipments } from './shipments.mjs';

const { PORT = '0' } = process.env;
const read = async (request) => Buffer.concat(await request.toArray()).toString();

function answer(response, { status, value, headers = {} }) {
  // The client may have given up. An error here would end the servers of all tests.
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** The call and its object; undefined if karrio does not know it. */
function meaning(method, path) {
  const [, version, kind, id, what, which] = path.split('/');
  if (version !== 'v1') return undefined;
  const name = `${method} ${kind}${id ? '/ID' : ''}${what ? `/${what}` : ''}${which ? `/${which}` : ''}`;
  const call = {
    'GET connections': 'connections',
    'GET shipments': 'list',
    'POST shipments': 'draft',
    'GET shipments/ID': 'look',
    'POST shipments/ID/rates': 'rates',
    'POST shipments/ID/purchase': 'purchase',
    'POST shipments/ID/documents/label': 'label', // karrio requires POST; GET does not return the label
    'POST shipments/ID/cancel': 'cancel',
    'GET trackers': 'track',
    'GET trackers/ID': 'track',
  }[name];
  return call && { call, id: id && decodeURIComponent(id) };
}

/** Rejects requests without the key; trackers are public. */
function stranger({ call, id }, authorization) {
  if (authorization === 'Token key_test' || (call === 'track' && id)) return undefined;
  return authorization?.startsWith('Token ')
    ? problem(401, 'invalid_token', 'Given token not valid for any token type')
    : problem(401, 'not_authenticated', 'Authentication credentials were not provided.');
}

/** One server, as a test sees it. */
class Karrio {
  #shipments = new Shipments();
  #calls = [];
  #next = [];
  #webhook;
  #origin;

  /** Serves on a port; returns the address. */
  async open(port) {
    const server = createServer((request, response) => this.#serve(request, response));
    await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.#origin = `http://127.0.0.1:${server.address().port}`;
    return this.#origin;
  }

  /** Applies the effect that a test has set for a call. */
  #fate(call) {
    const one = this.#next.find((each) => each.call === call && each.times > 0);
    if (one) one.times -= 1;
    return one ?? {};
  }

  #answers(call, id, body, url) {
    switch (call) {
      case 'connections': return this.#shipments.connections();
      case 'list': return this.#shipments.list(url);
      case 'draft': return this.#shipments.draft(body);
      case 'look': return this.#shipments.look(id);
      case 'rates': return this.#shipments.rates(id);
      case 'purchase': return this.#shipments.buy(id, body);
      case 'label': return this.#shipments.label(id);
      case 'cancel': return this.#shipments.cancel(id);
      case 'track': return id ? this.#shipments.tracker(id) : this.#shipments.trackers(url);
    }
  }

  async #serve(request, response) {
    try {
      const url = new URL(request.url, this.#origin);
      const text = await read(request);
      if (url.pathname.startsWith('/control/')) return await this.#control(request, response, url, text);
      const meant = meaning(request.method, url.pathname);
      if (!meant) return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>'); // HTML, unlike all other answers
      const { call, id } = meant;
      let body;
      try {
        body = text === '' ? {} : JSON.parse(text);
      } catch {
        return answer(response, problem(400, 'parse_error', 'JSON parse error - Expecting value: line 1 column 1 (char 0)'));
      }
      const { authorization } = request.headers;
      // A draft has an id only after it is created.
      const noted = { call, id, body: text === '' ? undefined : body, authorization };
      this.#calls.push(noted);
      const unknown = stranger(meant, authorization);
      if (unknown) return answer(response, unknown);

      const { does, seconds = 1 } = this.#fate(call);
      if (does === 'fail') return answer(response, { status: 500, value: { errors: [{ level: 'error', message: 'not today' }] } });
      if (does === 'throttle') {
        const throttled = problem(429, 'throttled', `Request was throttled. Expected available in ${seconds} seconds.`);
        return answer(response, { ...throttled, headers: { 'retry-after': String(seconds) } });
      }
      // The check happens before the carrier is called and is not repeated. That is how karrio buys a label twice.
      const no = call === 'purchase' && this.#shipments.unpurchasable(id, body);
      if (no) return answer(response, no);
      if (does === 'refuse') return answer(response, this.#shipments.refusal(call, id));
      if (does === 'late') await setTimeout(seconds * 1000);
      const done = this.#answers(call, id, body, url);
      if (call === 'draft' && done.status === 201) noted.id = done.value.id;
      if (does === 'lose') return request.socket.destroy();
      if (does === 'slow') await setTimeout(seconds * 1000);
      answer(response, done);
    } catch (error) {
      console.error(error);
      answer(response, { status: 500, value: { errors: [{ level: 'error', message: String(error) }] } });
    }
  }

  async #control(request, response, url, text) {
    const [, , what, id] = url.pathname.split('/');
    const ok = (value = {}) => answer(response, { status: 200, value });
    switch (`${request.method} ${what}`) {
      case 'GET calls': return ok(this.#calls);
      case 'GET shipments': return ok(this.#shipments.summary());
      case 'POST next': this.#next.push({ times: 1, ...JSON.parse(text) }); return ok();
      case 'POST forgive': this.#next.length = 0; return ok();
      case 'POST webhook': this.#webhook = JSON.parse(text); return ok();
      case 'POST track': {
        const tracker = this.#shipments.move(decodeURIComponent(id), JSON.parse(text));
        if (!tracker) return answer(response, { status: 404, value: {} });
        return ok({ tracker, told: await this.#tell(tracker) });
      }
      default: return answer(response, { status: 404, value: {} });
    }
  }

  /** Sends a webhook, if there is a receiver. It is not signed: the header contains the subscription's secret itself. */
  async #tell(tracker) {
    if (!this.#webhook?.url) return undefined;
    try {
      const { status } = await fetch(this.#webhook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-event-id': this.#webhook.secret ?? 'whsec_test' },
        body: JSON.stringify({ event: 'tracker_updated', data: tracker }),
      });
      return status;
    } catch (error) {
      return String(error.cause ?? error);
    }
  }
}

const open = async (port) => console.log(`karrio ready on ${await new Karrio().open(port)}`);
await open(Number(PORT));
createInterface({ input: process.stdin }).on('line', () => open(0)).on('close', () => process.exit());
