// Measures what a first look-up in a Shopify shop costs beyond the shop's own time:
//   make build && (cd end2end/peers/shopify && node look-up-time.mjs)
// The stand-in answers once. Then a server that only sends this answer, with another order's name, takes its place, so that the shop's own
// time is small and steady. Look-ups through `retour` and the same requests without it take turns.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { start } from './self-test/support.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PROGRAM = process.env.RETOUR_BIN ?? path.join(ROOT, 'target/release/retour');
const QUERY = fs.readFileSync(path.join(ROOT, 'app/outbound/src/shops/shopify/look_up.graphql'), 'utf8');
const WARM = 200;
const COUNTED = 500;

const median = times => times.sort((one, other) => one - other)[times.length >> 1].toFixed(2);

/** The stand-in's answer to a look-up of an order with so many lines. */
async function recorded(lines) {
  const shop = await start();
  const { name } = await shop.control('orders', { email: 'buyer@example.com', lines: Array.from({ length: lines }, () => ({ price: '12.50' })) });
  const answer = await fetch(`${shop.ready.url}/admin/api/2026-10/graphql.json`, {
    method: 'POST', headers: { 'x-shopify-access-token': shop.token },
    body: JSON.stringify({ query: QUERY, operationName: 'LookUp', variables: { search: `name:"${name.slice(1)}"`, lines: 80 } }),
  });
  const text = await answer.text();
  shop.stop();
  if (!text.includes(`"${name}"`)) throw new Error(text);
  return { name, text };
}

/** A server that answers each look-up with the recorded order, under the name that was asked for. */
async function echo({ name, text }) {
  const [before, ...rest] = text.split(`"${name}"`);
  const id = JSON.parse(text).data.orders.nodes[0].id;
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', part => { body += part; }).on('end', () => {
      const number = /name:\\"#?(\d+)\\"/.exec(body)?.[1] ?? '0';
      const order = [before, ...rest].join(`"#${number}"`).replaceAll(id, id.replace(/\d+$/, number)).replaceAll('/LineItem/', `/LineItem/${number}`);
      response.setHeader('content-type', 'application/json').end(order);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

async function measure(lines) {
  const shop = await echo(await recorded(lines));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'retour-'));
  const port = 20000 + Math.floor(Math.random() * 20000);
  const env = {
    ...process.env, DATABASE_URL: `sqlite://${folder}/retour.db`, FILES_URL: `file://${folder}/files`, LEPTOS_SITE_ADDR: `127.0.0.1:${port}`,
    RETOUR_SECRET_KEY: '0123456789abcdef'.repeat(4), RETOUR_OUTBOUND_ALLOW: '127.0.0.0/8', LOG: 'error', RETOUR_RATE_LIMIT: '0',
  };
  const run = (...words) => execFileSync(PROGRAM, words, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  run('migrate');
  const serving = spawn(PROGRAM, ['serve'], { env, stdio: 'inherit' });
  try {
    const base = `http://127.0.0.1:${port}`;
    for (;;) {
      if (await fetch(`${base}/health/ready`).then(answer => answer.ok, () => false)) break;
      await new Promise(done => setTimeout(done, 50));
    }
    const { id } = JSON.parse(run('account', 'create', '--slug', 'timed', '--name', 'Timed', '--currency', 'EUR', '--json'));
    const { apiKey: token } = JSON.parse(run('service-user', 'create', '--account', 'timed', '--name', 'all', '--scopes', 'admin', '--json'));
    const ask = async (method, where, body, bearer = token) => {
      const answer = await fetch(base + where, { method, headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` }, body: JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status} ${text}`);
      return JSON.parse(text);
    };
    await ask('PATCH', '/api/v0/account', {
      bridge: { kind: 'shopify', url: shop.url, accessToken: 'shpat_00000000000000000000000000000000', secret: 'an-API-secret-key' },
    });
    const [ours, bare] = [[], []];
    for (let number = 1; number <= WARM + COUNTED; number++) {
      const timed = async (times, question) => {
        const began = performance.now();
        await question();
        if (number > WARM) times.push(performance.now() - began);
      };
      await timed(ours, () => ask('POST', '/api/v0/auth/consumer', { account: id, orderNumber: String(number), email: 'buyer@example.com' }));
      const body = JSON.stringify({ query: QUERY, operationName: 'LookUp', variables: { search: `name:"${number}"`, lines: 80 } });
      await timed(bare, async () => { await (await fetch(shop.url, { method: 'POST', body })).json(); });
    }
    const beyond = (median(ours) - median(bare)).toFixed(2);
    console.log(`${String(lines).padStart(3)} lines: look-up ${median(ours)} ms, the shop's own time ${median(bare)} ms, beyond it ${beyond} ms`);
  } finally {
    serving.kill();
    shop.server.close();
    shop.server.closeAllConnections();
    fs.rmSync(folder, { recursive: true });
  }
}

for (const lines of [1, 2, 8, 40]) await measure(lines);
