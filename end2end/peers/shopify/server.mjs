// A stand-in for a Shopify shop, made from Shopify's published schema, for tests. It prints
// "shopify ready on http://127.0.0.1:PORT {JSON}" and ends when its standard input closes, and so with the program that started it:
//   PORT=0 node server.mjs
// Each line on its standard input opens another shop on a free port, and prints the same line about it. The line may be the points
// a second of the shop's plan. Loading the schema takes a second, so tests share one program.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { bulkFile } from './parts/bulk.mjs';
import { control } from './parts/control.mjs';
import { Bucket } from './parts/cost.mjs';
import { read, rootFields, run } from './parts/execute.mjs';
import { keyOf } from './parts/idempotency.mjs';
import { remember, tellChanges } from './parts/notices.mjs';
import { mutations, queries } from './parts/roots.mjs';
import { CLIENT_ID, CUSTOM_TOKEN, SECRET, Shop } from './parts/shop.mjs';
import { schemaOf, versions } from './schema.mjs';

const MOST_BYTES = 10_000_000;
const POINTS = 100; // a second, of most plans
const known = versions();

async function bodyOf(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MOST_BYTES) throw new Error('the body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function answer(response, status, value, headers = {}) {
  // The client may have given up. An error here would end the shops of all tests.
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': crypto.randomUUID(), ...headers });
  response.end(JSON.stringify(value));
}

function grant({ shop }, response, type, body) {
  const fields = type?.includes('json') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
  const refuse = (error, description) => answer(response, 400, { error, error_description: description });
  if (fields.grant_type !== 'client_credentials') return refuse('unsupported_grant_type', 'The grant type is not supported.');
  if (!shop.installed || fields.client_id !== CLIENT_ID || fields.client_secret !== SECRET) return refuse('invalid_client', 'The client credentials are invalid.');
  return answer(response, 200, shop.grant());
}

/** Returns the failure that tests asked for this call, and uses it up. */
function failureFor(shop, { query, variables, operationName }, fields) {
  const sent = JSON.stringify(variables ?? {});
  const failure = shop.failures.find(({ operation, order, times }) => times > 0
    && (!operation || fields.includes(operation) || operationName === operation)
    && (!order || sent.includes(order) || query.includes(order)));
  if (failure) failure.times -= 1;
  return failure;
}

async function graphql(state, request, response, version) {
  const { shop: here } = state;
  const token = request.headers['x-shopify-access-token'];
  const body = JSON.parse(await bodyOf(request));
  if (!here.accepts(token)) return answer(response, 401, { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' });
  if (!known.includes(version)) return answer(response, 404, { errors: 'Not Found' });
  const schema = schemaOf(version);
  const asked = read(schema, body);
  if (asked.errors) return answer(response, 200, { errors: asked.errors });
  const fields = rootFields(asked.document, asked.operation);
  const [field] = asked.operation.selectionSet.selections;
  const call = { operation: fields[0], name: asked.operation.name?.value ?? null, version, variables: body.variables ?? {} };
  call.idempotencyKey = asked.operation.operation === 'mutation' && field.kind === 'Field' ? keyOf(schema, field, body.variables ?? {}) ?? null : null;
  here.calls.push(call);
  const failure = failureFor(here, body, fields);
  remember(here);
  const { status, body: value, headers, close } = await fail(state, failure, (pause) =>
    run({ ...state, schema, version, versions: known, roots: { queries, mutations }, url: state.origin, pause }, asked, body.variables ?? {}), field.alias?.value ?? fields[0]);
  tellChanges(here);
  Object.assign(call, { status: close ? 'closed' : status, ...(failure ? { failure: failure.how } : {}) });
  if (close) return request.socket.destroy();
  return answer(response, status, value, { 'x-shopify-api-version': version, ...headers });
}

/** Runs a call, with the failure that tests asked for. */
async function fail({ shop, bucket }, failure, act, field) {
  const { how, status = 502, ms = 1000, message = 'The refund failed' } = failure ?? {};
  const broken = { status, body: { errors: 'Internal Server Error' } };
  switch (how) {
    case undefined: return act();
    case 'before': return broken;
    case 'before-close': return { close: true };
    case 'after': await act(); return broken;
    case 'after-close': await act(); return { close: true };
    case 'slow': return act(setTimeout(ms));
    case 'held': return act(new Promise((release) => { shop.held.push(release); }));
    case 'slow-after': {
      const done = await act();
      await setTimeout(ms);
      return done;
    }
    case '429': return { status: 429, body: { errors: 'Exceeded calls per second for api client. Reduce request rates to resume uninterrupted service.' }, headers: { 'retry-after': '1.0' } };
    case 'throttled': return throttled(bucket);
    default: return { status: 200, body: { data: { [field]: { userErrors: [{ field: null, message }] } } } };
  }
}

function throttled(bucket) {
  const extensions = { code: 'THROTTLED', documentation: 'https://shopify.dev/api/usage/rate-limits' };
  const throttleStatus = { ...bucket.status(), currentlyAvailable: 0 };
  const cost = { requestedQueryCost: 10, actualQueryCost: null, throttleStatus };
  return { status: 200, body: { errors: [{ message: 'Throttled', extensions }], extensions: { cost } } };
}

async function serve(state, request, response) {
  const { pathname, searchParams } = new URL(request.url, state.origin);
  const [, first, ...rest] = pathname.split('/');
  if (first === 'control') {
    const body = request.method === 'POST' ? JSON.parse((await bodyOf(request)) || '{}') : {};
    const done = await control(state, rest.join('/'), body, searchParams);
    tellChanges(state.shop);
    return answer(response, 200, done);
  }
  if (first === 'bulk') return bulkFile(state.shop, request, response, rest[0]);
  if (request.method === 'POST' && pathname === '/admin/oauth/access_token') return grant(state, response, request.headers['content-type'], await bodyOf(request));
  const version = /^\/admin\/api\/([^/]+)\/graphql\.json$/.exec(pathname)?.[1];
  if (version && request.method === 'POST') return graphql(state, request, response, version);
  return answer(response, 404, { errors: 'Not Found' });
}

/** Opens a shop on a port, and prints its address and what an app needs to connect to it. */
async function open(port, points = POINTS) {
  const shop = new Shop();
  const state = { shop, points, bucket: new Bucket(shop, points), sizing: 'logarithmic' };
  const server = createServer((request, response) => {
    serve(state, request, response).catch((error) => answer(response, 400, { error: error.message }));
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  shop.host = `127.0.0.1:${server.address().port}`;
  state.origin = `http://${shop.host}`;
  const ready = { url: state.origin, shop: shop.domain, clientId: CLIENT_ID, clientSecret: SECRET, accessToken: CUSTOM_TOKEN, apiSecret: SECRET, versions: known };
  console.log(`shopify ready on ${state.origin} ${JSON.stringify(ready)}`);
}

schemaOf(known.at(-1)); // so that the first request of the newest version is as fast as the next
await open(Number(process.env.PORT ?? 0));
createInterface({ input: process.stdin }).on('line', (points) => open(0, Number(points) || POINTS)).on('close', () => process.exit());
