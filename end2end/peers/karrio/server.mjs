// Stands in for karrio, a server that buys labels of carriers, for tests. It answers as karrio 2026.1 was found to: real.sh
// starts that one. Prints "karrio ready on http://127.0.0.1:PORT" and ends with its standard input, as it does with whoever
// started it:
//   PORT=4900 node server.mjs
// Its key is key_test, its one carrier "post", with two services; nothing above 31.5 kg. Tests steer it:
//   POST /control/next {call, does, times, seconds}  what becomes of the next calls of a kind (list, look, draft, rates, purchase,
//                                        label, cancel, track, connections): 'lose': it is done, and nobody is told;
//                                        'fail': 500, not done; 'refuse': the carrier (of a draft, purchase or cancel)
//                                        says no, 424, not done; 'slow': done, answered after some seconds; 'late': done
//                                        only then, as by a slow carrier: meanwhile it still looks undone, and may be
//                                        done twice; 'throttle': 429, not done
//   POST /control/forgive                what was in mind for next calls is forgotten
//   POST /control/webhook {url, secret}  where it tells of parcels that move
//   POST /control/track/NUMBER {status, events}  a parcel moves. Answers with what the receiver of that said
//   GET  /control/calls                  what was asked: call, the shipment's (or tracker's) id, body and authorization
//   GET  /control/shipments              id, status, metadata, how often it was purchased: more than once is one too many,
//                                        and the numbers of the parcels
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { problem, Shipments } from './shipments.mjs';

const { PORT = '0' } = process.env;
const shipments = new Shipments();
const calls = [];
const next = [];
let webhook;
const read = async (request) => Buffer.concat(await request.toArray()).toString();

/** What becomes of a call that a test has something in mind for. */
function fate(call) {
  const one = next.find((each) => each.call === call && each.times > 0);
  if (one) one.times -= 1;
  return one ?? {};
}

function answer(response, { status, value, headers = {} }) {
  if (response.destroyed) return; // whoever asked did not want to wait so long
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** Which call this is, and of what: undefined for none that karrio knows. */
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
    'POST shipments/ID/documents/label': 'label', // a POST indeed; a look does not hold the label
    'POST shipments/ID/cancel': 'cancel',
    'GET trackers': 'track',
    'GET trackers/ID': 'track',
  }[name];
  return call && { call, id: id && decodeURIComponent(id) };
}

/** Who may not ask is told so; a parcel's tracker is everybody's to look at. */
function stranger({ call, id }, authorization) {
  if (authorization === 'Token key_test' || (call === 'track' && id)) return undefined;
  return authorization?.startsWith('Token ')
    ? problem(401, 'invalid_token', 'Given token not valid for any token type')
    : problem(401, 'not_authenticated', 'Authentication credentials were not provided.');
}

function answers(call, id, body, url) {
  switch (call) {
    case 'connections': return shipments.connections();
    case 'list': return shipments.list(url);
    case 'draft': return shipments.draft(body);
    case 'look': return shipments.look(id);
    case 'rates': return shipments.rates(id);
    case 'purchase': return shipments.buy(id, body);
    case 'label': return shipments.label(id);
    case 'cancel': return shipments.cancel(id);
    case 'track': return id ? shipments.tracker(id) : shipments.trackers(url);
  }
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, origin);
  try {
    const text = await read(request);
    if (url.pathname.startsWith('/control/')) return await control(request, response, url, text);
    const meant = meaning(request.method, url.pathname);
    if (!meant) return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>'); // a page, unlike all else
    const { call, id } = meant;
    let body;
    try {
      body = text === '' ? {} : JSON.parse(text);
    } catch {
      return answer(response, problem(400, 'parse_error', 'JSON parse error - Expecting value: line 1 column 1 (char 0)'));
    }
    const { authorization } = request.headers;
    // A draft's id is known once it is made.
    const noted = { call, id, body: text === '' ? undefined : body, authorization };
    calls.push(noted);
    const unknown = stranger(meant, authorization);
    if (unknown) return answer(response, unknown);

    const { does, seconds = 1 } = fate(call);
    if (does === 'fail') return answer(response, { status: 500, value: { errors: [{ level: 'error', message: 'not today' }] } });
    if (does === 'throttle') {
      const throttled = problem(429, 'throttled', `Request was throttled. Expected available in ${seconds} seconds.`);
      return answer(response, { ...throttled, headers: { 'retry-after': String(seconds) } });
    }
    // Whether it may be is asked before the carrier is, and not again: that is how a label is bought twice.
    const no = call === 'purchase' && shipments.unpurchasable(id, body);
    if (no) return answer(response, no);
    if (does === 'refuse') return answer(response, shipments.refusal(call, id));
    if (does === 'late') await setTimeout(seconds * 1000);
    const done = answers(call, id, body, url);
    if (call === 'draft' && done.status === 201) noted.id = done.value.id;
    if (does === 'lose') return request.socket.destroy();
    if (does === 'slow') await setTimeout(seconds * 1000);
    answer(response, done);
  } catch (error) {
    console.error(error);
    answer(response, { status: 500, value: { errors: [{ level: 'error', message: String(error) }] } });
  }
});

async function control(request, response, url, text) {
  const [, , what, id] = url.pathname.split('/');
  const ok = (value = {}) => answer(response, { status: 200, value });
  switch (`${request.method} ${what}`) {
    case 'GET calls': return ok(calls);
    case 'GET shipments': return ok(shipments.summary());
    case 'POST next': next.push({ times: 1, ...JSON.parse(text) }); return ok();
    case 'POST forgive': next.length = 0; return ok();
    case 'POST webhook': webhook = JSON.parse(text); return ok();
    case 'POST track': {
      const tracker = shipments.move(decodeURIComponent(id), JSON.parse(text));
      if (!tracker) return answer(response, { status: 404, value: {} });
      return ok({ tracker, told: await tell(tracker) });
    }
    default: return answer(response, { status: 404, value: {} });
  }
}

/** Tells the receiver, if there is one. Nothing is signed: the header is the subscription's secret itself. */
async function tell(tracker) {
  if (!webhook?.url) return undefined;
  try {
    const { status } = await fetch(webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-event-id': webhook.secret ?? 'whsec_test' },
      body: JSON.stringify({ event: 'tracker_updated', data: tracker }),
    });
    return status;
  } catch (error) {
    return String(error.cause ?? error);
  }
}

let origin = `http://127.0.0.1:${PORT}`;
await new Promise((resolve) => server.listen(Number(PORT), '127.0.0.1', resolve));
origin = `http://127.0.0.1:${server.address().port}`;
console.log(`karrio ready on ${origin}`);
process.stdin.on('end', () => process.exit()).resume();
