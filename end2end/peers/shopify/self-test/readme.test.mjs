// The examples of README.md, and validate.mjs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { start } from './support.mjs';

const here = new URL('.', import.meta.url).pathname;
let shop;
before(async () => { shop = await start(); });
after(() => shop.stop());

const readme = readFileSync(join(here, '..', 'README.md'), 'utf8');
const examples = [...readme.matchAll(/`\/control\/([^\s`]+)(?: (\{.*?\}))?`/g)].map(([, path, body]) => ({ path, body: body && JSON.parse(body) }));

test('each example of the README works', async () => {
  assert.ok(examples.length > 20);
  for (const { path, body } of examples.filter((one) => one.path !== 'webhook')) { // no receiver listens there
    await shop.control('reset', {});
    await shop.control('orders', { lines: [{ quantity: 2, price: '10.00', duty: '5.00', variants: [{ sku: 'S-L' }] }], payments: [{ gateway: 'paypal' }] });
    if (path === 'return/close') await shop.control('return', { order: '#1001', lines: [{ line: 0, quantity: 1 }] });
    await shop.control(path, body);
  }
});

const validate = (documents, ...versions) => new Promise((resolve) => {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text);
  execFile(process.execPath, [join(here, '..', 'validate.mjs'), folder, ...versions], (error, stdout, stderr) => {
    rmSync(folder, { recursive: true });
    resolve({ code: error?.code ?? 0, stdout, stderr });
  });
});

test('validate.mjs accepts right documents, also with fragments of other files', async () => {
  const { code, stdout } = await validate({ 'a.graphql': 'query A($lines: Int!) { orders(first: $lines) { nodes { ...O } } }', 'o.graphql': 'fragment O on Order { id }' }, '2026-07', '2026-10');
  assert.equal(code, 0);
  assert.match(stdout, /A: 1 variables, costs at most \d+ of 1000/);
});

test('validate.mjs names file, line and message of a mistake, and lists deprecated uses', async () => {
  const keyless = 'mutation ($i: RefundInput!) { refundCreate(input: $i) { userErrors { message } } }';
  const wrong = await validate({ 'a.graphql': '{\n  shop {\n    nam\n  }\n}', 'b.graphql': keyless }, '2026-10');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /a\.graphql:3: Cannot query field "nam" on type "Shop"/);
  const old = await validate({ 'a.graphql': '{ orders(first: 1) { nodes { totalPrice } } }' }, '2026-10');
  assert.equal(old.code, 0);
  assert.match(old.stdout, /a\.graphql:1: deprecated: .*totalPrice/);
  assert.match(wrong.stderr, /b\.graphql:1: refundCreate needs the directive @idempotent/);
  // Only this version lacks the directive.
  const early = await validate({ 'a.graphql': 'mutation ($i: RefundInput!) { refundCreate(input: $i) @idempotent(key: "k") { userErrors { message } } }' }, '2025-10');
  assert.equal(early.code, 1);
});
